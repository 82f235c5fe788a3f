/// A reproducible sequence of numbers: SplitMix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014), integer arithmetic only.
///
/// Each type of record has its own sequence for each day. So a day's samples stay the same if the
/// export covers more days, and two exports of one person overlap as two real ones do.
struct RandomSequence {
    private var state: UInt64

    /// - Parameters:
    ///   - seed: the export's seed.
    ///   - stream: what the numbers are for, as the hash of a text.
    ///   - day: days since 1970.
    init(seed: UInt64, stream: UInt64, day: Int) {
        state = Self.mixed(seed &+ Self.step)
        state = Self.mixed(state ^ stream)
        state = Self.mixed(state &+ UInt64(bitPattern: Int64(day)))
    }

    /// A sequence named by a text, such as a type's identifier.
    init(seed: UInt64, stream: StaticString, day: Int) {
        self.init(seed: seed, stream: Self.hash(of: stream), day: day)
    }

    mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.mixed(state)
    }

    /// 0 to `bound` - 1; `bound` must be positive.
    mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// A whole number in the range, all equally likely.
    mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// A number from `center - spread` to `center + spread`, most likely in the middle (a triangular distribution).
    mutating func near(_ center: Int, spread: Int) -> Int {
        guard spread > 0 else { return center }
        return center - spread + below(spread + 1) + below(spread + 1)
    }

    /// A UUID as Apple writes it, such as `7C1E7D8C-2F0B-4E67-9E8A-0A6B0A3C9D11` (RFC 9562, version 4).
    mutating func uuid() -> String {
        let (high, low) = (next() & ~0xF000 | 0x4000, next() & ~(3 << 62) | 1 << 63)
        let digits = [high, low].map { number in
            let text = String(number, radix: 16, uppercase: true)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        .joined()
        var uuid = ""
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { uuid += "-" }
            uuid.append(digit)
        }
        return uuid
    }

    mutating func happens(oneIn count: Int) -> Bool { below(count) == 0 }

    /// A decimal near `center`, followed by `tail` more digits, as a sensor's floating-point value is printed.
    ///
    /// `decimal(286, spread: 50, decimals: 2, tail: 13)` may give `2.641873345020917`.
    mutating func decimal(_ center: Int, spread: Int, decimals: Int, tail: Int = 0) -> FixedPoint {
        let head = max(0, near(center, spread: spread))
        guard tail > 0 else { return FixedPoint(head, decimals: decimals) }
        let scale = FixedPoint.powerOfTen(tail)
        return FixedPoint(head * scale + below(scale), decimals: decimals + tail)
    }
}

extension RandomSequence {
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// FNV-1a, 64 bits.
    private static func hash(of text: StaticString) -> UInt64 {
        text.withUTF8Buffer { bytes in
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for index in 0..<bytes.count {
                hash = unsafe (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3
            }
            return hash
        }
    }
}
