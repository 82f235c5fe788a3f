/// Reads many dates of one export and remembers the last day and offset.
///
/// Neighbours in an export mostly have the same day, and the offset is the same in the whole file, so most dates cost
/// two comparisons and six digits. The results are the same as those of `ExportDate`.
package struct ExportDateReader: Sendable {
    /// `YYYY-MM-` of the last date, as one machine word; 0 matches no text.
    private var yearAndMonth: UInt64 = 0
    /// Its `Y-MM-DD` and the space after it.
    private var day: UInt64 = 0
    /// The space before the offset, and the offset.
    private var offset: UInt64 = 0
    /// Seconds from 1970 to the last date's midnight in UTC.
    private var midnight: Int64 = 0

    /// A reader that has not seen a date.
    package init() {}

    /// Seconds since 1970 in UTC, or `nil` where `ExportDate.seconds` returns `nil`.
    package mutating func seconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard text.count == 25 else { return nil }
        let yearAndMonth = unsafe text.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        let day = unsafe text.loadUnaligned(fromByteOffset: 3, as: UInt64.self)
        // Shifts out the two bytes before the space.
        let offset = unsafe text.loadUnaligned(fromByteOffset: 17, as: UInt64.self).littleEndian >> 16
        guard yearAndMonth == self.yearAndMonth, day == self.day, offset == self.offset else {
            guard let seconds = unsafe ExportDate.seconds(text) else { return nil }
            self.yearAndMonth = yearAndMonth
            self.day = day
            self.offset = offset
            midnight = seconds &- (unsafe Self.secondOfDay(text) ?? 0)
            return seconds
        }
        guard let second = unsafe Self.secondOfDay(text) else { return nil }
        return midnight &+ second
    }

    /// `HH:MM:SS` at byte 11.
    @inline(__always)
    private static func secondOfDay(_ text: UnsafeRawBufferPointer) -> Int64? {
        // Eight bytes at once: digits become numbers, and each place is checked against its range.
        let word = unsafe text.loadUnaligned(fromByteOffset: 11, as: UInt64.self).littleEndian
        guard word & 0x0000_FF00_00FF_0000 == 0x0000_3A00_003A_0000 else { return nil }
        let digits = (word ^ 0x3030_0030_3000_3030) & ~0x0000_FF00_00FF_0000
        guard (digits &+ 0x7676_0076_7600_7676) & 0x8080_0080_8000_8080 == 0, digits & 0x8080_0080_8000_8080 == 0
        else { return nil }
        func two(_ shift: UInt64) -> Int64 {
            let pair = digits >> shift
            return Int64(truncatingIfNeeded: (pair & 15) &* 10 &+ (pair >> 8 & 15))
        }
        let (hour, minute, second) = (two(0), two(24), two(48))
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return hour &* 3600 &+ minute &* 60 &+ second
    }
}
