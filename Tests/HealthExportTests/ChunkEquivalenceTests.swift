import Foundation
import HealthExport
import Testing

/// What is read of an export depends on its bytes, not on how it is cut or by whom it is parsed.
struct ChunkEquivalenceTests {
    static let chunkByteCounts = Array(64..<400) + [512, 1000, 1024, 4096, 1 << 18]

    @Test func `all chunk sizes and parsers find the same in a good export`() {
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

    /// A hundred documents in each group; `PGHD_FUZZ_DOCUMENTS` asks for more in all.
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
