import HealthExport
import Synchronization

/// What was read from an export, in a form that can be compared and printed.
struct Reading: Equatable {
    /// Each record's attributes and metadata, its place, and whether it is nested.
    var records: [String] = []
    /// Complete elements by name, nested ones too.
    var elements: [String: UInt64] = [:]
    /// Complete top-level elements by name.
    var topLevel: [String: UInt64] = [:]
    var unknownAttributes: UInt64 = 0
    var exportDate: String?
    /// Kind, byte, line and top-level element of each fault, in the order of the report.
    var faults: [String] = []
    var isComplete = false
    var inputFault: HealthExportError?
    /// Why the export could not be read at all.
    var refusal: HealthExportError?
    var byteCount: UInt64 = 0
    private var scanned = Scanned()

    /// How many records came from the scanner; not compared, since it says how they were read and not what.
    var rawRecordCount: Int { scanned.count }

    private struct Scanned: Equatable {
        var count = 0
        static func == (_: Scanned, _: Scanned) -> Bool { true }
    }

    /// The records' values only.
    var values: [String] {
        records.map { $0.split(separator: "|", omittingEmptySubsequences: false)[7] }.map(String.init)
    }
}

/// How an export is read.
struct ReadingMode: Sendable {
    var chunkByteCount = ChunkCutter.defaultChunkByteCount
    var scansCanonicalRecords = true
    /// Whether every chunk is parsed in sequence, and none alone.
    var isAlwaysInSequence = false
}

/// Reads an export as the pipeline does, on one thread.
func read(_ source: any ByteSource, _ mode: ReadingMode = ReadingMode()) -> Reading {
    var reading = Reading()
    var cutter = ChunkCutter(source: source, input: "export.xml", chunkByteCount: mode.chunkByteCount)
    var chunk = ExportChunk()
    var batch = ElementBatch()
    var faults: [Malformation] = []
    var parser = ChunkParser(scansCanonicalRecords: mode.scansCanonicalRecords)
    var sequence: SequenceParser?
    var lines: UInt64 = 0
    do throws(HealthExportError) {
        while try cutter.next(into: &chunk) {
            let isAlone =
                sequence == nil && !mode.isAlwaysInSequence
                && parser.parseAlone(&chunk, mark: cutter.mark, into: &batch, faults: &faults)
            chunk.follow(&lines)
            if isAlone {
                chunk.arrange(&faults)
                reading.isComplete = chunk.isLast
            } else {
                if sequence == nil { sequence = SequenceParser(mark: cutter.mark) }
                sequence?.parse(&chunk, into: &batch, faults: &faults)
                reading.isComplete = sequence?.isPastRoot == true
                if sequence?.isBetweenElements == true, !mode.isAlwaysInSequence { sequence = nil }
            }
            reading.add(batch, chunk, faults)
        }
        reading.inputFault = cutter.inputFault
    } catch {
        reading.refusal = error
    }
    return reading
}

func read(_ bytes: [UInt8], _ mode: ReadingMode = ReadingMode()) -> Reading { read(MemorySource(bytes), mode) }

func read(_ text: String, _ mode: ReadingMode = ReadingMode()) -> Reading { read(Array(text.utf8), mode) }

extension Reading {
    fileprivate mutating func add(
        _ batch: borrowing ElementBatch,
        _ chunk: borrowing ExportChunk,
        _ found: [Malformation]
    ) {
        for index in 0..<batch.records.count {
            let record = batch.records[index]
            if record.isRaw { scanned.count += 1 }
            func text(_ range: AttributeRange) -> String {
                guard range.isPresent else { return "-" }
                let bytes = Int(range.start)..<Int(range.start + range.count)
                guard record.isRaw else { return batch.bytes.text(bytes) }
                return PredefinedEntities.resolved(chunk.bytes.text(bytes))
            }
            let fields = [
                record.type, record.sourceName, record.sourceVersion, record.device, record.unit, record.startDate,
                record.endDate, record.value,
            ]
            let metadata = (record.firstMetadata..<record.firstMetadata + record.metadataCount).map {
                let entry = batch.metadata[Int($0)]
                return text(entry.key) + "=" + text(entry.value)
            }
            records.append(
                (fields.map(text) + metadata + [record.isNested ? "nested" : "top", "\(record.byteOffset)"])
                    .joined(separator: "|")
            )
        }
        for name in ElementName.allCases {
            elements[name.text, default: 0] += batch.elementCounts[Int(name.rawValue)]
            topLevel[name.text, default: 0] += batch.topLevelCounts[Int(name.rawValue)]
        }
        elements = elements.filter { $0.value > 0 }
        topLevel = topLevel.filter { $0.value > 0 }
        unknownAttributes += batch.unknownAttributes
        if let date = batch.text(batch.exportDate) { exportDate = date }
        faults += found.map { "\($0.kind) \($0.byte) \($0.line) \($0.element.map(\.text) ?? "-")" }
        byteCount = chunk.offset + UInt64(chunk.bytes.count)
    }
}

extension RawArray<UInt8> {
    fileprivate borrowing func text(_ range: Range<Int>) -> String {
        unsafe withElements { unsafe String(decoding: $0[range], as: UTF8.self) }
    }
}

/// An export in memory that can be read in small pieces and can fail at a given byte.
final class MemorySource: ByteSource {
    private let bytes: [UInt8]
    private let firstByteCount: Int
    private let pieceByteCount: Int
    private let breaksAt: Int?
    private let delivered = Atomic(0)

    /// - Parameters:
    ///   - bytes: the XML.
    ///   - firstByteCount: the most bytes that the first read gives.
    ///   - pieceByteCount: the most bytes that each later read gives.
    ///   - breaksAt: the byte at which reading fails.
    init(_ bytes: [UInt8], firstByteCount: Int = .max, pieceByteCount: Int = .max, breaksAt: Int? = nil) {
        self.bytes = bytes
        self.firstByteCount = firstByteCount
        self.pieceByteCount = pieceByteCount
        self.breaksAt = breaksAt
    }

    static let fault = HealthExportError.unreadableInput(.wrongChecksum, input: "export.xml")

    var progress: InputProgress {
        InputProgress(consumed: UInt64(delivered.load(ordering: .relaxed)), total: UInt64(bytes.count))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HealthExportError) -> Int {
        let start = delivered.load(ordering: .relaxed)
        let end = min(bytes.count, breaksAt ?? .max)
        if start == end, breaksAt != nil { throw Self.fault }
        let count = min(buffer.count, end - start, start == 0 ? firstByteCount : pieceByteCount)
        unsafe buffer.copyBytes(from: bytes[start..<start + count])
        delivered.store(start + count, ordering: .relaxed)
        return count
    }
}
