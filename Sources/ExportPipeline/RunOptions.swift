internal import HealthExport

/// How a run reads an export; what comes of it is the same with any.
public struct RunOptions: Sendable {
    /// Threads that work; the calling one only waits.
    public var threads = 1
    /// Bytes of XML that a worker takes at a time.
    public var chunkByteCount = ChunkCutter.defaultChunkByteCount
    /// Whether canonical records are read without libxml2, six times as fast.
    public var scansCanonicalRecords = true
    /// A folder with the mapping's files instead of the program's own.
    public var profilesDirectory: String?

    /// One thread, the program's own mapping.
    public init() {}
}
