public import HealthExport

extension Malformation {
    /// One line for people: `line 177, byte 18210, Record: a character that XML forbids; replaced by U+FFFD`.
    ///
    /// Says where and what, never what the file holds there.
    public var words: String {
        let place = "line \(line), byte \(byte)" + (element.map { ", \($0.text)" } ?? "")
        return "\(place): \(kind.words)"
    }
}

extension Malformation.Kind {
    /// What is wrong and what became of it.
    public var words: String {
        switch self {
        case .forbiddenCharacter: "a character that XML forbids; replaced by U+FFFD"
        case .notWellFormed: "not well-formed XML; the element was left out"
        case .duplicateAttribute: "an attribute twice in one tag; the element was left out"
        case .undefinedEntity: "a reference to an entity that XML does not define; the element was left out"
        case .tooLarge: "an attribute above 10 MB or an element above 16 MB; the element was left out"
        case .strayText: "text between elements, where Apple writes none; it was left out"
        case .truncated: "the file ends inside an element; the element was left out"
        case .contentAfterEnd: "something follows </HealthData>; it was left out"
        case .unusableRecord: "no type, or a start or end that is no date; the record was left out"
        case .endBeforeStart: "the end is before the start; only the start is used"
        }
    }
}
