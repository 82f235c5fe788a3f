import Foundation
import TestSupport
import Testing

/// Inputs made to do harm: the good records around them are converted, the damage is reported with its place, and
/// memory stays bounded.
struct HostileInputTests {
    /// A record, something bad, and another record; and the expected result.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var middle: @Sendable () -> String
        /// The kind, line and element of each malformation.
        var faults: [String] = []
        var records = 2
        var isCut = false
        /// The limit of peak memory; an element of up to 16 MB is held whole, with what is made of it.
        var maximumMegabyteCount = 64
    }

    private static func record(_ value: Int) -> String {
        " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"Phone\" unit=\"count\" "
            + "startDate=\"2024-01-01 08:00:0\(value) +0000\" endDate=\"2024-01-01 08:00:0\(value) +0000\" "
            + "value=\"\(value)\"/>\n"
    }

    private static func records(megabytes: Int) -> String {
        String(repeating: record(3), count: megabytes << 20 / record(3).utf8.count)
    }

    /// Repeats one character; for millions this is faster than `String(repeating:)`.
    private static func text(of character: UInt8, _ count: Int) -> String {
        String(decoding: [UInt8](repeating: character, count: count), as: UTF8.self)
    }

    private static func record(note megabytes: Int) -> String {
        let note = text(of: UInt8(ascii: "y"), megabytes << 20)
        return record(3).replacing("/>\n", with: ">\n  <MetadataEntry key=\"a\" value=\"\(note)\"/>\n </Record>\n")
    }

    static let cases = [
        Case(testDescription: "a comment of 50 MB full of records", middle: { " <!--\(records(megabytes: 50))-->\n" }),
        Case(
            testDescription: "a CDATA section of 50 MB full of records",
            middle: { " <![CDATA[\(records(megabytes: 50))]]>\n" },
            faults: ["strayText 3 null"]
        ),
        Case(
            testDescription: "a processing instruction of 50 MB full of records",
            middle: { " <?x \(records(megabytes: 50))?>\n" }
        ),
        Case(
            testDescription: "a comment of 50 MB that is never closed",
            middle: { " <!--\(records(megabytes: 50))" },
            faults: ["truncated 3 null"],
            records: 1,
            isCut: true
        ),
        Case(
            testDescription: "50 MB of text between records",
            middle: { text(of: UInt8(ascii: "x"), 50 << 20) + "\n" },
            faults: ["strayText 3 null"]
        ),
        Case(testDescription: "50 MB of blanks", middle: { text(of: UInt8(ascii: " "), 50 << 20) + "\n" }),
        Case(
            testDescription: "300,000 different names",
            middle: { (0..<300_000).map { " <x\($0) y\($0)='1'/>\n" }.joined() }
        ),
        Case(
            testDescription: "100,000 elements in each other",
            middle: {
                " " + String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000) + "\n"
            }
        ),
        Case(testDescription: "a note of 9 MB", middle: { record(note: 9) }, records: 3, maximumMegabyteCount: 128),
        Case(
            testDescription: "a note of 11 MB",
            middle: { record(note: 11) },
            faults: ["tooLarge 4 Record"],
            maximumMegabyteCount: 128
        ),
        Case(
            testDescription: "a start tag of 40 MB",
            middle: { " <Record type=\"\(text(of: UInt8(ascii: "z"), 40 << 20))\n" },
            faults: ["tooLarge 3 Record"],
            maximumMegabyteCount: 128
        ),
        Case(
            testDescription: "an element of 3 MB",
            middle: { " <Correlation type=\"a\">\n\(records(megabytes: 3)) </Correlation>\n" }
        ),
        Case(
            testDescription: "a workout of 15 MB of statistics, of which 10,000 are kept",
            middle: {
                let time = "startDate=\"2024-01-01 08:00:00 +0000\" endDate=\"2024-01-01 09:00:00 +0000\""
                let statistics = (0..<150_000).map {
                    "<WorkoutStatistics type=\"HKQuantityTypeIdentifierHeartRate\" average=\"\($0)\" "
                        + "minimum=\"1\" maximum=\"2\"/>\n"
                }
                return " <Workout workoutActivityType=\"HKWorkoutActivityTypeYoga\" \(time)>\n"
                    + statistics.joined() + " </Workout>\n"
            },
            // Three for each statistic that is kept, the activity and the panel.
            records: 30_004,
            maximumMegabyteCount: 384
        ),
        Case(
            testDescription: "a correlation of 20 MB that is never closed",
            middle: { " <Correlation type=\"a\">\n\(records(megabytes: 20))" },
            faults: ["notWellFormed 3 Correlation"],
            records: 3,
            maximumMegabyteCount: 256
        ),
    ]

    @Test(arguments: cases, ["fast", "libxml2"])
    func `good records around damage are converted in bounded memory`(_ hostile: Case, _ parser: String) throws {
        let command = try Command()
        let text =
            "<HealthData locale=\"en_US\">\n" + Self.record(1) + hostile.middle() + Self.record(2) + "</HealthData>\n"
        let export = try command.write(text, to: "export.xml")
        let outcome = try command.convert(export, parser: parser)
        #expect(outcome.status == (hostile.faults.isEmpty ? 0 : 1))
        let report = try Report(command.contents(of: "report.json"))
        #expect(report.resources["Observation"] == hostile.records)
        #expect(report.complete != hostile.isCut)
        #expect(
            report.malformations.map { "\($0.kind) \($0.line) \($0.element ?? "null")" } == hostile.faults
        )
        #expect(report.peakMemoryBytes < hostile.maximumMegabyteCount << 20)
    }

    @Test(arguments: ["fast", "libxml2"])
    func `an export of 50 MB in one line is converted whole`(_ parser: String) throws {
        let command = try Command()
        let line = Self.record(1).trimmingCharacters(in: .whitespacesAndNewlines)
        let count = 50 << 20 / line.utf8.count
        let export = try command.write(
            "<HealthData>" + String(repeating: line, count: count) + "</HealthData>",
            to: "export.xml"
        )
        let outcome = try command.convert(export, parser: parser)
        #expect(outcome.status == 0)
        let report = try Report(command.contents(of: "report.json"))
        #expect(report.records == ["HKQuantityTypeIdentifierStepCount": count])
        // All are the same sample.
        #expect(report.duplicates == count - report.entries + 1)
        #expect(report.peakMemoryBytes < 64 << 20)
    }

    /// Once every buffer stayed as large as its largest file, and the third file took more memory than the second.
    @Test func `many large files next to the XML take no more memory than two`() throws {
        let byteCount = 32 << 20
        let content = "{\"a\":\"" + Self.text(of: UInt8(ascii: "x"), byteCount) + "\"}"
        let peaks = try [2, 5].map { count in
            let command = try Command()
            try command.folder.makeFolder("export")
            try command.folder.makeFolder("export/clinical-records")
            var elements = ""
            for number in 0..<count {
                let name = "clinical-records/\(number).json"
                elements += " <ClinicalRecord type=\"Observation\" identifier=\"\(number)\" sourceName=\"Clinic\" "
                elements += "fhirVersion=\"4.0.1\" resourceFilePath=\"/\(name)\"/>\n"
                _ = try command.write(content, to: "export/" + name)
            }
            _ = try command.write("<HealthData locale=\"en_US\">\n\(elements)</HealthData>\n", to: "export/export.xml")
            let options = ["--patient", "p1", "-o", "/dev/null", "--force", "--report", "report.json"]
            #expect(try command.run(["convert", "export"] + options).status == 0)
            return try Report(command.contents(of: "report.json")).peakMemoryBytes
        }
        #expect(peaks[1] < peaks[0] + byteCount / 4)
        #expect(peaks[0] < 6 * byteCount)
    }

    /// A zip of a megabyte holds millions of such elements, and each was kept until the XML was done.
    @Test(arguments: ["fast", "libxml2"])
    func `no more than 200,000 elements that refer to files are kept`(_ parser: String) throws {
        let command = try Command()
        let elements = String(repeating: " <ClinicalRecord resourceFilePath=\"/a\"/>\n", count: 200_003)
        let export = try command.write("<HealthData locale=\"en_US\">\n\(elements)</HealthData>\n", to: "export.xml")
        let outcome = try command.convert(export, parser: parser)
        #expect(outcome.status == 1)
        let report = try Report(command.contents(of: "report.json"))
        let places = report.malformations.map { "\($0.kind) \($0.line) \($0.element ?? "null")" }
        #expect(places == (200_002...200_004).map { "tooManyFiles \($0) ClinicalRecord" })
        #expect(report.peakMemoryBytes < 128 << 20)
    }

    /// A zip's directory counts each file once, so that a few kilobytes could have filled a disk.
    @Test func `elements that repeatedly refer to one large file end the run`() throws {
        let command = try Command()
        try command.folder.makeFolder("export")
        try command.folder.makeFolder("export/clinical-records")
        _ = try command.write(
            "{\"a\":\"\(Self.text(of: UInt8(ascii: "x"), 60 << 20))\"}",
            to: "export/clinical-records/a.json"
        )
        for (count, status) in [(2, 0), (20, 2)] {
            let elements = (0..<count).map { number in
                " <ClinicalRecord type=\"Observation\" identifier=\"\(number)\" sourceName=\"Clinic\" "
                    + "fhirVersion=\"4.0.1\" resourceFilePath=\"/clinical-records/a.json\"/>\n"
            }.joined()
            _ = try command.write("<HealthData locale=\"en_US\">\n\(elements)</HealthData>\n", to: "export/export.xml")
            let outcome = try command.run("convert", "export", "--patient", "p1", "-o", "/dev/null", "--quiet")
            #expect(outcome.status == status)
            #expect(
                outcome.error
                    == (status == 0
                        ? ""
                        : "pghd: export: its elements refer to the same files again and again (expected at most 1073741824 bytes of "
                            + "repetition): take the zip that Health made\n")
            )
        }
    }

    /// The keys of a run's report that the tests read.
    private struct Report: Decodable {
        struct Malformation: Decodable {
            var kind: String
            var line: Int
            var element: String?
        }
        var complete: Bool
        var resources: [String: Int]
        var records: [String: Int]
        var entries: Int
        var duplicates: Int
        var malformations: [Malformation]
        var peakMemoryBytes: Int

        init(_ json: Data) throws { self = try JSONDecoder().decode(Report.self, from: json) }
    }
}

extension Command {
    /// Converts an export with this parser into `out.ndjson`, with a report in `report.json`.
    fileprivate func convert(_ export: String, parser: String) throws -> Outcome {
        let output = ["-o", "out.ndjson", "--report", "report.json"]
        return try run(["convert", export, "--patient", "p1", "--parser", parser] + output)
    }
}
