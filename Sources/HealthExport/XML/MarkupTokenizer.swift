/// Cuts the XML after an export's prolog into tags, text and other markup, as its bytes arrive.
///
/// It only knows where markup begins and ends; libxml2 judges the content of tags. In well-formed XML it finds what any
/// parser finds. A broken tag ends where another must have begun: at a `<` outside quotes, or inside them at a `<` that
/// follows the export's `TopLevelMark`. About 1 GB/s.
struct MarkupTokenizer: Sendable {
    /// What a token is.
    enum Kind: Equatable, Sendable {
        case startTag, emptyTag, endTag
        /// A tag that ends where another one begins.
        case cutTag
        /// `<!ELEMENT …>`, `<5>`: markup that is not allowed in a document's content.
        case junk
        /// As much text as is there.
        case text
        /// As much as is there, including its delimiters.
        case opaque(OpaqueMarkup)
    }

    /// A token, or as much of it as is there, as bytes of the current text.
    struct Token: Sendable {
        var kind: Kind
        var start: Int
        var end: Int
        /// The content of a comment or the like.
        var inside: Range<Int>

        init(kind: Kind, start: Int, end: Int, inside: Range<Int>? = nil) {
            self.kind = kind
            self.start = start
            self.end = end
            self.inside = inside ?? start..<end
        }
    }

    /// Bytes before this one already belong to tokens.
    private(set) var cursor = 0
    /// The open token and where it began, which may be before the current text.
    private(set) var open: (kind: Kind, start: Int)?

    private let mark: TopLevelMark
    private var quote: UInt8 = 0

    init(mark: TopLevelMark) { self.mark = mark }

    /// The next token; `nil` if more bytes are needed, or if the file ends in `open`.
    mutating func next(in text: UnsafeRawBufferPointer, isFinal: Bool) -> Token? {
        if unsafe open == nil || (open?.kind == .text && isAtTag(text)) {
            guard let kind = unsafe opening(in: text, isFinal: isFinal) else { return nil }
            open = (kind, cursor)
            if kind != .text { cursor += 1 }
        }
        guard let open else { return nil }
        switch open.kind {
        case .text: return unsafe textToken(text)
        case .opaque(let markup): return unsafe part(of: markup, from: open.start, text, isFinal: isFinal)
        default: return unsafe tag(open.kind, from: open.start, text, isFinal: isFinal)
        }
    }

    /// Continues at `place`, between two tokens.
    mutating func restart(at place: Int) {
        cursor = place
        open = nil
        quote = 0
    }

    /// Adjusts places after the current text lost its first `count` bytes.
    mutating func drop(_ count: Int) {
        cursor -= count
        open?.start -= count
    }

    /// Where the tag begins whose end has not been found yet.
    var openTag: Int? {
        switch open?.kind {
        case nil, .text, .opaque: nil
        default: open?.start
        }
    }

    /// Whether a tag at `index` begins a top-level element or ends the root, whatever came before it.
    ///
    /// - Returns: `nil` if more bytes are needed.
    func isRestart(_ index: Int, in text: UnsafeRawBufferPointer, isFinal: Bool) -> Bool? {
        guard index >= 0 else { return false }
        guard index + 1 < text.count else { return isFinal ? false : nil }
        guard unsafe text[index + 1] == UInt8(ascii: "/") else { return unsafe mark.isBefore(tagAt: index, in: text) }
        let end: StaticString = "</HealthData"
        let count = end.utf8CodeUnitCount
        let isSame = end.withUTF8Buffer { name in
            unsafe zip(text[index...], name).allSatisfy { $0 == $1 }
        }
        guard isSame, index + count < text.count else { return isSame && !isFinal ? nil : false }
        return unsafe text[index + count] <= 0x20 || text[index + count] == UInt8(ascii: ">")
    }

    private func isAtTag(_ text: UnsafeRawBufferPointer) -> Bool {
        unsafe cursor < text.count && text[cursor] == UInt8(ascii: "<")
    }

