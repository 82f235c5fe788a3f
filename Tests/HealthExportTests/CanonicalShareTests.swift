import HealthExport
import SyntheticExport
import Testing

/// How much of a generated export is read without libxml2: benchmarks on it say little about another share.
struct CanonicalShareTests {
    @Test(arguments: SyntheticExport.Shape.allCases)
    func `nineteen lines of twenty take the fast path, and of records all that stand alone`(
        _ shape: SyntheticExport.Shape
    ) throws {
        var bytes: [UInt8] = []
        try SyntheticExport(.init(extent: .days(7), shape: shape)).write { block in
            unsafe block.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        }
        let found = try read(bytes)
        #expect(found.offsets.count == found.topLevelCount, "a record that stands alone went to libxml2")
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let share = lineCount(of: found.offsets, in: lines) * 1000 / lines.count
        #expect(share >= 950, "\(share) lines of 1,000")
    }

    /// Where records begin that the scanner has taken, and how many records there are at the top.
    private func read(_ bytes: [UInt8]) throws -> (offsets: Set<UInt64>, topLevelCount: Int) {
        var cutter = ChunkCutter(source: MemorySource(bytes), input: "export.xml")
        var chunk = ExportChunk()
        var batch = ElementBatch()
        var faults: [Malformation] = []
        var parser = ChunkParser()
        var offsets: Set<UInt64> = []
        var topLevelCount = 0
        while try cutter.next(into: &chunk) {
            try #require(parser.parseAlone(chunk, mark: cutter.mark, into: &batch, faults: &faults))
            for index in 0..<batch.records.count {
                let record = batch.records[index]
                if !record.isNested { topLevelCount += 1 }
                if record.isRaw { offsets.insert(record.byteOffset) }
            }
        }
        return (offsets, topLevelCount)
    }

    /// Lines of the elements that begin there: theirs, and those below them.
    private func lineCount(of offsets: Set<UInt64>, in lines: [ArraySlice<UInt8>]) -> Int {
        var count = 0
        var offset: UInt64 = 0
        var isInside = false
        for line in lines {
            // The record is where its tag begins, behind the blank.
            if offsets.contains(offset + 1) {
                isInside = true
            } else if !line.starts(with: "  ".utf8), !line.starts(with: " </Record>".utf8) {
                isInside = false
            }
            if isInside { count += 1 }
            offset += UInt64(line.count) + 1
        }
        return count
    }
}
