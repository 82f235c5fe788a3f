import FHIRR4
import HealthKitMapping
import TestSupport
import Testing

/// docs/formats.md, "Ids" and "Observation of a Record".
struct IdentityRuleTests {
    @Test func `an id has the value that another program computed`() throws {
        // Computed with: printf 'pghd1\x1fPatient/p1\x1fQuantity\x1fHKQuantityTypeIdentifierHeartRate\x1fApp' and one
        // zero byte, then '1717225200\x1f1717225200\x1f60', through sha256sum.
        #expect(try mapOne(record()).id == "h13db70b0f39e5ac6b3e4fea826dcf4e0")
    }

    @Test(arguments: [
        record(value: "61"), record(start: "2024-06-01 08:00:01 +0100", end: "2024-06-01 08:00:01 +0100"),
        record(end: "2024-06-01 08:00:01 +0100"), record(source: "Other"),
        record("HKQuantityTypeIdentifierRespiratoryRate"), record(device: "&lt;&lt;HKDevice: 0x1&gt;, hardware:X1&gt;"),
        record(unit: "count/s"), record(unit: "beats"), record(metadata: [("HKExternalUUID", "u")]),
        record(metadata: [("HKMetadataKeySyncIdentifier", "60")]), record(metadata: [("HKFoodType", "60")]),
        record("HKCategoryTypeIdentifierHeadache", value: "60", unit: nil), record(value: "sixty"),
    ])
    func `a change of what the sample is changes its id`(_ other: String) throws {
        #expect(try mapOne(other).id != mapOne(record()).id)
    }

    @Test(arguments: [
        record(value: "60.0"), record(value: "6e1"), record(value: "60.0001"), record(unit: "rpm"),
        record(value: "1", unit: "count/s"), record(start: "2024-06-01 07:00:00 +0000"),
        record(start: "2024-06-01 12:45:00 +0545"), record(version: "2.0"),
        record(device: "&lt;&lt;HKDevice: 0x2&gt;, name:Any, model:Watch, software:9&gt;"),
        record(metadata: [("HKTimeZone", "Europe/Paris"), ("HKWasUserEntered", "1")]),
        record(metadata: [("HKExternalUUID", ""), ("HKMetadataKeySyncIdentifier", ""), ("HKFoodType", "")]),
        " <Record endDate=\"2024-06-01 08:00:00 +0100\" value=\"60\" unit=\"count/min\" creationDate=\"x\""
            + " startDate=\"2024-06-01 08:00:00 +0100\" sourceName=\"App\" type=\"HKQuantityTypeIdentifierHeartRate\"/>\n",
    ])
    func `a change of how the sample is described does not change its id`(_ other: String) throws {
        #expect(try mapOne(other).id == mapOne(record()).id)
    }

    @Test func `the patient is part of every id`() throws {
        let other = try mapOne(record(version: "1"), options: MappingOptions(patientID: "p2", form: .resource))
        let one = try mapOne(record(version: "1"))
        #expect(other.id != one.id)
        #expect(other.gateway != one.gateway)
    }

    @Test func `each identity key makes its own ids, digests and Devices`() throws {
        let device = "&lt;&lt;HKDevice: 0x1&gt;, model:Watch&gt;"
        var seen: [MappedRecord] = []
        for key: [UInt8]? in [nil, [], [1], [1, 0], [2], [UInt8](repeating: 1, count: 65)] {
            var options = MappingOptions(patientID: "p1", form: .resource)
            options.identityKey = key
            seen.append(try mapOne(record(device: device), options: options))
        }
        // HMAC pads its key with zeros, so [] equals a key of one zero, and [1] equals [1, 0].
        #expect(seen[2].id == seen[3].id)
        seen.remove(at: 3)
        #expect(Set(seen.map(\.id)).count == seen.count)
        #expect(Set(seen.map(\.digest)).count == seen.count)
        #expect(Set(seen.map(\.device)).count == seen.count)
    }

