/// A decimal number as a whole number and a power of ten: `72.50` is 7250 × 10⁻².
///
/// Health values are decimal text from end to end; this type is for the few rules that
/// must calculate (`%` × 100, feet to centimetres, an identity's canonical unit), and it
/// does so without binary floating point. Trailing zeros are kept: 7250 × 10⁻² writes
/// `72.50`. Up to 19 significant digits are read; further ones are cut off (Apple writes 17
/// at most).
package struct ExactDecimal: Sendable, Equatable, BitwiseCopyable {
    /// Whether the number is below zero.
    package var isNegative: Bool
    /// The digits without point or sign.
    package var digits: UInt128
    /// The power of ten that scales `digits`.
    package var exponent: Int

    /// Makes `±digits × 10^exponent`.
    package init(isNegative: Bool = false, digits: UInt128, exponent: Int) {
        self.isNegative = isNegative
        self.digits = digits
        self.exponent = exponent
    }

    /// Reads a FHIR `decimal` such as `-0.97` or `1.5e3`; `nil` for anything else.
    ///
    /// The grammar is JSON's number, to which FHIR R4's `decimal` adds nothing
    /// (<https://hl7.org/fhir/R4/datatypes.html#decimal>): no `+1`, `.5`, `01` or `NaN`.
    package init?(_ text: UnsafeRawBufferPointer) {
        let count = text.count
        var index = 0
        func byte(_ position: Int) -> UInt8 { position < count ? unsafe text[position] : 0 }
        func isDigit(_ position: Int) -> Bool { byte(position) &- 48 < 10 }

        isNegative = byte(0) == UInt8(ascii: "-")
        if isNegative { index = 1 }
        guard isDigit(index), byte(index) != UInt8(ascii: "0") || !isDigit(index + 1) else { return nil }
        var digits: UInt64 = 0
        var exponent = 0
        while isDigit(index) {
            if digits < Self.beyondShort {
                digits = digits &* 10 &+ UInt64(byte(index) &- 48)
            } else {
                exponent += 1
            }
            index += 1
        }
        if byte(index) == UInt8(ascii: ".") {
            index += 1
            guard isDigit(index) else { return nil }
            while isDigit(index) {
                if digits < Self.beyondShort {
                    digits = digits &* 10 &+ UInt64(byte(index) &- 48)
                    exponent -= 1
                }
                index += 1
            }
        }
        if byte(index) | 0x20 == UInt8(ascii: "e") {
            index += 1
            let isBelow = byte(index) == UInt8(ascii: "-")
            if isBelow || byte(index) == UInt8(ascii: "+") { index += 1 }
            guard isDigit(index) else { return nil }
            var power = 0
            while isDigit(index) {
                power = min(power &* 10 &+ Int(byte(index) &- 48), 1000)
                index += 1
            }
            exponent += isBelow ? -power : power
        }
        guard index == count, exponent > -400, exponent < 400 else { return nil }
        self.digits = UInt128(digits)
        self.exponent = exponent
    }

    /// Reads decimal text, for rare uses.
    package init?(_ text: String) {
        var text = text
        let read = text.withUTF8 { unsafe ExactDecimal(UnsafeRawBufferPointer($0)) }
        guard let read else { return nil }
        self = read
    }

    /// Whether a FHIR decimal can hold all its digits: there are at most 18.
    package var isShort: Bool { digits < Self.beyondShort }

    /// The least number of 19 digits.
    private static let beyondShort: UInt64 = 1_000_000_000_000_000_000

    /// The number times 10^`places`, digit for digit: `0.97` by 2 is `97`.
    package func shifted(by places: Int) -> ExactDecimal {
        ExactDecimal(isNegative: isNegative, digits: digits, exponent: exponent + places)
    }

    /// Whether the number is above `other`, which is 0 or more; both of at most 38 digits.
    package func isAbove(_ other: ExactDecimal) -> Bool {
        guard !isNegative, digits > 0 else { return false }
        let length = Self.length(of: digits) + exponent
        let otherLength = Self.length(of: other.digits) + other.exponent
        guard length == otherLength, other.digits > 0 else { return length > otherLength || other.digits == 0 }
        // Both are equally long, so their exponents differ by no more than the number of digits.
        let common = min(exponent, other.exponent)
        return digits * Self.power(exponent - common) > other.digits * Self.power(other.exponent - common)
    }

    /// The number times `factor`; both factors and the product are rounded half-even to 18 significant digits.
    package func multiplied(by factor: ExactDecimal) -> ExactDecimal {
        let left = roundedHalfEven(toSignificantDigits: 18)
        let right = factor.roundedHalfEven(toSignificantDigits: 18)
        return ExactDecimal(
            isNegative: left.isNegative != right.isNegative,
            digits: left.digits &* right.digits,
            exponent: left.exponent + right.exponent
        ).roundedHalfEven(toSignificantDigits: 18)
    }

    /// The number divided by `divisor`, to at least 18 significant digits.
    ///
    /// If there is a remainder the last digit is not 0, so that a later rounding to fewer digits sees that the quotient
    /// is larger.
    package func divided(by divisor: UInt64) -> ExactDecimal {
        guard divisor > 1, digits > 0 else { return self }
        var numerator = digits
        var power = exponent
        while numerator < 100_000_000_000_000_000_000_000_000_000_000_000 {
            numerator &*= 10
            power -= 1
        }
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: UInt128(divisor))
        let sticky: UInt128 = remainder == 0 ? 0 : 1
        return ExactDecimal(isNegative: isNegative, digits: quotient &* 10 &+ sticky, exponent: power - 1)
    }

    /// The sum of two numbers of at most 37 digits, exact in its first 37 significant ones.
    ///
    /// Where one is too small to change those, the last digit still shows on which side of the larger one the sum lies.
    package func adding(_ other: ExactDecimal) -> ExactDecimal {
        var left = self
        var right = other
        while left.exponent > right.exponent, left.digits < .max / 10 {
            left.digits &*= 10
            left.exponent -= 1
        }
        while right.exponent > left.exponent, right.digits < .max / 10 {
            right.digits &*= 10
            right.exponent -= 1
        }
        guard left.exponent == right.exponent else {
            var (large, small) = left.exponent > right.exponent ? (left, right) : (right, left)
            if small.digits > 0 {
                large.digits = large.isNegative == small.isNegative ? large.digits + 1 : large.digits - 1
            }
            return large
        }
        if left.isNegative == right.isNegative {
            left.digits &+= right.digits
        } else if left.digits >= right.digits {
            left.digits &-= right.digits
        } else {
            left.digits = right.digits - left.digits
            left.isNegative = right.isNegative
        }
        return left
    }

    /// The nearest number of `count` significant digits; of two equally near, the even one.
    ///
    /// - Parameter count: 1 to 38.
    /// - Returns: the rounded number, with fewer digits and a greater exponent.
    package func roundedHalfEven(toSignificantDigits count: Int) -> ExactDecimal {
        if let small = UInt64(exactly: digits) { return rounded(small, toSignificantDigits: count) }
        let length = Self.length(of: digits)
        guard length > count else { return self }
        let power = Self.power(length - count)
        let (kept, rest) = digits.quotientAndRemainder(dividingBy: power)
        return rounded(kept, isUp: rest > power / 2 || (rest == power / 2 && kept & 1 == 1), length, count)
    }

    /// The same for numbers of 64 bits, as most are.
    private func rounded(_ digits: UInt64, toSignificantDigits count: Int) -> ExactDecimal {
        let length = Self.length(of: digits)
        guard length > count else { return self }
        let power = Self.smallPower(length - count)
        let (kept, rest) = digits.quotientAndRemainder(dividingBy: power)
        return rounded(UInt128(kept), isUp: rest > power / 2 || (rest == power / 2 && kept & 1 == 1), length, count)
    }

    /// The first `count` of `length` digits, plus one if `isUp`.
    private func rounded(_ kept: UInt128, isUp: Bool, _ length: Int, _ count: Int) -> ExactDecimal {
        var (kept, scale) = (kept, exponent + length - count)
        if isUp {
            kept += 1
            // Nines become one digit more, the last of which is 0.
            if kept == Self.power(count) {
                kept /= 10
                scale += 1
            }
        }
        return ExactDecimal(isNegative: isNegative, digits: kept, exponent: scale)
    }

    /// The first `count` significant digits; if any digit but 0 follows, a last one of 0 or 5 becomes 1 or 6.
    ///
    /// So a later rounding to fewer digits gives the same as rounding the whole number.
    ///
    /// - Parameter count: 1 to 37.
    /// - Returns: the shortened number.
    package func cut(toSignificantDigits count: Int) -> ExactDecimal {
        let length = Self.length(of: digits)
        guard length > count else { return self }
        let (whole, rest) = digits.quotientAndRemainder(dividingBy: Self.power(length - count))
        let kept = rest > 0 && whole % 5 == 0 ? whole + 1 : whole
        return ExactDecimal(isNegative: isNegative, digits: kept, exponent: exponent + length - count)
    }

    /// How many digits the number is written with, from the first that is not 0; 1 for 0.
    package var significantDigitCount: Int { Self.length(of: digits) }

    /// How many decimal digits `value` has; 1 for 0.
    private static func length(of value: UInt128) -> Int {
        if let small = UInt64(exactly: value) { return length(of: small) }
        var length = 20
        while value >= power(length) {
            length += 1
            if length == 39 { break }
        }
        return length
    }

    /// The same for 64 bits.
    private static func length(of value: UInt64) -> Int {
        // 1233 / 4096 is just above log10(2): the estimate is right or one too small.
        let length = ((64 - value.leadingZeroBitCount) * 1233) >> 12
        return length < 20 && value >= smallPower(length) ? length + 1 : max(length, 1)
    }

    /// Ten to the power of `exponent`, 0 to 38.
    private static func power(_ exponent: Int) -> UInt128 {
        if exponent < 20 { return UInt128(smallPower(exponent)) }
        return UInt128(smallPower(19)) &* UInt128(smallPower(exponent - 19))
    }

    private static func smallPower(_ exponent: Int) -> UInt64 { smallPowers[exponent] }

    private static let smallPowers: InlineArray<20, UInt64> = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]

    /// The number rounded half-even to at most `decimals` decimals.
    package func roundedHalfEven(toDecimals decimals: Int) -> ExactDecimal {
        guard exponent < -decimals else { return self }
        let kept = Self.length(of: digits) + exponent + decimals
        if kept > 0 { return roundedHalfEven(toSignificantDigits: kept) }
        // Less than one unit of the last decimal: more than half a unit becomes one, anything else zero.
        let half = ExactDecimal(digits: 5, exponent: -decimals - 1)
        let isOne = ExactDecimal(digits: digits, exponent: exponent).isAbove(half)
        return ExactDecimal(isNegative: isNegative && isOne, digits: isOne ? 1 : 0, exponent: -decimals)
    }

    /// The same number without trailing zeros; zero is `0 × 10⁰`, never negative.
    package func withoutTrailingZeros() -> ExactDecimal {
        guard digits > 0 else { return ExactDecimal(digits: 0, exponent: 0) }
        var result = self
        if var small = UInt64(exactly: digits) {
            while small % 10 == 0 {
                small /= 10
                result.exponent += 1
            }
            result.digits = UInt128(small)
            return result
        }
        while result.digits % 10 == 0 {
            result.digits /= 10
            result.exponent += 1
        }
        return result
    }

    /// Writes the number without an exponent, such as `0.00012` or `12300`, and returns the byte count.
    ///
    /// - Parameter target: room for at least 440 bytes (39 digits and 400 zeros).
    /// - Returns: the byte count.
    package func write(to target: UnsafeMutableRawPointer) -> Int {
        if exponent == 0, digits < 100_000_000 {
            return unsafe writeWhole(UInt32(truncatingIfNeeded: digits), to: target)
        }
        var cursor = 0
        func put(_ byte: UInt8) {
            unsafe target.storeBytes(of: byte, toByteOffset: cursor, as: UInt8.self)
            cursor += 1
        }
        if isNegative, digits > 0 { put(UInt8(ascii: "-")) }
        let length = Self.length(of: digits)
        let digitsBeforePoint = length + exponent
        if digitsBeforePoint <= 0 {
            put(UInt8(ascii: "0"))
            put(UInt8(ascii: "."))
            for _ in 0..<(-digitsBeforePoint) { put(UInt8(ascii: "0")) }
        }
        let hasPointInside = digitsBeforePoint > 0 && digitsBeforePoint < length
        var place = cursor + length + (hasPointInside ? 1 : 0)
        cursor = place
        func putBack(_ digit: UInt8) {
            place -= 1
            unsafe target.storeBytes(of: UInt8(ascii: "0") &+ digit, toByteOffset: place, as: UInt8.self)
        }
        var rest = digits
        var small = UInt64(truncatingIfNeeded: rest)
        for position in (0..<length).reversed() {
            if rest > UInt128(UInt64.max) {
                let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
                putBack(UInt8(truncatingIfNeeded: remainder))
                rest = quotient
                small = UInt64(truncatingIfNeeded: rest)
            } else {
                putBack(UInt8(truncatingIfNeeded: small % 10))
                small /= 10
            }
            if hasPointInside, position == digitsBeforePoint {
                place -= 1
                unsafe target.storeBytes(of: UInt8(ascii: "."), toByteOffset: place, as: UInt8.self)
            }
        }
        if exponent > 0, digits > 0 { for _ in 0..<exponent { put(UInt8(ascii: "0")) } }
        return cursor
    }

    /// Writes a whole number of at most eight digits, as most are.
    private func writeWhole(_ number: UInt32, to target: UnsafeMutableRawPointer) -> Int {
        var count = 0
        if isNegative, number > 0 {
            unsafe target.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
            count = 1
        }
        count += Self.length(of: UInt128(number))
        var place = count
        var rest = number
        repeat {
            place -= 1
            unsafe target.storeBytes(of: UInt8(truncatingIfNeeded: 48 + rest % 10), toByteOffset: place, as: UInt8.self)
            rest /= 10
        } while rest > 0
        return count
    }

    /// Writes the number in at most 18 digits, rounded half-even, with an exponent only if its zeros would exceed them.
    ///
    /// - Parameter target: as for `write(to:)`.
    /// - Returns: the byte count.
    package func writeShort(to target: UnsafeMutableRawPointer) -> Int {
        var number = roundedHalfEven(toSignificantDigits: 18)
        guard Self.length(of: number.digits) + number.exponent > 18 else { return unsafe number.write(to: target) }
        let exponent = number.exponent
        number.exponent = 0
        var count = unsafe number.write(to: target)
        for byte in "e\(exponent)".utf8 {
            unsafe target.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count += 1
        }
        return count
    }

    /// The number in at most 18 significant digits.
    package var shortText: String {
        unsafe withUnsafeTemporaryAllocation(byteCount: textByteCount, alignment: 1) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            let count = unsafe writeShort(to: base)
            return unsafe String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    /// How many bytes the text without an exponent may take; a product may take more than any decimal that was read.
    private var textByteCount: Int { 48 + Int(exponent.magnitude) }

    /// The number without an exponent.
    package var text: String {
        unsafe withUnsafeTemporaryAllocation(byteCount: textByteCount, alignment: 1) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            let count = unsafe write(to: base)
            return unsafe String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}
