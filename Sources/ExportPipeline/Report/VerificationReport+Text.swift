public import Delivery
internal import FHIRR4

extension VerificationReport {
    /// How many findings a summary names; the report has all of them.
    static let maximumNamedCount = 20

    /// The report's keys and values, in the order in which `--report` writes them; the findings follow.
    private var members: [(String, ReportJSON)] {
        [
            ("checked", .count(checked)),
            ("same", .count(same)),
            ("rounded", .count(counts[.rounded] ?? 0)),
            ("missing", .count(counts[.missing] ?? 0)),
            ("different", .count(counts[.different] ?? 0)),
            ("doubled", .count(counts[.doubled] ?? 0)),
            ("extra", extraUnknown == nil || extraCount > 0 ? .count(extraCount) : .null),
            ("enteredInError", .count(enteredInError)),
            ("rebuilt", rebuilt.map { .count($0) } ?? .null),
            ("leftLedger", .bool(leftLedger)),
            ("ledgerSetAside", ledgerSetAside.map { .string($0) } ?? .null),
            ("reads", .count(requests)),
        ]
    }

    /// The report as JSON, with a line for each resource that is not the same.
    public var json: String {
        var text = ""
        writeJSON(with: nil) { text += $0 }
        return text
    }

    /// Passes the report's JSON to `write` piece by piece, with a line for each resource that is not the same.
    ///
    /// - Parameters:
    ///   - read: what was read of the export; `nil` if it could not be read to its end.
    ///   - write: takes the text.
    /// - Throws: an error that `write` throws.
    public func writeJSON(with read: RunReport?, to write: (String) throws -> Void) rethrows {
        let head = ReportJSON.object((read?.members ?? []) + members).text
        try write(head.dropLast(2) + ",\n  \"findings\": [")
        var isFirst = true
        try forEachFinding { finding in
            let value: JSONValue = [
                "kind": .string(finding.kind.rawValue),
                "resource": .string(finding.resource),
                finding.kind == .doubled ? "copies" : "elements": .list(finding.details.map { .string($0) }),
            ]
            var line = JSONBytes()
            value.write(to: &line)
            let text = unsafe line.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
            try write((isFirst ? "\n    " : ",\n    ") + text)
            isFirst = false
        }
        try write(isFirst ? "]\n}\n" : "\n  ]\n}\n")
    }

    /// Writes the same to a file that only its owner can read and that appears whole or not at all.
    ///
    /// - Throws: `ExportPipelineError.reportExists`, `.interrupted`, or `.report` with the system's reason.
    package func write(
        with read: RunReport?,
        toFile path: String,
        replace: Bool,
        cancellation: Cancellation
    ) throws {
        try RunReport.write(toFile: path, replace: replace, cancellation: cancellation) { file in
            try writeJSON(with: read) { try file.write(text: $0) }
        }
    }

    /// The comparison in a few lines for people, ending with a line feed.
    ///
    /// - Parameters:
    ///   - input: the export.
    ///   - server: the server that was read.
    ///   - style: which characters may be used to draw.
    /// - Returns: a line that names both, one for each number, and one for each of the first findings.
    package func summary(input: String, server: String, style: TextStyle = .unicode) -> String {
        var table = SummaryTable()
        table.add("checked", "\(ReportText.counted(checked, "resource")) of the export")
        table.add("same", "\(ReportText.grouped(same)) on the server once, with the same content")
        if let rounded = counts[.rounded], rounded > 0 {
            table.add(
                "rounded",
                "\(ReportText.grouped(rounded)) too, but for numbers that the server keeps as binary floating point"
            )
        }
        for kind in Kind.allCases where kind != .extra && kind != .rounded {
            table.add(kind.rawValue, ReportText.grouped(counts[kind] ?? 0))
        }
        table.add("extra", extraText)
        if enteredInError > 0 {
            table.add("in error", "\(ReportText.grouped(enteredInError)) not in the export, marked as entered in error")
        }
        table.add("reads", ReportText.counted(requests, "request"))
        if let rebuilt {
            table.add("ledger", "rebuilt: \(ReportText.counted(rebuilt, "resource")) need not be sent again")
        }
        if leftLedger { table.add("ledger", "left as it was: the export is not complete") }
        if let ledgerSetAside { table.add("damaged", "the ledger before was put aside as \(ledgerSetAside)") }
        return table.text(input.printable, server, style, below: named)
    }

    /// The number of findings of each kind, in a few words: `2 missing, 1 extra`.
    package var differenceSentence: String {
        Kind.allCases.filter { $0 != .rounded }
            .compactMap { kind in
                counts[kind].flatMap { $0 > 0 ? "\(ReportText.grouped($0)) \(kind.rawValue)" : nil }
            }
            .joined(separator: ", ")
    }

    private var extraCount: UInt64 { counts[.extra] ?? 0 }

    private var extraText: String {
        switch extraUnknown {
        case nil: ReportText.grouped(extraCount)
        case .server where extraCount > 0, .count where extraCount > 0:
            "\(ReportText.grouped(extraCount)) at least: the server does not list all"
        case .pages where extraCount > 0:
            "\(ReportText.grouped(extraCount)) at least: the server's list of them could not be read to its end"
        case .partialExport: "not counted: the export was not read whole, or samples were left out"
        case .partialInput:
            "not counted: this input does not hold all of an export, give the zip or its folder with all of its files"
        case .pages: "not counted: the server's list of them could not be read to its end"
        case .server: "not counted: the server does not search by an identifier's system"
        case .count: "not counted: the server's count of them is lower than what it has shown"
        }
    }

    /// `missing Observation/h…`, `different Observation/h… valueQuantity.value`.
    private var named: [String] {
        var lines: [String] = []
        var all = 0
        forEachFinding { finding in
            guard finding.kind != .rounded else { return }
            all += 1
            guard lines.count < Self.maximumNamedCount else { return }
            let details = finding.details.isEmpty ? "" : "  \(finding.details.joined(separator: ", "))"
            lines.append("\(finding.kind.rawValue) \(finding.resource)\(details)")
        }
        if all > lines.count {
            lines.append("and \(ReportText.grouped(UInt64(all - lines.count))) more: --report FILE has them all")
        }
        return lines
    }
}
