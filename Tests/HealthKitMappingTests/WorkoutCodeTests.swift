import FHIRR4
import HealthKitMapping
import Testing

/// profiles/ConceptMap-healthkit-workouts.json against lists of its own.
struct `Codes of workouts` {
    private static let system = "https://developer.apple.com/documentation/healthkit/"

    /// `HKWorkoutActivityType` of Apple's SDK: 1 to 80 in order, then what has gaps before it.
    private static let activities: [(Int, String)] =
        Array(
            zip(
                1...80,
                """
                AmericanFootball Archery AustralianFootball Badminton Baseball Basketball Bowling Boxing Climbing
                Cricket CrossTraining Curling Cycling Dance DanceInspiredTraining Elliptical EquestrianSports
                Fencing Fishing FunctionalStrengthTraining Golf Gymnastics Handball Hiking Hockey Hunting Lacrosse
                MartialArts MindAndBody MixedMetabolicCardioTraining PaddleSports Play PreparationAndRecovery
                Racquetball Rowing Rugby Running Sailing SkatingSports SnowSports Soccer Softball Squash
                StairClimbing SurfingSports Swimming TableTennis Tennis TrackAndField TraditionalStrengthTraining
                Volleyball Walking WaterFitness WaterPolo WaterSports Wrestling Yoga Barre CoreTraining
                CrossCountrySkiing DownhillSkiing Flexibility HighIntensityIntervalTraining JumpRope Kickboxing
                Pilates Snowboarding Stairs StepTraining WheelchairWalkPace WheelchairRunPace TaiChi MixedCardio
                HandCycling DiscSports FitnessGaming CardioDance SocialDance Pickleball Cooldown
                """.split(whereSeparator: \.isWhitespace).map(String.init)
            )
        ) + [(82, "SwimBikeRun"), (83, "Transition"), (84, "UnderwaterDiving"), (3000, "Other")]

    @Test func `each of the 84 activities has its raw number and words`() throws {
        let table = try MappingTable.embedded()
        #expect(Self.activities.count == 84)
        for (number, name) in Self.activities {
            let meaning = try #require(table.value("HKWorkoutActivityType" + name), "\(name)")
            let apple = try #require(meaning.codings.last)
            #expect(apple.system == Self.system + "hkworkoutactivitytype" && apple.code == String(number), "\(name)")
            #expect(apple.display?.filter { $0 != " " } == name)
            #expect(meaning.text == apple.display)
        }
        #expect(table.value("HKWorkoutActivityTypeMoonwalking") == nil)
    }

    /// Source: <https://loinc.org/LL734-5>.
    @Test func `an activity has LOINC's answer where the list has one`() throws {
        let answers = [
            "Walking": "LA11834-1", "Running": "LA11836-6", "Cycling": "LA11837-4", "Swimming": "LA11838-2",
            "TraditionalStrengthTraining": "LA11839-0", "FunctionalStrengthTraining": "LA11839-0",
            "CrossTraining": "LA11840-8", "MixedCardio": "LA11840-8", "MixedMetabolicCardioTraining": "LA11840-8",
            "SwimBikeRun": "LA11840-8",
        ]
        let table = try MappingTable.embedded()
        for (_, name) in Self.activities {
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
    func `a number in metadata has its words`(_ enumeration: String, _ number: String, _ words: String) throws {
        let table = try MappingTable.embedded()
        #expect(table.value(number: number, in: Self.system + enumeration)?.text == words)
        #expect(table.value(number: "99", in: Self.system + enumeration) == nil)
    }
}
