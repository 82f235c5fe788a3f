/// Which characters a text report may draw with.
public enum TextStyle: Sendable {
    /// Blocks and dots of Unicode.
    case unicode
    /// ASCII alone, for terminals that are not UTF-8.
    case ascii

    /// A bar of `length` columns.
    func bar(_ length: Int) -> String { String(repeating: self == .unicode ? "█" : "#", count: length) }

    /// From input to output.
    var arrow: String { self == .unicode ? "→" : "->" }

    /// `text` with no drawing of ours that the style forbids; names keep their characters.
    func applied(to text: String) -> String {
        guard self == .ascii else { return text }
        return String(text.map { $0 == "…" ? "~" : $0 })
    }
}
