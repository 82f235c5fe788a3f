internal import FHIRR4

/// A time of day as a phone writes it in its own language.
struct ClockTime {
    /// Since midnight, or noon where the clock has twelve hours.
    private(set) var nanoseconds: Int64 = 0
    /// How many digits follow the decimal point of the seconds.
    private var decimals = 0
    /// The nanoseconds that the last of those digits counts.
    private var unit: Int64 = 1_000_000_000

    /// Reads three numbers, and a fraction of the last; anything else, such as `PM`, is skipped.
    @inline(__always)
    init?(_ text: UnsafeRawBufferPointer) {
        guard let time = unsafe ClockTime(plain: text) ?? ClockTime(anyLanguage: text) else { return nil }
        self = time
    }

    /// Reads what most phones write, such as `6:14:48.94 PM` or `18:14:48,94`; `nil` for anything else.
    private init?(plain text: UnsafeRawBufferPointer) {
        func digit(_ index: Int) -> Int64 { unsafe Int64(text[index]) &- 48 }
        func isDigit(_ digit: Int64) -> Bool { UInt64(bitPattern: digit) < 10 }
        // After the hours there are at least nine characters: `:14:48.94`.
        guard text.count >= 11 else { return nil }
        var hour = digit(0)
        var index = 1
        if isDigit(digit(1)) {
            hour = hour &* 10 &+ digit(1)
            index = 2
        }
        let digits = (digit(index &+ 1), digit(index &+ 2), digit(index &+ 4), digit(index &+ 5))
        let minute = digits.0 &* 10 &+ digits.1
        let second = digits.2 &* 10 &+ digits.3
        let hundredths = (digit(index &+ 7), digit(index &+ 8))
        let mark = unsafe text[index &+ 6]
        guard isDigit(digit(0)), hour <= 24, unsafe text[index] == UInt8(ascii: ":"), isDigit(digits.0),
            isDigit(digits.1),
            minute <= 59, unsafe text[index &+ 3] == UInt8(ascii: ":"), isDigit(digits.2), isDigit(digits.3),
            second <= 59,
            mark == UInt8(ascii: ".") || mark == UInt8(ascii: ","), isDigit(hundredths.0), isDigit(hundredths.1)
        else { return nil }
        index &+= 9
        while index < text.count {
            let byte = unsafe text[index]
            // The narrow space before `PM` is not ASCII.
            let isSpace =
                unsafe byte == 0xE2 && index &+ 2 < text.count && text[index &+ 1] == 0x80 && text[index &+ 2] == 0xAF
            guard isSpace || (byte < 0x80 && !isDigit(Int64(byte) &- 48)) else { return nil }
            index &+= isSpace ? 3 : 1
        }
        nanoseconds = ((hour &* 60 &+ minute) &* 60 &+ second) &* 1_000_000_000
        nanoseconds &+= (hundredths.0 &* 10 &+ hundredths.1) &* 10_000_000
        decimals = 2
        unit = 10_000_000
    }

    /// Reads a time of any language and script.
    private init?(anyLanguage text: UnsafeRawBufferPointer) {
        // The seconds from the numbers read so far, then the number that is being read.
        var seconds: Int64 = 0
        var number: Int64 = 0
        var place = 0
        var count = 0
        var index = 0
        while index <= text.count {
            // The end of the text ends a number, as a space would.
            let byte = index < text.count ? unsafe text[index] : UInt8(ascii: " ")
            var digit = Int64(byte) &- 48
            if byte < 0x80 {
                index &+= 1
            } else {
                digit = unsafe Self.digit(text, &index) ?? -1
            }
            guard UInt64(bitPattern: digit) < 10 else {
                guard count > 0 else { continue }
                if place < 3 {
                    guard number <= (place == 0 ? 24 : 59) else { return nil }
                    seconds = seconds &* 60 &+ number
                }
                (place, count, number) = (place &+ 1, 0, 0)
                continue
            }
            count &+= 1
            if place < 3 {
                guard count <= 2 else { return nil }
                number = number &* 10 &+ digit
            } else {
                guard place == 3 else { return nil }
                // A fraction's digits beyond nanoseconds are ignored.
                guard count <= 9 else { continue }
                unit /= 10
                nanoseconds &+= digit &* unit
                decimals = count
            }
        }
        guard place >= 3 else { return nil }
        nanoseconds &+= seconds &* 1_000_000_000
    }

    /// Skips a character beyond ASCII, and returns its value if it is a digit of its script.
    private static func digit(_ text: UnsafeRawBufferPointer, _ index: inout Int) -> Int64? {
        let byte = unsafe text[index]
        guard !(0xE2...0xE9).contains(byte) else {
            // Such as the space before `PM`: none from U+2000 to U+9FFF is a digit.
            index += 3
            return nil
        }
        // The text of a batch is well-formed UTF-8.
        let count = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        var value = UInt32(byte) & (0xFF >> UInt32(count + 1))
        for place in index + 1..<min(index + count, text.count) {
            value = unsafe value << 6 | UInt32(text[place] & 0x3F)
        }
        index += count
        // Unicode's other decimal digits are outside this range; CJK characters and wide spaces are inside.
        guard value >= 0x660, !(0x1C5A..<0xA620).contains(value) else { return nil }
        guard let scalar = Unicode.Scalar(value), scalar.properties.numericType == .decimal else { return nil }
        return scalar.properties.numericValue.map { Int64($0) }
    }

    /// Appends an interval in seconds, such as `2.11`, with as many decimals as this time has.
    func append(_ interval: Int64, to json: inout JSONBytes) {
        // The most that is needed: a sign, a point and 19 digits, written from the last to the first.
        let most = 24
        let target = unsafe json.reserve(most)
        var place = most
        func put(_ byte: UInt8) {
            place &-= 1
            unsafe target.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
        }
        let number = interval / unit
        var rest = number.magnitude
        var count = 0
        repeat {
            put(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            count &+= 1
            if count == decimals { put(UInt8(ascii: ".")) }
        } while rest > 0 || count <= decimals
        if number < 0 { put(UInt8(ascii: "-")) }
        unsafe target.copyMemory(from: target + place, byteCount: most - place)
        unsafe json.advance(by: most - place)
    }
}
