internal import FHIRR4
internal import Foundation

/// The UTC offset of an IANA zone at any instant, from Foundation's rules.
///
/// Offsets are kept per day: a day that begins and ends with the same offset has it all day, and Foundation is asked
/// per instant only for the two days a year on which clocks change. The rules come with the program, so the same
/// program writes the same bytes everywhere; a program that was built with others makes other digests of what they
/// change (docs/decisions/0051-time-zone-rules.md).
struct ZoneOffsets {
    /// The name to write in `tz-code`, such as `Europe/Paris`.
    let name: String
    private let zone: TimeZone
    /// Minutes by day; `Int32.max` where the offset changes on that day.
    private var days: [Int64: Int32] = [:]
    /// Some twenty years: an export of other days, one after the other, must not fill the memory.
    private static let maximumDayCount = 1 << 13
    /// The last day that was asked for, with its minutes.
    private var last: (day: Int64, minutes: Int32) = (.min, 0)

    /// The rules of a zone; `nil` if none has this name, which must be ASCII.
    ///
    /// Once it was asked for a zone, Foundation also finds it under any name that Unicode considers equal.
    init?(name: String) {
        guard name.utf8.allSatisfy({ $0 < 0x80 }), name.contains("/") || name == "UTC" else { return nil }
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.name = name
        self.zone = zone
    }

    /// Minutes east of Greenwich; `nil` for offsets that are not whole minutes or exceed 14 hours, which FHIR can't
    /// write.
    mutating func minutes(at seconds: Int64) -> Int? {
        let day = FHIRDateTime.day(of: seconds)
        let kept: Int32
        if day == last.day {
            kept = last.minutes
        } else if let known = days[day] {
            kept = known
        } else {
            let first = offset(at: day * 86400)
            kept = first == offset(at: day * 86400 + 86400) && Self.isWritable(first) ? Int32(first / 60) : .max
            if days.count == Self.maximumDayCount { days.removeAll(keepingCapacity: true) }
            days[day] = kept
        }
        last = (day, kept)
        if kept != .max { return Int(kept) }
        let exact = offset(at: seconds)
        return Self.isWritable(exact) ? exact / 60 : nil
    }

    /// Whether R4's `dateTime` can hold an offset of so many seconds; Guam's was -14:21 until 1845.
    private static func isWritable(_ offset: Int) -> Bool { offset % 60 == 0 && abs(offset) <= 14 * 3600 }

    private func offset(at seconds: Int64) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }
}

/// Whether `name` is an IANA zone that times can be written in.
package func isKnownTimeZone(_ name: String) -> Bool { ZoneOffsets(name: name) != nil }
