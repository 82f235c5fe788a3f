extension RunReport {
    /// What a run printed for whoever runs many, with the code that it ended with behind the export's names.
    ///
    /// - Parameters:
    ///   - printed: ``json(with:of:)`` of the same export; anything else, such as nothing, is left out.
    ///   - export: whose export of which name it was.
    ///   - exitCode: what it ended with; `nil` where it was killed.
    /// - Returns: an object, ended by a line feed.
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
