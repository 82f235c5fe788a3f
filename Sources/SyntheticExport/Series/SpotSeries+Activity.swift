// Fitness, gait and sound.
extension SpotSeries {
    static let flights: [SpotSeries] = [
        flights(from: .phone, perHundredDays: 500), flights(from: .watch, perHundredDays: 800),
    ]

    static let fitness: [SpotSeries] = [
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierRestingHeartRate", unit: "count/min"),
            source: .watch,
            perHundredDays: 100,
            timing: .wholeDay,
            seconds: 68_000...85_000,
            reading: { _, plan in .number(FixedPoint(plan.restingHeartRate)) }
        ),
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierWalkingHeartRateAverage", unit: "count/min"),
            source: .watch,
            perHundredDays: 100,
            timing: .wholeDay,
            seconds: 68_000...85_000,
            reading: { random, plan in
                .number(FixedPoint(random.near((plan.restingHeartRate + 35) * 2, spread: 9) * 5, decimals: 1))
            }
        ),
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierVO2Max", unit: "mL/min\u{B7}kg"),
            source: .watch,
            perHundredDays: 100,
            timing: .afterWorkoutOnFoot,
            metadata: { _, _ in .vo2MaxTestType },
            reading: { random, _ in .number(random.decimal(4120, spread: 120, decimals: 2)) }
        ),
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierHeartRateRecoveryOneMinute", unit: "count/min"),
            source: .watch,
            perHundredDays: 100,
            timing: .afterWorkoutOnFoot,
            reading: { random, _ in .number(random.decimal(28, spread: 6, decimals: 0, tail: 14)) }
        ),
    ]

    static let sound: [SpotSeries] = [
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierEnvironmentalAudioExposure", unit: "dBASPL"),
            source: .watch,
            perHundredDays: 3600,
            timing: .minutes(430..<1350),
            seconds: 290...1800,
            since: Introduction.audioExposure,
            reading: { random, _ in .number(random.decimal(640, spread: 130, decimals: 1, tail: 3)) }
        ),
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierHeadphoneAudioExposure", unit: "dBASPL"),
            source: .phone,
            perHundredDays: 700,
            timing: .minutes(450..<1380),
            seconds: 120...2400,
            since: Introduction.audioExposure,
            reading: { random, _ in .number(random.decimal(69, spread: 9, decimals: 0, tail: 4)) }
        ),
    ]

    static let gait: [SpotSeries] = [
        gait("HKQuantityTypeIdentifierWalkingDoubleSupportPercentage", "%") { random, _ in
            .number(random.decimal(278, spread: 28, decimals: 3))
        },
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierSixMinuteWalkTestDistance", unit: "m"),
            source: .watch,
            perHundredDays: 15,
            timing: .weekBefore,
            seconds: 604_800...604_800,
            since: Introduction.mobility,
            reading: { random, _ in .number(FixedPoint(min(random.near(492, spread: 14), 500))) }
        ),
        gait("HKQuantityTypeIdentifierWalkingSpeed", "mi/hr") { random, _ in
            .number(random.decimal(291, spread: 55, decimals: 2, tail: 13))
        },
        gait("HKQuantityTypeIdentifierWalkingStepLength", "in") { random, _ in
            .number(random.decimal(274, spread: 33, decimals: 1, tail: 13))
        },
        gait("HKQuantityTypeIdentifierWalkingAsymmetryPercentage", "%") { random, _ in
            .number(random.decimal(2, spread: 5, decimals: 2))
        },
        stairs("HKQuantityTypeIdentifierStairAscentSpeed", feetPerSecond: 108),
        stairs("HKQuantityTypeIdentifierStairDescentSpeed", feetPerSecond: 126),
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierAppleWalkingSteadiness", unit: "%"),
            source: .phone,
            perHundredDays: 14,
            timing: .weekBefore,
            seconds: 604_800...604_800,
            since: Introduction.respiratoryRate,
            reading: { random, _ in .number(random.decimal(962, spread: 30, decimals: 3, tail: 13)) }
        ),
    ]

    static let daylightAndWrist: [SpotSeries] = [
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierTimeInDaylight", unit: "min"),
            source: .watch,
            perHundredDays: 900,
            timing: .minutes(450..<1180),
            seconds: 300...300,
            since: Introduction.physicalEffort,
            metadata: { random, _ in .lightIntensity(random.near(14_000, spread: 12_000)) },
            reading: { random, _ in .number(FixedPoint(random.within(1...5))) }
        ),
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierAppleSleepingWristTemperature", unit: "degF"),
            source: .watch,
            perHundredDays: 100,
            timing: .wholeNight,
            seconds: 21_000...24_000,
            since: Introduction.wristTemperature,
            reading: { random, plan in
                .number(random.decimal(plan.isSick ? 977 : 961, spread: 8, decimals: 1, tail: 13))
            }
        ),
    ]

    private static func flights(from source: Source, perHundredDays: Int) -> SpotSeries {
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierFlightsClimbed", unit: "count"),
            source: source,
            perHundredDays: perHundredDays,
            timing: .minutes(425..<1320),
            seconds: 12...150,
            reading: { random, _ in .number(FixedPoint(random.happens(oneIn: 4) ? random.within(2...4) : 1)) }
        )
    }

    /// One of the values that the phone in the pocket measures on a walk.
    private static func gait(
        _ type: StaticString,
        _ unit: StaticString,
        reading: @escaping @Sendable (inout RandomSequence, DayPlan) -> Sample.Value
    ) -> SpotSeries {
        SpotSeries(
            type: RecordType(type, unit: unit),
            source: .phone,
            perHundredDays: 900,
            timing: .minutes(440..<1260),
            seconds: 8...240,
            stream: "gait",
            since: Introduction.mobility,
            reading: reading
        )
    }

    private static func stairs(_ type: StaticString, feetPerSecond hundredths: Int) -> SpotSeries {
        SpotSeries(
            type: RecordType(type, unit: "ft/s"),
            source: .watch,
            perHundredDays: 250,
            timing: .minutes(440..<1290),
            seconds: 3...9,
            since: Introduction.mobility,
            reading: { random, _ in .number(random.decimal(hundredths, spread: 30, decimals: 2, tail: 13)) }
        )
    }
}
