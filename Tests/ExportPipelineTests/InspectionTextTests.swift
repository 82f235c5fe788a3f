import ExportPipeline
import FHIRR4
import HealthExport
import Testing

struct InspectionTextTests {
    @Test func `no line is wider than 100 columns, and tables stay aligned`() {
        var report = InspectionReport()
        report.types = [
            .init(
                type: "HKQuantityTypeIdentifier" + String(repeating: "Very", count: 20) + "Long",
                records: 12_345_678_901,
                starts: 0...1,
                units: ["mL/min·kg": 3, "kcal/hr·kg": 2, "some unit of a rather long name": 1],
                codings: [Coding(system: "http://snomed.info/sct", code: "12345678901234567")],
                isKnown: true
            ),
            .init(type: "Short", records: 1, starts: nil, units: [:], codings: [], isKnown: false),
        ]
        report.sources = [
            .init(name: String(repeating: "ヘルスケア", count: 30), records: 5), .init(name: "Alex’s ⌚️", records: 4),
            .init(name: "Alex", records: 3),
        ]
        report.memberName = String(repeating: "folder/", count: 30) + "export.xml"
        let text = report.text(title: "export.zip")
        for line in text.split(separator: "\n") { #expect(width(line) <= 100, "\(line)") }
        #expect(text.contains("VeryLong…") || text.contains("Very…") || text.contains("…  12,345,678,901"))
        let sources = text.split(separator: "\n").drop { $0 != "Sources" }.dropFirst().prefix(3)
        #expect(Set(sources.map(width)).count == 1)
    }

    @Test func `a name can't rewrite the terminal`() {
        var report = InspectionReport()
        report.sources = [.init(name: "Wat\u{9B}2Jch\u{202E}gnp\u{1B}[31m\nfake", records: 1)]
        let text = report.text(title: "a\u{1B}b")
        #expect(text.contains("Wat?2Jch?gnp?[31m?fake"))
        #expect(text.hasPrefix("a?b\n"))
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    }

    @Test(arguments: [
        (["http://loinc.org", "http://snomed.info/sct"], true, "LOINC 1"),
        (["http://snomed.info/sct", "http://loinc.org"], true, "LOINC 1"),
        (["http://snomed.info/sct"], true, "SNOMED CT 1"), ([], true, "Apple code only"), ([], false, "unknown"),
    ])
    func `a type shows what it is mapped to`(_ systems: [String], _ isKnown: Bool, _ words: String) {
        let codings = systems.map { Coding(system: $0, code: "1") }
        let type = InspectionReport.TypeSummary(
            type: "",
            records: 1,
            starts: nil,
            units: [:],
            codings: codings,
            isKnown: isKnown
        )
        #expect(type.mappingText == words)
    }

    @Test func `damage beyond the places that are listed is counted`() {
        var report = InspectionReport()
        report.damage.isComplete = true
        for line in UInt64(1)...1_500 {
            report.damage.add(
                Malformation(kind: .forbiddenCharacter, byte: line * 10, line: line, element: .record)
            )
        }
        #expect(report.damage.places.count == Damage.maximumPlaceCount)
        let text = report.text(title: "export.xml")
        #expect(
            text.contains(
                "  line 20, byte 200, Record: a character that XML forbids, or bytes that are not UTF-8; replaced by U+FFFD\n"
            )
        )
        #expect(!text.contains("line 21,"))
        #expect(text.hasSuffix("  and 1,480 more; in all 1,500 forbiddenCharacter\n"))
    }

    /// Width in columns: a wide character takes two, a combining mark none.
    private func width(_ line: Substring) -> Int {
        line.reduce(0) { sum, character in
            guard let scalar = character.unicodeScalars.first else { return sum }
            let isWide = (0x3000...0x9FFF).contains(scalar.value) || scalar.properties.isEmojiPresentation
            return sum + (isWide ? 2 : 1)
        }
    }
}
