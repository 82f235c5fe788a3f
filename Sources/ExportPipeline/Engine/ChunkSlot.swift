internal import FHIRR4
internal import HealthExport
internal import HealthKitMapping

/// One place of the ring: a chunk's input, what was parsed from it, and what was made of it.
///
/// Keeps its input until it is committed, so that a chunk that could not be parsed alone
/// can be parsed in sequence. Owned by one thread at a time: reader, worker, committer.
final class ChunkSlot: @unchecked Sendable {  // the ring's monitor hands it from thread to thread
    /// Whose turn it is.
    enum Stage {
        case free, filled, working, done
    }
    /// Guarded by the ring's monitor.
    var stage = Stage.free

    var chunk = ExportChunk()
    var batch = ElementBatch()
    var faults: [Malformation] = []
    /// Whether the chunk was parsed alone.
    var isParsed = false
    /// How top-level elements begin, as the reader learned.
    var mark = TopLevelMark.anyTag
    /// The day of the export, as the reader learned.
    var exportDay: String?

    // What the worker's consumer made of the batch.
    /// Room for eight times the chunk: memory that is not touched costs nothing, while a buffer
    /// that grows leaves its old place behind, more of it the longer a run lasts.
    var json = JSONBytes(capacity: 8 * ChunkCutter.defaultChunkByteCount)
    private static let maximumKeptByteCount = 64 * ChunkCutter.defaultChunkByteCount
    var rows = RawArray<EncodedResource>(capacity: 1 << 14)
    var counts: [TemplateCount] = []
    var elements = ElementTally()
    var samples = RawArray<SummarySample>(capacity: 16)
    var files = FileTally()
    var inspection = InspectionTally()

    /// Forgets what was made, keeps the chunk and all memory.
    func clearProducts() {
        // What one large element or file has taken is not kept for the small ones that follow.
        json.removeAll(keepingAtMost: Self.maximumKeptByteCount)
        rows.removeAll()
        counts.removeAll(keepingCapacity: true)
        elements = ElementTally()
        samples.removeAll()
        files = FileTally()
        inspection = InspectionTally()
    }
}

extension ChunkSlot {
    /// Notes what is wrong with the element whose start tag ends at this byte of the export.
    func addFault(_ kind: Malformation.Kind, in element: ElementName, at byte: UInt64) {
        let place = byte > chunk.offset ? Int(byte - chunk.offset) : 0
        faults.append(chunk.malformation(kind, at: place, element: element))
    }
}

/// What a worker does with a parsed chunk; each worker has one of its own.
protocol ChunkConsumer: AnyObject {
    /// Fills the slot's products from its batch; may add faults.
    func consume(_ slot: ChunkSlot)
}
