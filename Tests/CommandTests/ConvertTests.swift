import Foundation
import Testing

struct ConvertTests {
    private let command: Command
    private let export: String

    init() throws {
        command = try Command()
        export = try command.write(SampleExport.varied, to: "export.xml")
    }

    @Test func `Bundles go to bundles.ndjson by default`() throws {
        let outcome = try command.run("convert", export, "--patient", "p1")
        #expect(outcome.status == 0)
        #expect(outcome.output.isEmpty)
        #expect(try command.names() == ["bundles.ndjson", "export.xml"])
        try expectSnapshot(outcome.error.withoutTimes, "convert-summary.txt")
        for line in try command.contents(of: "bundles.ndjson").split(separator: UInt8(ascii: "\n")) {
            let bundle = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
            #expect(bundle["type"] as? String == "transaction")
        }
    }

    @Test func `an existing file is kept unless --force is given`() throws {
        _ = try command.write("mine", to: "bundles.ndjson")
        let refused = try command.run("convert", export, "--patient", "p1")
        #expect(refused.status == 64)
        #expect(
            refused.error
                == "pghd: bundles.ndjson: exists already: choose another name with -o, or replace it with --force\n"
        )
        #expect(try command.contents(of: "bundles.ndjson") == Data("mine".utf8))
        #expect(try command.run("convert", export, "--patient", "p1", "--force").status == 0)
        #expect(try command.contents(of: "bundles.ndjson").count > 1000)
    }

    @Test(arguments: [
        (0, #"0 bytes long (expected an Apple Health export): export it again with "Export All Health Data""#),
        (
            58,
            "no Apple Health export (expected XML that begins with <HealthData>): "
                + #"give the zip that "Export All Health Data" made"#
        ),
        (59, "no <HealthData> element (expected Apple Health's export.xml): choose the export's main XML file"),
    ])
    func `an export that ends before its root is refused with one line, and nothing is written`(
        _ byteCount: Int,
        _ what: String
    ) throws {
        let prolog = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE HealthData"
        let input = try command.write(String(prolog.prefix(byteCount)), to: "cut.xml")
        let outcome = try command.run("convert", input, "--patient", "p1")
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error == "pghd: \(input): \(what)\n")
        #expect(try command.names() == ["cut.xml", "export.xml"])
    }

    @Test func `standard input and output, files and folders give the same bytes`() throws {
        _ = try command.run("convert", export, "--patient", "p1", "-o", "a.ndjson")
        let expected = try command.contents(of: "a.ndjson")
        let piped = try command.run("convert", "-", "--patient", "p1", "-o", "-", input: command.contents(of: export))
        #expect(piped.output == expected)
        #expect(piped.error.hasPrefix("standard input → standard output\n"))
        #expect(try command.run("convert", export, "--patient", "p1", "-o", "out/").status == 0)
        #expect(try command.contents(of: "out/bundles.ndjson") == expected)
        let options = ["--threads", "3", "--chunk-bytes", "300"]
        #expect(try command.run(["convert", export, "--patient", "p1", "-o", "-"] + options).output == expected)
    }

    @Test func `--split names each Bundle by its key and lists the names in order`() throws {
        let outcome = try command.run("convert", export, "--patient", "p1", "--split", "-o", "out/", "--json")
        let bundles = try #require(outcome.object()["bundles"] as? Int)
        let names = try command.names(in: "out")
        #expect(names.count == bundles + 1)
        let manifest = try JSONSerialization.jsonObject(with: command.contents(of: "out/manifest.json"))
        let listed = try #require((manifest as? [String: [String]])?["bundles"])
        #expect(listed.sorted() == names.filter { $0 != "manifest.json" })
        for name in listed {
            #expect(name.wholeMatch(of: #/[0-9a-f]{64}\.json/#) != nil)
            let bundle = try JSONSerialization.jsonObject(with: command.contents(of: "out/\(name)")) as? [String: Any]
            let identifier = bundle?["identifier"] as? [String: String]
            #expect(identifier?["value"].map { "\($0).json" } == name)
        }
    }

    @Test func `--gzip compresses the bytes that are written without it`() throws {
        _ = try command.run("convert", export, "--patient", "p1")
        #expect(try command.run("convert", export, "--patient", "p1", "--gzip").status == 0)
        #expect(try command.names() == ["bundles.ndjson", "bundles.ndjson.gz", "export.xml"])
        let gunzip = try command.process(["-t", "bundles.ndjson.gz"], executable: "/usr/bin/gzip")
        try gunzip.run()
        gunzip.waitUntilExit()
        #expect(gunzip.terminationStatus == 0)
        let unpack = try command.process(["-dk", "-S", ".gz", "-f", "bundles.ndjson.gz"], executable: "/usr/bin/gzip")
        let plain = try command.contents(of: "bundles.ndjson")
        try unpack.run()
        unpack.waitUntilExit()
        #expect(try command.contents(of: "bundles.ndjson") == plain)
    }

    @Test(arguments: ["out.ndjson.gz", "OUT.GZ"])
    func `a name that ends in gz means compression`(_ name: String) throws {
        #expect(try command.run("convert", export, "--patient", "p1", "--gzip").status == 0)
        #expect(try command.run("convert", export, "--patient", "p1", "-o", name).status == 0)
        #expect(try command.contents(of: name) == command.contents(of: "bundles.ndjson.gz"))
    }

    @Test func `--format resources writes Bulk Data files and a manifest`() throws {
        let arguments = ["convert", export, "--patient", "p1", "--format", "resources"]
        #expect(try command.run(arguments + ["-o", "out/"]).status == 0)
        #expect(try command.names(in: "out") == ["Device.ndjson", "Observation.ndjson", "manifest.json"])
        let data = try command.contents(of: "out/manifest.json")
        let manifest = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(manifest["transactionTime"] as? String == "2024-03-01T09:00:00Z")
        for file in try #require(manifest["output"] as? [[String: Any]]) {
            let lines = try command.contents(of: "out/\(file["url"] ?? "")").split(separator: UInt8(ascii: "\n"))
            #expect(lines.count == file["count"] as? Int)
        }
        // An existing manifest is noticed before the work, not after it.
        let refused = try command.run(arguments + ["-o", "out/"])
        #expect(refused.status == 64)
        #expect(refused.error.contains("out/manifest.json: exists already"))
        let mixed = try command.run(arguments + ["-o", "-"])
        let parts = try command.contents(of: "out/Device.ndjson") + command.contents(of: "out/Observation.ndjson")
        #expect(mixed.output.count == parts.count)
    }

    @Test func `types are named with or without their prefix`() throws {
        let short = try command.run(
            "convert",
            export,
            "--patient",
            "p1",
            "-o",
            "-",
            "--types",
            "HeartRate,SleepAnalysis"
        )
        let types = "HKQuantityTypeIdentifierHeartRate, HKCategoryTypeIdentifierSleepAnalysis"
        let long = try command.run("convert", export, "--patient", "p1", "-o", "-", "--types", types)
        #expect(short.output == long.output)
        #expect(short.error.contains("resources  4 Observation"))
        #expect(short.error.contains("5 left out by --types, --since or --until"))
        #expect(!short.error.contains("Apple's code alone"))
    }

    @Test func `a repeated option adds types, and may repeat the patient`() throws {
        let arguments = ["convert", export, "--patient", "p1", "-o", "-", "--types"]
        let joined = try command.run(arguments + ["HeartRate,SleepAnalysis"])
        let again = try command.run(arguments + ["HeartRate", "--patient", "p1", "--types", "SleepAnalysis"])
        #expect(again.output == joined.output)
        #expect(again.error.contains("resources  4 Observation"))
    }

    @Test(arguments: [
        ("--since 2024-02-02", "--until 2024-02-02"), ("--types Workout", ""),
    ])
    func `exactly the records that the filters leave out are counted`(_ filter: String, _ rest: String) throws {
        func report(_ options: String) throws -> (records: Int, left: Int) {
            let arguments = ["convert", export, "--patient", "p1", "-o", "/dev/null", "--json"]
            let report = try command.run(arguments + options.split(separator: " ").map(String.init)).object()
            let records = try #require(report["records"] as? [String: Int]).values.reduce(0, +)
            let nested = try #require(report["nestedRecords"] as? Int)
            return (records - nested, try #require(report["filteredRecords"] as? Int))
        }
        let (part, others) = try (report(filter), report(rest))
        #expect(part.left + others.left == part.records)
        #expect(part.left > 0)
    }

    @Test(arguments: [
        ("heartrate,sleepanalysis", "HeartRate,SleepAnalysis"), ("workout", "Workout"),
        ("bloodPressure", "BloodPressureSystolic,BloodPressureDiastolic"),
        ("HKCorrelationTypeIdentifierBloodPressure", "BloodPressure"),
    ])
    func `a type may be named in lowercase, and a panel stands for its members`(_ some: String, _ same: String) throws {
        let outcomes = try [some, same].map { types in
            try command.run("convert", export, "--patient", "p1", "-o", "-", "--types", types)
        }
        #expect(outcomes[0].output == outcomes[1].output)
        #expect(!outcomes[0].output.isEmpty)
    }

    @Test(arguments: ["AudioExposureEvent", "EnvironmentalAudioExposureEvent"])
    func `a type with two names is selected by either`(_ name: String) throws {
        let records = ["AudioExposureEvent", "EnvironmentalAudioExposureEvent"].enumerated().map { number, type in
            """
             <Record type="HKCategoryTypeIdentifier\(type)" sourceName="Watch" \
            startDate="2024-02-0\(number + 1) 08:00:00 +0000" endDate="2024-02-0\(number + 1) 08:00:00 +0000" \
            value="HKCategoryValueEnvironmentalAudioExposureEventMomentaryLimit"/>

            """
        }
        _ = try command.write(SampleExport.export(records.joined()), to: "loud.xml")
        let whole = try command.run("convert", "loud.xml", "--patient", "p1", "-o", "-")
        let chosen = try command.run("convert", "loud.xml", "--patient", "p1", "-o", "-", "--types", name)
        #expect(chosen.output == whole.output)
        #expect(whole.text.matches(of: #/"resourceType":"Observation"/#).count == 2)
    }

    /// Names that `--types` takes in addition to types of records, and text that occurs only in their resources.
    private static let otherNames = [
        "ActivitySummary": "\"HKActivitySummary\"", "Audiogram": "\"HKDataTypeIdentifierAudiogram\"",
        "BloodPressure": "\"85354-9\"", "ClinicalRecord": "\"DocumentReference\"",
        "Electrocardiogram": "\"HKElectrocardiogram\"", "Food": "\"80453-4\"",
        "Me": "\"HKCharacteristicTypeIdentifierBloodType\"",
        "VisionPrescription": "\"resourceType\":\"VisionPrescription\"", "Workout": "\"HKWorkoutTypeIdentifier\"",
    ]

    @Test func `each name that --types takes is listed, and selects only what it names`() throws {
        let listed = try #require(command.run("types").text.firstMatch(of: /--types also takes (.*)/)).1
        #expect(listed == (Self.otherNames.keys + ["SleepDurationGoal"]).sorted().joined(separator: ", "))
        let names = Self.otherNames.keys.sorted().map { ($0, $0) } + [("HKElectrocardiogram", "Electrocardiogram")]
        for (name, meaning) in names {
            let arguments = ["convert", SampleExport.kitchenSink, "--patient", "p1", "-o", "-", "--types", name]
            let text = try command.run(arguments).text
            #expect(Self.otherNames.filter { text.contains($0.value) }.map(\.key) == [meaning])
        }
    }

    @Test(arguments: ["SleepDurationGoal", "HKDataTypeSleepDurationGoal"])
    func `a sleep goal is selected by name`(_ name: String) throws {
        let goal =
            " <Record type=\"HKDataTypeSleepDurationGoal\" sourceName=\"App\" unit=\"hr\" value=\"8\""
            + " startDate=\"2024-02-01 08:00:00 +0000\" endDate=\"2024-02-01 08:00:00 +0000\"/>\n"
        _ = try command.write(SampleExport.export(goal), to: "goal.xml")
        let text = try command.run("convert", "goal.xml", "--patient", "p1", "-o", "-", "--types", name).text
        #expect(text.contains("\"code\":\"HKDataTypeSleepDurationGoal\"}"))
    }

    @Test(arguments: [
        ("--since 2024-02-01", 10), ("--until 2024-02-01", 2), ("--since 2024-02-29 --until 2024-03-01", 1),
        ("--since 2024-02-29T07:00:00Z", 1), ("--since 2024-02-29T07:00:01Z", 0),
        ("--since 2024-02-29T09:00+02:00", 1), ("--until 2022-12-01T00:30:00Z", 0), ("--until 2022-12-01T00:30:01Z", 1),
        // A workout is three Observations: panel, activity, duration. In Tokyo 2 February begins at 15:00 UTC on 1
        // February.
        ("--since 2024-02-02 --time-zone Asia/Tokyo", 9), ("--since 2024-02-02", 8),
    ])
    func `--since is inclusive and --until exclusive, both by the start`(_ options: String, _ count: Int) throws {
        let arguments = ["convert", export, "--patient", "p1", "-o", "out.ndjson", "--json"]
        let outcome = try command.run(arguments + options.split(separator: " ").map(String.init))
        let resources = try #require(outcome.object()["resources"] as? [String: Int])
        #expect(resources["Observation"] ?? 0 == count)
    }

    @Test func `--max-entries limits a Bundle's entries`() throws {
        let outcome = try command.run("convert", export, "--patient", "p1", "-o", "-", "--max-entries", "1")
        for line in outcome.output.split(separator: UInt8(ascii: "\n")) {
            let bundle = try JSONSerialization.jsonObject(with: line) as? [String: Any]
            // A panel and its members are never separated.
            let isPanel = String(decoding: line, as: UTF8.self).contains("PAPanel")
            #expect((bundle?["entry"] as? [Any])?.count == (isPanel ? 3 : 1))
        }
    }
}
