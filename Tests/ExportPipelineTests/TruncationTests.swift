import ExportPipeline
import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// A file that ends too early: cut at any byte, nothing is invented and nothing complete is lost.
struct TruncationTests {
    @Test(arguments: [64, 300, 256 << 10])
    func `an export cut at any byte gives its whole records and tells where it stopped`(_ chunkByteCount: Int) throws {
        let whole = Array(Self.export.utf8)
        let folder = try TemporaryFolder()
        var options = ConversionOptions(mapping: MappingOptions(patientID: "p1", form: .resource))
        options.run.chunkByteCount = chunkByteCount
        options.run.threads = 2
        options.replacesFiles = true
        let conversion = try Conversion(options)
        options.run.scansCanonicalRecords = false
        let byLibXML2 = try Conversion(options)
        let all = try ids(in: whole, conversion, folder).ids
        #expect(all.count == 10)
        // From the byte after its name on the root is there; before that it is not an export.
        let root = try #require(Self.export.range(of: "<HealthData "))
        let firstByte = Self.export.utf8.distance(from: Self.export.startIndex, to: root.upperBound)
        let lastByte = whole.count - "</HealthData>\n".utf8.count
        for length in firstByte..<whole.count {
            let cut = Array(whole[..<length])
            let (ids, report) = try ids(in: cut, conversion, folder)
            let output = URL(fileURLWithPath: folder.path("out.ndjson"))
            let written = try Data(contentsOf: output)
            #expect(try self.ids(in: cut, byLibXML2, folder).report.damage == report.damage, "cut at byte \(length)")
            #expect(try Data(contentsOf: output) == written, "cut at byte \(length)")
            // Nothing is invented: what is written is a prefix of the whole file's output.
            let expected = Self.wholeRecordCount(in: cut)
            #expect(ids == Array(all.prefix(expected)), "cut at byte \(length)")
            let isWhole = length > lastByte + "</HealthData".utf8.count
            #expect(report.damage.isComplete == isWhole, "cut at byte \(length)")
            guard !isWhole else { continue }
            // The report says where it stopped: at or before the cut, and on a line that exists.
            let place = try #require(report.damage.places.last, "cut at byte \(length)")
            #expect(place.byte <= UInt64(length))
            #expect(place.line <= UInt64(cut.filter { $0 == 10 }.count + 1))
        }
    }

