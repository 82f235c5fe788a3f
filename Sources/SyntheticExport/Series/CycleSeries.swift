/// One type of record about the menstrual cycle, noted at most once a day.
struct CycleSeries {
    let type: RecordType
    /// The value on a day of the cycle, where day 1 is the first of the bleeding; `nil` for no sample.
    let reading: @Sendable (_ dayOfCycle: Int, _ day: Int, inout RandomSequence) -> Sample.Value?
    var metadata: @Sendable (_ dayOfCycle: Int) -> Metadata = { _ in .wasUserEntered }
    /// When it is measured, in minutes after the start of the day; `nil` for a sample of the whole day.
    var minute: Int?

    func write(_ days: DayRange, of person: Person, to writer: inout ElementWriter) {
        for day in days where day >= Introduction.cycleTracking && !writer.bytes.isStopped {
            let dayOfCycle = person.dayOfCycle(on: day)
            var random = RandomSequence(seed: person.seed, stream: type.identifier, day: day)
            guard let value = reading(dayOfCycle, day, &random) else { continue }
            let startOfDay = person.zone.startOfDay(day)
            let start = startOfDay + (minute ?? 0) * 60
            let sample = Sample(
                start: start,
                end: minute == nil ? startOfDay + 86_399 : start,
                created: startOfDay + random.within(75_000...79_000),
                value: value,
                metadata: metadata(dayOfCycle)
            )
            writer.record(sample, of: type, from: Source.health.text(on: day, shape: writer.shape))
        }
    }
}

extension Person {
    /// The day of the cycle, 1 to 31; a cycle has about 28 days.
    func dayOfCycle(on day: Int) -> Int {
        let phase = RandomSequence.once(seed: seed, stream: "cycle", below: 28)
        func start(_ cycle: Int) -> Int {
            var random = RandomSequence(seed: seed, stream: "cycle", day: cycle)
            return cycle * 28 + phase + random.below(4)
        }
        let cycle = (day - phase) / 28
        let first = [cycle + 1, cycle, cycle - 1].map(start).first { $0 <= day } ?? day
        return day - first + 1
    }
}

// Bleeding, signs of ovulation, and the temperature on waking.
extension CycleSeries {
    static let temperature = CycleSeries(
        type: RecordType("HKQuantityTypeIdentifierBasalBodyTemperature", unit: "degF"),
        reading: { dayOfCycle, _, random in
            guard random.below(5) < 4 else { return nil }
            return .number(random.decimal(dayOfCycle > 14 ? 9790 : 9740, spread: 25, decimals: 2))
        },
        metadata: { _ in .bodyTemperatureInMouth },
        minute: 375
    )

    static let categories: [CycleSeries] = [
        CycleSeries(
            type: RecordType("HKCategoryTypeIdentifierMenstrualFlow"),
            reading: { dayOfCycle, day, _ in
                guard dayOfCycle <= 5 else { return nil }
                return .name(flow(on: dayOfCycle, isNamedAnew: day >= Introduction.bleedingNames))
            },
            metadata: { .menstrualCycleStart($0 == 1) }
        ),
        CycleSeries(
            type: RecordType("HKCategoryTypeIdentifierIntermenstrualBleeding"),
            reading: { dayOfCycle, _, random in
                dayOfCycle == 14 && random.happens(oneIn: 3) ? .name("HKCategoryValueNotApplicable") : nil
            }
        ),
        CycleSeries(
            type: RecordType("HKCategoryTypeIdentifierCervicalMucusQuality"),
            reading: { dayOfCycle, _, _ in
                switch dayOfCycle {
                case 9: .name("HKCategoryValueCervicalMucusQualitySticky")
                case 10...11: .name("HKCategoryValueCervicalMucusQualityCreamy")
                case 12: .name("HKCategoryValueCervicalMucusQualityWatery")
                case 13...14: .name("HKCategoryValueCervicalMucusQualityEggWhite")
                default: nil
                }
            }
        ),
        CycleSeries(
            type: RecordType("HKCategoryTypeIdentifierOvulationTestResult"),
            reading: { dayOfCycle, _, _ in
                switch dayOfCycle {
                case 11...12: .name("HKCategoryValueOvulationTestResultNegative")
                case 13: .name("HKCategoryValueOvulationTestResultLuteinizingHormoneSurge")
                default: nil
                }
            },
            minute: 560
        ),
        CycleSeries(
            type: RecordType("HKCategoryTypeIdentifierAbdominalCramps"),
            reading: { dayOfCycle, _, random in
                guard dayOfCycle <= 2 else { return nil }
                return random.happens(oneIn: 3)
                    ? .name("HKCategoryValueSeverityModerate") : .name("HKCategoryValueSeverityMild")
            }
        ),
    ]

    private static func flow(on dayOfCycle: Int, isNamedAnew: Bool) -> StaticString {
        switch (dayOfCycle, isNamedAnew) {
        case (2, false): "HKCategoryValueMenstrualFlowHeavy"
        case (2, true): "HKCategoryValueVaginalBleedingHeavy"
        case (1, false), (3, false): "HKCategoryValueMenstrualFlowMedium"
        case (1, true), (3, true): "HKCategoryValueVaginalBleedingMedium"
        case (_, false): "HKCategoryValueMenstrualFlowLight"
        case (_, true): "HKCategoryValueVaginalBleedingLight"
        }
    }
}
