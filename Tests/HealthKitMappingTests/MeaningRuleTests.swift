import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// What a name means depends on its type and on its exact bytes.
struct MeaningRuleTests {
    @Test(arguments: ["HKBloodTypeAPositive", "HKWorkoutActivityTypeRunning", "HKCategoryValueSeverityMild"])
    func `a value of another enumeration is written as text`(_ value: String) throws {
        let json = try mapOne(category("SleepAnalysis", value)).json
        #expect(json.contains("\"valueCodeableConcept\":{\"text\":\"\(value)\"}"))
    }

    @Test func `an event with a value of another enumeration is written as text`() throws {
        let json = try mapOne(category("HighHeartRateEvent", "HKCategoryValueSleepAnalysisAwake")).json
        #expect(json.contains("\"valueCodeableConcept\":{\"text\":\"HKCategoryValueSleepAnalysisAwake\"}"))
    }

    @Test func `a type that only looks like Apple's has no standard code`() throws {
        let json = try mapOne(record("H\u{212A}QuantityTypeIdentifierHeartRate")).json
        #expect(!json.contains("8867-4"))
    }

    @Test(arguments: ["HKLapLength", "HKWasUserEntered", "HKWeatherCondition", "HKReferenceRangeLowerLimit"])
    func `a date is written as an instant under every key`(_ key: String) throws {
        let json = try mapOne(record(metadata: [(key, "2024-06-16 10:00:00 +0100")])).json
        #expect(json.contains("\"valueDateTime\":\"2024-06-16T09:00:00Z\""))
    }

    @Test func `device texts with and without a pointer are different Devices`() throws {
        let text = ", name:Apple Watch, model:Watch, hardware:Watch6,2&gt;"
        let first = record(device: text)
        let second = record(start: "2024-06-01 09:00:00 +0100", device: "&lt;&lt;HKDevice: 0x1&gt;" + text)
        let devices = try map(first + second).map(\.device)
        #expect(try devices == [mapOne(first).device, mapOne(second).device])
        #expect(devices[0] != devices[1])
    }

    @Test(arguments: [
        ("Watch7,1", "Watch7,1", ""), ("iPhone14,2", "iPhone14,2", ""), ("1.0", "P1", "1.0"), ("A1", "P1", "A1"),
    ])
    func `Apple's hardware is a model number, and any other a version`(
        _ hardware: String,
        _ number: String,
        _ version: String
    ) throws {
        let device = "&lt;&lt;HKDevice: 0x1&gt;, manufacturer:M, model:P1, hardware:\(hardware)&gt;"
        let json = try #require(try mapOne(record(device: device)).device)
        let entry = ",\"version\":[{\"type\":{\"text\":\"hardware\"},\"value\":\"\(version)\"}]"
        let versions = version.isEmpty ? "" : entry
        #expect(json.contains(",\"modelNumber\":\"\(number)\"\(versions),\"patient\""))
    }

    @Test func `a time with an offset of more than fourteen hours is written in UTC`() throws {
        let json = try mapOne(
            record(start: "1840-06-01 08:00:00 +0000", metadata: [("HKTimeZone", "Pacific/Guam")])
        ).json
        #expect(json.contains("\"effectiveDateTime\":\"1840-06-01T08:00:00Z\","))
    }

    @Test func `an event that is a member has the zone's name next to its time`() throws {
        let lap = element(
            .workoutEvent,
            ["type": "HKWorkoutEventTypeLap", "date": "2024-06-01 08:00:00 +0100"],
            [metadata("HKSwimmingStrokeStyle", "2")]
        )
        let mapped = try mapElement(workout(children: [metadata("HKTimeZone", "Europe/Paris"), lap]))
        let zone =
            "\"_effectiveDateTime\":{\"extension\":[{\"url\":\"http://hl7.org/fhir/StructureDefinition/tz-code\","
            + "\"valueCode\":\"Europe/Paris\"}]}"
        let time = "\"effectiveDateTime\":\"2024-06-01T09:00:00+02:00\","
        #expect(try mapped.first("hkworkouteventtype").contains(time + zone))
    }
}
