/// The five entities that XML itself defines, in text that libxml2 did not parse.
package enum PredefinedEntities {
    /// `<<HKDevice` for `&lt;&lt;HKDevice`; other references are left as they are.
    package static func resolved(_ text: String) -> String {
        var rest = Array(text.utf8)[...]
        guard rest.contains(UInt8(ascii: "&")) else { return text }
        var result: [UInt8] = []
        // Works on bytes, since the semicolon may form one character with what follows it.
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<ampersand]
            rest = rest[ampersand...]
            if let entity = entities.first(where: { rest.starts(with: $0.name.utf8) }) {
                result.append(entity.byte)
                rest = rest.dropFirst(entity.name.utf8.count)
            } else {
                result.append(UInt8(ascii: "&"))
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    private static let entities: [(name: String, byte: UInt8)] = [
        ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")), ("&amp;", UInt8(ascii: "&")),
        ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")),
    ]
}