    /// What begins at the cursor; `nil` if more bytes are needed to know.
    private func opening(in text: UnsafeRawBufferPointer, isFinal: Bool) -> Kind? {
        guard cursor < text.count else { return nil }
        guard unsafe isAtTag(text) else { return .text }
        guard cursor + 1 < text.count else { return isFinal ? .startTag : nil }
        switch unsafe text[cursor + 1] {
        case UInt8(ascii: "/"): return .endTag
        case UInt8(ascii: "!"), UInt8(ascii: "?"):
            for markup in OpaqueMarkup.allCases {
                guard let opens = unsafe markup.opens(at: cursor, in: text) else {
                    if isFinal { continue }
                    return nil
                }
                if opens { return .opaque(markup) }
            }
            return .junk
        // No name begins with these.
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ">"),
            UInt8(ascii: "="), 0x20, 0x0A, 0x0D, 0x09:
            return .junk
        default: return .startTag
        }
    }

    private mutating func textToken(_ text: UnsafeRawBufferPointer) -> Token? {
        let start = cursor
        while cursor < text.count, unsafe text[cursor] != UInt8(ascii: "<") { cursor += 1 }
        return cursor > start ? Token(kind: .text, start: start, end: cursor) : nil
    }

    /// A comment or the like, or a part of it that excludes a possible end and an incomplete character.
    private mutating func part(
        of markup: OpaqueMarkup,
        from opening: Int,
        _ text: UnsafeRawBufferPointer,
        isFinal: Bool
    ) -> Token? {
        // The `<` was consumed when it opened.
        let start = cursor == opening + 1 ? opening : cursor
        let inside = max(start, opening + markup.opening.utf8CodeUnitCount)
        if let end = unsafe markup.end(in: text, from: inside) {
            cursor = end
            open = nil
            let closing = end - markup.closing.utf8CodeUnitCount
            return Token(kind: .opaque(markup), start: start, end: end, inside: inside..<closing)
        }
        var end = isFinal ? text.count : text.count - markup.closing.utf8CodeUnitCount + 1
        guard end > inside else { return nil }
        end -= unsafe TextRepair.incompleteTail(UnsafeRawBufferPointer(rebasing: text[inside..<end]))
        guard end > inside else { return nil }
        cursor = end
        return Token(kind: .opaque(markup), start: start, end: end, inside: inside..<end)
    }

    private mutating func tag(
        _ kind: Kind,
        from start: Int,
        _ text: UnsafeRawBufferPointer,
        isFinal: Bool
    ) -> Token? {
        while cursor < text.count {
            let byte = unsafe text[cursor]
            if quote != 0 {
                if byte == quote {
                    quote = 0
                } else if byte == UInt8(ascii: "<") {
                    guard let isRestart = unsafe isRestart(cursor, in: text, isFinal: isFinal) else { return nil }
                    if isRestart { return ended(.cutTag, from: start, at: cursor) }
                }
            } else if byte == UInt8(ascii: ">") {
                let isEmpty = unsafe kind == .startTag && text[cursor - 1] == UInt8(ascii: "/")
                return ended(isEmpty ? .emptyTag : kind, from: start, at: cursor + 1)
            } else if byte == UInt8(ascii: "<") {
                return ended(kind == .junk ? .junk : .cutTag, from: start, at: cursor)
            } else if kind == .startTag, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            cursor += 1
        }
        return nil
    }

    private mutating func ended(_ kind: Kind, from start: Int, at end: Int) -> Token {
        restart(at: end)
        return Token(kind: kind, start: start, end: end)
    }
}

/// Markup in which tags do not count.
enum OpaqueMarkup: CaseIterable, Sendable {
    case comment, section, instruction

    var opening: StaticString {
        switch self {
        case .comment: "<!--"
        case .section: "<![CDATA["
        case .instruction: "<?"
        }
    }

    var closing: StaticString {
        switch self {
        case .comment: "-->"
        case .section: "]]>"
        case .instruction: "?>"
        }
    }

    /// Whether it begins at `index`; `nil` if more bytes are needed to know.
    func opens(at index: Int, in text: UnsafeRawBufferPointer) -> Bool? {
        opening.withUTF8Buffer { opening in
            let isSame = unsafe zip(text[index...], opening).allSatisfy { $0 == $1 }
            return isSame && index + opening.count > text.count ? nil : isSame
        }
    }

    /// The place after its end, searched for from `start` on.
    func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        closing.withUTF8Buffer { closing in
            var index = start
            while index + closing.count <= text.count {
                // The first byte of each closing delimiter is rare in text.
                if unsafe text[index] == closing[0], unsafe text[index + 1] == closing[1],
                    unsafe text[index + closing.count - 1] == UInt8(ascii: ">")
                {
                    return index + closing.count
                }
                index += 1
            }
            return nil
        }
    }
}

/// The first byte that is not white space; control bytes count.
func firstBlack(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
    range.first { index in
        let byte = unsafe text[index]
        return byte != 0x20 && byte != 0x0A && byte != 0x0D && byte != 0x09
    }
}
