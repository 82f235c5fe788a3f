internal import HealthExport

/// A birth date as `Me` gives it.
///
/// Every other date in an export is written for programs. This one is written in the phone's own calendar and digits:
/// `2527-06-16` on a Thai phone and `١٩٨٤-٠٦-١٦` on an Arabic one are 16 June 1984.
enum BirthDate {
    /// The date in the Gregorian calendar and in ASCII.
    ///
    /// - Parameter text: such as `1984-06-16`, or `2527-06-16` of the Buddhist calendar, whose months and days are the
    ///   same.
    /// - Returns: such as `1984-06-16`; `nil` for a day that does not exist, and for a year in which nobody was born
    ///   whose phone could say so. It is of a calendar whose months are others (Islamic, Persian, Hebrew), or the year
    ///   of an era (Japanese).
    static func gregorian(_ text: String) -> String? {
        let date = LocalizedDigits.inASCII(Array(text.utf8)[...])
        guard date.count == 10, let year = Int(String(decoding: date.prefix(4), as: UTF8.self)) else { return nil }
        let isBuddhist = years.contains(year - buddhistEra)
        guard isBuddhist || years.contains(year) else { return nil }
        let day = String(isBuddhist ? year - buddhistEra : year) + String(decoding: date.dropFirst(4), as: UTF8.self)
        return CalendarDay.start(of: day) == nil ? nil : day
    }

    private static let years = 1850..<2200
    /// The year before the Buddhist era's first.
    private static let buddhistEra = 543
}
