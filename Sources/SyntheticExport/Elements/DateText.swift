/// Writes instants as Apple does, such as `2024-06-30 21:04:09 -0700`, all with the same offset.
struct DateText {
    private let offsetSeconds: Int
    /// `+HHMM` as a number, and its sign.
    private let offsetDigits: Int
    private let offsetSign: UInt8
    /// Consecutive dates are mostly on the same day, so its calendar date is kept.
    private var cachedDay: Int
    private var cachedDate: CalendarDate

    init(offsetMinutes: Int) {
        offsetSeconds = offsetMinutes * 60
        let (hours, minutes) = abs(offsetMinutes).quotientAndRemainder(dividingBy: 60)
        offsetDigits = hours * 100 + minutes
        offsetSign = UInt8(ascii: offsetMinutes < 0 ? "-" : "+")
        cachedDay = 0
        cachedDate = CalendarDate(daysSince1970: 0)
    }

    mutating func append(_ instant: Int, to bytes: inout ByteWriter) {
        let local = instant + offsetSeconds
        let day = (local >= 0 ? local : local - 86_399) / 86_400
        appendDay(day, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        Self.appendClock(local - day * 86_400, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        bytes.append(offsetSign)
        bytes.appendPadded(offsetDigits, width: 4)
    }

    /// Writes an instant in UTC as GPX has it, such as `2024-07-01T04:04:09Z`.
    mutating func appendUniversal(_ instant: Int, to bytes: inout ByteWriter) {
        let day = (instant >= 0 ? instant : instant - 86_399) / 86_400
        appendDay(day, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        Self.appendClock(instant - day * 86_400, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    mutating func appendDay(_ day: Int, to bytes: inout ByteWriter) {
        if day != cachedDay {
            cachedDay = day
            cachedDate = CalendarDate(daysSince1970: day)
        }
        bytes.appendPadded(cachedDate.year, width: 4)
        bytes.append(UInt8(ascii: "-"))
        bytes.appendPair(cachedDate.month)
        bytes.append(UInt8(ascii: "-"))
        bytes.appendPair(cachedDate.day)
    }

    private static func appendClock(_ second: Int, to bytes: inout ByteWriter) {
        bytes.appendPair(second / 3600)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendPair(second / 60 % 60)
        bytes.append(UInt8(ascii: ":"))
        bytes.appendPair(second % 60)
    }
}
