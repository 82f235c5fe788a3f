internal import Glibc

/// A chunk's text as `CanonicalScanner` reads it, by bytes and by words of eight bytes.
///
/// Three words, passed by value: a scanner that read its own bytes would be copied for each read.
@safe
struct CanonicalText {
    /// Bytes that must follow the text, so that a record's last words can be read wherever it ends.
    static let slack = 256

    let base: UnsafePointer<UInt8>
    let end: Int
    /// The end of the slack, whose bytes don't count: an element that extends past `end` is refused.
    let readableEnd: Int

    /// `text`, which must be followed by `slack` more readable bytes.
    init(_ text: UnsafeRawBufferPointer) {
        guard let start = text.baseAddress else { preconditionFailure("a chunk without memory was scanned") }
        unsafe base = start.assumingMemoryBound(to: UInt8.self)
        end = text.count
        readableEnd = text.count + Self.slack
    }

    /// Whether these eight ASCII characters are at a place.
    @inline(__always)
    func reads(_ characters: StaticString, at index: Int) -> Bool { word(index) == Self.ascii(characters) }

    /// The place after `&lt;&lt;HKDevice: 0x283336ee0&gt;`, or 0 if that is not at `start`.
    func stableStart(_ start: Int) -> Int {
        guard start + 48 < readableEnd, reads("&lt;&lt;", at: start),
            reads("HKDevice", at: start + 8), reads("vice: 0x", at: start + 12)
        else { return 0 }
        // Up to 16 hex digits.
        var cursor = start + 20
        var others = Self.notHexDigits(word(cursor))
        if others == 0 {
            cursor += 8
            others = Self.notHexDigits(word(cursor))
        }
        cursor += others == 0 ? 8 : others.trailingZeroBitCount >> 3
        guard word(cursor) & 0xFFFF_FFFF == Self.ascii("&gt;    ") & 0xFFFF_FFFF else { return 0 }
        return cursor + 4
    }

    /// The top bit of each byte that is not a hex digit; exact up to the first.
    private static func notHexDigits(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        let letters = word | (ones &* 0x20)
        let isDigit = ~((word ^ (ones &* 0x30)) &+ ones &* 0x76)
        let isLetter = (letters &+ ones &* 0x1F) & ~(letters &+ ones &* 0x19)
        return (~(isDigit | isLetter) | word) & tops
    }

    /// Where the attribute value at `start` ends, at its quote; 0 if libxml2 must read it.
    func valueEnd(_ start: Int, allowsEntities: Bool) -> Int {
        var cursor = start
        while cursor < end {
            let word = word(cursor)
            let special = Self.specialBytes(word)
            if special == 0 {
                cursor += 8
                continue
            }
            cursor += special.trailingZeroBitCount >> 3
            guard cursor < end else { return 0 }
            let byte = byte(cursor)
            if byte == UInt8(ascii: "\"") { return cursor }
            let length =
                byte >= 0x80
                ? sequenceLength(cursor) : byte == UInt8(ascii: "&") && allowsEntities ? entityLength(cursor) : 0
            guard length > 0 else { return 0 }
            cursor += length
        }
        return 0
    }

    /// The top bit of each byte that is `"`, `&`, `<`, a control byte or not ASCII; exact up to the first.
    @inline(__always)
    static func specialBytes(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        func equals(_ byte: UInt64) -> UInt64 {
            let difference = word ^ (ones &* byte)
            return (difference &- ones) & ~difference
        }
        let controls = (word &- ones &* 0x20) & ~word
        return (equals(0x22) | equals(0x26) | equals(0x3C) | controls | word) & tops
    }

    /// The length of a predefined entity's reference at `start`, else 0.
    private func entityLength(_ start: Int) -> Int {
        let word = word(start)
        if word & 0xFFFF_FFFF == Self.ascii("&lt;    ") & 0xFFFF_FFFF { return 4 }
        if word & 0xFFFF_FFFF == Self.ascii("&gt;    ") & 0xFFFF_FFFF { return 4 }
        if word & 0xFF_FFFF_FFFF == Self.ascii("&amp;   ") & 0xFF_FFFF_FFFF { return 5 }
        if word & 0xFFFF_FFFF_FFFF == Self.ascii("&quot;  ") & 0xFFFF_FFFF_FFFF { return 6 }
        if word & 0xFFFF_FFFF_FFFF == Self.ascii("&apos;  ") & 0xFFFF_FFFF_FFFF { return 6 }
        return 0
    }

