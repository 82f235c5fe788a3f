import FHIRR4
import HealthExport
import TestSupport
import Testing

@testable import HealthKitMapping

/// Entries whose values differ from record to record are written one by one, and all others together: the output must
/// be the same.
///
/// A repeated entry counts once, and makes the record take the other way.
struct MetadataEntryTests {
    private static let values = [
        "0", "1", "2", "12.5", "-3", "-0.50 m", "418 cm", "6900 %", "1013.25000 hPa", "80 dBASPL", "7 kcal/hr·kg",
        "x  y", "5  cm", "5 cm ", "5 ", " 5", "1e3 m", "01 m", ".5 m", "1 \u{308}cm", "1 µg", "3 kg m",
        "123456789.987654321 m", "5 123456789.987654321", "1970-01-01 00:00:00 +0000", "text",
        "1234567890123456789012 m", "0.1234567890123456789", "2024-06-01 08:00:00 +0100", "Europe/Berlin", "GMT-0700",
        "&quot;q&quot; \\ &amp;", "\u{1F34E}", " ", longText, "5 " + longText,
    ]
    private static let longText = String(repeating: "long ", count: 999) + "."

    private static let types: [@Sendable ([(String, String)]) -> String] = [
        { record(metadata: $0) },
        { record("HKQuantityTypeIdentifierBloodGlucose", value: "90", unit: "mg/dL", metadata: $0) },
        { category("MindfulSession", nil, metadata: $0) },
    ]

    /// Maps each list of entries twice with one mapper: as it is, and with its first entry repeated.
    private func expectSame(_ lists: [[(String, String)]], _ options: MappingOptions) throws {
        for type in Self.types {
            let mapped = try map(lists.map { type($0) + type($0 + [$0[0]]) }.joined(), options: options)
            try #require(mapped.count == lists.count * 2)
            for (place, list) in lists.enumerated() {
                #expect(mapped[place * 2].json == mapped[place * 2 + 1].json, "\(list)")
                #expect(mapped[place * 2].digest == mapped[place * 2 + 1].digest, "\(list)")
            }
        }
    }

    @Test(arguments: [true, false])
    func `every key and value is written the same both ways`(_ keepsMetadata: Bool) throws {
        var options = MappingOptions(patientID: "p1", form: .resource)
        options.keepsMetadata = keepsMetadata
        for key in MetadataRule.rules.keys.sorted() + ["an app's own", "text", "1970-01-01T00:00:00Z", Self.longText] {
            try expectSame(Self.values.map { [(key, $0)] }, options)
            try expectSame(Self.values.map { [("HKMetadataKeySyncIdentifier", $0), (key, $0)] }, options)
        }
    }

    @Test func `every pair of keys is written the same both ways`() throws {
        let keys = MetadataRule.rules.keys.sorted() + ["an app's own"]
        for key in keys {
            try expectSame(
                keys.filter { $0 != key }.map { [("HKExternalUUID", "u"), (key, "1"), ($0, "2")] },
                MappingOptions(patientID: "p1", form: .resource)
            )
        }
    }

    @Test func `thousands of entries do not fill up the memory of entries`() throws {
        let lists = (0..<3_000).map { number in
            [("HKExternalUUID", "u\(number)"), ("HKWeatherCondition", "\(number)"), ("key \(number)", "1")]
        }
        try expectSame(lists, MappingOptions(patientID: "p1", form: .resource))
    }
}
