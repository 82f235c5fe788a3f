/// The five entities that XML defines itself, in text that was not parsed by libxml2.
public enum PredefinedEntities {
    /// `<<HKDevice` for `&lt;&lt;HKDevice`; other references stand as they are.
    public static func resolved(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = Substring(text)
        while let ampersand = rest.firstIndex(of: "&") {
            result += rest[..<ampersand]
            rest = rest[ampersand...]
            if let entity = entities.first(where: { rest.hasPrefix($0.name) }) {
                result.append(entity.character)
                rest = rest.dropFirst(entity.name.count)
            } else {
                result.append("&")
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    private static let entities: [(name: String, character: Character)] = [
        ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"), ("&quot;", "\""), ("&apos;", "'"),
    ]
}
