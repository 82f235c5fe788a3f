import Foundation
import TestSupport
import Testing

/// What `PrivacyTests` checks, for a whole export: the sample of everything, with a canary in each attribute that is
/// not a name of Apple's, in each file's name, and in everything that the files hold.
struct FolderPrivacyTests {
    private static let birthDate = "1911-11-11"
    private static let day = "2019-09-19"
    private static let number = "314159"
    /// As plain text, and in base64 at each of the three possible alignments.
    private static let canaries = [
        "CANARY", "Q0FOQVJZ", "NBTkFSW", "DQU5BUl", "canary", number, "MzE0MTU5", birthDate, day,
    ]

    @Test(arguments: [
        [], ["--routes", "--include-patient", "--summaries"], ["--conditional", "--routes"], ["--no-metadata"],
        ["--time-zone", "Europe/Dublin", "--summaries"],
    ])
    func `convert's messages and report show nothing that a folder holds`(_ options: [String]) throws {
        let command = try Command()
        try Self.write(to: command)
        for talk in [[], ["--verbose"], ["--quiet"]] {
            let arguments = ["convert", "export", "--patient", "p1", "-o", "out.ndjson", "--force"]
            let outcome = try command.run(arguments + ["--report", "report.json"] + options + talk)
            // One electrocardiogram is broken.
            #expect(outcome.status == 1)
            #expect(outcome.text == "")
            expectNoCanary(outcome.error)
            let report = String(decoding: try command.contents(of: "report.json"), as: UTF8.self)
            expectNoCanary(report)
            #expect(report.contains("\"electrocardiogram\": 7") && report.contains("\"clinicalRecord\": 3"))
            #expect(report.contains("\"attachment\": 1"))
        }
        // The canaries were in the data; name and birth date in the files' headers are not in the output.
        let output = String(decoding: try command.contents(of: "out.ndjson"), as: UTF8.self)
        for canary in ["CANARY", Self.number, Self.day] { #expect(output.contains(canary)) }
        #expect(!output.contains("CANARY owner"))
        #expect(output.contains(Self.birthDate) == options.contains("--include-patient"))
        #expect(output.contains("application/gpx+xml") == options.contains("--routes"))
    }

    @Test func `inspect describes a folder's files only by kind and number`() throws {
        let command = try Command()
        try Self.write(to: command)
        let outcome = try command.run("inspect", "export")
        expectNoCanary(outcome.error)
        for canary in [Self.number, Self.birthDate, "CANARY owner", "CANARY file", "CANARY symptoms"] {
            #expect(!outcome.text.contains(canary), "\(canary)")
        }
        #expect(outcome.text.contains("CANARY"))
    }

    private func expectNoCanary(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        for canary in Self.canaries { #expect(!text.contains(canary), "\(canary)", sourceLocation: sourceLocation) }
    }

    // MARK: -

    /// Writes the folder `export`.
    private static func write(to command: Command) throws {
        let sample = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../samples/kitchen-sink")
        let files = FileManager.default
        for folder in ["", "electrocardiograms", "workout-routes", "clinical-records", "attachments"] {
            try files.createDirectory(
                atPath: command.folder.path("export/" + folder),
                withIntermediateDirectories: true
            )
            let names = try files.contentsOfDirectory(atPath: sample.appending(path: folder).path).sorted()
            for name in names where name.contains(".") {
                let text = try String(contentsOf: sample.appending(path: "\(folder)/\(name)"), encoding: .utf8)
                let place = folder.isEmpty ? name : "\(folder)/CANARY file \(name)"
                let isMain = name == "export.xml"
                _ = try command.write(isMain ? planted(xml: text) : planted(file: text), to: "export/" + place)
            }
        }
        let broken = "CANARY owner\nb,\(birthDate)\nc,\(day) 08:00:00 +0000\nd,CANARY\n\n1\n\(number) CANARY\n"
        _ = try command.write(broken, to: "export/electrocardiograms/CANARY file.csv")
    }

    /// The XML with a canary in each attribute.
    private static func planted(xml: String) -> String {
        xml.replacing(#/ ([A-Za-z]+)="([^"]*)"/#) { match in
            let (name, value) = (String(match.output.1), String(match.output.2))
            return " \(name)=\"\(planted(name, value))\""
        }
    }

    private static func planted(_ name: String, _ value: String) -> String {
        switch name {
        case "version", "encoding", "locale", "fhirVersion", "type", "key": return value
        case _ where value.hasPrefix("HK") || name.lowercased().hasSuffix("unit"): return value
        case "HKCharacteristicTypeIdentifierDateOfBirth": return birthDate
        case "time": return "3:14:15.9 PM"
        case "path", "resourceFilePath": return value.replacing("s/", with: "s/CANARY file ")
        default: break
        }
        if value.contains(#/^\d{4}-\d\d-\d\d/#) { return day + value.dropFirst(10) }
        if value.contains(#/^-?[0-9.]+$/#) { return number }
        // A value with a unit keeps its unit.
        if let quantity = value.firstMatch(of: #/^[0-9.]+( .*)$/#) { return number + quantity.output.1 }
        return "CANARY " + value
    }

    /// A file with canaries in place of personal data.
    private static func planted(file text: String) -> String {
        if text.contains("<gpx") {
            return text.replacing(#/(lon|lat)="[^"]*"/#) { "\($0.output.1)=\"\(number)\"" }
                .replacing("<name>", with: "<name>CANARY ")
        }
        if text.contains("<ClinicalDocument") { return text.replacing("<title>", with: "<title>CANARY ") }
        if text.hasPrefix("{") { return text.replacing("\" : \"", with: "\" : \"CANARY ") }
        guard text.contains("\n\n") else { return "CANARY " + text }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines[0] = "Name,CANARY owner"
        lines[1] = "Date of Birth,\(birthDate)"
        lines[2] = lines[2].replacing(#/\d{4}-\d\d-\d\d/#, with: day)
        lines[3] += " CANARY classification"
        lines[4] = "Symptoms,CANARY symptoms"
        lines[lines.count - 2] = number
        return lines.joined(separator: "\n")
    }
}
