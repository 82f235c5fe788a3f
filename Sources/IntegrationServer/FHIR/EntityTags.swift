/// `If-Match` or `If-None-Match`: any version, or a list of them (RFC 9110, sections 8.8.3 and 13.1).
///
/// FHIR's version tags are weak, in `If-Match` too, so they are compared weakly.
struct EntityTags: Sendable {
    private let tags: [String]

    init(_ text: String) {
        tags = text.split(separator: ",").map { tag in
            let tag = tag.trimmingSpaces
            return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
        }
    }

    func contains(version: Int) -> Bool { tags == ["*"] || tags.contains("\"\(version)\"") }
}
