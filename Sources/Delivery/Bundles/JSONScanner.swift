/// Walks through JSON byte by byte without building it: Bundles of a megabyte, of which a few words matter.
///
/// Anything that is not JSON throws ``JSONFault``; numbers and words are passed over unchecked.
/// Source: RFC 8259.
struct JSONScanner {
    private let bytes: [UInt8]
    /// How many values may still be built: a few bytes of text become many in memory.
    var valuesLeft = 1_000_000
    /// Where the next byte is.
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Goes to the value that begins next and returns where that is.
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
        try readMembers { (text, scanner) throws(JSONFault) in try body(text.string(), &scanner) }
    }

    /// The same with the keys as they stand, without making Strings: for objects of which a few members matter.
    mutating func readMembers(_ body: (JSONText, inout JSONScanner) throws(JSONFault) -> Void) throws(JSONFault) {
        try expect(UInt8(ascii: "{"))
        if accept(UInt8(ascii: "}")) { return }
        repeat {
            let key = try readText()
            if key.isEscaped { _ = try key.string() }
            try expect(UInt8(ascii: ":"))
            try body(key, &self)
        } while accept(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
    }

    /// Lets `body` read the value of this key of the object that begins here; all others are passed over.
    mutating func readMember(
        _ key: StaticString,
        _ body: (inout JSONScanner) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        try readMembers { (found, scanner) throws(JSONFault) in
            if found == key { try body(&scanner) } else { try scanner.skipValue() }
        }
    }

    /// Lets `body` read or skip each element of the list that begins here.
    mutating func readList(_ body: (inout JSONScanner) throws(JSONFault) -> Void) throws(JSONFault) {
        try expect(UInt8(ascii: "["))
        if accept(UInt8(ascii: "]")) { return }
        repeat { try body(&self) } while accept(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
    }

    /// The string that begins here.
    mutating func readString() throws(JSONFault) -> String { try readText().string() }

    /// The string that begins here, as it stands.
    mutating func readText() throws(JSONFault) -> JSONText {
        try expect(UInt8(ascii: "\""))
        let start = position
        let extent = walk { extent in extent.passString() }
        guard extent.isWhole else { throw JSONFault(byte: position) }
        return JSONText(bytes: bytes[start..<position - 1], isEscaped: extent.isEscaped)
    }

    /// The string that begins here, as it stands; anything else is passed over and gives `nil`.
    mutating func readTextIfAny() throws(JSONFault) -> JSONText? {
        guard nextByte() != UInt8(ascii: "\"") else { return try readText() }
        try skipValue()
        return nil
    }

    /// The string, number or word that begins here; anything else is passed over and gives `nil`.
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

    /// Passes over the value that begins here and returns where it is.
    @discardableResult
    mutating func skipValue() throws(JSONFault) -> Range<Int> {
        skipSpace()
        let start = position
        let extent = walk { extent in extent.passValue() }
        guard extent.isWhole else { throw JSONFault(byte: position) }
        return start..<position
    }

    /// Runs a walk from here, and goes to where it ends.
    private mutating func walk(_ body: (inout JSONExtent) -> Bool) -> (isWhole: Bool, isEscaped: Bool) {
        unsafe bytes.withUnsafeBytes { bytes in
            var extent = unsafe JSONExtent(bytes, position: position)
            let isWhole = body(&extent)
            position = min(extent.position, bytes.count)
            return (isWhole, extent.isEscaped)
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
}

/// Bytes that are not JSON, and where they are.
struct JSONFault: Error, Equatable {
    var byte: Int
}
