/// One fault of the input that a run survived: what, where, and in which element.
///
/// `{"kind":"forbiddenCharacter","byte":18210,"line":177,"element":"Record"}`. Never holds content of the file.
public struct Malformation: Equatable, Sendable {
    /// What is wrong.
    public enum Kind: String, Sendable, CaseIterable {
        /// A byte or reference that XML forbids, or invalid UTF-8; replaced by U+FFFD.
        case forbiddenCharacter
        /// The same in a tag, outside a value: the element or attribute with that name was left out.
        case forbiddenName
        /// A `WorkoutStatistics` with a second `startDate`, as iOS 16.0 wrote it: read as `endDate`.
        case doubledStartDate
        /// An `Attachment` with a second `identifier`, as phones write it for several pictures: left out.
        case doubledIdentifier
        /// Not well-formed: the element was left out.
        case notWellFormed
        /// An attribute appears twice in a tag: the element was left out.
        case duplicateAttribute
        /// A reference to an entity that XML does not define: the element was left out.
        case undefinedEntity
        /// An attribute above libxml2's limit of 10 MB, an element above 16 MB or with more than 100 namespaces, or a
        /// tag with more than 1,000 attributes: the element was left out.
        case tooLarge
        /// Text between elements, where Apple writes none: it was left out.
        case strayText
        /// The file ends before `</HealthData>`, or inside a comment that began here.
        case truncated
        /// Something follows `</HealthData>`: it was left out.
        case contentAfterEnd
        /// A sample has no type, a start or end that is not a date, or a source name above 1,024 bytes: it was left
        /// out.
        case unusableRecord
        /// A `Record` ends before it starts: written with its start alone.
        case endBeforeStart
        /// A `Me` that differs from the first one, as if of another person: it was left out.
        case otherOwner
        /// A file next to the XML can't be read, as its ``MemberFault`` says, or is incomplete or empty: it was left
        /// out.
        case unreadableFile
        /// A file next to the XML is larger than any such file should be: it was left out.
        case largeFile
        /// An element refers to a file, and more elements do than any real export has: its file was left out.
        case tooManyFiles
        /// An electrocardiogram without a recorded date in its place: it was left out.
        case electrocardiogramHeader
        /// An electrocardiogram whose sample rate is missing or unusable: it was left out.
        case electrocardiogramRate
        /// An electrocardiogram without samples: it was left out.
        case electrocardiogramEmpty
        /// An electrocardiogram with a line that is not a number like the others: it was left out.
        case electrocardiogramSample
        /// An electrocardiogram with several numbers in a line: it was left out.
        case electrocardiogramColumns
    }
    /// What is wrong.
    public var kind: Kind
    /// Where, in bytes from the start of the XML.
    public var byte: UInt64
    /// The line, from 1.
    public var line: UInt64
    /// The top-level element that it is in, if known.
    public var element: ElementName?
    /// The file next to the XML that it is in; `byte` and `line` are then places in that file, or 0.
    public var file: Place?

    /// A file next to the XML, by its kind and its number in the order of names.
    public struct Place: Equatable, Sendable {
        /// The kind of file.
        public var kind: ExportMember.Kind
        /// Its number among those of its kind, from 1.
        public var ordinal: Int
        /// Why it can't be read, if that is what is wrong.
        public var fault: MemberFault?
    }

    /// A fault in a file next to the XML.
    package init(kind: Kind, in member: ExportMember, byte: UInt64 = 0, line: UInt64 = 0) {
        self.init(kind: kind, byte: byte, line: line, element: nil)
        file = Place(kind: member.kind, ordinal: member.ordinal)
    }

    /// A fault because a file next to the XML can't be read.
    package init(_ fault: MemberFault, in member: ExportMember) {
        let isLarge = if case .tooLarge = fault { true } else { false }
        self.init(kind: isLarge ? .largeFile : .unreadableFile, in: member)
        file?.fault = fault
    }

    /// A fault at a place.
    package init(kind: Kind, byte: UInt64, line: UInt64, element: ElementName?) {
        self.kind = kind
        self.byte = byte
        self.line = line
        self.element = element
    }
}
