/// Writes many `dateTime` texts, and remembers the date of the last day.
///
/// Neighbours in an export mostly share a day, so that most texts cost two divisions and three stores.
package struct FHIRDateTimeWriter: Sendable {
    /// The last day; at first one that no date has.
    private var day = Int64.min
    /// `YYYY-MM-` of that day, in the byte order of memory.
    private var yearAndMonth: UInt64 = 0
    /// `DDT` and a byte that is overwritten.
    private var dayOfMonth: UInt32 = 0

    /// A writer that has not seen a day.
    package init() {}

    /// Writes the instant and returns the byte count: 20, or 25 with an offset.
    ///
    /// - Parameters:
    ///   - seconds: since 1970 in UTC, within `FHIRDateTime.range`.
    ///   - offsetMinutes: east of Greenwich; `nil` writes `Z`.
    ///   - target: room for 25 bytes.
    /// - Returns: 20 or 25.
    package mutating func write(
        _ seconds: Int64,
        offsetMinutes: Int?,
        to target: UnsafeMutableRawPointer
    ) -> Int {
        let local = seconds &+ Int64((offsetMinutes ?? 0) &* 60)
        let day = FHIRDateTime.day(of: local)
        if day != self.day { remember(day) }
        let second = UInt64(bitPattern: local &- day &* 86400)
        unsafe target.storeBytes(of: yearAndMonth, as: UInt64.self)
        unsafe target.storeBytes(of: dayOfMonth, toByteOffset: 8, as: UInt32.self)
        let minute = second / 60
        // Hours, minutes and seconds in one word, so that all their tens are worked out in one step.
        let numbers = minute / 60 | (minute % 60) << 24 | (second % 60) << 48
        let tens = (numbers &* 103) >> 10 & 0x000F_0000_0F00_000F
        let time = (tens | (numbers &- tens &* 10) << 8) &+ 0x3030_0030_3000_3030
        unsafe target.storeBytes(
            of: (time | 0x0000_3A00_003A_0000).littleEndian,
            toByteOffset: 11,
            as: UInt64.self
        )
        guard let offsetMinutes else {
            unsafe target.storeBytes(of: UInt8(ascii: "Z"), toByteOffset: 19, as: UInt8.self)
            return 20
        }
        let distance = UInt64(offsetMinutes.magnitude)
        let offset = Self.digits(distance / 60) | 0x3A_0000 | Self.digits(distance % 60) << 24
        let sign = offsetMinutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
        unsafe target.storeBytes(of: sign, toByteOffset: 19, as: UInt8.self)
        for index in 0..<5 {
            let byte = UInt8(truncatingIfNeeded: offset >> UInt64(index * 8))
            unsafe target.storeBytes(of: byte, toByteOffset: 20 + index, as: UInt8.self)
        }
        return 25
    }

    private mutating func remember(_ day: Int64) {
        self.day = day
        let date = FHIRDateTime.civil(fromDay: day)
        let year = UInt64(date.year)
        let dash: UInt64 = 0x2D
        yearAndMonth =
            (Self.digits(year / 100) | Self.digits(year % 100) << 16 | dash << 32
            | Self.digits(UInt64(date.month)) << 40 | dash << 56).littleEndian
        let text = Self.digits(UInt64(date.day)) | UInt64(UInt8(ascii: "T")) << 16
        dayOfMonth = UInt32(truncatingIfNeeded: text).littleEndian
    }

    /// Two decimal digits as ASCII, the tens in the low byte.
    private static func digits(_ value: UInt64) -> UInt64 {
        0x3030 &+ value / 10 &+ (value % 10) << 8
    }
}
