import FHIRR4
import HealthKitMapping
import TestSupport
import Testing

/// profiles/ConceptMap-healthkit-workouts.json, compared with lists of its own.
struct `Codes of workouts` {
    private static let system = "https://developer.apple.com/documentation/healthkit/"

    @Test func `each of the 84 activities has its raw number and words`() throws {
        let table = try MappingTable.embedded()
        #expect(HealthKitIdentifiers.workoutActivities.count == 84)
        for (number, name) in HealthKitIdentifiers.workoutActivities {
            let meaning = try #require(table.value("HKWorkoutActivityType" + name), "\(name)")
            let apple = try #require(meaning.codings.last)
            #expect(apple.system == Self.system + "hkworkoutactivitytype" && apple.code == String(number), "\(name)")
            #expect(apple.display?.filter { $0 != " " } == name)
            #expect(meaning.text == apple.display)
        }
        #expect(table.value("HKWorkoutActivityTypeMoonwalking") == nil)
    }

    /// Source: <https://loinc.org/LL734-5>.
    @Test func `an activity has LOINC's answer if the list has one`() throws {
        let answers = [
            "Walking": "LA11834-1", "Running": "LA11836-6", "Cycling": "LA11837-4", "Swimming": "LA11838-2",
            "TraditionalStrengthTraining": "LA11839-0", "FunctionalStrengthTraining": "LA11839-0",
            "CrossTraining": "LA11840-8", "MixedCardio": "LA11840-8", "MixedMetabolicCardioTraining": "LA11840-8",
            "SwimBikeRun": "LA11840-8",
        ]
        let table = try MappingTable.embedded()
        for (_, name) in HealthKitIdentifiers.workoutActivities {
            let codings = table.value("HKWorkoutActivityType" + name)?.codings.filter {
                $0.system == "http://loinc.org"
            }
            #expect(codings?.map(\.code) == answers[name].map { [$0] } ?? [], "\(name)")
        }
    }

    @Test func `each event has its raw number`() throws {
        let table = try MappingTable.embedded()
        let names = [
            "Pause", "Resume", "Lap", "Marker", "MotionPaused", "MotionResumed", "Segment", "PauseOrResumeRequest",
        ]
        for (number, name) in zip(1..., names) {
            let codings = table.value("HKWorkoutEventType" + name)?.codings
            #expect(codings?.map(\.system) == [Self.system + "hkworkouteventtype"])
            #expect(codings?.map(\.code) == [String(number)])
        }
    }

    @Test(arguments: [
        ("hkswimmingstrokestyle", "2", "freestyle"), ("hkswimmingstrokestyle", "6", "kickboard"),
        ("hkworkoutswimminglocationtype", "2", "open water"), ("hkweathercondition", "27", "tornado"),
    ])
    func `a number in metadata is given in words`(_ enumeration: String, _ number: String, _ words: String) throws {
        let table = try MappingTable.embedded()
        #expect(table.value(number: number, in: Self.system + enumeration)?.text == words)
        #expect(table.value(number: "99", in: Self.system + enumeration) == nil)
    }
}
