internal import HealthKitMapping
internal import Synchronization

/// The committer as the ring's sink.
final class CommitterSink: ChunkSink {
    private var committer: Committer
    private let records = Atomic<UInt64>(0)

    /// Kept apart from the committer, which another thread may be changing when this is asked.
    let writesFiles: Bool

    init(_ committer: consuming Committer) {
        writesFiles = committer.output.writesFiles
        self.committer = committer
    }

    /// Records committed so far; may be read from any thread.
    var recordCount: UInt64 { records.load(ordering: .relaxed) }

    /// Files that the committed elements refer to; read once the ring is done.
    var files: [ReferencedFile] { committer.files }

    func commit(_ slot: ChunkSlot) throws {
        try committer.commit(slot)
        records.store(committer.recordCount, ordering: .relaxed)
    }

    func finish(_ outcome: ChunkRing.Outcome) throws -> RunReport {
        try committer.finish(outcome)
    }
}