    @Test(arguments: [64, 300, 256 << 10])
    func `an export cut before its root is refused with one line, and nothing is written`(
        _ chunkByteCount: Int
    ) throws {
        let folder = try TemporaryFolder()
        var options = ConversionOptions(mapping: MappingOptions(patientID: "p1", form: .resource))
        options.run.chunkByteCount = chunkByteCount
        let conversion = try Conversion(options)
        func length(to text: String) throws -> Int {
            let range = try #require(Self.export.range(of: text))
            return Self.export.utf8.distance(from: Self.export.startIndex, to: range.upperBound)
        }
        let (named, begun) = (try length(to: "<!DOCTYPE HealthData"), try length(to: "<HealthData "))
        for length in 0..<begun {
            let input = try folder.write(Self.export.utf8.prefix(length), to: "export.xml")
            let error = #expect(throws: (any Error).self, "cut at byte \(length)") {
                _ = try conversion.run(ExportInput(path: input), to: .file(folder.path("out.ndjson")))
            }
            let told =
                switch length {
                case 0:
                    "0 bytes long (expected an Apple Health export): export it again with \"Export All Health Data\""
                case ..<named:
                    "no Apple Health export (expected XML that begins with <HealthData>): "
                        + "give the zip that \"Export All Health Data\" made"
                default:
                    "no <HealthData> element (expected Apple Health's export.xml): choose the export's main XML file"
                }
            #expect(error.map { "\($0)" } == "\(input): \(told)", "cut at byte \(length)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("out.ndjson")))
        }
    }

    /// The ids of the Observations that an export gives, in the order of the Bundles.
    private func ids(
        in xml: [UInt8],
        _ conversion: Conversion,
        _ folder: TemporaryFolder
    ) throws -> (ids: [String], report: RunReport) {
        let input = folder.path("export.xml")
        let output = folder.path("out.ndjson")
        try Data(xml).write(to: URL(fileURLWithPath: input))
        let report = try conversion.run(ExportInput(path: input), to: .file(output))
        let lines = String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self).split(
            separator: "\n"
        )
        let ids = lines.compactMap { line -> String? in
            guard line.contains("\"resourceType\":\"Observation\"") else { return nil }
            return line.split(separator: "\"").first { $0.count == 33 && $0.hasPrefix("h") }.map(String.init)
        }
        return (ids, report)
    }

    /// Counted without a parser: top-level records and correlations whose last byte is there.
    ///
    /// Comments and CDATA sections of the export hold text that only looks like records.
    private static func wholeRecordCount(in cut: [UInt8]) -> Int {
        var text = String(decoding: cut, as: UTF8.self)
        for (open, close) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<Correlation", "</Correlation>")] {
            while let start = text.range(of: open) {
                let end = text.range(of: close, range: start.upperBound..<text.endIndex)?.upperBound
                // A panel counts as a whole correlation.
                let isPanel = end != nil && open == "<Correlation"
                text.replaceSubrange(start.lowerBound..<(end ?? text.endIndex), with: isPanel ? "<Record />" : "")
            }
        }
        var count = 0
        for part in text.components(separatedBy: "<Record ").dropFirst() {
            guard let tagEnd = part.firstIndex(of: ">") else { continue }
            let isEmpty = part[..<tagEnd].hasSuffix("/")
            if isEmpty || part.contains("</Record>") { count += 1 }
        }
        return count
    }

    @Test(arguments: [
        ("two-sources", false), ("damaged-doubled-start", false), ("damaged-truncated", true), ("damaged-entity", true),
    ])
    func `a report says whether something may be missing`(_ sample: String, _ mayHaveLost: Bool) throws {
        let report = try Run(Samples.path(sample)).report
        #expect(report.mayHaveLost == mayHaveLost)
        #expect(report.json.contains("\"mayHaveLost\": \(mayHaveLost)"))
    }

    private static func record(_ minute: Int, _ tail: String = "/>") -> String {
        let time = "2024-01-01 08:\(minute + 10):00 +0100"
        return
            " <Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"Sam’s\u{A0}Watch &amp; Co\" unit=\"count/min\" "
            + "creationDate=\"\(time)\" startDate=\"\(time)\" endDate=\"\(time)\" value=\"\(60 + minute)\"\(tail)\n"
    }

    private static let export: String = {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE HealthData [\n<!ELEMENT HealthData ANY>\n]>\n"
        text += "<HealthData locale=\"en_US\">\n <ExportDate value=\"2024-06-30 10:00:00 +0200\"/>\n"
        text += " <Me HKCharacteristicTypeIdentifierDateOfBirth=\"1980-01-01\"/>\n"
        text += record(0)
        text += record(1, ">\n  <MetadataEntry key=\"HKTimeZone\" value=\"Europe/Paris\"/>\n </Record>")
        text += " <!-- \n" + record(40) + " -->\n"
        text += record(2)
        text += record(3)
        text +=
            " <Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\" startDate=\"2024-01-01 08:13:00 +0100\" "
            + "endDate=\"2024-01-01 08:13:00 +0100\">\n "
            + record(3).replacing("HeartRate", with: "BloodPressureSystolic").replacing("count/min", with: "mmHg")
            + " </Correlation>\n"
        text +=
            " <Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\">\n  <![CDATA[\n" + record(41)
            + " ]]>\n </Workout>\n"
        for minute in 4..<9 { text += record(minute) }
        return text + "</HealthData>\n"
    }()
}
