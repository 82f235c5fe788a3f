/// The bytes at which a top-level element of one export begins: its indentation and `<`.
///
/// Apple indents top-level elements by one space and their children by more, so
/// `\n <` followed by a letter is a safe place to cut the file. The mark is learned from
/// the first child of the root, so other indentations work too; a file without line
/// breaks between elements has no mark and is parsed in one piece. A cut at a wrong place
/// (a comment that holds a record, say) is noticed by the parser, and the stretch is
/// parsed in sequence instead.
public struct TopLevelMark: Sendable, Equatable {
    /// `\n`, the indentation, `<`.
    private let bytes: [UInt8]

    /// Learns the mark from bytes that begin with the root's start tag; `nil` without a line break.
    public init?(learningFrom root: UnsafeRawBufferPointer) {
        guard let tagEnd = unsafe root.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        var index = tagEnd + 1
        var lineBreak: Int?
        while index < root.count {
            let byte = unsafe root[index]
            if byte == 0x0A { lineBreak = index }
            if byte == UInt8(ascii: "<") { break }
            guard byte == 0x0A || byte == 0x20 || byte == 0x09 || byte == 0x0D else { return nil }
            index += 1
        }
        guard let lineBreak, index < root.count else { return nil }
        bytes = unsafe Array(root[lineBreak...index])
    }

    /// Where the last top-level element within `text` begins (its indentation), past `start`; `nil` without one.
    public func last(in text: UnsafeRawBufferPointer, after start: Int) -> Int? {
        var index = text.count - bytes.count - 1
        while index > start {
            if unsafe text[index] == 0x0A, unsafe matches(text, index) { return index + 1 }
            index -= 1
        }
        return nil
    }

    /// Where the first top-level element at or behind `start` begins (its indentation); `nil` without one.
    public func first(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        while index + bytes.count < text.count {
            if unsafe text[index] == 0x0A, unsafe matches(text, index) { return index + 1 }
            index += 1
        }
        return nil
    }

    private func matches(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        guard index + bytes.count < text.count else { return false }
        for position in 1..<bytes.count where unsafe text[index + position] != bytes[position] { return false }
        let letter = unsafe text[index + bytes.count] | 0x20
        return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
    }
}
