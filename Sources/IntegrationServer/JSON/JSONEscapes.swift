/// A JSON string's escapes (RFC 8259, section 7), read and written.
enum JSONEscapes {
    /// The text between a string's quotes, which a ``JSONReader`` has checked.
    static func resolved(_ inside: ArraySlice<UInt8>) -> String {
        var units: [UInt16] = []
        var text: [UInt8] = []
        var index = inside.startIndex
        func flush() {
            text += Array(String(decoding: units, as: UTF16.self).utf8)
            units = []
        }
        while index < inside.endIndex {
            let byte = inside[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                if !units.isEmpty { flush() }
                text.append(byte)
                continue
            }
            let escape = inside[index]
            index += 1
            if escape == UInt8(ascii: "u") {
                units.append(inside[index..<(index + 4)].reduce(0) { $0 << 4 | UInt16(hexDigitValue($1) ?? 0) })
                index += 4
            } else {
                if !units.isEmpty { flush() }
                text.append(character(of: escape))
            }
        }
        if !units.isEmpty { flush() }
        return String(decoding: text, as: UTF8.self)
    }

    /// `text` in quotes.
    static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else { return "\"\(text)\"" }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// What the letter after a backslash stands for.
    private static func character(of escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: escape
        }
    }
}

/// 0 to 15 for a hexadecimal digit.
func hexDigitValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
