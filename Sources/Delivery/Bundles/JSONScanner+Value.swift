internal import FHIRR4

extension JSONValue {
    /// The value that a text begins with, whatever follows it; `nil` if there is none.
    init?(beginning text: [UInt8]) {
        var scanner = JSONScanner(text)
        guard let value = try? scanner.readValue() else { return nil }
        self = value
    }
}

extension JSONScanner {
    /// Most levels that a server's answer may have; R4's resources have a dozen.
    private static let maximumLevelCount = 64

    /// The value that begins here, built in memory: for resources that are compared element by element.
    ///
    /// A text of more than a million values throws too: no page of resources has a tenth of that. Numbers keep their
    /// text. `null` is absent: FHIR writes it in a list of primitives to match the list of their extensions.
    mutating func readValue(levels: Int = maximumLevelCount) throws(JSONFault) -> JSONValue {
        valuesLeft -= 1
        guard levels > 0, valuesLeft >= 0, let byte = nextByte() else { throw JSONFault(byte: position) }
        switch byte {
        case UInt8(ascii: "{"):
            var members: [JSONValue.Member] = []
            try readObject { (key, scanner) throws(JSONFault) in
                members.append(JSONValue.Member(key, try scanner.readValue(levels: levels - 1)))
            }
            return .object(members)
        case UInt8(ascii: "["):
            var values: [JSONValue] = []
            try readList { (scanner) throws(JSONFault) in values.append(try scanner.readValue(levels: levels - 1)) }
            return .list(values)
        case UInt8(ascii: "\""): return .string(try readString())
        default:
            switch try readScalar() {
            case "true": return .bool(true)
            case "false": return .bool(false)
            case "null", nil: return .absent
            case .some(let text): return .number(text)
            }
        }
    }
}

extension JSONValue {
    /// The value of a key; `nil` if this is not an object, or has no such key.
    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key && !$0.value.isAbsent }?.value
    }

    /// The string; `nil` if this is not one.
    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The values of a list; none if this is not a list.
    var elements: [JSONValue] {
        guard case .list(let values) = self else { return [] }
        return values
    }
}
