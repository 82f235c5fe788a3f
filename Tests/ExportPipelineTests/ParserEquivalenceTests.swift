import ExportPipeline
import Foundation
import HealthExport
import HealthKitMapping
import Synchronization
import TestSupport
import Testing
import TransactionBundling

/// The output does not depend on the parser: the fast one, or `--parser libxml2`, which reads everything with libxml2.
struct ParserEquivalenceTests {
    /// One thousand documents unless `PGHD_FUZZ_DOCUMENTS` gives another number.
    private static let documentCount =
        ProcessInfo.processInfo.environment["PGHD_FUZZ_DOCUMENTS"].flatMap { Int($0) } ?? 1000
    private static let chunkByteCounts = [64, 97, 300, 1000, 1 << 18]

    @Test(arguments: 0..<10)
    func `both parsers turn near-canonical documents into the same bytes`(_ group: Int) throws {
        let folder = try TemporaryFolder()
        let both = try Self.chunkByteCounts.map { try [true, false].map(Self.conversion(chunkByteCount: $0)) }
        for number in 0..<Self.documentCount / 10 {
            let seed = group * 1_000_000 + number
            var generator = NearCanonicalDocument(seed: UInt64(seed))
            let path = try folder.write(generator.document(), to: "export.xml")
            let results = both[seed % both.count].map { Result(of: path, $0) }
            let chunkByteCount = Self.chunkByteCounts[seed % both.count]
            #expect(results[0] == results[1], "seed \(seed), chunks of \(chunkByteCount) bytes")
            if results[0] != results[1] { return }
        }
    }

    private static func conversion(chunkByteCount: Int) -> (Bool) throws -> Conversion {
        { scansCanonicalRecords in
            var options = ConversionOptions(mapping: MappingOptions(patientID: "p1"))
            options.run.threads = 1
            options.run.chunkByteCount = chunkByteCount
            options.run.scansCanonicalRecords = scansCanonicalRecords
            return try Conversion(options)
        }
    }

    /// Everything that a run reports, except its time and memory.
    private struct Result: Equatable {
        var bundles: [[UInt8]] = []
        var report: RunReport?
        var error: String?

        init(of path: String, _ conversion: Conversion) {
            let bundles = Mutex<[[UInt8]]>([])
            do {
                var report = try conversion.run(ExportInput(path: path)) { bundle in
                    bundles.withLock { $0.append(bundle.body) }
                }
                (report.seconds, report.peakMemoryBytes, report.started) = (0, 0, 0)
                self.report = report
            } catch {
                self.error = "\(error)"
            }
            self.bundles = bundles.withLock(\.self)
        }
    }
}
