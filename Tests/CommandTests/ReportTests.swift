import Foundation
import TestSupport
import Testing

struct ReportTests {
    private let command: Command

    init() throws { command = try Command() }

    @Test func `the report's keys and numbers are stable`() throws {
        let export = try command.write(SampleExport.varied, to: "export.xml")
        let outcome = try command.run("convert", export, "--patient", "p1", "--report", "report.json")
        #expect(outcome.status == 0)
        let report = String(decoding: try command.contents(of: "report.json"), as: UTF8.self)
        try expectSnapshot(report.withoutTimes, "convert-report.json")
        let json = try command.run("convert", export, "--patient", "p1", "--json", "--force")
        #expect(json.text.withoutTimes == report.withoutTimes)
        #expect(json.error.isEmpty)
    }

    @Test(arguments: [
        ("convert export.xml --patient p1 -o out.ndjson", ["What was converted"]),
        ("sync export.xml --patient p1 --dry-run --ledger ledger", ["What was converted", "What was delivered"]),
        ("inspect export.xml", ["What `inspect --json` prints"]),
    ])
    func `the page of formats lists the keys in the order in which they are written`(
        _ arguments: String,
        _ tables: [String]
    ) throws {
        _ = try command.write(SampleExport.varied, to: "export.xml")
        let server = try EmptyServer.start()
        var command = command
        command.environment["HOME"] = command.folder.path
        command.environment["PGHD_SERVER"] = server.url
        let outcome = try command.run(arguments.split(separator: " ").map(String.init) + ["--json"])
        #expect(outcome.status == 0)
        let written = outcome.text.matches(of: /(?m)^  "(\w+)":/).map { String($0.1) }
        var documented: [String] = []
        for table in tables { documented += try Self.documentedKeys(table) }
        #expect(documented == written)
    }

