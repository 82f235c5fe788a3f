/// A JSON value whose keys keep their order, for resources that are rare enough to be built as a tree.
///
///     let quantity: JSONValue = ["value": .number("12.5"), "unit": "km", "code": nil]
///
/// An element that is `nil`, or an object or list in which nothing is left, is not written: FHIR has no empty elements
/// (<https://hl7.org/fhir/R4/json.html>). Numbers are decimal text. Records, which come by the million, are written by
/// templates instead.
package enum JSONValue: Sendable, Hashable {
    /// A text, escaped when written.
    case string(String)
    /// Bytes, written as a text in base64, RFC 4648, section 4.
    case base64([UInt8])
    /// Decimal text, written as it stands: it must be a JSON number.
    case number(String)
    /// `true` or `false`.
    case bool(Bool)
    /// A list; absent values in it are left out.
    case list([JSONValue])
    /// Keys and values in the order in which they are written.
    case object([Member])
    /// A `CodeableConcept`: codings, the preferred one first, and a text.
    case concept([Coding], text: String? = nil)
    /// Nothing; its key is left out.
    case absent

    /// One key of an object.
    package struct Member: Sendable, Hashable {
        /// The key.
        package var key: String
        /// Its value.
        package var value: JSONValue

        /// A pair.
        package init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// A text, or nothing.
    package init(_ text: String?) { self = text.map { .string($0) } ?? .absent }

    /// Whether none of it is written.
    package var isAbsent: Bool {
        switch self {
        case .absent: true
        case .list(let values): values.allSatisfy(\.isAbsent)
        case .object(let members): members.allSatisfy(\.value.isAbsent)
        case .concept(let codings, let text): codings.isEmpty && text == nil
        case .string, .base64, .number, .bool: false
        }
    }

    /// Appends the value without white space; nothing if it is absent.
    package func write(to json: inout JSONBytes) {
        switch self {
        case .absent: break
        case .string(let text): json.appendString(text)
        case .base64(let bytes): json.appendBase64(bytes)
        case .number(let text): json.append(text)
        case .bool(let value): json.append(value ? "true" : "false")
        case .concept(let codings, let text): json.appendConcept(codings, text: text)
        case .list(let values):
            let start = json.count
            json.append(UInt8(ascii: "["))
            for value in values {
                let before = json.count
                value.write(to: &json)
                if json.count > before { json.append(UInt8(ascii: ",")) }
            }
            Self.close(with: UInt8(ascii: "]"), from: start, &json)
        case .object(let members):
            let start = json.count
            json.append(UInt8(ascii: "{"))
            for member in members {
                let before = json.count
                json.appendString(member.key)
                json.append(UInt8(ascii: ":"))
                let empty = json.count
                member.value.write(to: &json)
                // A key without a value is taken back: asking first would walk each level again.
                if json.count > empty { json.append(UInt8(ascii: ",")) } else { json.truncate(to: before) }
            }
            Self.close(with: UInt8(ascii: "}"), from: start, &json)
        }
    }

    /// Puts the bracket in place of the last comma, or takes back the opening one if nothing follows it.
    private static func close(with bracket: UInt8, from start: Int, _ json: inout JSONBytes) {
        let isEmpty = json.count == start + 1
        json.truncate(to: isEmpty ? start : json.count - 1)
        if !isEmpty { json.append(bracket) }
    }
}

extension JSONValue.Member {
    /// Appends `"key":value`.
    package func write(to json: inout JSONBytes) {
        json.appendString(key)
        json.append(literal: ":")
        value.write(to: &json)
    }

    /// Appends `,"key":value`, or nothing if the value is absent.
    package func writeNext(to json: inout JSONBytes) {
        // Most elements of a resource are absent.
        switch value {
        case .absent: return
        case .list(let values) where values.isEmpty: return
        default: break
        }
        let start = json.count
        json.append(UInt8(ascii: ","))
        json.appendString(key)
        json.append(UInt8(ascii: ":"))
        let empty = json.count
        value.write(to: &json)
        if json.count == empty { json.truncate(to: start) }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// A text.
    package init(stringLiteral value: String) { self = .string(value) }

    /// A list.
    package init(arrayLiteral elements: JSONValue...) { self = .list(elements) }

    /// An object.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringInterpolation {
    /// Nothing.
    package init(nilLiteral: ()) { self = .absent }

    /// `true` or `false`.
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}
