extension String {
    /// How many columns of a terminal the text takes.
    ///
    /// East Asian wide characters and emoji take two columns, combining marks none (Unicode Standard Annex 11, for the
    /// ranges that occur in names of people and devices).
    var terminalWidth: Int { reduce(0) { $0 + $1.terminalWidth } }

    /// The text itself if it fits, otherwise its beginning with `…` for the rest.
    func clipped(toTerminalWidth width: Int) -> String {
        guard terminalWidth > width else { return self }
        var text = ""
        var used = 1
        for character in self {
            used += character.terminalWidth
            if used > width { break }
            text.append(character)
        }
        return text + "…"
    }
}

extension Character {
    /// 0, 1 or 2.
    fileprivate var terminalWidth: Int {
        unicodeScalars.reduce(0) { Swift.max($0, $1.terminalWidth) }
    }
}

extension Unicode.Scalar {
    fileprivate var terminalWidth: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if properties.isEmojiPresentation { return 2 }
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
