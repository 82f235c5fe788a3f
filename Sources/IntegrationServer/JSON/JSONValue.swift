/// One value of a JSON document with its place in it: numbers stay text, and bytes can be copied as they came.
struct JSONValue: Sendable {
    enum Content: Sendable {
        case object([JSONMember])
        case array([JSONValue])
        case string
        case number
        case boolean(Bool)
        case null
    }

    /// The whole document; `range` is this value's part of it.
    let source: [UInt8]
    let range: Range<Int>
    let content: Content

    /// The value's bytes as they came.
    var bytes: ArraySlice<UInt8> { source[range] }

    /// An object's member of that name.
    subscript(name: String) -> JSONValue? {
        members.first { $0.name == name }?.value
    }

    var members: [JSONMember] { if case .object(let members) = content { members } else { [] } }

    var elements: [JSONValue] { if case .array(let elements) = content { elements } else { [] } }

    /// An array's elements, or the value itself: what FHIR allows once or many times.
    var oneOrMany: [JSONValue] { if case .array(let elements) = content { elements } else { [self] } }

    var isObject: Bool { if case .object = content { true } else { false } }

    var boolean: Bool? { if case .boolean(let value) = content { value } else { nil } }

    /// Whether it is `null`, which FHIR does not allow as the value of an element.
    var isNull: Bool { if case .null = content { true } else { false } }

    var isArray: Bool { if case .array = content { true } else { false } }

    /// A whole number that fits an `Int`.
    var integer: Int? {
        guard case .number = content else { return nil }
        return Int(String(decoding: bytes, as: UTF8.self))
    }

    /// A string's text, its escapes resolved.
    var string: String? {
        guard case .string = content else { return nil }
        let inside = source[(range.lowerBound + 1)..<(range.upperBound - 1)]
        return inside.contains(UInt8(ascii: "\\"))
            ? JSONEscapes.resolved(inside) : String(decoding: inside, as: UTF8.self)
    }
}

/// A name and its value.
struct JSONMember: Sendable {
    let name: String
    let value: JSONValue
}
