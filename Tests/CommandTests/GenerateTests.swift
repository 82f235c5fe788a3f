import Foundation
import Testing

struct GenerateTests {
    private let command: Command

    init() throws { command = try Command() }

    @Test func `the same options give the same bytes, and another seed gives another person`() throws {
        let one = try command.run("generate", "-o", "-", "--days", "2", "--seed", "5")
        #expect(one.status == 0)
        #expect(one.error.isEmpty)
        #expect(try command.run("generate", "-o", "-", "--days", "2", "--seed", "5").output == one.output)
        #expect(try command.run("generate", "-o", "-", "--days", "2", "--seed", "6").output != one.output)
    }

    @Test func `a size is met within 1 %`() throws {
        let outcome = try command.run("generate", "-o", "export.xml", "--size", "3MB")
        #expect(outcome.status == 0)
        let size = try command.contents(of: "export.xml").count
        #expect((2_970_000...3_030_000).contains(size))
        #expect(outcome.error == "export.xml: \(grouped(size)) bytes of XML, person 0, up to 2024-06-30\n")
    }

    @Test func `the offset may begin with a minus, and the last day can be chosen`() throws {
        let arguments = ["generate", "-o", "-", "--days", "1", "--end", "2023-01-31", "--utc-offset", "-0800"]
        let text = try command.run(arguments).text
        #expect(text.contains("<ExportDate value=\"2023-02-01 08:12:31 -0800\"/>"))
    }

    @Test func `an existing file is kept unless --force is given`() throws {
        _ = try command.write("mine", to: "export.xml")
        let refused = try command.run("generate", "-o", "export.xml", "--days", "1")
        #expect(refused.status == 64)
        #expect(
            refused.error
                == "pghd: 'export.xml': the file exists (expected a new name): choose another name with -o, "
                + "or replace it with --force\n"
        )
        #expect(try command.contents(of: "export.xml") == Data("mine".utf8))
        #expect(try command.run("generate", "-o", "export.xml", "--days", "1", "--force").status == 0)
        #expect(try command.contents(of: "export.xml").count > 100_000)
    }

    @Test func `a missing folder gives exit code 2`() throws {
        #expect(try command.run("generate", "-o", "nowhere/export.zip", "--days", "1").status == 2)
    }

    @Test(arguments: [("full.xml", "'full.xml'"), ("-", "standard output")])
    func `several files go into a zip alone`(_ output: String, _ shown: String) throws {
        let refused = try command.run("generate", "-o", output, "--shape", "full")
        #expect(refused.status == 64)
        #expect(refused.output.isEmpty)
        #expect(
            refused.error
                == "pghd: -o: \(shown) cannot hold the several files of --shape full (expected a name that ends in .zip): "
                + "write it like 'export.zip', or choose another shape\n"
        )
    }

    @Test func `of the full shape each kind of resource is made, and nothing is left out`() throws {
        let generated = try command.run("generate", "-o", "full.zip", "--days", "28", "--shape", "full")
        #expect(generated.error.hasSuffix(" bytes of XML and 16 other files, person 0, up to 2024-06-30\n"))
        let members = try #require(
            try command.run("inspect", "full.zip", "--json").object()["members"] as? [String: Int]
        )
        #expect(members.filter { $0.value > 0 } == ["electrocardiograms": 6, "workoutRoutes": 2, "clinicalRecords": 8])
        let report = try command.run(
            ["convert", "full.zip", "--patient", "p1", "--routes", "--include-patient", "-o", "out.ndjson", "--json"]
        )
        #expect(report.status == 0)
        let converted = try report.object()
        #expect(converted["malformationCounts"] as? [String: Int] == [:])
        for key in ["missingFiles", "unreadFiles"] { #expect(converted[key] as? [String: Int] == [:]) }
        let resources = try #require(converted["resources"] as? [String: Int])
        #expect(Set(resources.keys) == ["Observation", "Device", "DocumentReference", "VisionPrescription", "Patient"])
        #expect(resources["DocumentReference"] == 10 && resources["VisionPrescription"] == 2)
        // A goal of sleep has no standard code; all else does, or Apple's own.
        let unmapped = try #require(converted["unmapped"] as? [String: [String: Int]])
        let left = unmapped.filter { !$0.value.isEmpty }.mapValues { $0.keys.sorted() }
        #expect(left == ["types": ["HKDataTypeSleepDurationGoal"]])
    }

    private func grouped(_ number: Int) -> String {
        number < 1000 ? "\(number)" : grouped(number / 1000) + "," + String("\(number % 1000 + 1000)".dropFirst())
    }
}

struct TypesTests {
    @Test func `the table is printed as text, JSON and Markdown`() throws {
        let command = try Command()
        #expect(try command.run("types").text.contains("LOINC 8867-4"))
        #expect(try command.run("types", "--json").object()["types"] is [Any])
        #expect(try command.run("types", "--markdown").text.hasPrefix("# Supported types\n"))
    }

    @Test(arguments: [
        ("BodyMass", ["kg", "[lb_av]", "kg", "g", "kg"]),
        ("LeanBodyMass", ["kg", "[lb_av]", "[stone_av]", "g", "[oz_av]"]),
        ("BodyTemperature", ["Cel", "[degF]", "Cel"]),
    ])
    func `units are shown as convert writes them`(_ type: String, _ codes: [String]) throws {
        let types = try #require(try Command().run("types", "--json").object()["types"] as? [[String: Any]])
        let row = try #require(types.first { $0["identifier"] as? String == "HKQuantityTypeIdentifier\(type)" })
        let units = try #require(row["units"] as? [[String: Any]])
        #expect(units.compactMap { $0["ucumCode"] as? String } == codes)
    }

    @Test func `the page of supported types equals the command's output`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let page = try Data(contentsOf: root.appending(path: "docs/supported-types.md"))
        #expect(try Command().run("types", "--markdown").output == page)
    }
}
