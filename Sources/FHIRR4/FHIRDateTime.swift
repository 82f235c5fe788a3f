/// Writes FHIR R4 `dateTime` text from seconds since 1970.
///
/// In UTC: `2024-03-31T00:59:59Z`, 20 bytes. With an offset: `2024-03-31T01:59:59+01:00`,
/// 25 bytes. Whole seconds, years 0001 to 9999; beyond them the text would not be a FHIR
/// `dateTime` (<https://hl7.org/fhir/R4/datatypes.html#dateTime>), so callers keep within
/// `range`. About 15 ns.
@usableFromInline
package enum FHIRDateTime {
    /// The seconds since 1970 that have a four-digit year in every zone.
    package static let range: ClosedRange<Int64> = -62_135_510_400...253_402_214_400

    /// Writes the instant and returns the byte count: 20, or 25 with an offset.
    ///
    /// - Parameters:
    ///   - seconds: since 1970 in UTC, within `range`.
    ///   - offsetMinutes: east of Greenwich; `nil` writes `Z`.
    ///   - target: room for 25 bytes.
    /// - Returns: 20 or 25.
    package static func write(_ seconds: Int64, offsetMinutes: Int?, to target: UnsafeMutableRawPointer) -> Int {
        var writer = FHIRDateTimeWriter()
        return unsafe writer.write(seconds, offsetMinutes: offsetMinutes, to: target)
    }

    /// The day of an instant, counted from 1970-01-01.
    ///
    /// - Parameter seconds: since 1970, in UTC or in the local time whose day is asked for.
    /// - Returns: the day's number, below 0 before 1970.
    @inlinable
    package static func day(of seconds: Int64) -> Int64 {
        seconds >= 0 ? seconds / 86400 : (seconds &- 86399) / 86400
    }

    /// The date of a day counted from 1970-01-01, in the proleptic Gregorian calendar.
    ///
    /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    package static func civil(fromDay day: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = Int(truncatingIfNeeded: day) &+ 719_468
        let era = (shifted >= 0 ? shifted : shifted &- 146_096) / 146_097
        let dayOfEra = shifted &- era &* 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }
}

extension FHIRDateTime {
    /// The instant in UTC as text, such as `2024-03-31T00:59:59Z`, for rare uses.
    package static func utcText(_ seconds: Int64) -> String { text(seconds, offsetMinutes: nil) }

    /// The instant as text, in UTC or with an offset in minutes east of Greenwich: `2024-03-31T01:59:59+01:00`.
    package static func text(_ seconds: Int64, offsetMinutes: Int?) -> String {
        unsafe withUnsafeTemporaryAllocation(byteCount: 25, alignment: 1) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            let count = unsafe write(seconds, offsetMinutes: offsetMinutes, to: base)
            return unsafe String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}
