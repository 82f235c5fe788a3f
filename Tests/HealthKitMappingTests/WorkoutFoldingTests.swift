import Foundation
import FHIRR4
import HealthExport
import HealthKitMapping
import Testing

/// What a workout takes over from its only activity, and what its parts have in common: docs/workouts.md.
struct WorkoutFoldingTests {
    private static let start = "2024-06-01 08:00:00 +0100"
    private static let end = "2024-06-01 08:30:00 +0100"

    /// An activity of the whole workout's time.
    private static func activity(_ more: KeyValuePairs<String, String>, _ children: [HealthElement] = [])
        -> HealthElement
    {
        var activity = element(.workoutActivity, ["startDate": start, "endDate": end], children)
        activity.attributes += more.map { HealthElement.Attribute($0.key, $0.value) }
        return activity
    }

    private static func statistics(_ type: String, _ sum: String, _ unit: String) -> HealthElement {
        element(
            .workoutStatistics,
            ["type": "HKQuantityTypeIdentifier" + type, "sum": sum, "unit": unit, "startDate": start, "endDate": end]
        )
    }

    private func panelCount(_ mapped: MappedElements) -> Int { mapped.json.count { $0.contains("PAPanel") } }

    // MARK: The only activity

    @Test(arguments: [("Running", 1), ("Cycling", 2)])
    func `the only activity is the workout itself if nothing else was done`(_ type: String, _ panels: Int) throws {
        let inner = Self.activity(["workoutActivityType": "HKWorkoutActivityType" + type])
        #expect(try panelCount(mapElement(workout("Running", children: [inner]))) == panels)
    }

    @Test(arguments: [("30", "min", 1), ("31", "min", 2), ("30", "s", 2)])
    func `the only activity is the workout itself if it took as long`(_ value: String, _ unit: String, _ panels: Int)
        throws
    {
        let inner = Self.activity(["duration": value, "durationUnit": unit])
        let whole = workout("Running", [("duration", "30"), ("durationUnit", "min")], children: [inner])
        #expect(try panelCount(mapElement(whole)) == panels)
    }

    @Test func `a workout without a duration has that of its only activity`() throws {
        let inner = Self.activity(["duration": "20", "durationUnit": "min"])
        let mapped = try mapElement(workout("Running", children: [inner]))
        let plain = try mapElement(workout("Running", [("duration", "20"), ("durationUnit", "min")]))
        #expect(mapped.json == plain.json)
    }

    // MARK: Profiles and codes

    /// A panel must have members.
    @Test func `an activity without members does not claim the panel's profile`() throws {
        let inner = element(.workoutActivity, ["startDate": Self.start, "endDate": "2024-06-01 08:10:00 +0100"])
        let mapped = try mapElement(workout("Running", children: [inner]))
        let bare = try mapped.first("Activity of a workout")
        #expect(bare.contains("\"profile\":[\"urn:uuid:b818fa07-d501-5725-9d6b-3dfbc1f47850\"]"))
        #expect(try mapped.first("\"Workout\"").contains("urn:uuid:d88a05e7-ecf5-5ba3-b000-120e2e931f52"))
    }

    @Test(arguments: [("BodyMass", "70", "kg"), ("OxygenSaturation", "0.97", "%"), ("HeartRate", "72", "count/min")])
    func `a sum of a vital sign has neither its code nor another one for it`(
        _ type: String,
        _ sum: String,
        _ unit: String
    ) throws {
        let mapped = try mapElement(workout(children: [Self.statistics(type, sum, unit)]))
        #expect(try !mapped.first("HKQuantityTypeIdentifier" + type).contains("loinc.org"))
    }

    @Test(arguments: ["kcal", "Cal"])
    func `kilocalories of more than 18 digits are rounded to 18`(_ unit: String) throws {
        let mapped = try mapElement(
            workout(children: [Self.statistics("ActiveEnergyBurned", "1.234567890123456789", unit)])
        )
        #expect(try mapped.first("55424-6").contains("\"valueQuantity\":{\"value\":1.23456789012345679,"))
    }

    @Test func `a distance of unknown kind is not counted as an unknown type`() throws {
        let mapped = try mapElement(workout("Rowing", [("totalDistance", "3"), ("totalDistanceUnit", "km")]))
        #expect(try mapped.first("103208-5").contains("\"value\":3,"))
        #expect(mapped.tally.unmapped == UnmappedCounts())
    }

    // MARK: Events

    /// Both are written with their start alone.
    @Test func `an event with an unusable duration and one without any are two, in any order`() throws {
        func event(_ more: KeyValuePairs<String, String>) -> HealthElement {
            var event = element(.workoutEvent, ["type": "HKWorkoutEventTypePause", "date": Self.start])
            event.attributes += more.map { HealthElement.Attribute($0.key, $0.value) }
            return event
        }
        let (plain, odd) = (event([:]), event(["duration": "long", "durationUnit": "min"]))
        for events in [[plain, odd], [odd, plain], [odd, plain, odd], [plain, odd, plain]] {
            let mapped = try mapElement(workout(children: events))
            let panel = try mapped.first("PAPanel")
            #expect(panel.components(separatedBy: "\"valueDateTime\"").count == 3)
            #expect(mapped.tally.unmapped.values == ["other": 1])
        }
    }

    // MARK: Selection

    @Test func `the records in a workout of unknown start are written unless a stretch of time is asked for`() throws {
        var undated = workout()
        undated.attributes.removeAll { $0.name == "startDate" }
        func role(_ change: (inout MappingOptions) -> Void) throws -> EncodedResource.Role? {
            var options = MappingOptions(patientID: "p1", form: .resource)
            change(&options)
            return ElementMapper(table: try .embedded(), options: options, registry: DeviceRegistry())
                .roleOfRecords(in: undated)
        }
        #expect(try role { _ in } == .resource)
        #expect(try role { $0.since = 0 } == nil)
        #expect(try role { $0.until = 4_000_000_000 } == nil)
    }

    // MARK: Places

    @Test func `metadata that show a place are not counted if nothing is written, or with a route`() throws {
        let place = metadata("_HKPrivateWorkoutWeatherLocationCoordinatesLatitude", "48.1")
        var options = MappingOptions(patientID: "p1", form: .resource)
        options.types = ["Audiogram"]
        #expect(try mapElement(workout(children: [place]), options: options).tally.unmapped == UnmappedCounts())
        let route = element(.workoutRoute, ["sourceName": "Watch"], [place])
        let mapped = try mapElement(workout(children: [route]))
        #expect(mapped.tally.unmapped.elements == ["WorkoutRoute": 1])
    }
}
