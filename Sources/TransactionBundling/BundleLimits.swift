/// How large a Bundle may be, and where it is cut.
///
/// Cuts follow the content: after an entry whose id's last 8 hex digits, read as a number, are 0 modulo 96, once there
/// are 32 entries. So a new record among old ones changes the Bundle that it falls into, and the next cut is where it
/// was before.
public struct BundleLimits: Sendable, Equatable {
    /// Fewest entries before a cut by content.
    public var minimumEntryCount = 32
    /// One id in so many ends a Bundle, on average.
    public var boundaryModulus: UInt32 = 96
    /// Most entries, such as 400: within the limits of Azure (500) and Google (4,500), not of AWS HealthLake (160).
    public var maximumEntryCount: Int
    /// Most bytes of JSON, such as 1,000,000; a single larger entry travels alone.
    public var maximumByteCount: Int

    /// The values that the maximum of entries may have: memory is kept for so many.
    public static let entryCounts = 1...30_000
    /// The values that the maximum of bytes may have.
    public static let byteCounts = 1...1_000_000_000
    /// The default of `--max-entries`.
    public static let defaultMaximumEntryCount = 400
    /// The default of `--max-bytes`.
    public static let defaultMaximumByteCount = 1_000_000

    /// Limits for one server.
    public init(
        maximumEntryCount: Int = defaultMaximumEntryCount,
        maximumByteCount: Int = defaultMaximumByteCount
    ) {
        self.maximumEntryCount = maximumEntryCount
        self.maximumByteCount = maximumByteCount
    }
}
