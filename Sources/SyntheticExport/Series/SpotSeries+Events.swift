// Category types (events, sessions and symptoms), and one goal.
extension SpotSeries {
    /// A goal that Apple exports with a bare `HKDataType` name.
    static let sleepGoal = SpotSeries(
        type: RecordType("HKDataTypeSleepDurationGoal", unit: "hr"),
        source: .phone,
        perHundredDays: 5,
        timing: .minutes(1200..<1320),
        reading: { _, _ in .number(FixedPoint(8)) }
    )

    static let events: [SpotSeries] = [
        SpotSeries(
            type: RecordType("HKCategoryTypeIdentifierMindfulSession"),
            source: .meditation,
            perHundredDays: 45,
            timing: .minutes(1210..<1320),
            seconds: 180...900,
            metadata: { _, _ in .timeZone },
            reading: { _, _ in .name("HKCategoryValueNotApplicable") }
        ),
        SpotSeries(
            type: RecordType("HKCategoryTypeIdentifierMindfulSession"),
            source: .watch,
            perHundredDays: 30,
            timing: .minutes(700..<1000),
            seconds: 60...60,
            metadata: { _, _ in .timeZone },
            reading: { _, _ in .name("HKCategoryValueNotApplicable") }
        ),
        SpotSeries(
            type: RecordType("HKCategoryTypeIdentifierHighHeartRateEvent"),
            source: .watch,
            perHundredDays: 100,
            timing: .racingHeart,
            seconds: 600...720,
            metadata: { _, _ in .heartRateEventThreshold(120) },
            reading: { _, _ in .absent }
        ),
        SpotSeries(
            type: RecordType("HKCategoryTypeIdentifierLowHeartRateEvent"),
            source: .watch,
            perHundredDays: 4,
            timing: .asleep,
            seconds: 600...600,
            metadata: { _, _ in .heartRateEventThreshold(50) },
            reading: { _, _ in .absent }
        ),
        SpotSeries(
            type: RecordType("HKCategoryTypeIdentifierAudioExposureEvent"),
            source: .watch,
            perHundredDays: 6,
            timing: .minutes(1080..<1320),
            seconds: 180...180,
            since: Introduction.audioExposure,
            metadata: { random, _ in .audioExposureLevel(random.decimal(932, spread: 50, decimals: 1, tail: 3)) },
            reading: { _, _ in .name("HKCategoryValueEnvironmentalAudioExposureEventMomentaryLimit") }
        ),
        SpotSeries(
            type: RecordType("HKCategoryTypeIdentifierHandwashingEvent"),
            source: .watch,
            perHundredDays: 450,
            timing: .minutes(430..<1310),
            seconds: 9...32,
            since: Introduction.mobility,
            reading: { _, _ in .name("HKCategoryValueNotApplicable") }
        ),
        symptom("HKCategoryTypeIdentifierHeadache", perHundredDays: 6),
        symptom("HKCategoryTypeIdentifierFatigue", perHundredDays: 5),
        symptom("HKCategoryTypeIdentifierCoughing", perHundredDays: 4),
        symptom("HKCategoryTypeIdentifierSoreThroat", perHundredDays: 4),
    ]

    static func symptom(_ type: StaticString, perHundredDays: Int) -> SpotSeries {
        SpotSeries(
            type: RecordType(type),
            source: .health,
            perHundredDays: perHundredDays,
            timing: .minutes(480..<1260),
            seconds: 1800...14_400,
            perSickDay: 1,
            metadata: { _, _ in .wasUserEntered },
            reading: { random, plan in .name(severity(isSick: plan.isSick, random: &random)) }
        )
    }

    private static func severity(isSick: Bool, random: inout RandomSequence) -> StaticString {
        switch random.below(8) {
        case 0: isSick ? "HKCategoryValueSeveritySevere" : "HKCategoryValueSeverityNotPresent"
        case 1...2: "HKCategoryValueSeverityModerate"
        case 3: "HKCategoryValueSeverityUnspecified"
        default: isSick ? "HKCategoryValueSeverityModerate" : "HKCategoryValueSeverityMild"
        }
    }
}
