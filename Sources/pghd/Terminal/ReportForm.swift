import ExportPipeline
import FoundationEssentials

/// What reports of sign-ins and ledgers have in common: their JSON, and their table for a terminal.
enum ReportForm {
    /// A report as JSON, one member a line, with sorted keys.
    static func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Texts, lists and numbers can always be encoded.
        return ((try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}").escapingInvisible
            + "\n"
    }

    /// A title, and below it a line for each name and value.
    static func table(_ title: String, _ lines: [(String, String)]) -> String {
        let width = 15
        return title.printable + "\n"
            + lines.map { name, value in
                "  \(name)\(String(repeating: " ", count: width - name.count))\(value.printable)\n"
            }.joined()
    }
}
