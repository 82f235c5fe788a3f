import ExportPipeline
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// Clinics' files are written as documents: docs/decisions/0015.
struct ClinicalRecordTests {
    private static let file = "{\n  \"resourceType\" : \"Observation\", \"id\" : \"lab-1\", \"note\" : \"µ\"\n}\n"

    private func element(
        type: String = "Observation",
        identifier: String = "lab-1",
        version: String = "4.0.1",
        url: String = "https://fhir.example.org/Observation/lab-1",
        path: String = "/clinical-records/Observation-1.json",
        received: String = "2024-06-16 12:00:00 +0100"
    ) -> String {
        """
         <ClinicalRecord type="\(type)" identifier="\(identifier)" sourceName="Clinic of Nowhere" sourceURL="\(url)" \
        fhirVersion="\(version)" receivedDate="\(received)" resourceFilePath="\(path)"/>

        """
    }

    /// Converts an export's folder.
    private func run(
        _ elements: String,
        files: [String: String] = ["Observation-1.json": file],
        options: ConversionOptions = .sample
    ) throws -> Run {
        let folder = try TemporaryFolder()
        _ = try folder.write(export(elements).utf8, to: "export.xml")
        try FileManager.default.createDirectory(
            atPath: folder.path("clinical-records"),
            withIntermediateDirectories: true
        )
        for (name, text) in files { _ = try folder.write(text.utf8, to: "clinical-records/" + name) }
        return try Run(folder.path(""), options: options)
    }

    @Test func `a clinical record is a document that holds the file byte for byte`() throws {
        let entry = try #require(try run(element()).entries.first)
        #expect(entry.type == "DocumentReference")
        let content = try #require((entry.resource["content"] as? [[String: any Sendable]])?.first)
        let attachment = try #require(content["attachment"] as? [String: any Sendable])
        let data = try #require((attachment["data"] as? String).flatMap { Data(base64Encoded: $0) })
        #expect(String(decoding: data, as: UTF8.self) == Self.file)
        #expect(attachment["contentType"] as? String == "application/fhir+json; fhirVersion=4.0")
        let meta = try #require(entry.resource["meta"] as? [String: any Sendable])
        #expect(meta["source"] as? String == "https://fhir.example.org/Observation/lab-1")
        let request = try #require(entry.json["request"] as? [String: any Sendable])
        #expect(request["url"] as? String == "DocumentReference/\(entry.id)")
    }

