import Foundation
import HealthExport
import Testing

/// The scanner must never tell anything that libxml2 would not: every document is read with
/// it and without it, in chunks of several sizes, and all that comes out must be equal.
struct CanonicalScannerTests {
    /// A thousand documents; `PGHD_FUZZ_DOCUMENTS` asks for more.
    private static let documentCount =
        ProcessInfo.processInfo.environment["PGHD_FUZZ_DOCUMENTS"].flatMap { Int($0) } ?? 1000

    @Test(arguments: 0..<10)
    func `near-canonical documents are read the same with and without the scanner`(_ group: Int) throws {
        for seed in 0..<Self.documentCount / 10 {
            var generator = NearCanonicalDocument(seed: UInt64(group * 1_000_000 + seed))
            let document = generator.document()
            let chunkByteCount = [64, 97, 300, 1000, 1 << 18][seed % 5]
            let scanned = try Transcript(document, chunkByteCount: chunkByteCount, scans: true)
            let parsed = try Transcript(document, chunkByteCount: chunkByteCount, scans: false)
            #expect(scanned == parsed, "seed \(group * 1_000_000 + seed), chunks of \(chunkByteCount) bytes")
            if scanned != parsed { return }
        }
    }

    @Test func `Apple's own form is accepted by the scanner`() throws {
        let lines = [
            #" <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" creationDate="2024-01-01 08:00:00 +0100" startDate="2024-01-01 08:00:00 +0100" endDate="2024-01-01 08:01:00 +0100" value="5"/>"#,
            " <Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"Alex’s Watch\" sourceVersion=\"10.4\" device=\"&lt;&lt;HKDevice: 0x283336ee0&gt;, name:Apple Watch&gt;\" unit=\"count/min\" creationDate=\"2024-01-01 08:00:00 +0100\" startDate=\"2024-01-01 08:00:00 +0100\" endDate=\"2024-01-01 08:00:00 +0100\" value=\"72\">\n  <MetadataEntry key=\"HKMetadataKeyHeartRateMotionContext\" value=\"1\"/>\n </Record>",
        ]
        for line in lines {
            let document = "<HealthData locale=\"en_US\">\n\(line)\n\(line)\n</HealthData>\n"
            let transcript = try Transcript(Array(document.utf8), chunkByteCount: 1 << 18, scans: true)
            #expect(transcript.rawRecordCount == 2)
        }
    }

    @Test(arguments: [
        "type='x' sourceName=\"a\"", "type=\"x\"  sourceName=\"a\"", "type=\"x\"\tsourceName=\"a\"",
        "sourceName=\"a\" type=\"x\"", "type=\"x\" type=\"x\"", "type=\"x\" value=\"&amp;\"", "type=\"x\" other=\"1\"",
        "type=\"x\" sourceName=\"&#65;\"", "type=\"x\" sourceName=\"a\tb\"", "type = \"x\"", "type=\"x<y\"",
    ])
    func `any other form goes to libxml2`(_ attributes: String) throws {
        let document = "<HealthData>\n <Record \(attributes)/>\n</HealthData>\n"
        let transcript = try Transcript(Array(document.utf8), chunkByteCount: 1 << 18, scans: true)
        #expect(transcript.rawRecordCount == 0)
    }
}

/// All that reading a document tells, in comparable form.
private struct Transcript: Equatable {
    var records: [String] = []
    var counts = [UInt64](repeating: 0, count: ElementName.allCases.count)
    var topLevelCounts = [UInt64](repeating: 0, count: ElementName.allCases.count)
    var unknownAttributes: UInt64 = 0
    var faults: [Malformation] = []
    var exportDate: String?
    var isComplete = false
    /// How many came from the scanner; not compared.
    var rawRecordCount = 0

    static func == (left: Transcript, right: Transcript) -> Bool {
        left.records == right.records && left.counts == right.counts && left.topLevelCounts == right.topLevelCounts
            && left.unknownAttributes == right.unknownAttributes && left.faults == right.faults
            && left.exportDate == right.exportDate && left.isComplete == right.isComplete
    }

