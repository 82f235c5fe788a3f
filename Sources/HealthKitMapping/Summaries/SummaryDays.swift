internal import FHIRR4

/// Days in a zone: which one an instant is in, and when the next one begins.
struct SummaryDays {
    private var zone: ZoneOffsets?
    /// Added to an instant before its day is looked up: half a day makes nights whole.
    private let shift: Int64

    /// Days of `zone`, UTC without one.
    init(zone name: String?, shift: Int64 = 0) {
        zone = name.flatMap { ZoneOffsets(name: $0) }
        self.shift = shift
    }

    /// The day's number from 1970-01-01.
    mutating func day(of seconds: Int64) -> Int64 {
        Self.floor(seconds + offset(at: seconds) + shift, by: 86400)
    }

    /// The first instant of the next day.
    mutating func end(of day: Int64) -> Int64 {
        let local = (day + 1) * 86400 - shift
        // The offset in force then, which may be another than before.
        let guess = local - offset(at: local)
        let end = local - offset(at: guess)
        // Where clocks go forward at midnight there is no midnight, and the day begins with that change.
        return self.day(of: end) > day ? end : guess
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

    private static func floor(_ number: Int64, by step: Int64) -> Int64 {
        number >= 0 ? number / step : (number - step + 1) / step
    }
}
