internal import FHIRR4

/// A type for which a day's total or mean makes sense.
struct SummarySeries: Sendable {
    /// How a day's value is made from its samples.
    enum Rule: Sendable, Equatable {
        /// Samples are amounts, spread evenly over their time.
        case sum
        /// Samples are states: the mean of the best source's.
        case mean
        /// Samples are stages of sleep: how long each lasted.
        case sleep
    }

    /// Apple's type.
    let type: String
    let rule: Rule
    /// The LOINC term for a day's value, if there is a right one.
    let loinc: Coding?
    let display: String
    /// The unit of the day's value.
    let unit: UnitMapping
    /// What values in the canonical unit of `docs/formats.md` are divided by to be in this unit: 4184 J are a kcal.
    let divisor: UInt64
    /// Decimals that are kept.
    let decimals: Int

    /// The series of a type, or -1.
    static func index(of type: String) -> Int16 { indexes.value(ofExactly: type) ?? -1 }

    static let all: [SummarySeries] = [
        // LOINC's property of these two is a number rate.
        sum("StepCount", "Steps per day", .loinc("41950-7", "Number of steps in 24 hour Measured"), "/d", "steps/day"),
        sum(
            "FlightsClimbed",
            "Flights climbed per day",
            .loinc("93833-2", "Flights climbed 24 hour"),
            "/d",
            "flights/day"
        ),
        sum("DistanceWalkingRunning", "Walking and running distance per day", nil, "m", "m", decimals: 3),
        sum("DistanceCycling", "Cycling distance per day", nil, "m", "m", decimals: 3),
        sum("DistanceSwimming", "Swimming distance per day", nil, "m", "m", decimals: 3),
        sum("DistanceWheelchair", "Wheelchair distance per day", nil, "m", "m", decimals: 3),
        sum("ActiveEnergyBurned", "Active energy burned per day", nil, "kcal", "kcal", 4184, decimals: 3),
        sum("BasalEnergyBurned", "Resting energy burned per day", nil, "kcal", "kcal", 4184, decimals: 3),
        sum("AppleExerciseTime", "Exercise time per day", nil, "min", "min", 60, decimals: 2),
        sum("AppleMoveTime", "Move time per day", nil, "min", "min", 60, decimals: 2),
        sum(
            "AppleStandTime",
            "Standing time per day",
            .loinc("112425-4", "Standing time 1 day"),
            "min",
            "min",
            60,
            decimals: 2
        ),
        SummarySeries(
            type: "HKQuantityTypeIdentifierRestingHeartRate",
            rule: .mean,
            loinc: .loinc("40443-4", "Heart rate --resting"),
            display: "Resting heart rate of the day",
            unit: UnitMapping(ucumCode: "/min", display: "beats/minute"),
            divisor: 1,
            decimals: 3
        ),
        SummarySeries(
            type: sleepType,
            rule: .sleep,
            loinc: .loinc("93832-4", "Sleep duration"),
            display: "Sleep of the night",
            unit: UnitMapping(ucumCode: "min", display: "min"),
            divisor: 60,
            decimals: 2
        ),
    ]

    static let sleepType = "HKCategoryTypeIdentifierSleepAnalysis"

    /// Raw numbers of sleep stages, with the names of their durations.
    static let sleepStages: [(number: UInt64, name: String, text: String, loinc: Coding?)] = [
        (0, "InBed", "in bed", .loinc("103213-5", "Duration in bed")),
        (1, "AsleepUnspecified", "asleep, stage unspecified", nil),
        (2, "Awake", "awake", .loinc("103210-1", "Awakening duration")),
        // Apple's core sleep is light sleep only by assumption.
        (3, "AsleepCore", "asleep, core", nil),
        (4, "AsleepDeep", "asleep, deep", .loinc("93831-6", "Deep sleep duration")),
        (5, "AsleepREM", "asleep, REM", .loinc("93829-0", "REM sleep duration")),
    ]

    private static let indexes = Dictionary(
        uniqueKeysWithValues: all.enumerated().map { ($1.type, Int16($0)) }
    )

    private static func sum(
        _ type: String,
        _ display: String,
        _ loinc: Coding?,
        _ ucumCode: String,
        _ unit: String,
        _ divisor: UInt64 = 1,
        decimals: Int = 0
    ) -> SummarySeries {
        SummarySeries(
            type: "HKQuantityTypeIdentifier" + type,
            rule: .sum,
            loinc: loinc,
            display: display,
            unit: UnitMapping(ucumCode: ucumCode, display: unit),
            divisor: divisor,
            decimals: decimals
        )
    }
}
