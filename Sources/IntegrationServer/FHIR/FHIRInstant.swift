/// Times as milliseconds since 1970 in UTC, and FHIR's `date`, `dateTime` and `instant` as spans of them.
enum FHIRInstant {
    /// `2026-11-21T10:30:00.123Z`.
    static func text(_ milliseconds: Int64) -> String {
        let (days, time) = milliseconds.quotientAndRemainder(floor: 86_400_000)
        let (year, month, day) = date(ofDay: days)
        let fraction = String(String(time % 1_000 + 1_000).dropFirst())
        return "\(String(String(year + 10_000).dropFirst()))-\(two(month))-\(two(day))T\(clock(time)).\(fraction)Z"
    }

    /// `Sat, 21 Nov 2026 10:30:00 GMT`, the form of HTTP's headers (RFC 9110, section 5.6.7).
    static func httpDate(_ milliseconds: Int64) -> String {
        let (days, time) = milliseconds.quotientAndRemainder(floor: 86_400_000)
        let (year, month, day) = date(ofDay: days)
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekday = names[Int(days.quotientAndRemainder(floor: 7).1)]
        return "\(weekday), \(two(day)) \(months[Int(month) - 1]) \(year) \(clock(time)) GMT"
    }

    /// The first and last millisecond of what `text` names: `2024-05` is all of May.
    ///
    /// A time without zone counts as UTC.
    static func span(_ text: String) -> ClosedRange<Int64>? {
        var rest = text[...].utf8
        guard let year = number(&rest, 4) else { return nil }
        guard !rest.isEmpty else { return days(dayNumber(year, 1, 1), until: dayNumber(year + 1, 1, 1)) }
        guard take(&rest, "-"), let month = number(&rest, 2), (1...12).contains(month) else { return nil }
        let nextMonth = month == 12 ? dayNumber(year + 1, 1, 1) : dayNumber(year, month + 1, 1)
        guard !rest.isEmpty else { return days(dayNumber(year, month, 1), until: nextMonth) }
        guard take(&rest, "-"), let day = number(&rest, 2), day >= 1 else { return nil }
        let start = dayNumber(year, month, day)
        guard start < nextMonth else { return nil }
        guard !rest.isEmpty else { return days(start, until: start + 1) }
        guard take(&rest, "T"), let time = time(&rest) else { return nil }
        return (start * 86_400_000 + time.lowerBound)...(start * 86_400_000 + time.upperBound)
    }

    /// `08:00`, which search allows, `08:00:30`, `08:00:30.5`, with or without a zone.
    private static func time(_ rest: inout Substring.UTF8View) -> ClosedRange<Int64>? {
        guard let hour = number(&rest, 2), hour < 24, take(&rest, ":"), let minute = number(&rest, 2), minute < 60
        else { return nil }
        var low = (hour * 60 + minute) * 60_000
        var width: Int64 = 59_999
        if take(&rest, ":") {
            guard let second = number(&rest, 2), second <= 60 else { return nil }
            low += second * 1_000
            width = 999
        }
        if width == 999, take(&rest, ".") {
            var unit: Int64 = 1_000
            guard rest.first.map({ (0x30...0x39).contains($0) }) ?? false else { return nil }
            while let digit = number(&rest, 1) {
                unit /= 10
                low += digit * unit
            }
            width = max(unit - 1, 0)
        }
        if !take(&rest, "Z"), !rest.isEmpty {
            let isWest = take(&rest, "-")
            guard isWest || take(&rest, "+"), let hours = number(&rest, 2), hours <= 14, take(&rest, ":"),
                let minutes = number(&rest, 2), minutes < 60
            else { return nil }
            low += (isWest ? 1 : -1) * (hours * 60 + minutes) * 60_000
        }
        return rest.isEmpty ? low...(low + width) : nil
    }

    private static func days(_ start: Int64, until end: Int64) -> ClosedRange<Int64> {
        (start * 86_400_000)...(end * 86_400_000 - 1)
    }

    private static func number(_ rest: inout Substring.UTF8View, _ digits: Int) -> Int64? {
        let part = rest.prefix(digits)
        guard part.count == digits, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(digits)
        return part.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func take(_ rest: inout Substring.UTF8View, _ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// `10:30:00` for the milliseconds of a day.
    private static func clock(_ time: Int64) -> String {
        "\(two(time / 3_600_000)):\(two(time / 60_000 % 60)):\(two(time / 1_000 % 60))"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Days from 1970-01-01, in the Gregorian calendar; the year begins in March, so that leap days come last.
    private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (monthFromMarch * 306 + 5) / 10 + day - 1
            - 719_468
    }

    private static func date(ofDay days: Int64) -> (Int64, Int64, Int64) {
        let (era, day) = (days + 719_468).quotientAndRemainder(floor: 146_097)
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let civilMonth = month < 10 ? month + 3 : month - 9
        return (era * 400 + year + (civilMonth <= 2 ? 1 : 0), civilMonth, dayOfYear - (153 * month + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func quotientAndRemainder(floor divisor: Int64) -> (Int64, Int64) {
        let remainder = self % divisor
        return remainder < 0 ? (self / divisor - 1, remainder + divisor) : (self / divisor, remainder)
    }
}
