/// The time zone in which the invented person lives.
///
/// An export writes all its dates with the offset in force on the day of export, whatever the season
/// of the sample. People live by local time, so the zone knows summer time: exports with -480 and with
/// -420 minutes hold the same instants in different text, as two real ones do.
struct HomeZone {
    /// The IANA name, written as `HKTimeZone`; `nil` if no zone is known for the offset.
    let name: StaticString?
    /// Seconds east of UTC in winter.
    let standardOffset: Int
    private let summerTime: SummerTime

    private enum SummerTime { case none, america, europe }

    /// The zone whose exports have this offset, in minutes east of UTC, in winter or in summer.
    init(exportOffsetMinutes minutes: Int) {
        switch minutes {
        case -480, -420: self.init("America/Los_Angeles", -480, .america)
        case -300, -240: self.init("America/New_York", -300, .america)
        case 0: self.init("Europe/London", 0, .europe)
        case 60, 120: self.init("Europe/Berlin", 60, .europe)
        case 180: self.init("Africa/Nairobi", 180, .none)
        case 330: self.init("Asia/Kolkata", 330, .none)
        case 345: self.init("Asia/Kathmandu", 345, .none)
        case 540: self.init("Asia/Tokyo", 540, .none)
        default: self.init(nil, minutes, .none)
        }
    }

    private init(_ name: StaticString?, _ standardMinutes: Int, _ summerTime: SummerTime) {
        self.name = name
        standardOffset = standardMinutes * 60
        self.summerTime = summerTime
    }

    /// Seconds east of UTC at an instant, given in seconds since 1970.
    func offset(at instant: Int) -> Int {
        guard summerTime != .none else { return standardOffset }
        let local = instant + standardOffset
        let year = CalendarDate(daysSince1970: (local - (local < 0 ? 86_399 : 0)) / 86_400).year
        let (start, end) = summerTimeInstants(of: year)
        return instant >= start && instant < end ? standardOffset + 3600 : standardOffset
    }

    /// The instant at which local time is 00:00, by the offset in force at noon.
    func startOfDay(_ day: Int) -> Int {
        day * 86_400 - offset(at: day * 86_400 + 43_200 - standardOffset)
    }

    /// When summer time begins and ends: for every year by today's rules (United States since 2007, European Union
    /// since 1996).
    private func summerTimeInstants(of year: Int) -> (start: Int, end: Int) {
        if summerTime == .america {
            let start = CalendarDate.sunday(onOrAfter: 8, month: 3, year: year) * 86_400 + 7200 - standardOffset
            let end = CalendarDate.sunday(onOrAfter: 1, month: 11, year: year) * 86_400 + 3600 - standardOffset
            return (start, end)
        }
        let start = CalendarDate.sunday(onOrAfter: 25, month: 3, year: year) * 86_400 + 3600
        let end = CalendarDate.sunday(onOrAfter: 25, month: 10, year: year) * 86_400 + 3600
        return (start, end)
    }
}
