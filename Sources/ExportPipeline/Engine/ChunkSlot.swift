internal import FHIRR4
internal import HealthExport
internal import HealthKitMapping

/// One place of the ring: a chunk's input, what was parsed from it, and what was made of it.
///
/// Keeps its input until it is committed, so that a chunk that could not be parsed alone can be parsed in sequence. One
/// thread at a time owns it: reader, worker, committer.
final class ChunkSlot: @unchecked Sendable {  // the ring's monitor hands it from thread to thread
    /// Which step comes next.
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
    /// How top-level elements begin, as the cutter learned it.
    var mark = TopLevelMark.anyTag
    /// The day of the export, as the cutter learned it.
    var exportDay: String?

    // What the worker's consumer made of the batch.
    /// Room for eight times the chunk: untouched memory costs nothing, while a growing buffer leaves its old memory
    /// behind, more of it the longer a run lasts.
    var json = JSONBytes(capacity: 8 * ChunkCutter.defaultChunkByteCount)
    private static let maximumKeptByteCount = 64 * ChunkCutter.defaultChunkByteCount
    var rows = RawArray<EncodedResource>(capacity: 1 << 14)
    var counts: [TemplateCount] = []
    var elements = ElementTally()
    var samples = RawArray<SummarySample>(capacity: 16)
    var files = FileTally()
    var inspection = InspectionTally()

    /// Removes the products but keeps the chunk and most of the memory.
    func clearProducts() {
        // Memory that one large element or file needed is not kept for the small ones that follow.
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

/// What a worker does with a parsed chunk; each worker has its own consumer.
protocol ChunkConsumer: AnyObject {
    /// Fills the slot's products from its batch; may add faults.
    func consume(_ slot: ChunkSlot)
}
