internal import HealthExport

/// Where a run is, for a progress line.
public struct RunProgress: Sendable {
    /// Bytes of the input file consumed.
    public var bytesConsumed: UInt64
    /// Its size, where known.
    public var bytesTotal: UInt64?
    /// Records met.
    public var records: UInt64
    /// Seconds since the start.
    public var seconds: Double

    /// A place in a run.
    public init(bytesConsumed: UInt64, bytesTotal: UInt64?, records: UInt64, seconds: Double) {
        self.bytesConsumed = bytesConsumed
        self.bytesTotal = bytesTotal
        self.records = records
        self.seconds = seconds
    }

    init(_ input: InputProgress, records: UInt64, seconds: Double) {
        self.init(bytesConsumed: input.consumed, bytesTotal: input.total, records: records, seconds: seconds)
    }
}
