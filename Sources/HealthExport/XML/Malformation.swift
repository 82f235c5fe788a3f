/// One fault of the input that a run survived: what, where, and in which element.
///
/// `{"kind":"forbiddenCharacter","byte":18210,"line":177,"element":"Record"}`. Never holds
/// any content of the file.
public struct Malformation: Equatable, Sendable {
    /// What is wrong.
    public enum Kind: String, Sendable, CaseIterable {
        /// A byte or reference that XML forbids, or invalid UTF-8; replaced by U+FFFD.
        case forbiddenCharacter
        /// Not well-formed: the element was left out.
        case notWellFormed
        /// An attribute stands twice in a tag: the element was left out.
        case duplicateAttribute
        /// A reference to an entity that XML does not define: the element was left out.
        case undefinedEntity
        /// An attribute above libxml2's limit of 10 MB, or an element above 16 MB: the element was left out.
        case tooLarge
        /// Text between elements, where Apple writes none: it was left out.
        case strayText
        /// The file ends before `</HealthData>`, or inside a comment that began here.
        case truncated
        /// Something follows `</HealthData>`: it was left out.
        case contentAfterEnd
        /// A `Record` has no type, or a start or end that is no date: it was left out.
        case unusableRecord
        /// A `Record` ends before it starts: written with its start alone.
        case endBeforeStart
    }
    /// What is wrong.
    public var kind: Kind
    /// Where, in bytes from the start of the XML.
    public var byte: UInt64
    /// The line, from 1.
    public var line: UInt64
    /// The top-level element it is in, where known.
    public var element: ElementName?

    /// A fault at a place.
    public init(kind: Kind, byte: UInt64, line: UInt64, element: ElementName?) {
        self.kind = kind
        self.byte = byte
        self.line = line
        self.element = element
    }
}
