/// Finds where a JSON string or value ends: most of a Bundle's bytes are only passed over.
///
///     {"value":72,"unit":"/min"},…      from the first brace to just after the one that closes it
///
/// Strings are searched eight bytes at a time. Numbers and words are passed over unchecked.
@safe
struct JSONExtent {
    private let bytes: UnsafeRawBufferPointer
    /// Where the next byte is.
    private(set) var position: Int
    /// Whether a string that was passed over holds a backslash.
    private(set) var isEscaped = false

    /// Begins at a byte of `bytes`, which must outlive it.
    init(_ bytes: UnsafeRawBufferPointer, position: Int) {
        unsafe self.bytes = bytes
        self.position = position
    }

    /// Passes over the rest of a string, whose opening quotation mark was the byte before.
    ///
    /// - Returns: whether there was a closing one.
    mutating func passString() -> Bool {
        while unsafe position + 8 <= bytes.count {
            let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let found = Self.matches(word, Self.quotationMarks) | Self.matches(word, Self.backslashes)
            guard found != 0 else {
                position += 8
                continue
            }
            position += found.trailingZeroBitCount / 8
            if passMark() { return true }
        }
        while unsafe position < bytes.count {
            let byte = unsafe bytes[position]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                if passMark() { return true }
            } else {
                position += 1
            }
        }
        return false
    }

    /// Passes over the quotation mark that stands here, or over a backslash and what it escapes.
    ///
    /// - Returns: whether it was the quotation mark.
    private mutating func passMark() -> Bool {
        if unsafe bytes[position] == UInt8(ascii: "\"") {
            position += 1
            return true
        }
        isEscaped = true
        position += 2
        return false
    }

    /// Passes over the value that begins here.
    ///
    /// - Returns: whether it has an end.
    mutating func passValue() -> Bool {
        let start = position
        var depth = 0
        repeat {
            passSpace()
            guard unsafe position < bytes.count else { return false }
            switch unsafe bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            case UInt8(ascii: "\""):
                position += 1
                guard passString() else { return false }
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { return false }
                position += 1
            default: passWord()
            }
        } while depth > 0
        return depth == 0 && position > start
    }

    private mutating func passWord() {
        let start = position
        while unsafe position < bytes.count {
            switch unsafe bytes[position] {
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
                return
            case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
                if position > start { return }
                position += 1
            default: position += 1
            }
        }
    }

    private mutating func passSpace() {
        while unsafe position < bytes.count {
            let byte = unsafe bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    /// The highest bit of each byte that equals the one repeated in `pattern`; above the first match, perhaps of others
    /// too.
    private static func matches(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
        let difference = word ^ pattern
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    }

    private static let quotationMarks: UInt64 = 0x2222_2222_2222_2222
    private static let backslashes: UInt64 = 0x5C5C_5C5C_5C5C_5C5C
}
