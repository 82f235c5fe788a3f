extension RunReport {
    /// The JSON that a run printed, with its exit code after the export's names, for a caller of many runs.
    ///
    /// - Parameters:
    ///   - printed: ``json(with:of:)`` of the same export; any other text, such as an empty one, is left out.
    ///   - export: the patient's id and the export's file name.
    ///   - exitCode: the run's exit code; `nil` if it was killed.
    /// - Returns: an object, followed by a line feed.
    public static func json(
        _ printed: String,
        of export: (patientID: String, file: String),
        exitCode: UInt8?
    ) -> String {
        let names = ReportJSON.names(export)
        let ending = [("exitCode", exitCode.map { ReportJSON.count(UInt64($0)) } ?? .null)]
        let head = ReportJSON.object(names).text.dropLast(2)
        let whole = ReportJSON.object(names + ending).text
        guard printed.hasPrefix(head + ",\n"), printed.hasSuffix("\n}\n") else { return whole + "\n" }
        return String(whole.dropLast(2) + printed.dropFirst(head.count))
    }
}
