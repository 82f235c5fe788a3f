/// A decimal that is not negative: `mantissa` times ten to the power of `-decimals`.
///
/// Values never touch binary floating point, so that their text is the same on every machine.
struct FixedPoint: Equatable {
    let mantissa: Int
    let decimals: Int

    /// - Parameters:
    ///   - mantissa: all digits of the value, such as `3835598726669947`.
    ///   - decimals: how many of them come after the point, 0 to 18, such as 14.
    init(_ mantissa: Int, decimals: Int = 0) {
        self.mantissa = mantissa
        self.decimals = decimals
    }

    /// The value to six significant digits, as exports have the value of a record; a whole number stays as it is.
    var sixDigits: FixedPoint {
        var unit = 1
        var decimals = decimals
        while decimals > 0, mantissa / unit >= 1_000_000 {
            unit *= 10
            decimals -= 1
        }
        return FixedPoint((mantissa + unit / 2) / unit, decimals: decimals)
    }

    /// Ten to the power of `exponent`, which must be 0 to 18.
    static func powerOfTen(_ exponent: Int) -> Int {
        var power = 1
        for _ in 0..<exponent { power *= 10 }
        return power
    }
}

extension ByteWriter {
    /// Appends a decimal as Apple writes it, without an exponent or trailing zeros (`0.97`, `72`).
    mutating func append(_ value: FixedPoint) {
        guard value.decimals > 0 else { return append(value.mantissa) }
        let (whole, part) = value.mantissa.quotientAndRemainder(dividingBy: FixedPoint.powerOfTen(value.decimals))
        append(whole)
        guard part > 0 else { return }
        var fraction = part
        var width = value.decimals
        while fraction % 10 == 0 {
            fraction /= 10
            width -= 1
        }
        append(UInt8(ascii: "."))
        appendPadded(fraction, width: width)
    }
}