    init(_ document: [UInt8], chunkByteCount: Int, scans: Bool) throws {
        var cutter = ChunkCutter(
            source: ArraySource(document),
            input: "a document",
            chunkByteCount: chunkByteCount
        )
        var alone = ChunkParser(scansCanonicalRecords: scans)
        var sequence = ChunkParser(scansCanonicalRecords: scans)
        var isInSequence = false
        var chunk = ExportChunk()
        var batch = ElementBatch()
        while try cutter.next(into: &chunk) {
            var chunkFaults: [Malformation] = []
            let isAlone =
                !isInSequence && alone.parseAlone(chunk, mark: cutter.mark, into: &batch, faults: &chunkFaults)
            if isAlone {
                if chunk.isLast { isComplete = true }
            } else {
                chunkFaults.removeAll()
                let isClean = sequence.parseInSequence(
                    chunk,
                    startsClean: !isInSequence,
                    mark: cutter.mark,
                    into: &batch,
                    faults: &chunkFaults
                )
                if chunk.isLast { isComplete = sequence.isPastRoot }
                isInSequence = !isClean
            }
            faults += chunkFaults
            add(batch, chunk)
        }
    }

    private mutating func add(_ batch: borrowing ElementBatch, _ chunk: borrowing ExportChunk) {
        for index in 0..<batch.records.count {
            let record = batch.records[index]
            if record.isRaw { rawRecordCount += 1 }
            func text(_ range: AttributeRange) -> String {
                guard range.isPresent else { return "-" }
                let bytes = (range.start..<range.start + range.count).map { place in
                    record.isRaw ? chunk.bytes[Int(place)] : batch.bytes[Int(place)]
                }
                let text = String(decoding: bytes, as: UTF8.self)
                return "\"" + (record.isRaw ? PredefinedEntities.resolved(text) : text) + "\""
            }
            var line = [
                record.type, record.sourceName, record.sourceVersion, record.device, record.unit, record.startDate,
                record.endDate, record.value,
            ].map(text).joined(separator: " ")
            for entry in record.firstMetadata..<record.firstMetadata + record.metadataCount {
                let metadata = batch.metadata[Int(entry)]
                line += " [\(text(metadata.key)) = \(text(metadata.value))]"
            }
            records.append(line + " @\(record.byteOffset)\(record.isNested ? " nested" : "")")
        }
        for index in counts.indices {
            counts[index] += batch.elementCounts[index]
            topLevelCounts[index] += batch.topLevelCounts[index]
        }
        unknownAttributes += batch.unknownAttributes
        if let date = batch.text(batch.exportDate) { exportDate = date }
    }
}

/// A source over bytes in memory.
private final class ArraySource: ByteSource, @unchecked Sendable {  // used by one test's thread alone
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var progress: InputProgress { InputProgress(consumed: UInt64(position), total: UInt64(bytes.count)) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HealthExportError) -> Int {
        let count = min(buffer.count, bytes.count - position)
        for index in 0..<count { unsafe buffer[index] = bytes[position + index] }
        position += count
        return count
    }
}

