internal import HealthExport

/// How a run reads an export; the result does not depend on it.
public struct RunOptions: Sendable {
    /// How many threads may work.
    public static let threadRange = 1...64

    /// Threads that work, clamped to `threadRange`; the calling thread only waits.
    public var threads = 1 { didSet { threads = min(max(threads, 1), Self.threadRange.upperBound) } }
    /// Bytes of XML that a worker takes at a time, clamped to at least 64 B and at most 2 MiB.
    public var chunkByteCount = ChunkCutter.defaultChunkByteCount
    /// Whether canonical records are read without libxml2, six times as fast.
    public var scansCanonicalRecords = true
    /// A folder with the mapping's files instead of the program's own.
    public var profilesFolder: String?

    /// One thread, the program's own mapping.
    public init() {}
}
