/// A JSON string as it stands between its quotation marks.
///
///     "Observation/h00…" == JSONText         compares bytes, makes no String
struct JSONText {
    /// The bytes between the quotation marks.
    let bytes: ArraySlice<UInt8>
    /// Whether a backslash is among them.
    let isEscaped: Bool

    /// The string, unescaped.
    ///
    /// - Throws: ``JSONFault`` for an invalid escape.
    func string() throws(JSONFault) -> String {
        isEscaped ? try unescaped() : String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of the string, unescaped.
    ///
    /// - Throws: ``JSONFault`` for an invalid escape.
    func unescapedBytes() throws(JSONFault) -> ArraySlice<UInt8> {
        isEscaped ? Array(try unescaped().utf8)[...] : bytes
    }

    /// Whether it is this string, of ASCII.
    static func == (text: JSONText, other: StaticString) -> Bool {
        guard !text.isEscaped else { return (try? text.string()) == "\(other)" }
        guard text.bytes.count == other.utf8CodeUnitCount else { return false }
        return unsafe text.bytes.elementsEqual(UnsafeBufferPointer(start: other.utf8Start, count: text.bytes.count))
    }

    /// For `switch`.
    static func ~= (other: StaticString, text: JSONText) -> Bool { text == other }

    /// Rarely called: we look at codes, ids and URLs.
    private func unescaped() throws(JSONFault) -> String {
        var text: [UInt16] = []
        var rest = String(decoding: bytes, as: UTF8.self).utf16[...]
        while let unit = rest.popFirst() {
            guard unit == 0x5C else {
                text.append(unit)
                continue
            }
            guard let escape = rest.popFirst().flatMap(UnicodeScalar.init) else {
                throw JSONFault(byte: bytes.startIndex)
            }
            switch escape {
            case "n": text.append(0x0A)
            case "t": text.append(0x09)
            case "r": text.append(0x0D)
            case "b": text.append(0x08)
            case "f": text.append(0x0C)
            case "\"", "\\", "/": text += String(Character(escape)).utf16
            case "u":
                let digits = String(Substring(rest.prefix(4)))
                // `UInt16` would accept a sign.
                guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16)
                else { throw JSONFault(byte: bytes.startIndex) }
                text.append(unit)
                rest = rest.dropFirst(4)
            default: throw JSONFault(byte: bytes.startIndex)
            }
        }
        return String(decoding: text, as: UTF16.self)
    }
}
