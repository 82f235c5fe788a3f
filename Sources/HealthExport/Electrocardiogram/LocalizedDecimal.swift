/// A decimal number as a phone writes it for its region: `-265.868`, `-265,868`, `−12`.
struct LocalizedDecimal: Equatable {
    /// What a line holds.
    enum Line: Equatable {
        case number(LocalizedDecimal)
        /// Several numbers, or one with separated thousands: `12.5,13.5`, `1,234.5`.
        case several
        /// Something else.
        case other
    }

    /// The number times 10 to the power of `decimals`.
    var digits: Int64
    /// How many digits follow the mark, 0 to 9.
    var decimals: Int
    /// The decimal mark; `nil` if there is none.
    var mark: UInt8?

    /// Reads a whole line; ignores spaces around it, and separators after it, such as spreadsheets leave.
    static func read(_ line: ArraySlice<UInt8>) -> Line {
        let text = LocalizedDigits.inASCII(line)
        var rest = text[...]
        while let last = rest.last, last == 0x20 || isSeparator(last) { rest = rest.dropLast() }
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
        if let (number, after) = prefix(of: rest), after == rest.endIndex { return .number(number) }
        let isNumeric = rest.allSatisfy { byte in
            isDigit(byte) || isSeparator(byte) || byte == 0x20 || ".+-".utf8.contains(byte)
        }
        return isNumeric && rest.contains(where: isDigit) ? .several : .other
    }

    /// Reads the number at the start of `text`, such as `511,562` in `511,562 Hertz`.
    static func leading(_ text: String) -> LocalizedDecimal? {
        let text = LocalizedDigits.inASCII(Array(text.utf8)[...])
        guard let (number, after) = prefix(of: text[...]) else { return nil }
        // If digits or a mark follow, the text is another number: `1,024.5`.
        guard after == text.endIndex || !(isDigit(text[after]) || ".,".utf8.contains(text[after])) else { return nil }
        return number
    }

    /// A number at the start: at most 9 digits on either side of the mark.
    private static func prefix(of text: ArraySlice<UInt8>) -> (number: LocalizedDecimal, after: Int)? {
        var index = text.startIndex
        let isNegative = text.first == UInt8(ascii: "-")
        if isNegative || text.first == UInt8(ascii: "+") { index += 1 }
        var number = LocalizedDecimal(digits: 0, decimals: 0, mark: nil)
        var wholes = 0
        while index < text.endIndex, isDigit(text[index]) {
            guard wholes < 9 else { return nil }
            number.append(text[index])
            wholes += 1
            index += 1
        }
        if index + 1 < text.endIndex, ".,".utf8.contains(text[index]), isDigit(text[index + 1]) {
            number.mark = text[index]
            index += 1
            while index < text.endIndex, isDigit(text[index]) {
                // Eighteen digits fit; a nineteenth may not.
                guard number.decimals < 9 else { return nil }
                number.append(text[index])
                number.decimals += 1
                index += 1
            }
        }
        guard wholes + number.decimals > 0 else { return nil }
        if isNegative { number.digits = -number.digits }
        return (number, index)
    }

    private mutating func append(_ digit: UInt8) { digits = digits * 10 + Int64(digit & 15) }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == 0x09
    }
}
