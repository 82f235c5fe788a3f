/// Reads JSON (RFC 8259) strictly: valid UTF-8, no name twice in an object, no lone surrogate, at most 64 levels.
///
/// Values keep their bytes, so no number passes through binary floating point.
struct JSONReader {
    static let maximumDepth = 64
    /// A million values take some 100 MB, however small the text.
    static let maximumValueCount = 1_000_000

    private let bytes: [UInt8]
    private var position = 0
    private var valueCount = 0

    /// The document's value.
    static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        guard isValidUTF8(bytes) else { throw JSONError(byte: 0, fault: .notUTF8) }
        var reader = JSONReader(bytes: bytes)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.error(.unexpected) }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < Self.maximumDepth else { throw error(.tooDeep) }
        valueCount += 1
        guard valueCount <= Self.maximumValueCount else { throw error(.tooManyValues) }
        skipSpace()
        let start = position
        let content: JSONValue.Content
        switch current {
        case UInt8(ascii: "{"): content = .object(try object(depth: depth))
        case UInt8(ascii: "["): content = .array(try array(depth: depth))
        case UInt8(ascii: "\""):
            try string()
            content = .string
        case UInt8(ascii: "t"):
            try word("true")
            content = .boolean(true)
        case UInt8(ascii: "f"):
            try word("false")
            content = .boolean(false)
        case UInt8(ascii: "n"):
            try word("null")
            content = .null
        default:
            try number()
            content = .number
        }
        return JSONValue(source: bytes, range: start..<position, content: content)
    }

    private mutating func object(depth: Int) throws(JSONError) -> [JSONMember] {
        var members: [JSONMember] = []
        var names: Set<String> = []
        position += 1
        skipSpace()
        if take(UInt8(ascii: "}")) { return [] }
        repeat {
            skipSpace()
            let start = position
            guard current == UInt8(ascii: "\"") else { throw error(.unexpected) }
            try string()
            let name = JSONValue(source: bytes, range: start..<position, content: .string).string ?? ""
            // Two members with one name mean different things to different readers.
            // Comparing a few is quicker than hashing them; for many it would take quadratic time.
            if members.count == 16 { names = Set(members.map(\.name)) }
            let isNew =
                members.count < 16 ? !members.contains { $0.name == name } : names.insert(name).inserted
            guard isNew else { throw JSONError(byte: start, fault: .nameTwice) }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error(.unexpected) }
            members.append(JSONMember(name: name, value: try value(depth: depth + 1)))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw error(.unexpected) }
        return members
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        position += 1
        skipSpace()
        if take(UInt8(ascii: "]")) { return [] }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw error(.unexpected) }
        return elements
    }

    private mutating func string() throws(JSONError) {
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw error(.unexpected)
            default: position += 1
            }
        }
        throw error(.unexpected)
    }

    private mutating func escape() throws(JSONError) {
        position += 1
        guard let letter = current else { throw error(.unexpected) }
        guard letter == UInt8(ascii: "u") else {
            guard "\"\\/bfnrt".utf8.contains(letter) else { throw error(.unexpected) }
            position += 1
            return
        }
        position += 1
        let unit = try codeUnit()
        switch unit {
        // SQLite would end the text there, and FHIR's strings contain none (R4, datatypes, section 2.24.0.1).
        case 0, 0xDC00...0xDFFF: throw error(.unexpected)
        case 0xD800...0xDBFF:
            guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), case 0xDC00...0xDFFF = try codeUnit() else {
                throw error(.unexpected)
            }
        default: break
        }
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = hexDigitValue(byte) else { throw error(.unexpected) }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    private mutating func number() throws(JSONError) {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        guard position > start else { throw error(.unexpected) }
    }

    private mutating func word(_ word: StaticString) throws(JSONError) {
        for byte in "\(word)".utf8 where !take(byte) { throw error(.unexpected) }
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func error(_ fault: JSONError.Fault) -> JSONError { JSONError(byte: position, fault: fault) }

    private static func isValidUTF8(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }
}

/// Why a document is not JSON; says where, never what is there.
struct JSONError: Error, Equatable, CustomStringConvertible {
    enum Fault: String {
        case notUTF8 = "not UTF-8"
        case unexpected = "not JSON"
        case nameTwice = "a name twice in one object"
        case tooDeep = "more than 64 levels"
        case tooManyValues = "more than 1,000,000 values"
    }

    let byte: Int
    let fault: Fault

    var description: String { "byte \(byte): \(fault.rawValue) (expected JSON in UTF-8)" }
}
