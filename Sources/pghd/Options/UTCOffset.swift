/// An offset from UTC as people write it.
enum UTCOffset {
    /// Minutes east of Greenwich of `Z`, `+02:00`, `-0700` or `+05`; `nil` for other text.
    static func minutes(_ text: Substring) -> Int? {
        if text == "Z" || text == "z" { return 0 }
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let digits = text.dropFirst().filter { $0 != ":" }
        let isPlain = text.dropFirst() == digits || (text.count == 6 && text.dropFirst(3).first == ":")
        guard isPlain, digits.count == 2 || digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let hours = Int(digits.prefix(2)), let minutes = Int(digits.dropFirst(2) + (digits.count == 2 ? "0" : "")),
            hours <= 14, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == "-" ? -1 : 1)
    }
}
