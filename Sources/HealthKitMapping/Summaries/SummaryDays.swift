internal import FHIRR4

/// Days in a zone: which one an instant is in, and when the next one begins.
struct SummaryDays {
    private var zone: ZoneOffsets?
    /// Added to an instant before its day is looked up: half a day makes nights whole.
    private let shift: Int64

    /// Days of `zone`, or of UTC without one.
    init(zone name: String?, shift: Int64 = 0) {
        zone = name.flatMap { ZoneOffsets(name: $0) }
        self.shift = shift
    }

    /// The day's number from 1970-01-01.
    mutating func day(of seconds: Int64) -> Int64 {
        FHIRDateTime.day(of: seconds + offset(at: seconds) + shift)
    }

    /// The first instant of the next day, after which this one does not come back.
    mutating func end(of day: Int64) -> Int64 {
        let local = (day + 1) * 86400 - shift
        let guess = local - offset(at: local)
        // Clocks may go forward at midnight, so that there is none, or back over it, so that there are two.
        let (before, after) = (offset(at: guess - 43200), offset(at: guess + 43200))
        for end in [local - min(before, after), local - max(before, after)]
        where self.day(of: end) > day && self.day(of: end - 1) <= day { return end }
        return guess
    }

    /// A day as a FHIR date, such as `2024-06-16`.
    static func text(_ day: Int64) -> String {
        let date = FHIRDateTime.civil(fromDay: day)
        func pad(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(width - digits.count, 0)) + digits
        }
        return "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))"
    }

    private mutating func offset(at seconds: Int64) -> Int64 { Int64(zone?.minutes(at: seconds) ?? 0) * 60 }
}
