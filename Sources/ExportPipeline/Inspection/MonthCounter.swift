internal import FHIRR4
internal import HealthExport

/// Counts instants by their month in UTC.
///
/// Records come in long runs of one month, so most cost two comparisons; a new month costs a dictionary lookup.
struct MonthCounter {
    private var counts: [Int32: UInt64] = [:]
    private var month: Int32 = 0
    private var seconds: Range<Int64> = 0..<0
    private var current: UInt64 = 0

    /// Counts one instant, in seconds since 1970.
    mutating func count(_ instant: Int64) {
        if !seconds.contains(instant) {
            flush()
            let day = FHIRDateTime.day(of: instant)
            let date = FHIRDateTime.civil(fromDay: day)
            let first = day - Int64(date.day - 1)
            month = Int32(date.year * 12 + date.month - 1)
            seconds = first * 86400..<(first + Int64(ExportDate.daysInMonth(date.month, date.year))) * 86400
        }
        current += 1
    }

    /// Returns the counts and starts again from zero.
    mutating func take() -> [(month: Int32, records: UInt64)] {
        flush()
        let result = counts.map { (month: $0.key, records: $0.value) }
        counts.removeAll(keepingCapacity: true)
        return result
    }

    private mutating func flush() {
        if current > 0 { counts[month, default: 0] += current }
        current = 0
    }
}