    @Test func `an empty file becomes no document`() throws {
        let run = try run(element(), files: ["Observation-1.json": ""])
        #expect(run.lines.isEmpty)
        #expect(
            run.report.damage.places.map(\.words) == [
                "clinical record 1: the file is empty, damaged or went away; it was left out"
            ]
        )
    }

    @Test func `a DSTU2 file stays DSTU2`() throws {
        let text = try run(element(type: "MedicationOrder", version: "1.0.2")).text
        #expect(text.contains("\"contentType\":\"application/fhir+json; fhirVersion=1.0\""))
        #expect(text.contains("\"type\":{\"text\":\"MedicationOrder\"}"))
        #expect(text.contains("\"code\":\"1.0.2\""))
    }

    @Test(arguments: ["9.9", "4.0", "5.0.0"])
    func `a version that R4 has no code for is only a parameter, and is counted`(_ version: String) throws {
        let run = try run(element(version: version))
        let parameter = version.split(separator: ".").prefix(2).joined(separator: ".")
        #expect(run.text.contains("\"contentType\":\"application/fhir+json; fhirVersion=\(parameter)\""))
        #expect(!run.text.contains("\"format\"") && run.report.tally.unmapped.values == ["other": 1])
    }

    @Test(arguments: ["4", "4.0.1.0", "4000.0", "4..1", "4.x", "R4"])
    func `a text that is not a version gives no parameter, and is counted`(_ version: String) throws {
        let run = try run(element(version: version))
        #expect(run.text.contains("\"contentType\":\"application/fhir+json\","))
        #expect(!run.text.contains("\"format\"") && run.report.tally.unmapped.values == ["other": 1])
    }

    @Test(arguments: ["<html>Error</html>", "[{}]", "\u{FEFF}none"])
    func `a file that is not a JSON object is not declared as FHIR`(_ file: String) throws {
        let run = try run(element(), files: ["Observation-1.json": file])
        #expect(run.text.contains("\"contentType\":\"application/octet-stream\""))
        #expect(!run.text.contains("\"format\"") && run.report.tally.unmapped.values == ["other": 1])
    }

    @Test(arguments: [
        "no address", "/Observation/lab-1", "https:", "javascript alert", "urn:a\u{7F}", "urn:µ", "urn:a{b}",
    ])
    func `an address that is not a URI is not written as the source`(_ url: String) throws {
        let run = try run(element(url: url))
        #expect(!run.text.contains("\"source\"") && run.report.tally.unmapped.values == ["other": 1])
    }

    @Test(arguments: [("yesterday", 1), ("", 0), ("2024-06-16 12:00:00 +0100", 0)] as [(String, UInt64)])
    func `an unusable time of receipt is counted`(_ received: String, _ count: UInt64) throws {
        let run = try run(element(received: received))
        #expect(run.text.contains("\"date\"") == received.hasPrefix("2024"))
        #expect(run.report.tally.unmapped.values == (count > 0 ? ["other": count] : [:]))
    }

    @Test(arguments: [("yesterday", [1, 0, 0]), ("2024-06-16 12:00:00 +0100", [1, 1, 0])])
    func `a record is selected by its time of receipt, without one by no filter`(_ received: String, _ counts: [Int])
        throws
    {
        let noon = ExportDate.seconds("2024-06-16 12:00:00 +0100")
        let selections: [ConversionOptions] = [
            .sample, .sample.with { $0.mapping.since = noon }, .sample.with { $0.mapping.until = noon },
        ]
        #expect(try selections.map { try run(element(received: received), options: $0).entries.count } == counts)
    }

    @Test func `a record without its file is not written, and is counted`() throws {
        let run = try run(element(), files: [:])
        #expect(run.lines.isEmpty)
        #expect(run.report.json.contains("clinicalRecord"))
    }

    @Test func `a file's name changes nothing, but its bytes change the content`() throws {
        let first = try run(element())
        let renamed = try run(
            element(path: "/clinical-records/Observation-2.json"),
            files: ["Observation-2.json": Self.file]
        )
        #expect(first.text == renamed.text)
        let changed = try run(element(), files: ["Observation-1.json": Self.file + "\n"])
        #expect(try first.ids("DocumentReference") == changed.ids("DocumentReference"))
        #expect(try first.keys != changed.keys)
    }

    @Test func `records without an identifier are distinguished by their bytes`() throws {
        let files = ["Observation-1.json": Self.file, "Observation-2.json": Self.file + "\n"]
        let elements = (1...2).map { number in
            element(identifier: "", url: "", path: "/clinical-records/Observation-\(number).json")
        }
        let both = try run(elements.joined(), files: files)
        let each = try elements.flatMap { try run($0, files: files).ids("DocumentReference") }
        #expect(try both.ids("DocumentReference").sorted() == each.sorted())
        #expect(Set(each).count == 2)
        let again = try run(elements.joined() + elements.joined(), files: files)
        #expect(again.text == both.text)
    }

    @Test func `of two versions of a record the one that was received later is written`() throws {
        let files = ["Observation-1.json": Self.file, "Observation-2.json": Self.file + "\n"]
        let second = "/clinical-records/Observation-2.json"
        // An hour apart, which the texts don't show.
        let times = ["2024-06-16 12:00:00 +0000", "2024-06-16 12:30:00 +0100"]
        for (first, last) in [(0, 1), (1, 0)] {
            let both = try run(
                element(received: times[first]) + element(path: second, received: times[last]),
                files: files
            )
            let later = first == 0 ? element(received: times[0]) : element(path: second, received: times[0])
            #expect(both.text == (try run(later, files: files)).text)
        }
    }
}
