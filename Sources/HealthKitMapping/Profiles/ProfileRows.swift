/// The rows that `profiles/embed.py` made from a file: what is decoded of it, and nothing else.
///
///     t	8867-4	Heart rate	equivalent          a target: code, display, equivalence
///
/// A row's first cell gives its kind; the rows that belong to it follow. Tabs separate the cells, and an empty cell has
/// no value. Decoding the JSON of all files instead takes ten milliseconds, their rows one.
struct ProfileRows {
    private var rest: ArraySlice<UInt8>

    init(_ text: StaticString) { rest = Array(text.description.utf8)[...] }

    /// One row without its first cell.
    struct Row {
        fileprivate let cells: [String]

        var count: Int { cells.count }

        subscript(_ cell: Int) -> String { cell < cells.count ? cells[cell] : "" }

        /// A cell's text; `nil` if it is empty.
        func text(_ cell: Int) -> String? { self[cell].isEmpty ? nil : self[cell] }
    }

    /// The next row, if it is of this kind.
    mutating func next(_ kind: Unicode.Scalar) -> Row? {
        guard rest.first == UInt8(ascii: kind) else { return nil }
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        let cells = rest[..<end].split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).dropFirst()
        rest = rest[end...].dropFirst()
        return Row(cells: cells.map { String(decoding: $0, as: UTF8.self) })
    }
}
