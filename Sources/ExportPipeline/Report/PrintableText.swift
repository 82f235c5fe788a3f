extension String {
    /// The text with `?` for characters that could rewrite a terminal's line or start a new one.
    package var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate: text.append("?")
            // Joiners belong to scripts and emoji; other format characters change the direction of text or hide it.
            case .format where scalar != "\u{200C}" && scalar != "\u{200D}": text.append("?")
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension String {
    /// The same JSON, with characters that control a terminal or hide text written as `\u202e`.
    package var escapingInvisible: String {
        // Most texts have none.
        guard unicodeScalars.contains(where: \.isInvisible) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            guard scalar.isInvisible else {
                text.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                text.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
            }
        }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// Whether it may be in JSON unescaped although a terminal shows no character for it.
    fileprivate var isInvisible: Bool {
        guard value >= 0x7F else { return false }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
