internal import FHIRR4
internal import Foundation
internal import HealthExport

/// A date without a time, such as `2024-06-16`.
package enum CalendarDay {
    /// The instant at which the day begins in UTC; `nil` for any other text and for days that do not exist.
    static func start(of text: String) -> Int64? {
        guard text.utf8.count == 10 else { return nil }
        return ExportDate.seconds(text + " 00:00:00 +0000").flatMap { FHIRDateTime.range.contains($0) ? $0 : nil }
    }

    /// The instant at which the day begins in a zone: midnight, or 01:00 on the rare day that begins then.
    ///
    /// - Parameters:
    ///   - text: `2024-06-16`.
    ///   - zone: an IANA name; `nil` for UTC.
    /// - Returns: seconds since 1970; `nil` for any other text and for days that do not exist.
    package static func start(of text: String, in zone: String?) -> Int64? {
        guard let midnight = start(of: text), let zone else { return start(of: text) }
        guard let zone = TimeZone(identifier: zone) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        // Noon exists on every day, whatever the clocks do at midnight.
        let noon = Date(timeIntervalSince1970: TimeInterval(midnight + 43_200))
        let local = noon.addingTimeInterval(-TimeInterval(zone.secondsFromGMT(for: noon)))
        return Int64(calendar.startOfDay(for: local).timeIntervalSince1970.rounded())
    }
}
