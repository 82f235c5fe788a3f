import Foundation
import HealthExport
import TestSupport
import Testing

/// The scanner must never report anything that libxml2 would not: every document is read with it and without it, in
/// chunks of several sizes, and everything that is read must be equal.
struct CanonicalScannerTests {
    /// One thousand documents unless `PGHD_FUZZ_DOCUMENTS` gives another number.
    private static let documentCount =
        ProcessInfo.processInfo.environment["PGHD_FUZZ_DOCUMENTS"].flatMap { Int($0) } ?? 1000

    @Test(arguments: 0..<10)
    func `near-canonical documents are read the same with and without the scanner`(_ group: Int) {
        for seed in 0..<Self.documentCount / 10 {
            var generator = NearCanonicalDocument(seed: UInt64(group * 1_000_000 + seed))
            let document = generator.document()
            let chunkByteCount = [64, 97, 300, 1000, 1 << 18][seed % 5]
            let scanned = read(document, ReadingMode(chunkByteCount: chunkByteCount))
            let parsed = read(document, ReadingMode(chunkByteCount: chunkByteCount, scansCanonicalRecords: false))
            #expect(scanned == parsed, "seed \(group * 1_000_000 + seed), chunks of \(chunkByteCount) bytes")
            if scanned != parsed { return }
        }
    }

    @Test func `Apple's own form is accepted by the scanner`() {
        let lines = [
            #" <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" creationDate="2024-01-01 08:00:00 +0100" startDate="2024-01-01 08:00:00 +0100" endDate="2024-01-01 08:01:00 +0100" value="5"/>"#,
            " <Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"Alex’s Watch\" sourceVersion=\"10.4\" device=\"&lt;&lt;HKDevice: 0x283336ee0&gt;, name:Apple Watch&gt;\" unit=\"count/min\" creationDate=\"2024-01-01 08:00:00 +0100\" startDate=\"2024-01-01 08:00:00 +0100\" endDate=\"2024-01-01 08:00:00 +0100\" value=\"72\">\n  <MetadataEntry key=\"HKMetadataKeyHeartRateMotionContext\" value=\"1\"/>\n </Record>",
            " <Record type=\"HKQuantityTypeIdentifierHeartRateVariabilitySDNN\" sourceName=\"Watch\" unit=\"ms\" creationDate=\"2024-01-01 08:00:00 +0100\" startDate=\"2024-01-01 08:00:00 +0100\" endDate=\"2024-01-01 08:01:00 +0100\" value=\"41\">\n  <HeartRateVariabilityMetadataList>\n   <InstantaneousBeatsPerMinute bpm=\"62\" time=\"6:14:48,94\u{202F}PM\"/>\n  </HeartRateVariabilityMetadataList>\n </Record>",
        ]
        for line in lines {
            let document = "<HealthData locale=\"en_US\">\n\(line)\n\(line)\n</HealthData>\n"
            #expect(read(document).rawRecordCount == 2)
        }
    }

    /// Dates of a record that begins like the one before it are compared eight bytes at a time.
    @Test(arguments: ["creationDate", "startDate", "endDate"], ["\"", "&", "<", "\t", "\u{1}", "é", "3"])
    func `a date that differs in a single byte is noticed`(_ name: String, _ other: String) throws {
        let date = "2024-01-01 08:00:00 +0100"
        let record = """
             <Record type="a" sourceName="b" creationDate="\(date)" startDate="\(date)" endDate="\(date)" value="1"/>

            """
        for place in 0..<25 {
            let value = date.prefix(place) + other + date.dropFirst(place + 1)
            let changed = record.replacing("\(name)=\"\(date)\"", with: "\(name)=\"\(value)\"")
            let document = "<HealthData>\n\(record)\(changed)\(record)</HealthData>\n"
            #expect(read(document) == read(document, ReadingMode(scansCanonicalRecords: false)), "byte \(place)")
        }
    }

    @Test(arguments: [
        "type='x' sourceName=\"a\"", "type=\"x\"  sourceName=\"a\"", "type=\"x\"\tsourceName=\"a\"",
        "sourceName=\"a\" type=\"x\"", "type=\"x\" type=\"x\"", "type=\"x\" value=\"&amp;\"", "type=\"x\" other=\"1\"",
        "type=\"x\" sourceName=\"&#65;\"", "type=\"x\" sourceName=\"a\tb\"", "type = \"x\"", "type=\"x<y\"",
    ])
    func `any other form goes to libxml2`(_ attributes: String) {
        let document = "<HealthData>\n <Record \(attributes)/>\n</HealthData>\n"
        #expect(read(document).rawRecordCount == 0)
    }
}
