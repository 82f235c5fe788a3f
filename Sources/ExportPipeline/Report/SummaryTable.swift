/// The result of a run in lines for people: names, each followed by a number or some words.
///
///     export.zip → bundles.ndjson
///       records  559,636 read
///       damage   none
struct SummaryTable {
    private var table = TextTable(columns: [TextTable.Column(title: ""), TextTable.Column(title: "")], width: .max)

    /// Adds a line for each text, the first with the name; no line if there is no text.
    mutating func add(_ name: String, _ texts: [String]) {
        for (index, text) in texts.enumerated() { table.rows.append([index == 0 ? name : "", text]) }
    }

    /// Adds one line.
    mutating func add(_ name: String, _ text: String) { add(name, [text]) }

    /// All lines, after a head line that names input and output, ending with a line feed; `-` is standard input.
    func text(_ input: String, _ output: String, _ style: TextStyle, below: [String] = []) -> String {
        let head = "\(input == "-" ? "standard input" : input) \(style.arrow) \(output)"
        return ([head] + table.lines + below).joined(separator: "\n") + "\n"
    }
}
