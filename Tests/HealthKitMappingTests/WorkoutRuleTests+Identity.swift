import FHIRR4
import HealthExport
import HealthKitMapping
import Testing

/// What identifies a workout and its members, and what leaves a workout out.
extension `Workouts` {
    @Test func `a workout's ids depend on its type, source and time, not on its results`() throws {
        let ids = try mapElement(workout(children: [statistics("StepCount", ["sum": "12", "unit": "count"])])).ids
        let other = try mapElement(workout(children: [statistics("StepCount", ["sum": "13", "unit": "count"])]))
        #expect(other.ids == ids)
        #expect(Set(ids).isDisjoint(with: try mapElement(workout("Walking")).ids))
    }

    @Test func `a sync identifier names a workout whatever its time, and distinguishes its members`() throws {
        func synced(_ end: String) -> HealthElement {
            var element = workout(children: [
                metadata("HKMetadataKeySyncIdentifier", "w1"), metadata("HKMetadataKeySyncVersion", "3"),
                statistics("StepCount", ["sum": "12", "unit": "count"]),
            ])
            element.attributes.removeAll { $0.name == "endDate" }
            element.attributes.append(.init("endDate", end))
            return element
        }
        let first = try mapElement(synced(Self.end))
        let second = try mapElement(synced("2024-06-01 08:31:00 +0100"))
        #expect(first.ids == second.ids && Set(first.ids).count == 3)
        #expect(first.rows.map(\.rank) == [3, 3, 3])
    }

    @Test(arguments: [["2", "3"], ["3", "2"], ["x", "3"]])
    func `of several sync versions of a workout the greatest counts`(_ versions: [String]) throws {
        let entries = versions.map { metadata("HKMetadataKeySyncVersion", $0) }
        let mapped = try mapElement(workout(children: [metadata("HKMetadataKeySyncIdentifier", "w1")] + entries))
        #expect(Set(mapped.rows.map(\.rank)) == [3])
    }

    @Test func `an unknown activity keeps Apple's name and is counted, and an app's words are not repeated`() throws {
        let mapped = try mapElement(workout("Moonwalking", children: [event("Moonrise", Self.start)]))
        #expect(try mapped.first("73985-4").contains("{\"text\":\"HKWorkoutActivityTypeMoonwalking\"}"))
        #expect(
            mapped.tally.unmapped.values == [
                "HKWorkoutActivityTypeMoonwalking": 1, "HKWorkoutEventTypeMoonrise": 1,
            ]
        )
        let future = try mapElement(workout(children: [statistics("MoonSteps", ["sum": "12", "unit": "count"])]))
        #expect(future.tally.unmapped.types == ["HKQuantityTypeIdentifierMoonSteps": 1])
        #expect(future.tally.unmapped.values.isEmpty)
        var named = workout()
        named.attributes[0].value = "Nora's dance"
        #expect(try mapElement(named).tally.unmapped.values == ["other": 1])
    }

    @Test func `types and times leave workouts out, and wrong dates make one unusable`() throws {
        var options = MappingOptions(patientID: "p1", form: .resource)
        options.types = ["HKQuantityTypeIdentifierStepCount"]
        #expect(try mapElement(workout(), options: options).ids == [])
        options.types = ["Workout"]
        #expect(try mapElement(workout(), options: options).ids.count == 2)
        options.since = 1_800_000_000
        #expect(try mapElement(workout(), options: options).ids == [])
        var broken = workout()
        broken.attributes.removeAll { $0.name == "endDate" }
        #expect(try mapElement(broken).faults == [.unusableRecord])
    }
}
