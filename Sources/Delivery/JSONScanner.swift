/// Walks JSON byte by byte without building it: Bundles of a megabyte, of which a few words matter.
///
/// Anything that is no JSON throws ``JSONFault``; numbers and words are passed over unchecked.
/// Source: RFC 8259.
struct JSONScanner {
    private let bytes: [UInt8]
    /// The next byte.
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// Goes to the value that begins next and answers where that is.
    mutating func nextStart() -> Int {
        skipSpace()
        return position
    }

    /// The first byte of the value that begins next; `nil` at the end.
    mutating func nextByte() -> UInt8? {
        skipSpace()
        return position < bytes.count ? bytes[position] : nil
    }

    /// Whether nothing but white space is left.
    mutating func isAtEnd() -> Bool {
        skipSpace()
        return position == bytes.count
    }

    /// Hands each key of the object that begins here to `body`, which must read or skip the value.
    mutating func readObject(_ body: (String, inout JSONScanner) throws(JSONFault) -> Void) throws(JSONFault) {
        try expect(UInt8(ascii: "{"))
        if accept(UInt8(ascii: "}")) { return }
        repeat {
            let key = try readString()
            try expect(UInt8(ascii: ":"))
            try body(key, &self)
        } while accept(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
    }

    /// Lets `body` read or skip each element of the list that begins here.
    mutating func readList(_ body: (inout JSONScanner) throws(JSONFault) -> Void) throws(JSONFault) {
        try expect(UInt8(ascii: "["))
        if accept(UInt8(ascii: "]")) { return }
        repeat { try body(&self) } while accept(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
    }

    /// The text that begins here.
    mutating func readString() throws(JSONFault) -> String {
        try expect(UInt8(ascii: "\""))
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") { return try readEscapedString(from: start) }
            position += 1
        }
        guard position < bytes.count else { throw JSONFault(byte: position) }
        position += 1
        return String(decoding: bytes[start..<position - 1], as: UTF8.self)
    }

    /// The text, number or word that begins here; `nil`, passed over, for anything else.
    mutating func readScalar() throws(JSONFault) -> String? {
        skipSpace()
        guard position < bytes.count else { throw JSONFault(byte: position) }
        switch bytes[position] {
        case UInt8(ascii: "\""): return try readString()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            try skipValue()
            return nil
        default:
            let start = position
            try skipValue()
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
    }

    /// Passes over the value that begins here and answers where it stands.
    @discardableResult
    mutating func skipValue() throws(JSONFault) -> Range<Int> {
        skipSpace()
        let start = position
        var depth = 0
        repeat {
            skipSpace()
            guard position < bytes.count else { throw JSONFault(byte: position) }
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            case UInt8(ascii: "\""): try skipString()
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { throw JSONFault(byte: position) }
                position += 1
            default: skipWord()
            }
        } while depth > 0
        guard depth == 0, position > start else { throw JSONFault(byte: position) }
        return start..<position
    }

    private mutating func skipString() throws(JSONFault) {
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard position < bytes.count else { throw JSONFault(byte: position) }
        position += 1
    }

    private mutating func skipWord() {
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
                return
            case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
                if position > start { return }
                position += 1
            default: position += 1
            }
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(JSONFault) {
        guard accept(byte) else { throw JSONFault(byte: position) }
    }

    /// Rare: what we look at are codes, ids and URLs.
    private mutating func readEscapedString(from start: Int) throws(JSONFault) -> String {
        position = start - 1
        try skipString()
        var text: [UInt16] = []
        var rest = String(decoding: bytes[start..<position - 1], as: UTF8.self).utf16[...]
        while let unit = rest.popFirst() {
            guard unit == 0x5C else {
                text.append(unit)
                continue
            }
            guard let escape = rest.popFirst().flatMap(UnicodeScalar.init) else { throw JSONFault(byte: position) }
            switch escape {
            case "n": text.append(0x0A)
            case "t": text.append(0x09)
            case "r": text.append(0x0D)
            case "b": text.append(0x08)
            case "f": text.append(0x0C)
            case "u":
                guard rest.count >= 4, let unit = UInt16(String(Substring(rest.prefix(4))), radix: 16) else {
                    throw JSONFault(byte: position)
                }
                text.append(unit)
                rest = rest.dropFirst(4)
            default: text += String(Character(escape)).utf16
            }
        }
        return String(decoding: text, as: UTF16.self)
    }
}

/// Bytes that are no JSON, and where.
struct JSONFault: Error, Equatable {
    var byte: Int
}
