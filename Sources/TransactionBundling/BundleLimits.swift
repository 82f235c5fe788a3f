/// How large a Bundle may be, and where it is cut.
///
/// Cuts follow the content: after an entry whose id's last 8 hex digits, read as a number,
/// are 0 modulo 96, once there are 32 entries. So a record that is new in an old export
/// changes the Bundle it falls into, and the next cut is where it was before.
public struct BundleLimits: Sendable, Equatable {
    /// Fewest entries before a cut by content.
    public var minimumEntryCount = 32
    /// One id in so many ends a Bundle.
    public var boundaryModulus: UInt32 = 96
    /// Most entries, such as 400: below the limit of every server that has one above 160.
    public var maximumEntryCount: Int
    /// Most bytes of JSON, such as 1,000,000; a single larger entry travels alone.
    public var maximumByteCount: Int

    /// What the most entries may be: memory is kept for so many.
    public static let entryCounts = 1...30_000
    /// What the most bytes may be.
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
