/// The bytes with which a top-level element of one export begins: its indentation and `<`.
///
/// Apple indents top-level elements by one space and their children by more, so `\n <` followed by a letter is a safe
/// place to cut the file. The mark is learned from the root's first child, so other indentations work too; in a file
/// without line breaks between elements every `<` is a mark. If a cut is wrong (a comment that holds a record, a child
/// that is indented like its parent), the parser notices, and the stretch is parsed in sequence instead.
package struct TopLevelMark: Sendable, Equatable {
    /// The longest mark that is learned.
    static let maximumByteCount = 64

    /// `\n`, the indentation, `<`; or `<` alone.
    private let bytes: [UInt8]

    /// The mark of a file without line breaks: any `<`.
    package static let anyTag = TopLevelMark(bytes: [UInt8(ascii: "<")])

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Learns the mark from bytes that begin with the root's start tag.
    init(learningFrom root: UnsafeRawBufferPointer) {
        var lineBreak: Int?
        var index = unsafe Self.tagEnd(root)
        while index < root.count, unsafe root[index] <= 0x20 {
            if unsafe root[index] == 0x0A { lineBreak = index }
            index += 1
        }
        guard let lineBreak, index < root.count, unsafe root[index] == UInt8(ascii: "<"),
            index - lineBreak < Self.maximumByteCount
        else {
            self = .anyTag
            return
        }
        bytes = unsafe Array(root[lineBreak...index])
    }

    /// Where the last top-level element within `text` begins (its indentation); `nil` without one.
    func last(in text: UnsafeRawBufferPointer) -> Int? {
        let first = bytes[0]
        var index = text.count - bytes.count - 1
        while index > 0 {
            if unsafe text[index] == first, unsafe begins(at: index, in: text) { return restart(index) }
            index -= 1
        }
        return nil
    }

    /// Where the first top-level element at or after `start` begins (its indentation); `nil` without one.
    func first(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let first = bytes[0]
        let end = text.count - bytes.count
        var index = start
        while index < end {
            if unsafe text[index] == first, unsafe begins(at: index, in: text) { return restart(index) }
            index += 1
        }
        return nil
    }

    /// Whether the tag whose `<` is at `index` has the mark before it and a letter after it.
    func isBefore(tagAt index: Int, in text: UnsafeRawBufferPointer) -> Bool {
        let start = index + 1 - bytes.count
        return unsafe start >= 0 && begins(at: start, in: text)
    }

    /// A cut keeps a line break with the text before it.
    private func restart(_ index: Int) -> Int { bytes.count > 1 ? index + 1 : index }

    private func begins(at index: Int, in text: UnsafeRawBufferPointer) -> Bool {
        guard index + bytes.count < text.count else { return false }
        for position in 0..<bytes.count where unsafe text[index + position] != bytes[position] { return false }
        let letter = unsafe text[index + bytes.count] | 0x20
        return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
    }

    /// The place after the first tag; a `>` inside quotes does not end it.
    private static func tagEnd(_ text: UnsafeRawBufferPointer) -> Int {
        var quote: UInt8 = 0
        for index in 0..<text.count {
            let byte = unsafe text[index]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            }
        }
        return text.count
    }
}
