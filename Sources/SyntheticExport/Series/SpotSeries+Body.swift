// Body measurements, vital signs and meals, in US units as in the export's locale; `Cal` is Apple's kilocalorie.
extension SpotSeries {
    static let body: [SpotSeries] = [
        scale("HKQuantityTypeIdentifierHeight", "ft") { _, _ in .number(FixedPoint(5_577_427_821_522_309, decimals: 15))
        },
        scale("HKQuantityTypeIdentifierBodyMass", "lb") { _, plan in
            // 1 g is 0.00220462262185 lb.
            .number(FixedPoint(plan.person.bodyMass(on: plan.day) * 220_462_262_185 / 1_000_000, decimals: 8))
        },
        scale("HKQuantityTypeIdentifierBodyMassIndex", "count") { _, plan in
            // The square of 1.70 m is 2.89 m².
            .number(FixedPoint(plan.person.bodyMass(on: plan.day) * 1000 / 289, decimals: 4))
        },
        scale("HKQuantityTypeIdentifierBodyFatPercentage", "%") { random, _ in
            .number(random.decimal(274, spread: 9, decimals: 3))
        },
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierOxygenSaturation", unit: "%"),
            source: .watch,
            perHundredDays: 1400,
            timing: .minutes(0..<1380),
            since: Introduction.oxygenSaturation,
            metadata: { random, _ in .barometricPressure(random.decimal(1_013_250, spread: 9000, decimals: 4)) },
            reading: { random, _ in .number(FixedPoint(min(random.near(97, spread: 3), 100), decimals: 2)) }
        ),
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierRespiratoryRate", unit: "count/min"),
            source: .watch,
            perHundredDays: 1100,
            timing: .asleep,
            seconds: 900...1500,
            since: Introduction.respiratoryRate,
            reading: { random, plan in
                .number(FixedPoint(random.near(plan.isSick ? 36 : 30, spread: 5) * 5, decimals: 1))
            }
        ),
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierBodyTemperature", unit: "degF"),
            source: .health,
            perHundredDays: 8,
            timing: .minutes(430..<1290),
            perSickDay: 3,
            metadata: { _, _ in .wasUserEntered },
            reading: { random, plan in .number(random.decimal(plan.isSick ? 1008 : 981, spread: 7, decimals: 1)) }
        ),
    ]

    /// Blood glucose, in mg/dL for an even seed and in mmol/L for an odd one: users choose the unit.
    static func bloodGlucose(seed: UInt64) -> SpotSeries {
        let isMolar = !seed.isMultiple(of: 2)
        return SpotSeries(
            type: RecordType(
                "HKQuantityTypeIdentifierBloodGlucose",
                unit: isMolar ? "mmol&lt;180.1558800000541&gt;/L" : "mg/dL"
            ),
            source: .glucoseMeter,
            perHundredDays: 300,
            timing: .minutes(420..<1260),
            metadata: { random, _ in .bloodGlucoseMealTime(random.within(1...2)) },
            reading: { random, _ in
                .number(
                    isMolar
                        ? random.decimal(57, spread: 17, decimals: 1, tail: 13)
                        : random.decimal(102, spread: 30, decimals: 0)
                )
            }
        )
    }

    static let meals: [SpotSeries] = [
        meal("HKQuantityTypeIdentifierDietaryEnergyConsumed", "Cal") { random, _ in
            .number(random.decimal(610, spread: 240, decimals: 0))
        },
        meal("HKQuantityTypeIdentifierDietaryCarbohydrates", "g") { random, _ in
            .number(random.decimal(640, spread: 260, decimals: 1))
        },
        meal("HKQuantityTypeIdentifierDietaryProtein", "g") { random, _ in
            .number(random.decimal(270, spread: 120, decimals: 1))
        },
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierDietaryCaffeine", unit: "mg"),
            source: .kitchen,
            perHundredDays: 180,
            timing: .minutes(420..<930),
            metadata: { _, _ in .foodType("Coffee") },
            reading: { random, _ in .number(random.decimal(92, spread: 35, decimals: 0)) }
        ),
        SpotSeries(
            type: RecordType("HKQuantityTypeIdentifierDietaryWater", unit: "fl_oz_us"),
            source: .kitchen,
            perHundredDays: 480,
            timing: .minutes(430..<1320),
            // Glasses of 100 to 400 ml; 1 ml is 0.0338140227 fl oz.
            reading: { random, _ in .number(FixedPoint(random.within(10...40) * 338_140_227, decimals: 9)) }
        ),
    ]

    /// One of the values that a scale's app writes when somebody steps on it in the morning.
    static func scale(
        _ type: StaticString,
        _ unit: StaticString,
        reading: @escaping @Sendable (inout RandomSequence, DayPlan) -> Sample.Value
    ) -> SpotSeries {
        SpotSeries(
            type: RecordType(type, unit: unit),
            source: .scale,
            perHundredDays: 45,
            timing: .minutes(395..<450),
            stream: "scale",
            metadata: { random, created in .synchronized(identifier: random.next(), modified: created) },
            reading: reading
        )
    }

    /// One of the values that a food diary writes for a meal.
    static func meal(
        _ type: StaticString,
        _ unit: StaticString,
        reading: @escaping @Sendable (inout RandomSequence, DayPlan) -> Sample.Value
    ) -> SpotSeries {
        SpotSeries(
            type: RecordType(type, unit: unit),
            source: .kitchen,
            perHundredDays: 300,
            timing: .minutes(440..<1230),
            stream: "meal",
            metadata: { random, _ in .foodType(random.happens(oneIn: 3) ? "Salad &amp; bread" : "Home-made") },
            reading: reading
        )
    }
}
