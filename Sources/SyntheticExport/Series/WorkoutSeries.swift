/// What the watch measures once a minute while its owner runs or rides.
struct WorkoutSeries {
    let type: RecordType
    let kind: PlannedWorkout.Kind
    let since: Int
    let reading: @Sendable (inout RandomSequence) -> FixedPoint

    func write(_ days: DayRange, of person: Person, to writer: inout ElementWriter) {
        for day in days where day >= since && !writer.bytes.isStopped {
            let plan = person.plan(for: day)
            guard let workout = plan.workout, workout.kind == kind else { continue }
            var run = RecordRun(of: type, from: .watch, in: plan, shape: writer.shape)
            var random = RandomSequence(seed: person.seed, stream: type.identifier, day: day)
            let start = plan.startOfDay + workout.start
            for minute in 0..<(workout.end - workout.start) / 60 {
                let end = start + minute * 60 + 60
                let value = Sample.Value.number(reading(&random))
                run.write(Sample(start: end - 60, end: end, created: end + 2, value: value), to: &writer)
            }
            run.finish(to: &writer)
        }
    }
}

extension WorkoutSeries {
    static let runs: [WorkoutSeries] = [
        form(of: .running, "HKQuantityTypeIdentifierRunningGroundContactTime", "ms") {
            $0.decimal(248, spread: 16, decimals: 0)
        },
        form(of: .running, "HKQuantityTypeIdentifierRunningPower", "W") { $0.decimal(212, spread: 30, decimals: 0) },
        form(of: .running, "HKQuantityTypeIdentifierRunningSpeed", "mi/hr") {
            $0.decimal(668, spread: 60, decimals: 2, tail: 13)
        },
        form(of: .running, "HKQuantityTypeIdentifierRunningStrideLength", "m") {
            $0.decimal(108, spread: 12, decimals: 2)
        },
        form(of: .running, "HKQuantityTypeIdentifierRunningVerticalOscillation", "cm") {
            $0.decimal(84, spread: 12, decimals: 1)
        },
    ]

    static let rides: [WorkoutSeries] = [
        form(of: .cycling, "HKQuantityTypeIdentifierCyclingCadence", "count/min") {
            $0.decimal(83, spread: 14, decimals: 0)
        },
        form(of: .cycling, "HKQuantityTypeIdentifierCyclingPower", "W") { $0.decimal(148, spread: 45, decimals: 0) },
        form(of: .cycling, "HKQuantityTypeIdentifierCyclingSpeed", "mi/hr") {
            $0.decimal(1400, spread: 190, decimals: 2, tail: 13)
        },
        WorkoutSeries(
            type: RecordType("HKQuantityTypeIdentifierDistanceCycling", unit: "mi"),
            kind: .cycling,
            since: .min,
            reading: { $0.decimal(233, spread: 32, decimals: 3, tail: 9) }
        ),
    ]

    /// What the watch measures once it can measure this kind of workout's form.
    private static func form(
        of kind: PlannedWorkout.Kind,
        _ type: StaticString,
        _ unit: StaticString,
        reading: @escaping @Sendable (inout RandomSequence) -> FixedPoint
    ) -> WorkoutSeries {
        let since = kind == .running ? Introduction.runningForm : Introduction.cyclingForm
        return WorkoutSeries(type: RecordType(type, unit: unit), kind: kind, since: since, reading: reading)
    }
}
