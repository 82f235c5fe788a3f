import FHIRR4
import HealthExport
@testable import HealthKitMapping
import Testing

/// What `Me` says, in the language and calendar of a phone (docs/characteristics.md).
struct CharacteristicRuleTests {
    @Test(arguments: [
        ("1984-06-16", "1984-06-16"), ("1984-02-29", "1984-02-29"), ("1850-01-01", "1850-01-01"),
        ("2199-12-31", "2199-12-31"), ("2527-06-16", "1984-06-16"), ("2527-02-29", "1984-02-29"),
        ("2393-01-01", "1850-01-01"), ("2742-12-31", "2199-12-31"), ("١٩٨٤-٠٦-١٦", "1984-06-16"),
        ("๒๕๒๗-๐๖-๑๖", "1984-06-16"), ("\u{200F}١٩٨٤-٠٦-١٦", "1984-06-16"),
    ])
    func `a birth date is written in the Gregorian calendar`(_ text: String, _ birthDate: String) throws {
        let mapped = try Self.map([(Characteristics.dateOfBirth, text)])
        #expect(mapped.json == [#"{"resourceType":"Patient","id":"p1","active":true,"birthDate":"\#(birthDate)"}"#])
        #expect(mapped.tally.owners.map(\.owner.birthDate) == [birthDate])
        #expect(try mapped.rows[0].digest == Self.map([(Characteristics.dateOfBirth, birthDate)]).rows[0].digest)
    }

    @Test(arguments: [
        "1404-09-17", "1363-03-26", "0059-06-16", "5744-03-16", "1849-12-31", "2200-01-01", "2392-12-31", "2743-01-01",
        "2526-02-29", "1984-6-16", "1984-06-31", "16.06.1984", "年1984-06-16", "-984-06-16",
    ])
    func `a date that may be of another calendar is no birth date, and is counted`(_ text: String) throws {
        let mapped = try Self.map([(Characteristics.dateOfBirth, text)])
        #expect(mapped.json == [#"{"resourceType":"Patient","id":"p1","active":true}"#])
        #expect(mapped.tally.owners.map(\.owner.birthDate) == [nil])
        #expect(mapped.tally.unmapped.values.values.reduce(0, +) == 1)
    }

    @Test(arguments: [
        "Beta Blockers", "Calcium Channel Blockers", "Calciumkanalblocker, Betablocker", "Bêtabloquants", "β遮断薬",
        "カルシウム拮抗薬", "钙通道阻滞剂", "Бета-блокаторы", "칼슘 채널 차단제",
    ])
    func `medications that affect cardio fitness are written as the phone names them`(_ text: String) throws {
        let mapped = try Self.map([(Self.medications, text)], includesPatient: false)
        #expect(mapped.json.count == 1)
        #expect(mapped.json.first?.contains(#""valueCodeableConcept":{"text":"\#(text)"}"#) == true)
    }

    @Test(arguments: ["Keine", "Aucun", "なし", "ไม่มี", "Something"])
    func `a text that names no medication says nothing about the owner, and is counted`(_ text: String) throws {
        let mapped = try Self.map([(Self.medications, text)], includesPatient: false)
        #expect(mapped.json.isEmpty)
        #expect(mapped.tally.unmapped.values.values.reduce(0, +) == 1)
    }

    @Test(arguments: ["None", "NotSet", "", " "])
    func `somebody who was never asked says nothing`(_ text: String) throws {
        let answers = [(Self.medications, text), (Characteristics.dateOfBirth, "")]
        let mapped = try Self.map(answers, includesPatient: false)
        #expect(mapped.json.isEmpty)
        #expect(mapped.tally.unmapped.values.isEmpty)
    }

    private static let medications = "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse"

    private static func map(_ answers: [(String, String)], includesPatient: Bool = true) throws -> MappedElements {
        var options = MappingOptions(patientID: "p1", form: .resource)
        options.includesPatient = includesPatient
        return try mapElement(HealthElement(.me, answers.map { .init($0.0, $0.1) }), options: options)
    }
}
