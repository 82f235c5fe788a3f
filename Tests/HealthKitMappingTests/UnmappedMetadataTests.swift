import FHIRR4
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// Metadata that the table does not know is written as text and counted: units together, values by their key.
struct UnmappedMetadataTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let key: String
        let value: String
        var units: [String: UInt64] = [:]
        var values: [String: UInt64] = [:]

        var testDescription: String { "\(key) = \(value)" }
    }

    static let cases = [
        Case(key: "HKWeatherTemperature", value: "70 degF"),
        Case(key: "HKWeatherTemperature", value: "70 degX", units: ["other": 1]),
        Case(key: "HKWeatherTemperature", value: "mild", values: ["HKWeatherTemperature": 1]),
        Case(key: "HKWeatherHumidity", value: "6900 %"),
        Case(key: "HKMetadataKeyHeadphoneGain", value: "3 dBASPL"),
        Case(key: "HKReferenceRangeLowerLimit", value: "1 shake", units: ["other": 1]),
        Case(key: "HKReferenceRangeUpperLimit", value: "1,5", values: ["HKReferenceRangeUpperLimit": 1]),
        Case(key: "HKSwimmingStrokeStyle", value: "2"),
        Case(key: "HKSwimmingStrokeStyle", value: "77", values: ["HKSwimmingStrokeStyle": 1]),
        Case(key: "HKHeartRateSensorLocation", value: "77", values: ["HKHeartRateSensorLocation": 1]),
        Case(
            key: "HKMetadataKeyHeartRateMotionContext",
            value: "x",
            values: ["HKMetadataKeyHeartRateMotionContext": 1]
        ),
        Case(key: "HKWasUserEntered", value: "1"),
        Case(key: "HKWasUserEntered", value: "yes", values: ["HKWasUserEntered": 1]),
        Case(key: "HKWasTakenInLab", value: "yes", values: ["HKWasTakenInLab": 1]),
        Case(
            key: "HKMetadataKeyQuantityClampedToLowerBound",
            value: "2",
            values: [
                "HKMetadataKeyQuantityClampedToLowerBound": 1
            ]
        ),
        Case(key: "HKTimeZone", value: "Europe/Berlin"),
        Case(key: "HKTimeZone", value: "GMT-0700", values: ["HKTimeZone": 1]),
        Case(key: "HKFoodType", value: "5 degX"),
        Case(key: "an app's own", value: "5 degX"),
    ]

    @Test(arguments: cases) func `each record counts, alone, in a row or with other entries`(_ one: Case) throws {
        let entry = (one.key, one.value)
        let starts = (10..<14).map { "2024-06-01 08:00:\($0) +0100" }
        let alike = starts.map { record(start: $0, metadata: [entry]) }
        let own = starts.enumerated().map { record(start: $1, metadata: [("HKExternalUUID", "u\($0)"), entry]) }
        let doubled = starts.map { record(start: $0, metadata: [entry, entry]) }
        for elements in [alike, own, doubled] {
            let unmapped = try unmappedMetadata(elements.joined())
            #expect(unmapped.units == one.units.mapValues { $0 * 4 }, "\(elements)")
            #expect(unmapped.values == one.values.mapValues { $0 * 4 }, "\(elements)")
        }
    }

    @Test(arguments: cases) func `each element is counted, even a workout's event`(_ one: Case) throws {
        let entry = metadata(one.key, one.value)
        let event = element(
            .workoutEvent,
            [
                "type": "HKWorkoutEventTypeLap", "date": "2024-06-01 08:10:00 +0100", "duration": "1",
                "durationUnit": "min",
            ],
            [entry]
        )
        for children in [[entry], [event]] {
            let unmapped = try mapElement(workout(children: children)).tally.unmapped
            #expect(unmapped.units == one.units)
            #expect(unmapped.values == one.values)
        }
    }

    @Test(arguments: [(100, true), (101, false)])
    func `a name is repeated only if it is no longer than any of Apple's`(_ count: Int, _ isRepeated: Bool) {
        let name = "HK" + String(repeating: "a", count: count - 2)
        #expect(MappingTally.reportable(name) == (isRepeated ? name : "other"))
    }

    @Test func `metadata that is left out is not counted`() throws {
        let entries = [("HKTimeZone", "GMT-0700"), ("HKWeatherTemperature", "70 degX")]
        var options = MappingOptions(patientID: "p1", form: .resource)
        options.keepsMetadata = false
        #expect(try unmappedMetadata(record(metadata: entries), options: options) == UnmappedCounts())
        options = MappingOptions(patientID: "p1", form: .resource)
        options.types = ["StepCount"]
        #expect(try unmappedMetadata(record(metadata: entries), options: options) == UnmappedCounts())
    }
}
