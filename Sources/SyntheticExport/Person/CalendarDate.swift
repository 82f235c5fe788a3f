/// A day of the Gregorian calendar, such as 2024-06-30.
public struct CalendarDate: Sendable, Equatable, CustomStringConvertible {
    /// The year, such as 2024.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, 1 to 31.
    public let day: Int

    /// Reads `YYYY-MM-DD`, such as `2024-06-30`.
    ///
    /// - Throws: ``SyntheticExportError/notADate(_:)`` if the text has another form or the day does not exist.
    public init(parsing text: String) throws(SyntheticExportError) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { throw .notADate(text) }
        // Only a day that exists is the same after conversion to its number and back.
        let candidate = Self(year: year, month: month, day: day)
        guard (1...12).contains(month), Self(daysSince1970: candidate.daysSince1970) == candidate else {
            throw .notADate(text)
        }
        self = candidate
    }

    /// The date as `YYYY-MM-DD`.
    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }
}

// Both conversions follow Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"
// (https://howardhinnant.github.io/date_algorithms.html): years start in March, eras last 400 years.
extension CalendarDate {
    init(daysSince1970: Int) {
        let shifted = daysSince1970 + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// 0 for Sunday to 6 for Saturday.
    static func weekday(ofDay daysSince1970: Int) -> Int {
        let remainder = (daysSince1970 + 4) % 7
        return remainder < 0 ? remainder + 7 : remainder
    }

    /// The first Sunday of the month on or after `day`, in days since 1970.
    static func sunday(onOrAfter day: Int, month: Int, year: Int) -> Int {
        let first = CalendarDate(year: year, month: month, day: day).daysSince1970
        return first + (7 - weekday(ofDay: first)) % 7
    }
}
