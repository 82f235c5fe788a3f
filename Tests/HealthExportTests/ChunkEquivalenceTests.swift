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

    @Test func `fuzz`() {
        let from = UInt64(ProcessInfo.processInfo.environment["FUZZ_FROM"] ?? "0") ?? 0
        let count = UInt64(ProcessInfo.processInfo.environment["FUZZ_COUNT"] ?? "1000") ?? 0
        var failures = 0
        var good = 0
        for seed in from..<from + count {
            var generator = ChunkGenerator(seed: seed)
            let bytes = generator.document()
            let whole = read(bytes, ReadingMode(isAlwaysInSequence: true))
            if generator.isGood {
                good += 1
                if !whole.isComplete || !whole.faults.isEmpty {
                    print("SEED \(seed) good doc with", whole.faults); failures += 1
                }
            }
            for size in [64, 65, 70, 90, 128, 200, 333, 500, 1000, 1 << 18] {
                for mode in [
                    ReadingMode(chunkByteCount: size), ReadingMode(chunkByteCount: size, scansCanonicalRecords: false),
                    ReadingMode(chunkByteCount: size, isAlwaysInSequence: true),
                ] {
                    let other = read(bytes, mode)
                    if other != whole {
                        failures += 1
                        if failures < 2 {
                            print(
                                "SEED \(seed) \(mode)\n\(String(decoding: bytes, as: UTF8.self))\n--whole \(whole)\n--other \(other)"
                            )
                        }
                        break
                    }
                }
            }
        }
        print("good \(good)/\(count)")
        #expect(failures == 0)
    }
}
