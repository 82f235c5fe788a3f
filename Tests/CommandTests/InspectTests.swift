import Foundation
import Testing

struct InspectTests {
    private let command: Command

    init() throws { command = try Command() }

    @Test func `tables show types, sources, months and what is unmapped`() throws {
        let export = try command.write(SampleExport.varied, to: "export.xml")
        let outcome = try command.run("inspect", export)
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty)
        try expectSnapshot(outcome.text, "inspect.txt")
    }

    @Test func `a terminal without UTF-8 gets ASCII drawings`() throws {
        var command = command
        command.environment["LC_ALL"] = "C"
        let export = try command.write(SampleExport.varied, to: "export.xml")
        let text = try command.run("inspect", export).text
        #expect(text.contains("#####"))
        #expect(!text.contains("█") && !text.contains("…"))
    }

    @Test func `JSON has stable keys`() throws {
        let export = try command.write(SampleExport.varied, to: "export.xml")
        let outcome = try command.run("inspect", export, "--json")
        _ = try outcome.object()
        try expectSnapshot(outcome.text.withoutTimes, "inspect.json")
    }

    @Test func `damage gives exit code 1 and is shown with its place`() throws {
        let export = try command.write(SampleExport.damaged, to: "export.xml")
        let outcome = try command.run("inspect", export)
        #expect(outcome.status == 1)
        try expectSnapshot(outcome.text, "inspect-damaged.txt")
    }

    @Test func `with JSON damage is reported in one line`() throws {
        let export = try command.write(SampleExport.damaged, to: "export.xml")
        let outcome = try command.run("inspect", export, "--json")
        #expect(outcome.status == 1)
        #expect(
            outcome.error
                == "pghd: export.xml: damaged in 4 places, and it ends before </HealthData> (expected a whole export): "
                + "the rest was done; its 'malformations' are the places\n"
        )
    }

    @Test func `threads and chunks change nothing`() throws {
        _ = try command.run("generate", "-o", "export.xml", "--days", "3", "--quiet")
        let expected = try command.run("inspect", "export.xml", "--json").text.withoutTimes
        for options in [["--threads", "1"], ["--threads", "4", "--chunk-bytes", "5000"], ["--chunk-bytes", "200"]] {
            #expect(try command.run(["inspect", "export.xml", "--json"] + options).text.withoutTimes == expected)
        }
    }

    @Test(arguments: ["apple", "plain"])
    func `generate, convert and inspect count the same`(_ shape: String) throws {
        _ = try command.run("generate", "-o", "export.zip", "--days", "20", "--shape", shape, "--quiet")
        let inspected = try command.run("inspect", "export.zip", "--json").object()
        let converted = try command.run("convert", "export.zip", "--patient", "p1", "-o", "out.ndjson", "--json")
            .object()
        let types = try #require(inspected["types"] as? [[String: Any]])
        let counts = types.reduce(into: [String: Int]()) { $0[$1["type"] as? String ?? ""] = $1["records"] as? Int }
        #expect(counts == converted["records"] as? [String: Int])
        #expect(counts.values.reduce(0, +) == inspected["records"] as? Int)
        let sources = try #require(inspected["sources"] as? [[String: Any]])
        #expect(sources.reduce(0) { $0 + ($1["records"] as? Int ?? 0) } == inspected["records"] as? Int)
        let months = try #require(inspected["months"] as? [String: Int])
        #expect(months.values.reduce(0, +) == inspected["records"] as? Int)
        for key in ["elements", "malformationCounts"] {
            #expect(try #require(inspected[key] as? [String: Int]) == converted[key] as? [String: Int])
        }
        #expect(try #require(inspected["nestedRecords"] as? Int) == converted["nestedRecords"] as? Int)
        // Every record that is read is either written or accounted for.
        let text = String(decoding: try command.contents(of: "out.ndjson"), as: UTF8.self)
        // Text by which Observations made of other elements are recognized.
        let others = [
            "pa-temporary-codes", "\"HKCorrelationType", "\"HKActivitySummary\"", "\"HKCharacteristicType",
        ]
        let observations = text.components(separatedBy: "{\"resource\":").count { entry in
            entry.hasPrefix("{\"resourceType\":\"Observation\"") && !others.contains { entry.contains($0) }
        }
        let accounted = ["duplicates", "nestedRecords", "inPanels"].reduce(observations) {
            $0 + (converted[$1] as? Int ?? 0)
        }
        #expect(accounted == inspected["records"] as? Int)
    }
}
