import Foundation
import Testing

/// Nobody's values, names or dates appear in a message or a report: every text of an export that could hold one holds a
/// canary here.
struct PrivacyTests {
    private static let canaries = ["CANARY", "canary", "314159", "1911-11-11", "1912-12-12"]

    private static let export = SampleExport.export(
        """
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="CANARY source" sourceVersion="CANARY version" \
        device="&lt;&lt;HKDevice: 0x1&gt;, name:CANARY device, hardware:CANARY1,1&gt;" unit="count/min" \
        creationDate="1912-12-12 08:00:00 +0000" startDate="1912-12-12 08:00:00 +0000" \
        endDate="1912-12-12 08:00:00 +0000" value="314159">
          <MetadataEntry key="CANARY key" value="CANARY text"/>
          <MetadataEntry key="HKExternalUUID" value="CANARY-UUID"/>
         </Record>
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="CANARY source" unit="CANARY unit" \
        startDate="1912-12-12 08:00:01 +0000" endDate="1912-12-12 08:00:00 +0000" value="CANARY value"/>
         <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="CANARY source" canary="CANARY attribute" \
        startDate="1912-12-12 08:00:01 +0000" endDate="1912-12-12 08:00:02 +0000" value="CANARY value"/>
         <Record type="CANARY type" sourceName="CANARY source" unit="CANARY unit" \
        startDate="1912-12-12 08:00:01 +0000" endDate="1912-12-12 08:00:02 +0000" value="314159"/>
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="CANARY source" unit="count/min" value="314159"/>
         <CANARY canary="CANARY"/>
         <Workout workoutActivityType="CANARY" sourceName="CANARY" startDate="1912-12-12 08:00:00 +0000"/>

        """
    ).replacing("1980-01-01", with: "1911-11-11")

    /// The export with each kind of damage.
    static let exports: [(name: String, text: String)] = [
        ("whole", export),
        ("cut", String(export.prefix(export.count - 200))),
        ("doubled", export.replacing("canary=\"CANARY attribute\"", with: "value=\"CANARY\"")),
        ("entity", export.replacing("CANARY text", with: "&CANARYentity;")),
        ("control", export.replacing("CANARY source", with: "CANARY\u{1}source")),
        ("broken", export.replacing("<CANARY canary", with: "<CANARY <CANARY canary")),
        ("unquoted", export.replacing("value=\"314159\"", with: "value=CANARY314159")),
        ("declared", export.replacing("<!-- HealthKit", with: "<!ENTITY CANARY \"CANARY\"><!-- HealthKit")),
        ("foreign", "CANARY 314159"),
    ]

    @Test(arguments: exports.map(\.name), [[], ["--verbose"], ["--chunk-bytes", "300"]])
    func `convert's messages and report show nothing that an export holds`(_ name: String, _ options: [String]) throws {
        let command = try Command()
        let text = try #require(Self.exports.first { $0.name == name }).text
        let export = try command.write(text, to: "export.xml")
        let arguments = ["convert", export, "--patient", "p1", "-o", "out.ndjson", "--report", "report.json"]
        let outcome = try command.run(arguments + options)
        #expect(name == "whole" || outcome.status != 0)
        expectNoCanary(outcome.error)
        if outcome.status < 2 {
            expectNoCanary(String(decoding: try command.contents(of: "report.json"), as: UTF8.self))
            // The canaries were in the data.
            let output = String(decoding: try command.contents(of: "out.ndjson"), as: UTF8.self)
            #expect(output.contains("CANARY"))
        }
    }

    @Test(arguments: exports.map(\.name))
    func `inspect shows sources and dates only on standard output`(_ name: String) throws {
        let command = try Command()
        let text = try #require(Self.exports.first { $0.name == name }).text
        let export = try command.write(text, to: "export.xml")
        let outcome = try command.run("inspect", export)
        expectNoCanary(outcome.error)
        #expect(!outcome.text.contains("314159"))
        #expect(!outcome.text.contains("1911-11-11"))
    }

    @Test func `file names show nothing of the export`() throws {
        let command = try Command()
        let export = try command.write(Self.export, to: "export.xml")
        let outcome = try command.run("convert", export, "--patient", "p1", "-o", "out/", "--split")
        expectNoCanary(outcome.error)
        expectNoCanary(try command.names(in: "out").joined(separator: "\n"))
    }

    private func expectNoCanary(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        for canary in Self.canaries { #expect(!text.contains(canary), "\(canary)", sourceLocation: sourceLocation) }
    }
}