/// Makes documents that are Apple's form but for a few places.
private struct NearCanonicalDocument {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func document() -> [UInt8] {
        let lineEnd = chance(12) ? "\r\n" : "\n"
        let indentation = chance(8) ? pick(["", "  ", "\t"]) : " "
        var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData locale=\"en_US\">\(lineEnd)".utf8)
        bytes += Array("\(indentation)<ExportDate value=\"2024-06-30 10:00:00 +0200\"/>\(lineEnd)".utf8)
        for _ in 0..<(5 + Int(next() % 20)) {
            bytes += Array(indentation.utf8)
            bytes += element(lineEnd, indentation)
            if !chance(40) { bytes += Array(lineEnd.utf8) }
        }
        if !chance(20) { bytes += Array("</HealthData>\(lineEnd)".utf8) }
        if chance(30) { bytes += Array("<Record type=\"late\"/>".utf8) }
        if chance(15) { bytes.removeLast(min(bytes.count - 200, Int(next() % 300))) }
        return bytes
    }

    private mutating func element(_ lineEnd: String, _ indentation: String) -> [UInt8] {
        switch next() % 24 {
        case 0:
            return Array("<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\"><WorkoutEvent/></Workout>".utf8)
        case 1:
            let inner = record(lineEnd, indentation)
            return Array("<Correlation type=\"HKCorrelationTypeIdentifierFood\">\(lineEnd)\(indentation) ".utf8) + inner
                + Array("\(lineEnd)\(indentation)</Correlation>".utf8)
        case 2:
            let inner = record(lineEnd, indentation)
            let (open, close) = pick([("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?x ", "?>"), ("<!--", ""), ("", "-->")])
            return Array("\(open)\(lineEnd)\(indentation)".utf8) + inner
                + Array("\(lineEnd)\(indentation)\(close)".utf8)
        case 3: return Array(pick(["text", "&amp;", "&nope;", "]]>", "<", "</Record>", "<Broken"]).utf8)
        default: return record(lineEnd, indentation)
        }
    }

    private mutating func record(_ lineEnd: String, _ indentation: String) -> [UInt8] {
        var attributes: [(String, [UInt8])] = [
            ("type", Array(pick(["HKQuantityTypeIdentifierStepCount", "HKCategoryTypeIdentifierFever", "x"]).utf8)),
            ("sourceName", value(pick(["Phone", "Alex’s\u{A0}Watch", "A&amp;B"]))),
            ("sourceVersion", value("10.4")),
            (
                "device",
                value("&lt;&lt;HKDevice: 0x\(String(next() >> 28, radix: 16))&gt;, name:Watch, hardware:Watch6,2&gt;")
            ),
            ("unit", value(pick(["count", "mmol&lt;180.1558800000541&gt;/L", "mL/min·kg"]))),
            ("creationDate", value("2024-01-01 08:00:00 +0100")),
            ("startDate", value("2024-01-01 08:00:0\(next() % 10) +0100")),
            ("endDate", value("2024-01-01 08:01:00 +0100")),
            ("value", value(String(next() % 1000))),
        ]
        while attributes.count > 1, chance(3) { attributes.remove(at: Int(next() % UInt64(attributes.count))) }
        if chance(12), attributes.count > 1 { attributes.swapAt(0, attributes.count - 1) }
        if chance(20) { attributes.append(attributes[0]) }
        if chance(20) { attributes.append(("other", value("1"))) }
        var bytes = Array("<Record".utf8)
        for (name, value) in attributes {
            bytes += Array(chance(60) ? pick(["  ", "\t", "\n", "\r\n", ""]).utf8 : " ".utf8)
            let quote = chance(50) && !value.contains(UInt8(ascii: "'")) ? "'" : "\""
            bytes += Array((name + (chance(80) ? " = " : "=") + quote).utf8) + value + Array(quote.utf8)
        }
        if chance(40) { bytes += Array(pick([" ", "\n", "x"]).utf8) }
        guard chance(3) else { return bytes + Array((chance(60) ? ">" : "/>").utf8) }
        bytes += Array(">".utf8)
        for _ in 0..<(next() % 3) {
            bytes += Array("\(lineEnd)\(indentation) ".utf8)
            switch next() % 12 {
            case 0: bytes += Array("<HeartRateVariabilityMetadataList/>".utf8)
            case 1: bytes += Array("<MetadataEntry value=\"1\" key=\"k\"/>".utf8)
            case 2: bytes += Array("<MetadataEntry key=\"k\"/>".utf8)
            case 3: bytes += Array("<!-- c -->text".utf8)
            default:
                bytes +=
                    Array("<MetadataEntry key=\"".utf8) + value("HKTimeZone") + Array("\" value=\"".utf8)
                    + value(pick(["Europe/Paris", "1 &lt; 2", "ä"])) + Array("\"/>".utf8)
            }
        }
        return bytes + Array("\(lineEnd)\(indentation)</Record>".utf8)
    }

    /// The value, now and then with something that libxml2 must look at.
    private mutating func value(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        guard chance(40) else { return bytes }
        let odd: [[UInt8]] = [
            [0x00], [0x0B], [0x1F], [0x7F], [0x09], [0x0A], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80],
            [0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x80], [0xF0, 0x9F, 0x98, 0x80],
            Array("&#11;".utf8), Array("&#65;".utf8), Array("&quot;".utf8), Array("&apos;".utf8), Array("&nope;".utf8),
            Array("&".utf8), Array("<".utf8), Array(">".utf8), Array("'".utf8), Array("\"".utf8), [],
        ]
        let place = Int(next() % UInt64(bytes.count + 1))
        bytes.insert(contentsOf: odd[Int(next() % UInt64(odd.count))], at: place)
        return bytes
    }

    private mutating func chance(_ odds: UInt64) -> Bool { next() % odds == 0 }

    private mutating func pick<Item>(_ items: [Item]) -> Item { items[Int(next() % UInt64(items.count))] }

    /// SplitMix64.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return (mixed ^ mixed >> 31) >> 3
    }
}
