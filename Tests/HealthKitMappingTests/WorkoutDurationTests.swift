import HealthExport
import HealthKitMapping
import Testing

/// A duration that can't be written is counted by its kind: docs/workouts.md, "Left out, and counted".
struct WorkoutDurationTests {
    @Test(
        arguments: [
            ("30,5", "min", ["other": 1], [:]), ("abc", "fortnight", ["other": 1], ["other": 1]),
            ("1e400", "min", ["other": 1], [:]), ("-3", "min", [:], [:]), ("3", "fortnight", [:], ["other": 1]),
            ("3", nil, [:], ["none": 1]), ("500", "ms", [:], [:]),
        ] as [(String, String?, [String: UInt64], [String: UInt64])]
    )
    func `a duration that is not a number counts as a value, and an unknown unit as a unit`(
        _ duration: String,
        _ unit: String?,
        _ values: [String: UInt64],
        _ units: [String: UInt64]
    ) throws {
        let attributes = [("duration", duration)] + (unit.map { [("durationUnit", $0)] } ?? [])
        let mapped = try mapElement(workout("Running", attributes))
        #expect(mapped.tally.unmapped.values == values)
        #expect(mapped.tally.unmapped.units == units)
    }

    @Test(
        arguments: [
            ("30,5", "min", ["other": 1], [:]), ("-3", "min", ["other": 1], [:]), ("3", "fortnight", [:], ["other": 1]),
            ("abc", "fortnight", ["other": 1], ["other": 1]), ("3", "s", [:], [:]),
            ("3", "", ["other": 1], [:]), ("abc", " ", ["other": 1], [:]),
        ] as [(String, String, [String: UInt64], [String: UInt64])]
    )
    func `an event's unusable duration counts too, and the event is written without it`(
        _ duration: String,
        _ unit: String,
        _ values: [String: UInt64],
        _ units: [String: UInt64]
    ) throws {
        let event = element(
            .workoutEvent,
            [
                "type": "HKWorkoutEventTypePause", "date": "2024-06-01 08:00:00 +0100", "duration": duration,
                "durationUnit": unit,
            ]
        )
        let mapped = try mapElement(workout(children: [event]))
        #expect(mapped.tally.unmapped.values == values)
        #expect(mapped.tally.unmapped.units == units)
        #expect(try mapped.first("PAPanel").contains("\"valueDateTime\"") == (duration != "3" || unit != "s"))
    }

    @Test func `an event's duration beyond the last year counts too`() throws {
        let event = element(
            .workoutEvent,
            [
                "type": "HKWorkoutEventTypeLap", "date": "9950-12-31 08:00:00 +0100", "duration": "1e300",
                "durationUnit": "min",
            ]
        )
        let mapped = try mapElement(workout(children: [event]))
        #expect(mapped.tally.unmapped.values == ["other": 1])
        #expect(try mapped.first("PAPanel").contains("\"valueDateTime\":\"9950-12-31T07:00:00Z\""))
    }
}
