import HealthExport
import SyntheticExport
import Testing

/// How much of a generated export is read without libxml2: benchmarks on it say little about exports with another
/// share.
struct CanonicalShareTests {
    // The shape full is not measured: a meal of eight nutrients is a tree of some forty lines.
    @Test(arguments: [.apple, .plain, .app] as [SyntheticExport.Shape])
    func `the fast path takes 95 of 100 lines and 99 of 100 records`(
        _ shape: SyntheticExport.Shape
    ) throws {
        var bytes: [UInt8] = []
        try SyntheticExport(.init(extent: .days(7), shape: shape)).write { block in
            unsafe block.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        }
        let found = try read(bytes)
        #expect(found.offsets.count * 1000 >= found.topLevelCount * 990, "\(found.offsets.count) records")
        let (count, all) = lineCounts(of: found.offsets, in: bytes)
        #expect(count * 1000 >= all * 950, "\(count) of \(all) lines")
    }

    /// The offsets of the records that the scanner has taken, and how many top-level records there are.
    private func read(_ bytes: [UInt8]) throws -> (offsets: [Int], topLevelCount: Int) {
        var cutter = ChunkCutter(source: MemorySource(bytes), input: "export.xml")
        var chunk = ExportChunk()
        var batch = ElementBatch()
        var faults: [Malformation] = []
        var parser = ChunkParser()
        var offsets: [Int] = []
        var topLevelCount = 0
        while try cutter.next(into: &chunk) {
            try #require(parser.parseAlone(&chunk, mark: cutter.mark, into: &batch, faults: &faults))
            for index in 0..<batch.records.count {
                let record = batch.records[index]
                if !record.isNested { topLevelCount += 1 }
                if record.isRaw { offsets.append(Int(record.byteOffset)) }
            }
        }
        return (offsets, topLevelCount)
    }

    /// How many lines belong to those records and their children, and how many lines there are.
    private func lineCounts(of offsets: [Int], in bytes: [UInt8]) -> (count: Int, all: Int) {
        var (count, all) = (0, 0)
        var isInside = false
        var next = 0
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let line = bytes[start..<end]
            if next < offsets.count, offsets[next] <= end {
                isInside = true
                next += 1
            } else if !line.starts(with: "  ".utf8), !line.starts(with: " </".utf8) {
                isInside = false
            }
            all += 1
            if isInside { count += 1 }
            start = end + 1
        }
        return (count, all)
    }
}
