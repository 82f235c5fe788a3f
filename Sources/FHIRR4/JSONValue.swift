/// A JSON value whose keys keep their order: the form of resources that are rare enough to be built.
///
///     let quantity: JSONValue = ["value": .number("12.5"), "unit": "km", "code": nil]
///
/// An element that is `nil`, or an object or list in which nothing is left, is not written:
/// FHIR knows no empty element (<https://hl7.org/fhir/R4/json.html>). Numbers are decimal
/// text. Records, which come by the million, are written by templates instead.
public enum JSONValue: Sendable, Equatable {
    /// A text, escaped when written.
    case string(String)
    /// Decimal text, written as it stands: it must be a JSON number.
    case number(String)
    /// `true` or `false`.
    case bool(Bool)
    /// A list; what is absent in it is left out.
    case list([JSONValue])
    /// Keys and values in the order in which they are written.
    case object([Member])
    /// Text that is JSON already, for what comes by the thousand.
    case json(String)
    /// Nothing; its key is left out.
    case absent

    /// One key of an object.
    public struct Member: Sendable, Equatable {
        /// The key.
        public var key: String
        /// Its value.
        public var value: JSONValue

        /// A pair.
        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// A text, or nothing.
    public init(_ text: String?) { self = text.map { .string($0) } ?? .absent }

    /// Whether nothing of it is written.
    public var isAbsent: Bool {
        switch self {
        case .absent: true
        case .list(let values): values.allSatisfy(\.isAbsent)
        case .object(let members): members.allSatisfy(\.value.isAbsent)
        case .string, .number, .bool, .json: false
        }
    }

    /// Appends the value without white space; nothing where it is absent.
    public func write(to json: inout JSONBytes) {
        switch self {
        case .absent: break
        case .string(let text): json.appendString(text)
        case .number(let text), .json(let text): json.append(text)
        case .bool(let value): json.append(value ? "true" : "false")
        case .list(let values):
            var separator = "["
            for value in values where !value.isAbsent {
                json.append(separator)
                value.write(to: &json)
                separator = ","
            }
            if separator == "," { json.append("]") }
        case .object(let members):
            var separator = "{"
            for member in members where !member.value.isAbsent {
                json.append(separator)
                member.write(to: &json)
                separator = ","
            }
            if separator == "," { json.append("}") }
        }
    }
}

extension JSONValue.Member {
    /// Appends `"key":value`.
    public func write(to json: inout JSONBytes) {
        json.appendString(key)
        json.append(":")
        value.write(to: &json)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A list.
    public init(arrayLiteral elements: JSONValue...) { self = .list(elements) }

    /// An object.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringInterpolation {
    /// Nothing.
    public init(nilLiteral: ()) { self = .absent }

    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
