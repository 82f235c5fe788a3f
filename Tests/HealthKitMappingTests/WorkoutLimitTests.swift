import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// One workout may have 16 MB: the time that it takes is bounded.
struct WorkoutLimitTests {
    private static let start = "2024-06-01 08:00:00 +0100"

    private func statistics(_ number: Int) -> HealthElement {
        element(.workoutStatistics, ["type": "HKQuantityTypeIdentifierStepCount", "unit": "count", "sum": "\(number)"])
    }

    private func event(_ number: Int, _ children: [HealthElement] = []) -> HealthElement {
        element(
            .workoutEvent,
            ["type": "HKWorkoutEventTypeLap", "date": Self.start, "duration": "\(number)", "durationUnit": "s"],
            children
        )
    }

    /// Once for each of the activity's, all of the workout's were compared.
    @Test func `statistics that an activity repeats cost no more than others`() throws {
        let all = (0..<4_000).map { statistics($0) }
        func seconds(_ activity: HealthElement) throws -> Double {
            try threadSeconds { _ = try mapElement(workout(children: all + [activity])) }
        }
        let apart = try seconds(element(.workoutActivity, ["workoutActivityType": "HKWorkoutActivityTypeYoga"], all))
        #expect(try seconds(element(.workoutActivity, [:], all)) < 3 * apart)
    }

    /// Once for each event, all of the workout's were compared.
    @Test(arguments: ["HKTimeZone", "HKMetadataKeySyncVersion"])
    func `events with metadata cost no more in a workout with many metadata`(_ key: String) throws {
        func seconds(_ key: String) throws -> Double {
            let entries = (0..<20_000).map { metadata("k\($0)", "v") }
            let events = (0..<4_000).map { event($0, [metadata(key, "Europe/Paris")]) }
            return try threadSeconds { _ = try mapElement(workout(children: entries + events)) }
        }
        let alone = try threadSeconds {
            let events = (0..<4_000).map { event($0, [metadata(key, "Europe/Paris")]) }
            _ = try mapElement(workout(children: events))
            _ = try mapElement(workout(children: (0..<20_000).map { metadata("k\($0)", "v") }))
        }
        #expect(try seconds(key) < 3 * alone)
    }
}
