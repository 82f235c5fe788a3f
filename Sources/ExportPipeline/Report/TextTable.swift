/// Aligned columns for a terminal, no wider than requested.
package struct TextTable {
    /// One column.
    package struct Column {
        var title: String
        /// Whether cells are aligned to the right, as numbers are.
        var isNumeric = false
        /// The smallest width that it may shrink to; `nil` for a column that never shrinks.
        var minimumWidth: Int?

        package init(title: String, isNumeric: Bool = false, minimumWidth: Int? = nil) {
            self.title = title
            self.isNumeric = isNumeric
            self.minimumWidth = minimumWidth
        }
    }

    var columns: [Column]
    /// The width of the widest line allowed.
    var width: Int
    package var rows: [[String]] = []
    /// Spaces before each line.
    private static let indent = 2

    package init(columns: [Column], width: Int = 100) {
        self.columns = columns
        self.width = width
    }

    /// The lines, beginning with the titles if any column has one, without trailing spaces.
    package var lines: [String] {
        let isTitled = columns.contains { !$0.title.isEmpty }
        let all = (isTitled ? [columns.map(\.title)] : []) + rows
        let widths = fitted(columns.indices.map { column in all.map { $0[column].terminalWidth }.max() ?? 0 })
        return all.map { cells in
            var line = String(repeating: " ", count: Self.indent)
            for (index, cell) in cells.enumerated() {
                let text = cell.clipped(toTerminalWidth: widths[index])
                let padding = String(repeating: " ", count: widths[index] - text.terminalWidth)
                line += (index == 0 ? "" : "  ") + (columns[index].isNumeric ? padding + text : text + padding)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Takes the excess from the widest column that may shrink, one at a time.
    private func fitted(_ natural: [Int]) -> [Int] {
        var widths = natural
        while Self.indent + widths.reduce(0, +) + 2 * (widths.count - 1) > width {
            let shrinkable = columns.indices.filter { widths[$0] > (columns[$0].minimumWidth ?? .max) }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
        }
        return widths
    }
}
