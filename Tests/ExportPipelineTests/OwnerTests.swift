import ExportPipeline
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// An export belongs to one person: a second `Me` with other content is reported.
struct OwnerTests {
    private static func me(_ birthDate: String, blood: String = "APositive", more: String = "") -> String {
        """
         <Me HKCharacteristicTypeIdentifierDateOfBirth="\(birthDate)" \
        HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale" \
        HKCharacteristicTypeIdentifierBloodType="HKBloodType\(blood)"\(more)/>

        """
    }

    private static let anna = me("1980-02-29")

    @Test(arguments: [me("1990-01-01"), me("1980-02-29", blood: "BPositive"), " <Me/>\n"], [1, 3])
    func `a second Me with other content is a fault, and is left out`(
        _ second: String,
        _ threads: Int
    ) throws {
        let options = ConversionOptions.sample.with {
            $0.mapping.includesPatient = true
            $0.run.threads = threads
            $0.run.chunkByteCount = 500
        }
        let records = (10...20).map { record(value: "\($0)") }.joined()
        for between in ["", records] {
            let alone = try Run(of: Self.anna + between + records, options: options)
            let both = try Run(of: Self.anna + between + second + records, options: options)
            #expect(both.text == alone.text)
            #expect(both.report.damage.counts == ["otherOwner": 1])
            #expect(both.report.damage.places.map(\.element) == [.me])
            #expect(both.report.damage.places.first?.line == UInt64(between.isEmpty ? 4 : 15))
        }
    }

    @Test(arguments: [300, 500, 100_000])
    func `the fault's place is that of the file, even if bytes before it were replaced`(_ chunkByteCount: Int) throws {
        let text = Self.anna + record(value: "1") + Self.me("1990-01-01")
        // Each control byte becomes three bytes.
        let broken = text.replacing("sourceName=\"", with: "sourceName=\"" + String(repeating: "\u{1}", count: 50))
        let places = try [text, broken].map { text in
            let options = ConversionOptions.sample.with { $0.run.chunkByteCount = chunkByteCount }
            let report = try Run(of: text, options: options).report
            return try #require(report.damage.places.first { $0.kind == .otherOwner })
        }
        #expect(places[1].byte == places[0].byte + 50)
        #expect(places[1].line == places[0].line)
    }

    @Test func `a second Me with the same content is ignored`() throws {
        let again = Self.me("1980-02-29", more: " HKCharacteristicTypeIdentifierFitzpatrickSkinType=\"\"")
        let run = try Run(of: Self.anna + Self.anna + again)
        #expect(run.report.damage.isEmpty)
        #expect(try run.ids().count == 1)
    }
}