    @Test func `a head that fills whole blocks is not padded with zeros`() throws {
        // The head has 60 bytes without the source: 4 more fill a block. The id was computed with sha256sum.
        #expect(try mapOne(record(source: "Apps")).id == "h6d9b057db5804c2e4aae5f02ec2819fd")
    }

    // MARK: Sync identifiers and external UUIDs

    @Test func `a sync identifier replaces time and value, but not type and source`() throws {
        let sync = [("HKMetadataKeySyncIdentifier", "a"), ("HKMetadataKeySyncVersion", "3")]
        let one = try mapOne(record(metadata: sync))
        #expect(one.rank == 3)
        #expect(try mapOne(record(value: "70", start: "2024-07-01 08:00:00 +0100", metadata: sync)).id == one.id)
        #expect(try mapOne(record("HKQuantityTypeIdentifierStepCount", metadata: sync)).id != one.id)
        #expect(try mapOne(record(source: "Other", metadata: sync)).id != one.id)
        #expect(try mapOne(record(metadata: [("HKMetadataKeySyncIdentifier", "b")])).id != one.id)
    }

    @Test(arguments: [
        ("17", false), (String(repeating: "a", count: 31), false), (String(repeating: "é", count: 15) + "a", false),
        (String(repeating: "é", count: 16), true), ("3F2504E0-4F89-41D3-9A0C-0305E82C3301", true),
    ])
    func `equal short sync identifiers of two apps on one phone differ, equal UUIDs do not`(
        _ identifier: String,
        _ isUnique: Bool
    ) throws {
        let phone = "&lt;&lt;HKDevice: 0x1&gt;, hardware:iPhone13,2&gt;"
        let ids = try ["Scale", "Diary"].map { app in
            try mapOne(
                record(source: app, device: phone, metadata: [("HKMetadataKeySyncIdentifier", identifier)])
            ).id
        }
        #expect((ids[0] == ids[1]) == isUnique)
    }

    @Test func `a sample with a UUID as sync identifier keeps its id on a renamed watch and on a new phone`() throws {
        let sync = [("HKMetadataKeySyncIdentifier", "3F2504E0-4F89-41D3-9A0C-0305E82C3301")]
        let ids = try [("Alex’s Watch", nil), ("Sam’s Watch", nil), ("App", "iPhone12,1"), ("App", "iPhone15,2")].map {
            let device = $1.map { "&lt;&lt;HKDevice: 0x1&gt;, hardware:\($0)&gt;" }
            return try mapOne(record(source: $0, device: device, metadata: sync)).id
        }
        // Computed with: printf 'pghd1\x1fPatient/p1\x1fQuantity\x1fHKQuantityTypeIdentifierHeartRate\x1f', zero bytes up
        // to 64, then '\x1f\x1f3F2504E0-4F89-41D3-9A0C-0305E82C3301', through sha256sum.
        #expect(Set(ids) == ["h4d7d86664f94c6b528967dcfdb12cd0c"])
    }

    @Test func `equal basal and bolus doses of insulin are two samples`() throws {
        let ids = try [nil, "1", "2", "1"].map { reason in
            let metadata = reason.map { [("HKInsulinDeliveryReason", $0)] } ?? []
            return try mapOne(record("HKQuantityTypeIdentifierInsulinDelivery", unit: "IU", metadata: metadata)).id
        }
        #expect(Set(ids).count == 3 && ids[1] == ids[3])
    }

