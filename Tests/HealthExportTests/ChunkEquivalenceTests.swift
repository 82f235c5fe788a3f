import Foundation
import HealthExport
import Testing

/// What is read from an export depends on its bytes, not on how it is cut or which parser reads it.
struct ChunkEquivalenceTests {
    static let chunkByteCounts = Array(64..<400) + [512, 1000, 1024, 4096, 1 << 18]

    @Test func `every chunk size and parser finds the same in a good export`() {
        let whole = read(ChunkSamples.varied)
        #expect(whole.values == ["61", "70.5", "120", "80", "62", "63", "55", "64"])
        #expect(whole.faults == [])
        #expect(whole.isComplete)
        #expect(whole.elements["HealthData"] == 1)
        for size in Self.chunkByteCounts {
            for scans in [true, false] {
                #expect(
                    read(ChunkSamples.varied, ReadingMode(chunkByteCount: size, scansCanonicalRecords: scans)) == whole
                )
            }
            #expect(read(ChunkSamples.varied, ReadingMode(chunkByteCount: size, isAlwaysInSequence: true)) == whole)
        }
    }

    /// Apple would not have written the inner element: it is reported, and nothing inside it is used.
    @Test(arguments: [
        " <HealthData>\n\(ChunkSamples.record("1", indentation: "  "))\n </HealthData>", " <HealthData/>",
        " <HealthData>\n\(ChunkSamples.record("1"))\n </HealthData>", " <Workout>\n  <HealthData/>\n </Workout>",
        // Here the export's end tag closes the inner element.
        " <HealthData>",
    ])
    func `HealthData inside HealthData is a fault`(_ middle: String) {
        let text = ChunkSamples.export([ChunkSamples.record("60"), middle, ChunkSamples.record("61")])
        let whole = read(text)
        let isClosed = middle != " <HealthData>"
        #expect(whole.values == (isClosed ? ["60", "61"] : ["60"]))
        let kinds = whole.faults.map { String($0.prefix { $0 != " " }) }
        #expect(kinds == (isClosed ? ["notWellFormed"] : ["notWellFormed", "truncated"]))
        #expect(whole.isComplete == isClosed)
        for size in Self.chunkByteCounts {
            for scans in [true, false] {
                #expect(read(text, ReadingMode(chunkByteCount: size, scansCanonicalRecords: scans)) == whole)
            }
            #expect(read(text, ReadingMode(chunkByteCount: size, isAlwaysInSequence: true)) == whole)
        }
    }

    /// libxml2's time grows with the square of their number: 300,000 attributes (3 MB) take it 20 seconds.
    @Test(arguments: [1000, 1001, 20_000])
    func `an element with a tag of more than 1,000 attributes is left out by every parser`(_ count: Int) {
        let attributes = (0..<count).map { " a\($0)=''" }.joined()
        // Text that only looks like attributes.
        let signs = String(repeating: " a=''", count: 1500)
        let text = ChunkSamples.export([
            ChunkSamples.record("60"), " <Record\(attributes)/>",
            " <Workout>\n  <WorkoutEvent\(attributes)></WorkoutEvent>\n </Workout>", " <!--\(signs)-->",
            " <Correlation type=\"\(signs)\"/>", ChunkSamples.record("61"),
        ])
        let whole = read(text)
        let isLeftOut = count > 1000
        #expect(whole.values == (isLeftOut ? ["60", "61"] : ["60", "-", "61"]))
        #expect(whole.faults.map { String($0.prefix { $0 != " " }) } == (isLeftOut ? ["tooLarge", "tooLarge"] : []))
        #expect(whole.isComplete)
        for size in [64, 1000, 5000, 5100, 20_000, 1 << 18] {
            for scans in [true, false] {
                #expect(read(text, ReadingMode(chunkByteCount: size, scansCanonicalRecords: scans)) == whole)
            }
            #expect(read(text, ReadingMode(chunkByteCount: size, isAlwaysInSequence: true)) == whole)
        }
        let cut = String(text.prefix(text.count - 60))
        #expect(read(cut, ReadingMode(chunkByteCount: 64)) == read(cut))
    }

    /// libxml2 looks through all that are in scope for each name with a prefix: an element of 16 MB took it minutes.
    @Test(arguments: [100, 101, 5000])
    func `an element with more than 100 namespaces is left out by every parser`(_ count: Int) {
        let tags = (0..<count).map { "<a xmlns:n\($0)=\"u\">" }.joined()
        let ends = String(repeating: "</a>", count: count)
        // Text that only looks like namespaces.
        let words = String(repeating: "\n xmlns:a='u'", count: 150)
        let text = ChunkSamples.export([
            ChunkSamples.record("60"), " <Workout>\(tags)<b/>\(ends)</Workout>", " <!--\(words)-->",
            " <Correlation type=\"\(words)\" x=\"xmlns\"/>", ChunkSamples.record("61"),
        ])
        let whole = read(text)
        #expect(whole.values == ["60", "61"])
        #expect(whole.faults.map { String($0.prefix { $0 != " " }) } == (count > 100 ? ["tooLarge"] : []))
        #expect(whole.isComplete)
        for size in [64, 1000, 5000, 20_000, 1 << 18] {
            for scans in [true, false] {
                #expect(read(text, ReadingMode(chunkByteCount: size, scansCanonicalRecords: scans)) == whole)
            }
            #expect(read(text, ReadingMode(chunkByteCount: size, isAlwaysInSequence: true)) == whole)
        }
    }

    @Test(arguments: ["", "\n"])
    func `an export inside another is reported as a fault, not read as an export without records`(_ lineBreak: String) {
        let inner = ChunkSamples.export([ChunkSamples.record("60")]).dropFirst(ChunkSamples.prolog.count)
        for scans in [true, false] {
            let text = "<HealthData>\(lineBreak)\(inner)</HealthData>"
            let reading = read(text, ReadingMode(scansCanonicalRecords: scans))
            #expect(!reading.faults.isEmpty)
            #expect(reading == read(text, ReadingMode(chunkByteCount: 64, scansCanonicalRecords: scans)))
        }
    }

    /// A hundred documents in each group, unless `PGHD_FUZZ_DOCUMENTS` gives another total than 1,000.
    private static let documentCount =
        ProcessInfo.processInfo.environment["PGHD_FUZZ_DOCUMENTS"].flatMap { Int($0) } ?? 1000

    @Test(arguments: 0..<10)
    func `documents with odd pieces are read the same in chunks of any size, alone and in sequence`(_ group: Int) {
        for number in 0..<Self.documentCount / 10 {
            let seed = UInt64(group * 1_000_000 + number)
            var generator = ChunkGenerator(seed: seed)
            let bytes = generator.document()
            let whole = read(bytes, ReadingMode(isAlwaysInSequence: true))
            if generator.isGood {
                #expect(whole.isComplete && whole.faults.isEmpty, "seed \(seed)")
            }
            for size in [64, 65, 70, 90, 128, 200, 333, 500, 1000, 1 << 18] {
                for mode in [
                    ReadingMode(chunkByteCount: size), ReadingMode(chunkByteCount: size, scansCanonicalRecords: false),
                    ReadingMode(chunkByteCount: size, isAlwaysInSequence: true),
                ] {
                    let other = read(bytes, mode)
                    #expect(other == whole, "seed \(seed), \(mode)")
                    if other != whole { return }
                }
            }
        }
    }
}
