import ExportPipeline
import FoundationEssentials

/// What reports of sign-ins and ledgers have in common: their JSON, and their table for a terminal.
enum ReportForm {
    /// A report as JSON, by lines, its keys sorted.
    static func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Texts, lists and numbers: nothing that could fail.
        return escaped((try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}") + "\n"
    }

    /// What something is called, and below it a line for each name and value.
    static func table(_ title: String, _ lines: [(String, String)]) -> String {
        let width = 15
        return title.printable + "\n"
            + lines.map { name, value in
                "  \(name)\(String(repeating: " ", count: width - name.count))\(value.printable)\n"
            }.joined()
    }

    /// The same JSON, in which what a terminal may obey, or hide a text with, is written as `\u202e`.
    private static func escaped(_ json: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            guard scalar.value >= 0x7F, scalar.properties.generalCategory.isInvisible else {
                text.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                text.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
            }
        }
        return String(text)
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isInvisible: Bool {
        switch self {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
