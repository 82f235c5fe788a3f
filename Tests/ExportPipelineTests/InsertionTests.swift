import ExportPipeline
import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import SyntheticExport
import TestSupport
import Testing
import TransactionBundling

/// A new record in an old export usually changes one Bundle: docs/formats.md, "Bundles".
struct InsertionTests {
    @Test func `of 1,000 insertions into 100,000 records half change one Bundle, and 99 in 100 at most three`() throws {
        let folder = try TemporaryFolder()
        try SyntheticExport(.init(extent: .bytes(46_000_000), seed: 3)).write(toFile: folder.path("export.xml"))
        let rows = try rows(of: folder.path("export.xml"), in: folder)
        #expect(rows.count > 95_000)
        let run = try Run(folder.path("export.xml"))
        let before = groups(rows[...])
        // The list stands in for the conversion: it is cut in the same places.
        #expect(before.count == run.lines.count { Self.holdsRecords($0) })
        let starts = before.map(\.start) + [rows.count]
        var numbers = RandomBits(state: 20)
        var changed: [Int] = []
        for _ in 0..<1000 {
            let place = Int(numbers.next() % UInt64(rows.count))
            var new = rows[place]
            new.id = ResourceID(high: numbers.next(), low: numbers.next())
            // Everything before the group that the record falls into is cut as before.
            let first = before[(before.firstIndex { $0.end > place }) ?? 0].start
            var count = 0
            // Cut until an old boundary is met: after it everything is as before.
            for window in [1000, 4000, rows.count] {
                let end = min(first + window, rows.count)
                var list = Array(rows[first..<end])
                list.insert(new, at: place - first)
                let cuts = groups(list[...])
                // A group's end in the old list: one row less after the new record. The window's own end is not a cut.
                guard
                    let met = cuts.firstIndex(where: { $0.end > place - first && starts.contains($0.end - 1 + first) }),
                    met < cuts.count - 1 || end == rows.count
                else { continue }
                count = met + 1
                break
            }
            #expect(count > 0)
            changed.append(count)
        }
        changed.sort()
        let counts = Dictionary(grouping: changed, by: \.self).mapValues(\.count).sorted { $0.key < $1.key }
        print("changed Bundles:", counts.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
        #expect(changed[500] == 1)
        #expect(changed[990] <= 3)
    }

    @Test func `a record inserted into an export changes no Bundle of another type`() throws {
        let folder = try TemporaryFolder()
        try SyntheticExport(.init(extent: .bytes(2_000_000), seed: 5)).write(toFile: folder.path("export.xml"))
        let text = try String(contentsOf: URL(filePath: folder.path("export.xml")), encoding: .utf8)
        let before = try Run(folder.path("export.xml")).lines
        let lines = text.components(separatedBy: "\n")
        let places = lines.indices.filter {
            lines[$0].hasPrefix(" <Record type=\"HKQuantityTypeIdentifierHeartRate\"") && lines[$0].hasSuffix("/>")
        }
        for place in [places[0], places[places.count / 2], places[places.count - 1]] {
            var changed = lines
            let record = lines[place].replacing(/startDate="..../, with: "startDate=\"1999")
            changed.insert(record, at: place)
            try folder.write(changed.joined(separator: "\n").utf8, to: "changed.xml")
            let after = try Run(folder.path("changed.xml"))
            let other = Set(after.lines).subtracting(before)
            #expect((1...3).contains(other.count))
            #expect(other.allSatisfy { $0.contains("\"HKQuantityTypeIdentifierHeartRate\"") })
            #expect(after.lines.count - before.count <= 1)
        }
    }

    /// The id and type of each record, in the order of the file.
    private func rows(of path: String, in folder: TemporaryFolder) throws -> [EncodedResource] {
        _ = try Conversion(.sample.with { $0.mapping.form = .resource }).run(
            ExportInput(path: path),
            to: .folder(folder.path("resources"))
        )
        let data = try Data(contentsOf: URL(filePath: folder.path("resources/Observation.ndjson")))
        let opening = Array("{\"resourceType\":\"Observation\",\"id\":\"h".utf8).count
        let mark = Array("healthkit\",\"code\":\"".utf8)
        let request = "{\"resource\":,\"request\":{\"method\":\"PUT\",\"url\":\"Observation/\"}}".utf8.count + 33
        let lines = [UInt8](data).split(separator: UInt8(ascii: "\n")).filter {
            Self.holdsRecords(String(decoding: $0, as: UTF8.self))
        }
        return try lines.map { line in
            let digits = String(decoding: line.dropFirst(opening).prefix(32), as: UTF8.self)
            let type = try #require(
                line.indices.first { line[$0] == mark[0] && line[$0...].starts(with: mark) }
                    .map { line[($0 + mark.count)...].prefix { $0 != UInt8(ascii: "\"") } }
            )
            return EncodedResource(
                id: ResourceID(
                    high: try #require(UInt64(digits.prefix(16), radix: 16)),
                    low: try #require(UInt64(digits.suffix(16), radix: 16))
                ),
                digest: 0,
                rank: 0,
                kind: UInt64(truncatingIfNeeded: type.hashValue),
                start: 0,
                count: UInt32(line.count + request),
                device: -1,
                gateway: -1
            )
        }
    }

    /// Whether a line, with one Bundle or resource, holds records: workouts and the like have their own rules.
    private static func holdsRecords(_ line: String) -> Bool {
        guard !line.contains("\"PhysicalActivity\""), let code = line.firstRange(of: "healthkit\",\"code\":\"") else {
            return false
        }
        return ["HKQuantityType", "HKCategoryType", "HKDataType"].contains { line[code.upperBound...].hasPrefix($0) }
    }

    /// Where each group of `rows` begins and ends.
    private func groups(_ rows: ArraySlice<EncodedResource>) -> [(start: Int, end: Int)] {
        let key = BundleKey(scheme: "pghd1", mappingVersion: "1", options: "", subject: "Patient/sample")
        var builder = BundleBuilder(limits: BundleLimits(), key: key, framing: .transaction)
        var groups: [(start: Int, end: Int)] = []
        // Only the number of bytes matters.
        let bytes = [UInt8](repeating: 0x20, count: Int(rows.map(\.count).max() ?? 0))
        func close(_ end: Int) {
            groups.append((groups.last?.end ?? 0, end))
            builder.finish { _, _ in }
        }
        unsafe bytes.withUnsafeBytes { bytes in
            for (place, row) in rows.enumerated() {
                if builder.mustClose(before: row) { close(place) }
                unsafe builder.addBorrowed(row, UnsafeRawBufferPointer(rebasing: bytes[..<Int(row.count)]))
                if builder.isAtBoundary { close(place + 1) }
            }
            if builder.count > 0 { close(rows.count) }
        }
        return groups
    }
}