    @Test func `the same food at two meals is two samples, and a meal is not a food`() throws {
        let type = "HKQuantityTypeIdentifierDietaryEnergyConsumed"
        let ids = try [
            [], [("HKFoodType", "Lunch")], [("HKFoodMeal", "Lunch")], [("HKFoodMeal", "Dinner")],
            [("HKFoodType", "Soup"), ("HKFoodMeal", "Lunch")], [("HKFoodType", "Soup"), ("HKFoodMeal", "Dinner")],
        ].map { try mapOne(record(type, unit: "kcal", metadata: $0)).id }
        #expect(Set(ids).count == 6)
        // Computed with: printf
        // 'pghd1\x1fPatient/p1\x1fQuantity\x1fHKQuantityTypeIdentifierDietaryEnergyConsumed\x1fApp', zero bytes up to
        // 128, then '1717225200\x1f1717225200\x1f251000\x1fSoup\x1f\x1fLunch', through sha256sum.
        #expect(ids[4] == "h061de962676272f4944b2eadd92ddb64")
    }

    @Test func `an external UUID may be shared by samples that differ, and distinguishes those that do not`() throws {
        let uuid = [("HKExternalUUID", "0E984725-C51C-4BF4-9960-E1C80E27ABA0")]
        let ids = try [
            record(metadata: uuid), record(value: "70", metadata: uuid),
            record(metadata: uuid + [("HKFoodType", "Bread")]), record(metadata: uuid + [("HKFoodMeal", "Lunch")]),
            record(start: "2024-07-01 08:00:00 +0100", metadata: uuid), record(),
            record(metadata: [("HKExternalUUID", "B58ABF3F-18D6-4A3B-9E0B-3B5C4A0E2B44")]),
        ].map { try mapOne($0).id }
        #expect(Set(ids).count == ids.count)
        // Computed with: printf 'pghd1\x1fPatient/p1\x1fQuantity\x1fHKQuantityTypeIdentifierHeartRate\x1fApp' and one
        // zero byte, then '1717225200\x1f1717225200\x1f60\x1f\x1f\x1f0E98…', through sha256sum.
        #expect(ids[0] == "h93a2aaf3e94b4b0c702566ff4371c174")
    }

    @Test(arguments: [
        ("HKMetadataKeySyncIdentifier", "a", "b"), ("HKExternalUUID", "a", "ab"), ("HKFoodType", "Bread", "Wine"),
        ("HKFoodMeal", "Dinner", "Lunch"),
        ("HKInsulinDeliveryReason", "1", "2"),
    ])
    func `of two values of one key the greater counts, in any order`(_ key: String, _ small: String, _ great: String)
        throws
    {
        let both = [(key, small), (key, great)]
        let one = try mapOne(record(metadata: both))
        #expect(try mapOne(record(metadata: both.reversed())).id == one.id)
        #expect(try mapOne(record(metadata: [(key, great)])).id == one.id)
        #expect(try mapOne(record(metadata: [(key, small)])).id != one.id)
    }

    @Test(arguments: [
        ("", 0), ("x", 0), ("7", 7), ("007x", 7), ("-1", 0), ("1.9", 1),
        ("999999999999999999999999", 1_000_000_000_000_000_000),
    ])
    func `a sync version is the whole number that its text begins with`(_ text: String, _ rank: UInt64) throws {
        let metadata = [("HKMetadataKeySyncVersion", text), ("HKMetadataKeySyncIdentifier", "a")]
        #expect(try mapOne(record(metadata: metadata)).rank == rank)
    }

    @Test(arguments: [["2", "10"], ["10", "2"], ["", "10"], ["10", "x"]])
    func `of several sync versions of a record the greatest counts`(_ versions: [String]) throws {
        let metadata = versions.map { ("HKMetadataKeySyncVersion", $0) } + [("HKMetadataKeySyncIdentifier", "a")]
        #expect(try mapOne(record(metadata: metadata)).rank == 10)
    }

    @Test(arguments: [
        record(start: "2024-07-01 08:00:00 +0100", metadata: [("HKMetadataKeySyncIdentifier", "a")]),
        record(end: "2024-06-01 08:00:01 +0100", metadata: [("HKMetadataKeySyncIdentifier", "a")]),
        record(value: "70", metadata: [("HKMetadataKeySyncIdentifier", "a")]),
    ])
    func `under one sync identifier another time or value is another digest`(_ other: String) throws {
        let one = try mapOne(record(metadata: [("HKMetadataKeySyncIdentifier", "a")]))
        #expect(try mapOne(other).id == one.id)
        #expect(try mapOne(other).digest != one.digest)
    }

