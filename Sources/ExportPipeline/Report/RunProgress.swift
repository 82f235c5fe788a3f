internal import HealthExport

/// How far a run has come, for a progress line.
public struct RunProgress: Sendable {
    /// Bytes of the input file consumed.
    public var bytesConsumed: UInt64
    /// Its size, if known.
    public var bytesTotal: UInt64?
    /// Records found so far.
    public var records: UInt64
    /// Seconds since the start.
    public var seconds: Double

    /// A point in a run.
    package init(bytesConsumed: UInt64, bytesTotal: UInt64?, records: UInt64, seconds: Double) {
        self.bytesConsumed = bytesConsumed
        self.bytesTotal = bytesTotal
        self.records = records
        self.seconds = seconds
    }

    init(_ input: InputProgress, records: UInt64, seconds: Double) {
        self.init(bytesConsumed: input.consumed, bytesTotal: input.total, records: records, seconds: seconds)
    }
}