    /// The length of a well-formed UTF-8 sequence for an XML character, else 0 (Unicode, table 3-7).
    private func sequenceLength(_ start: Int) -> Int {
        let lead = byte(start)
        let second = byte(start + 1)
        func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
        switch lead {
        case 0xC2...0xDF:
            return isContinuation(second) ? 2 : 0
        case 0xE0...0xEF:
            let third = byte(start + 2)
            guard isContinuation(second), isContinuation(third), lead != 0xE0 || second >= 0xA0,
                lead != 0xED || second < 0xA0, lead != 0xEF || second != 0xBF || third < 0xBE
            else { return 0 }
            return 3
        case 0xF0...0xF4:
            guard isContinuation(second), isContinuation(byte(start + 2)), isContinuation(byte(start + 3)),
                lead != 0xF0 || second >= 0x90, lead != 0xF4 || second < 0x90
            else { return 0 }
            return 4
        default: return 0
        }
    }

    /// Where the white space at a place ends; adds the line breaks in it to `lineBreakCount`.
    @inline(__always)
    func skipBlanks(_ start: Int, _ lineBreakCount: inout UInt64) -> Int {
        // As Apple writes them before a record, and before its metadata.
        if start + 8 <= end {
            let word = word(start)
            let isBeforeMetadata = word & 0xFFFF_FFFF == Self.ascii("\n  <    ") & 0xFFFF_FFFF
            if isBeforeMetadata || word & 0xFF_FFFF == Self.ascii("\n <     ") & 0xFF_FFFF {
                lineBreakCount &+= 1
                return isBeforeMetadata ? start + 3 : start + 2
            }
        }
        return skipAllBlanks(start, &lineBreakCount)
    }

    private func skipAllBlanks(_ start: Int, _ lineBreakCount: inout UInt64) -> Int {
        var cursor = start
        while cursor < end {
            let byte = byte(cursor)
            guard byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D else { break }
            if byte == 0x0A { lineBreakCount &+= 1 }
            cursor += 1
        }
        return cursor
    }

    @inline(__always)
    func isEqual(_ left: Int, _ right: Int, _ count: Int) -> Bool {
        unsafe memcmp(base + left, base + right, count) == 0
    }

    /// Whether 25 bytes are plain ASCII without quotes; what they say does not matter.
    ///
    /// The bytes at `other` are read as a date next; if they are not a date, this result is not used.
    @inline(__always)
    func isPlain(_ start: Int, like other: Int) -> Bool {
        // These operators have the same precedence.
        let differences =
            (word(start) ^ word(other)) | (word(start &+ 3) ^ word(other &+ 3))
            | (word(start &+ 17) ^ word(other &+ 17)) >> 16
        // If both are on the same day, as most are, they differ in the time only.
        if differences == 0 { return Self.specialBytes(word(start &+ 11)) == 0 }
        return Self.specialBytes(word(start)) | Self.specialBytes(word(start &+ 8))
            | Self.specialBytes(word(start &+ 16)) | Self.specialBytes(word(start &+ 17)) == 0
    }

    /// Whether 25 bytes are the same at both places, as they are for a sample without duration.
    @inline(__always)
    func isSameDate(_ left: Int, _ right: Int) -> Bool {
        word(left &+ 11) == word(right &+ 11) && word(left) == word(right) && word(left &+ 8) == word(right &+ 8)
            && word(left &+ 17) == word(right &+ 17)
    }

    /// Bytes of the text.
    @inline(__always)
    func bytes(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: base + start, count: count)
    }

    /// A byte of the text or of the slack after it.
    @inline(__always)
    func byte(_ index: Int) -> UInt8 { unsafe base[index] }

    @inline(__always)
    func word(_ index: Int) -> UInt64 {
        unsafe UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self).littleEndian
    }

    /// Eight ASCII characters as a word.
    static func ascii(_ text: StaticString) -> UInt64 {
        unsafe UnsafeRawPointer(text.utf8Start).loadUnaligned(as: UInt64.self).littleEndian
    }
}
