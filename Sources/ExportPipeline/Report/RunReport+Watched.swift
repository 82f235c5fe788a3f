extension RunReport {
    /// What one run of many printed, on one line, with the code that it ended with after the export's names.
    ///
    /// A line for each run keeps a log readable line by line, also after a line that a full disk has cut:
    /// `{"patient": "p1", "file": "export.zip", "exitCode": 0, "bytesRead": 1024, …}`.
    ///
    /// - Parameters:
    ///   - printed: ``json(with:of:)`` of the same export; anything else, such as nothing, is left out.
    ///   - export: whose export of which name it was.
    ///   - exitCode: what it ended with; `nil` where it was killed.
    /// - Returns: an object without a line feed but the one at its end.
    public static func jsonLine(
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

    /// A value of ``ReportJSON`` without its line feeds and indents; texts hold no line feed, which JSON escapes.
    private static func onOneLine(_ json: some StringProtocol) -> String {
        let lines = json.split(separator: "\n").map { $0.drop { $0 == " " } }
        return lines.map { $0.hasSuffix(",") ? "\($0) " : String($0) }.joined() + "\n"
    }
}