    // MARK: Categories

    @Test(arguments: [
        ("SleepAnalysis", "HKCategoryValueSleepAnalysisAsleep", "HKCategoryValueSleepAnalysisAsleepUnspecified"),
        ("MenstrualFlow", "HKCategoryValueMenstrualFlowLight", "HKCategoryValueVaginalBleedingLight"),
        ("OvulationTestResult", "HKCategoryValueOvulationTestResultPositive", "2"),
        ("SleepAnalysis", "HKCategoryValueSleepAnalysisAsleepREM", "5"),
        ("HighHeartRateEvent", nil, "HKCategoryValueNotApplicable"), ("HighHeartRateEvent", nil, ""),
        ("Headache", "", "0"),
    ])
    func `names with the same number are one category value`(_ type: String, _ one: String?, _ other: String?) throws {
        #expect(try mapOne(category(type, one)).id == mapOne(category(type, other)).id)
    }

    @Test func `an unknown name is used as it is, byte for byte`() throws {
        let kelvin = "H\u{212A}CategoryValueSeverityMild"
        let ids = try ["HKCategoryValueSeverityMild", kelvin, "HKCategoryValueSeverityOfTomorrow", "mild"]
            .map { try mapOne(category("Headache", $0)).id }
        #expect(Set(ids).count == ids.count)
    }

    @Test func `a type's other name is the same type`() throws {
        let value = "HKCategoryValueEnvironmentalAudioExposureEventMomentaryLimit"
        let one = try mapOne(category("AudioExposureEvent", value))
        let other = try mapOne(category("EnvironmentalAudioExposureEvent", value))
        #expect(one.id == other.id)
        // Their codes differ, and so do their bytes: they must not share a digest.
        #expect(one.digest != other.digest)
    }

    @Test func `a type spelled with other bytes is another kind`() throws {
        let kelvin = try mapOne(record("H\u{212A}QuantityTypeIdentifierHeartRate"))
        #expect(try kelvin.id != mapOne(record()).id)
        // For a type of the kind `Data` a category value's number is not looked up.
        let data = try mapOne(record("HKDataTypeOfTomorrow", value: "HKCategoryValueSeverityMild", unit: nil))
        let correlation = try mapOne(record("HKDataTypeOfTomorrow", value: "2", unit: nil))
        #expect(data.id != correlation.id)
    }

    // MARK: Numbers

    @Test func `an unknown unit is part of the value, and an empty unit is no unit`() throws {
        #expect(try mapOne(record(value: "5", unit: "a")).id != mapOne(record(value: "5", unit: "b")).id)
        #expect(try mapOne(record(value: "5", unit: "")).id == mapOne(record(value: "5", unit: nil)).id)
        #expect(try mapOne(record(value: "5", unit: nil)).id == mapOne(record(value: "5", unit: "count")).id)
    }

    @Test func `text that is not a number is used as written, without its unit`() throws {
        #expect(try mapOne(record(value: "05", unit: "kg")).id == mapOne(record(value: "05", unit: "lb")).id)
        #expect(try mapOne(record(value: "05")).id != mapOne(record(value: "5")).id)
        #expect(try mapOne(record(value: "")).id == mapOne(record(value: nil)).id)
    }

    @Test func `digits after the 19th do not count`() throws {
        let long = try mapOne(record(value: "81250.50000000000000", unit: "g"))
        #expect(try mapOne(record(value: "81250.500000000000009999", unit: "g")).id == long.id)
        #expect(try mapOne(record(value: "81250.50000000000001", unit: "g")).id != long.id)
    }
}
