internal import FHIRR4

/// What a daily summary needs of one record: 64 bytes.
package struct SummarySample: BitwiseCopyable, Sendable {
    /// The longest sample that counts, 31 days: a longer one says nothing about a day.
    ///
    /// One record from year 1 to year 9999 would make three and a half million daily summaries.
    static let maximumSeconds: Int64 = 31 * 86400

    /// Its place in `SummarySeries.all`.
    var series: Int16
    /// The power of ten of `digits`.
    var exponent: Int16
    /// Seconds since 1970.
    var start: Int64
    var end: Int64
    /// The value in the series' unit; for sleep the stage's raw number.
    var digits: UInt64
    /// Who measured it: the lowest number wins if several did.
    var source: UInt64
    /// The end of its id: of twins only the one that is written counts.
    var id: UInt64
    /// Apple's `SyncVersion`, and its digest: the twin with the greater ones stays.
    var rank: UInt64
    var digest: UInt64

    var value: ExactDecimal { ExactDecimal(digits: UInt128(digits), exponent: Int(exponent)) }
}

/// Which source counts if several measured the same time.
///
/// A watch before a phone, a phone before another device, a device before an app that names none: what is worn measures
/// more. If no device is named, as in old exports and for sleep, the name that Apple gives a watch or a phone shows
/// which it is. Sources of one rank are in the order of a hash of their names, which is arbitrary and the same on every
/// machine.
enum SourceRank {
    /// The number of a source, by the device's hardware (`Watch6,2`) and the name that its samples are known by.
    static func number(hardware: String, source: String) -> UInt64 {
        let rank: UInt64
        if hardware.isEmpty {
            rank = source.contains("Apple Watch") ? 0 : source.contains("iPhone") ? 1 : 3
        } else {
            rank = hardware.hasPrefix("Watch") ? 0 : hardware.hasPrefix("iPhone") ? 1 : 2
        }
        // FNV-1a; its top bits make room for the rank.
        return rank << 62 | EncodedResource.kind(of: source) >> 2
    }
}
