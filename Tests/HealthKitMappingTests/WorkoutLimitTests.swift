import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// A workout may have 16 MB: what is made of it, and the time that this takes, are bounded.
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

    private func times(_ text: String, in json: String) -> Int { json.components(separatedBy: text).count - 1 }

    @Test func `if a workout has more than 10,000 parts the later events are left out and counted`() throws {
        let activity = element(.workoutActivity, [:], [event(20_000)])
        func run(_ last: Int) -> HealthElement {
            workout(
                children: (1..<10_050).map { event($0) } + [event(last), activity] + (1...3).map { statistics($0) }
            )
        }
        let mapped = try mapElement(run(10_050))
        #expect(mapped.tally.unmapped.elements == ["WorkoutEvent": 55])
        #expect(mapped.faults == [])
        #expect(mapped.json.count { $0.contains("HKQuantityTypeIdentifierStepCount") } == 3)
        #expect(try times("hkworkouteventtype\"", in: mapped.first("PAPanel")) == 9_996)
        // The digest covers what is left out, too.
        let other = try mapElement(run(10_051))
        #expect(other.json == mapped.json && other.rows.map(\.digest) != mapped.rows.map(\.digest))
    }

    @Test func `if a workout has more than 10,000 statistics every one that is dropped is counted`() throws {
        let activities = (0..<3).map { number in
            element(.workoutActivity, ["uuid": "\(number)"], [statistics(1), event(1)])
        }
        let mapped = try mapElement(workout(children: activities + (1...9_999).map { statistics($0) }))
        #expect(mapped.tally.unmapped.elements == ["WorkoutActivity": 2, "WorkoutEvent": 3, "WorkoutStatistics": 3])
        let whole = try mapElement(workout(children: (1...10_000).map { statistics($0) }))
        #expect(whole.tally.unmapped.elements == [:] && whole.json.count == 10_002)
    }
}
