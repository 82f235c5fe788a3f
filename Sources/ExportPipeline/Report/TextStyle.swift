/// Which characters a text report may use to draw.
package enum TextStyle: Sendable {
    /// Blocks and dots of Unicode.
    case unicode
    /// ASCII only, for terminals that are not UTF-8.
    case ascii

    /// A bar of `length` columns.
    func bar(_ length: Int) -> String { String(repeating: self == .unicode ? "█" : "#", count: length) }

    /// The arrow from input to output.
    var arrow: String { self == .unicode ? "→" : "->" }

    /// `text` without drawing characters that the style forbids; characters in names stay.
    func applied(to text: String) -> String {
        guard self == .ascii else { return text }
        return String(text.map { $0 == "…" ? "~" : $0 })
    }
}
