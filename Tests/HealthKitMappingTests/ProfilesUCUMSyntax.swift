/// A small parser of UCUM's grammar: terms, `.` and `/`, parentheses, exponents and annotations.
enum UCUMSyntax {
    /// The units used in the profiles, with their prefixes.
    ///
    /// Look into UCUM's tables before you add a new one here.
    private static let atoms: Set<String> = [
        "%", "1", "Cel", "Hz", "J", "K", "L", "S", "W", "[cup_us]", "[degF]", "[foz_br]", "[foz_us]", "[ft_i]", "[iU]",
        "[in_i]", "[lb_av]", "[mi_i]", "[oz_av]", "[pt_br]", "[pt_us]", "[stone_av]", "[yd_i]", "cal", "cm", "dB",
        "Pa", "[in_i'Hg]", "atm", "cm[H2O]", "d", "dB[SPL]", "dL", "g", "h", "hPa", "kJ", "kPa", "kcal", "kg", "km",
        "lx", "m",
        "mL", "mg", "min", "mm", "mm[Hg]", "mmol", "ms", "s",
        "uS", "ug",
    ]

    static func isValid(_ code: String) -> Bool {
        var rest = Substring(code)
        if rest.first == "/" { rest.removeFirst() }
        return readTerm(&rest) && rest.isEmpty
    }

    /// Components joined by `.` or `/`.
    private static func readTerm(_ rest: inout Substring) -> Bool {
        guard readComponent(&rest) else { return false }
        while let joint = rest.first, joint == "." || joint == "/" {
            rest.removeFirst()
            guard readComponent(&rest) else { return false }
        }
        return true
    }

    /// A term in parentheses, a unit with an exponent and an annotation, or an annotation alone.
    private static func readComponent(_ rest: inout Substring) -> Bool {
        if rest.first == "(" {
            rest.removeFirst()
            guard readTerm(&rest), rest.first == ")" else { return false }
            rest.removeFirst()
            return true
        }
        // A whole number is a unit too: `10.[foz_br]`.
        let isFactor = rest.prefix { !"./(){}".contains($0) }.wholeMatch(of: #/[1-9][0-9]*/#) != nil
        let symbol = readSymbol(&rest)
        let isAnnotated = readAnnotation(&rest)
        return isFactor || (symbol.isEmpty ? isAnnotated : atoms.contains(symbol))
    }

    /// A unit's symbol, without the exponent after it.
    private static func readSymbol(_ rest: inout Substring) -> String {
        let symbol = rest.prefix { !"./(){}".contains($0) }
        rest = rest[symbol.endIndex...]
        if atoms.contains(String(symbol)) { return String(symbol) }
        let digits = symbol.reversed().prefix { $0.isASCII && $0.isNumber }
        return String(symbol.dropLast(digits.count))
    }

    private static func readAnnotation(_ rest: inout Substring) -> Bool {
        guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return false }
        let text = rest[rest.index(after: rest.startIndex)..<end]
        rest = rest[rest.index(after: end)...]
        return !text.isEmpty && text.allSatisfy { $0.isASCII && $0 != "{" && $0 != " " }
    }
}
