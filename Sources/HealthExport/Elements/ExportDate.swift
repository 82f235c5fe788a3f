/// Reads `2024-03-31 01:59:59 +0100`, the form of every date in `export.xml`, as an instant.
///
/// The offset is the exporting phone's on the day of export, the same in the whole file. It does not show where the
/// sample was taken, so only the instant is kept (docs/formats.md, "Time"). About 12 ns.
package enum ExportDate {
    /// Apple's `distantFuture`, 4001-01-01T00:00:00Z: the end of a sample whose end is not known.
    package static let distantFuture: Int64 = 64_092_211_200

    /// Seconds since 1970 in UTC, or `nil` if a character is out of place or the day does not exist.
    package static func seconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard text.count == 25 else { return nil }
        func two(_ offset: Int) -> Int {
            let tens = unsafe Int(text[offset]) &- 48
            let ones = unsafe Int(text[offset &+ 1]) &- 48
            return UInt(bitPattern: tens) < 10 && UInt(bitPattern: ones) < 10 ? tens &* 10 &+ ones : -10_000
        }
        guard unsafe text[4] == 45, unsafe text[7] == 45, unsafe text[10] == 32, unsafe text[13] == 58,
            unsafe text[16] == 58, unsafe text[19] == 32, unsafe text[20] == 43 || text[20] == 45
        else { return nil }
        let year = two(0) &* 100 &+ two(2)
        let month = two(5)
        let day = two(8)
        let hour = two(11)
        let minute = two(14)
        let second = two(17)
        let offsetHours = two(21)
        let offsetMinutes = two(23)
        guard year > 0, month >= 1, month <= 12, day >= 1, day <= daysInMonth(month, year), hour >= 0, hour < 24,
            minute >= 0, minute < 60, second >= 0, second < 60, offsetHours >= 0, offsetHours <= 14,
            offsetMinutes >= 0, offsetMinutes < 60
        else { return nil }
        let offset = (offsetHours &* 60 &+ offsetMinutes) &* 60
        let local = dayNumber(year, month, day) &* 86400 &+ hour &* 3600 &+ minute &* 60 &+ second
        return Int64(unsafe text[20] == 45 ? local &+ offset : local &- offset)
    }

    package static func daysInMonth(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`).
    static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shiftedYear = month <= 2 ? year &- 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear &- era &* 400
        let dayOfYear = (153 &* (month > 2 ? month &- 3 : month &+ 9) &+ 2) / 5 &+ day &- 1
        return era &* 146_097 &+ yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear &- 719_468
    }
}
