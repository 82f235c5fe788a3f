// What fewer people record, and only the shape `full` has.
extension SpotSeries {
    /// Nutrients that a food diary writes for a meal in addition to those in `meals`.
    static let nutrients: [SpotSeries] = [
        meal("HKQuantityTypeIdentifierDietaryFatTotal", "g") { random, _ in
            .number(random.decimal(210, spread: 120, decimals: 1))
        },
        meal("HKQuantityTypeIdentifierDietaryFatSaturated", "g") { random, _ in
            .number(random.decimal(61, spread: 40, decimals: 1))
        },
        meal("HKQuantityTypeIdentifierDietaryFiber", "g") { random, _ in
            .number(random.decimal(84, spread: 50, decimals: 1))
        },
        meal("HKQuantityTypeIdentifierDietarySugar", "g") { random, _ in
            .number(random.decimal(170, spread: 120, decimals: 1))
        },
        meal("HKQuantityTypeIdentifierDietarySodium", "mg") { random, _ in
            .number(random.decimal(690, spread: 380, decimals: 0))
        },
    ]

    static let measurements: [SpotSeries] = [
        scale("HKQuantityTypeIdentifierLeanBodyMass", "lb") { random, plan in
            // Some 27 % of the body is fat.
            .number(
                FixedPoint(
                    plan.person.bodyMass(on: plan.day) * random.within(722...738) / 1000 * 220_462_262_185 / 1_000_000,
                    decimals: 8
                )
            )
        },
        typedIn("HKQuantityTypeIdentifierWaistCircumference", "in", perHundredDays: 8) { random in
            .number(random.decimal(318, spread: 8, decimals: 1))
        },
        typedIn("HKQuantityTypeIdentifierNumberOfAlcoholicBeverages", "count", perHundredDays: 25) { random in
            .number(FixedPoint(random.within(1...2)))
        },
        breath("HKQuantityTypeIdentifierForcedExpiratoryVolume1", "L") { $0.decimal(312, spread: 18, decimals: 2) },
        breath("HKQuantityTypeIdentifierForcedVitalCapacity", "L") { $0.decimal(389, spread: 17, decimals: 2) },
        breath("HKQuantityTypeIdentifierPeakExpiratoryFlowRate", "L/min") {
            $0.decimal(438, spread: 35, decimals: 0)
        },
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierInhalerUsage", unit: "count"),
            source: .spirometer,
            perHundredDays: 14,
            timing: .minutes(480..<1320),
            metadata: { _, _ in .timeZone },
            reading: { random, _ in .number(FixedPoint(random.within(1...2))) }
        ),
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierNumberOfTimesFallen", unit: "count"),
            source: .watch,
            perHundredDays: 4,
            timing: .minutes(480..<1260),
            reading: { _, _ in .number(FixedPoint(1)) }
        ),
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierAtrialFibrillationBurden", unit: "%"),
            source: .watch,
            perHundredDays: 14,
            timing: .weekBefore,
            seconds: 604_800...604_800,
            since: Introduction.fibrillationBurden,
            // The lowest result of the watch is "2 % or less".
            metadata: { _, _ in .clampedToLowerBound },
            reading: { _, _ in .number(FixedPoint(2, decimals: 2)) }
        ),
    ]

    static let symptoms: [SpotSeries] = [
        symptom("HKCategoryTypeIdentifierFever", perHundredDays: 4),
        symptom("HKCategoryTypeIdentifierRunnyNose", perHundredDays: 7),
        symptom("HKCategoryTypeIdentifierSinusCongestion", perHundredDays: 5),
        symptom("HKCategoryTypeIdentifierShortnessOfBreath", perHundredDays: 4),
        symptom("HKCategoryTypeIdentifierNausea", perHundredDays: 4),
        symptom("HKCategoryTypeIdentifierDizziness", perHundredDays: 4),
        symptom("HKCategoryTypeIdentifierLowerBackPain", perHundredDays: 5),
        change("HKCategoryTypeIdentifierSleepChanges", often: "HKCategoryValuePresencePresent"),
        change("HKCategoryTypeIdentifierMoodChanges", often: "HKCategoryValuePresencePresent"),
        change(
            "HKCategoryTypeIdentifierAppetiteChanges",
            often: "HKCategoryValueAppetiteChangesDecreased",
            seldom: "HKCategoryValueAppetiteChangesIncreased"
        ),
    ]

    static let notifications: [SpotSeries] = [
        SpotSeries(
            type: RecordType("HKCategoryTypeIdentifierHeadphoneAudioExposureEvent"),
            source: .phone,
            perHundredDays: 4,
            timing: .minutes(1080..<1320),
            since: Introduction.mobility,
            metadata: { random, _ in .audioExposureLevel(random.decimal(804, spread: 3, decimals: 1, tail: 3)) },
            reading: { _, _ in .name("HKCategoryValueHeadphoneAudioExposureEventSevenDayLimit") }
        ),
        SpotSeries(
            type: RecordType("HKCategoryTypeIdentifierToothbrushingEvent"),
            source: .toothbrush,
            perHundredDays: 180,
            timing: .minutes(400..<1340),
            seconds: 100...150,
            reading: { _, _ in .name("HKCategoryValueNotApplicable") }
        ),
    ]

    /// A value that somebody types in.
    private static func typedIn(
        _ type: StaticString,
        _ unit: StaticString,
        perHundredDays: Int,
        reading: @escaping @Sendable (inout RandomSequence) -> Sample.Value
    ) -> SpotSeries {
        SpotSeries(
            type: RecordType(type, unit: unit),
            source: .health,
            perHundredDays: perHundredDays,
            timing: .minutes(1140..<1320),
            metadata: { _, _ in .wasUserEntered },
            reading: { random, _ in reading(&random) }
        )
    }

    /// One of the values that a spirometer's app writes for a breath.
    private static func breath(
        _ type: StaticString,
        _ unit: StaticString,
        reading: @escaping @Sendable (inout RandomSequence) -> FixedPoint
    ) -> SpotSeries {
        SpotSeries(
            type: RecordType(type, unit: unit),
            source: .spirometer,
            perHundredDays: 14,
            timing: .minutes(420..<480),
            stream: "breath",
            metadata: { _, _ in .timeZone },
            reading: { random, _ in .number(reading(&random)) }
        )
    }

    /// A symptom that Health asks for without a severity.
    private static func change(
        _ type: StaticString,
        often: StaticString,
        seldom: StaticString = "HKCategoryValuePresenceNotPresent"
    ) -> SpotSeries {
        SpotSeries(
            type: RecordType(type),
            source: .health,
            perHundredDays: 5,
            timing: .minutes(480..<1260),
            seconds: 3600...36_000,
            metadata: { _, _ in .wasUserEntered },
            reading: { random, _ in .name(random.happens(oneIn: 4) ? seldom : often) }
        )
    }
}