    /// The first column of the table that follows a line of the page that begins with `title`.
    private static func documentedKeys(_ title: String) throws -> [String] {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/formats.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix(title) })
        var keys: [String] = []
        // After the title and the table's head.
        for line in lines[(start + 3)...] {
            guard line.hasPrefix("|") else { break }
            for match in line.split(separator: "|")[0].matches(of: /`(\w+)`/) { keys.append(String(match.1)) }
        }
        return keys
    }

    @Test func `the most frequent of many unknown types are shown, and all of them on request`() throws {
        let records = (0..<25).map { number in
            let record = """
                 <Record type="HKQuantityTypeIdentifierUnknown\(number)" sourceName="App" unit="count" value="1" \
                startDate="2024-02-07 08:00:00 +0000" endDate="2024-02-07 08:00:00 +0000"/>

                """
            return String(repeating: record, count: number == 24 ? 2 : 1)
        }
        let export = try command.write(SampleExport.export(records.joined()), to: "export.xml")
        let arguments = ["convert", export, "--patient", "p1", "--force"]
        let told = try command.run(arguments).error.split(separator: "\n")
        #expect(told.count { $0.contains(" of type HKQuantityTypeIdentifierUnknown") } == 20)
        #expect(told.contains { $0.contains(" of type HKQuantityTypeIdentifierUnknown24: ") })
        #expect(told.contains { $0.hasSuffix(" and 5 more types: --verbose or --report FILE has them all") })
        let all = try command.run(arguments + ["--verbose"]).error.split(separator: "\n")
        #expect(all.count { $0.contains(" of type HKQuantityTypeIdentifierUnknown") } == 25)
        #expect(!all.contains { $0.contains(" more types: ") })
    }

    @Test func `what can't be written of a workout is counted and reported, and the rest is converted`() throws {
        let workout = """
             <Workout workoutActivityType="HKWorkoutActivityTypeYoga" sourceName="App" \
            startDate="2024-02-07 08:00:00 +0000" endDate="2024-02-07 08:30:00 +0000">
              <WorkoutStatistics type="HKQuantityTypeIdentifierStepCount" sum="1,234" unit="count"/>
              <WorkoutEvent type="HKWorkoutEventTypePause" date="7.2.2024 08:10"/>
             </Workout>

            """
        let export = try command.write(SampleExport.export(workout), to: "export.xml")
        let outcome = try command.run("convert", export, "--patient", "p1", "--report", "report.json")
        #expect(outcome.status == 0)
        #expect(outcome.error.contains(" 1 WorkoutEvent element is not converted\n"))
        #expect(
            outcome.error.contains(" 1 unknown value: written as text without a code, or left out\n")
        )
        let report = try JSONSerialization.jsonObject(with: command.contents(of: "report.json")) as? [String: Any]
        let unmapped = try #require(report?["unmapped"] as? [String: [String: Int]])
        #expect(unmapped["values"] == ["other": 1])
        #expect(unmapped["elements"]?["WorkoutEvent"] == 1)
    }

    @Test func `panels that find no room to wait are written early, and counted`() throws {
        // One nutrient, which waits once, and meals of more than 24 MiB in all.
        let nutrient = """
            <Record type="HKQuantityTypeIdentifierDietaryProtein" sourceName="App" unit="g" value="1" \
            startDate="2024-02-01 08:00:00 +0000" endDate="2024-02-01 08:00:00 +0000"/>
            """
        let name = String(repeating: "x", count: 100_000)
        let meals = (0..<300).map { number in
            """
             <Correlation type="HKCorrelationTypeIdentifierFood" sourceName="App" \
            startDate="2024-02-01 08:00:00 +0000" endDate="2024-02-01 08:00:00 +0000">\(nutrient)\
            <MetadataEntry key="HKFoodType" value="\(number)\(name)"/></Correlation>

            """
        }
        let export = try command.write(SampleExport.export(meals.joined()), to: "export.xml")
        let report = try command.run("convert", export, "--patient", "p1", "-o", "/dev/null", "--json").object()
        let resources = try #require(report["resources"] as? [String: Int])
        #expect(resources["Observation"] == 301)
        let count = try #require(report["writtenEarly"] as? Int)
        #expect((40..<60).contains(count))
    }

    @Test func `an existing report is kept, and nothing is converted`() throws {
        let export = try command.write(SampleExport.varied, to: "export.xml")
        _ = try command.write("mine", to: "report.json")
        let outcome = try command.run("convert", export, "--patient", "p1", "--report", "report.json")
        #expect(outcome.status == 64)
        #expect(
            outcome.error
                == "pghd: report.json: exists already: choose another name with --report, or replace it with --force\n"
        )
        #expect(try command.names() == ["export.xml", "report.json"])
    }

    @Test func `a run that fails leaves no report of an earlier one`() throws {
        let export = try command.write(SampleExport.varied, to: "export.xml")
        _ = try command.write("old", to: "report.json")
        let arguments = ["convert", export, "--patient", "p1", "-o", "/dev/full", "--report", "report.json", "--force"]
        #expect(try command.run(arguments).status == 2)
        #expect(try command.names() == ["export.xml"])
    }

    @Test func `damage is reported with line, byte and element, and the rest is converted`() throws {
        let export = try command.write(SampleExport.damaged, to: "export.xml")
        let outcome = try command.run("convert", export, "--patient", "p1", "--report", "report.json")
        #expect(outcome.status == 1)
        try expectSnapshot(outcome.error.withoutTimes, "convert-damaged-summary.txt")
        let report = String(decoding: try command.contents(of: "report.json"), as: UTF8.self)
        try expectSnapshot(report.withoutTimes, "convert-damaged-report.json")
        let quiet = try command.run("convert", export, "--patient", "p1", "--force", "--quiet")
        #expect(quiet.status == 1)
        #expect(
            quiet.error
                == "pghd: export.xml: damaged in 4 places, and it ends before </HealthData> (expected a whole export): "
                + "the rest was done; run again with --report FILE for the places\n"
        )
        let json = try command.run("convert", export, "--patient", "p1", "--force", "--json")
        #expect(json.error.hasSuffix(": the rest was done; its 'malformations' are the places\n"))
    }

    @Test func `a report that can't be written does not hide that the export was damaged`() throws {
        let export = try command.write(SampleExport.damaged, to: "export.xml")
        let outcome = try command.run(
            "convert",
            export,
            "--patient",
            "p1",
            "--quiet",
            "--report",
            "/dev/full",
            "--force"
        )
        #expect(outcome.status == 1)
        #expect(
            outcome.error
                == "pghd: export.xml: damaged in 4 places, and it ends before </HealthData> (expected a whole export): "
                + "the rest was done; run again with --report FILE for the places\n"
                + "pghd: /dev/full: cannot be written (No space left on device): choose another place with --report\n"
        )
    }

    @Test func `--quiet prints nothing if nothing is wrong`() throws {
        let export = try command.write(SampleExport.varied, to: "export.xml")
        let outcome = try command.run("convert", export, "--patient", "p1", "--quiet")
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty && outcome.output.isEmpty)
    }

    @Test func `--verbose adds the records of each type`() throws {
        let export = try command.write(SampleExport.varied, to: "export.xml")
        let outcome = try command.run("convert", export, "--patient", "p1", "--verbose")
        #expect(outcome.error.contains("types      3 HKQuantityTypeIdentifierBloodGlucose\n"))
    }

    @Test(arguments: [
        ("missing.zip", "no such file or folder"), ("empty.xml", "0 bytes long"),
        ("other.txt", "no Apple Health export"), ("", "no such file or folder"),
    ])
    func `an unreadable input gives exit code 2`(_ name: String, _ reason: String) throws {
        _ = try command.write("", to: "empty.xml")
        _ = try command.write("Dear diary", to: "other.txt")
        for arguments in [["convert", name, "--patient", "p1"], ["inspect", name]] {
            let outcome = try command.run(arguments)
            #expect(outcome.status == 2)
            #expect(outcome.error.hasPrefix("pghd: \(name.isEmpty ? "''" : name): \(reason) (expected "))
            #expect(outcome.error.filter { $0 == "\n" }.count == 1)
            #expect(try command.names() == ["empty.xml", "other.txt"])
        }
    }

    @Test(arguments: [
        ["convert"], ["sync", "--server", "http://127.0.0.1:9"], ["verify", "--server", "http://127.0.0.1:9"],
    ])
    func `an unwritable report is an error of its option before anything is done`(_ arguments: [String]) throws {
        let export = try command.write(SampleExport.varied, to: "export.xml")
        let outcome = try command.run(arguments + [export, "--patient", "p1", "--report", "nodir/x.json", "--quiet"])
        #expect(outcome.status == 2)
        #expect(try command.names() == ["export.xml"])
        #expect(
            outcome.error
                == "pghd: nodir/x.json: cannot be written (No such file or directory): choose another place with --report\n"
        )
    }

    @Test func `an unwritable output gives exit code 2`() throws {
        let export = try command.write(SampleExport.varied, to: "export.xml")
        let outcome = try command.run("convert", export, "--patient", "p1", "-o", "/dev/full")
        #expect(outcome.status == 2)
        #expect(
            outcome.error
                == "pghd: /dev/full: cannot be written (No space left on device): choose another place with -o\n"
        )
    }
}
