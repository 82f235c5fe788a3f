/// How long things took, in buckets 1 % apart.
public struct LatencyHistogram: Sendable, Equatable {
    private var counts: [Int: UInt64] = [:]
    /// How many were measured.
    public private(set) var count: UInt64 = 0
    /// The longest, in seconds.
    public private(set) var maximum: Double = 0

    /// Nothing yet.
    public init() {}

    /// Adds one.
    mutating func add(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        maximum = max(maximum, seconds)
        count += 1
        var bucket = 0
        var limit = Self.smallest
        while limit < seconds {
            limit *= Self.step
            bucket += 1
        }
        counts[bucket, default: 0] += 1
    }

    /// Adds what another has counted.
    mutating func add(_ other: LatencyHistogram) {
        counts.merge(other.counts, uniquingKeysWith: +)
        count += other.count
        maximum = max(maximum, other.maximum)
    }

    /// The time in seconds below which a share of all stayed, at most 1 % too high.
    ///
    /// - Parameter share: from 0 to 1; 0.5 for the median.
    /// - Returns: the time; `nil` where nothing was measured.
    public func quantile(_ share: Double) -> Double? {
        guard count > 0 else { return nil }
        // NaN counts as 0.
        let share = share > 0 ? min(share, 1) : 0
        let rank = max(UInt64((share * Double(count)).rounded(.up)), 1)
        var seen: UInt64 = 0
        for (bucket, number) in counts.sorted(by: { $0.key < $1.key }) {
            seen += number
            if seen >= rank {
                return min((0..<bucket).reduce(Self.smallest) { limit, _ in limit * Self.step }, maximum)
            }
        }
        return maximum
    }

    private static let smallest = 0.000_1
    private static let step = 1.01
}
