extension RunReport {
    /// The JSON that a run printed, on one line, with its exit code after the export's names, for a caller of many runs.
    ///
    /// One line for each run keeps a log readable line by line, even after a line that a full disk has cut:
    /// `{"patient": "p1", "file": "export.zip", "exitCode": 0, "bytesRead": 1024, …}`.
    ///
    /// - Parameters:
    ///   - printed: ``json(with:of:)`` of the same export; any other text, such as an empty one, is left out.
    ///   - export: the patient's id and the export's file name.
    ///   - exitCode: the run's exit code; `nil` if it was killed.
    /// - Returns: an object on one line, followed by a line feed.
    package static func jsonLine(
        _ printed: String,
        of export: (patientID: String, file: String),
        exitCode: UInt8?
    ) -> String {
        let names = ReportJSON.names(export)
        let ending = [("exitCode", exitCode.map { ReportJSON.count(UInt64($0)) } ?? .null)]
        let head = ReportJSON.object(names).text.dropLast(2)
        let whole = ReportJSON.object(names + ending).text
        guard printed.hasPrefix(head + ",\n"), printed.hasSuffix("\n}\n") else { return onOneLine(whole) }
        return onOneLine(whole.dropLast(2) + printed.dropFirst(head.count))
    }

    /// JSON as ``ReportJSON`` writes it, without line feeds and indents; a string holds no line feed, since JSON escapes it.
    private static func onOneLine(_ json: some StringProtocol) -> String {
        let lines = json.split(separator: "\n").map { $0.drop { $0 == " " } }
        return lines.map { $0.hasSuffix(",") ? "\($0) " : String($0) }.joined() + "\n"
    }
}
