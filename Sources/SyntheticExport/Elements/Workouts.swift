/// Workouts as iOS 16 and later export them: totals as statistics, and metadata written twice.
struct Workouts {
    let person: Person

    func write(_ days: DayRange, to writer: inout ElementWriter) {
        guard writer.shape.isApples else { return }
        for day in days where !writer.bytes.isStopped {
            let plan = person.plan(for: day)
            guard let workout = plan.workout else { continue }
            var random = RandomSequence(seed: person.seed, stream: "workout", day: day)
            write(workout, of: plan, random: &random, to: &writer)
        }
    }

    private func write(
        _ workout: PlannedWorkout,
        of plan: DayPlan,
        random: inout RandomSequence,
        to writer: inout ElementWriter
    ) {
        let start = plan.startOfDay + workout.start
        let end = plan.startOfDay + workout.end
        let times = Sample(start: start, end: end, created: end + random.within(3...20), value: .absent)
        writer.bytes.append(" <Workout workoutActivityType=\"")
        writer.bytes.append(workout.kind.activityType)
        writer.bytes.append("\" duration=\"")
        writer.bytes.append(Self.minutes(workout.duration, random: &random))
        writer.bytes.append("\" durationUnit=\"min")
        writer.source(Source.watch.text(on: plan.day, shape: writer.shape))
        writer.times(of: times)
        writer.bytes.append("\">\n")
        let metadata = random
        writeMetadata(of: workout, random: metadata, to: &writer)
        writeEvents(of: workout, start: start, random: &random, to: &writer)
        writeStatistics(of: workout, in: plan, times: times, random: &random, to: &writer)
        writeMetadata(of: workout, random: metadata, to: &writer)
        if writer.shape == .full { WorkoutRoute(of: plan)?.write(to: &writer) }
        writer.bytes.append(" </Workout>\n")
    }

    /// Takes the sequence by value, so that both copies are the same.
    private func writeMetadata(of workout: PlannedWorkout, random: RandomSequence, to writer: inout ElementWriter) {
        var random = random
        writer.entry("HKIndoorWorkout", workout.kind.isOutdoor ? 0 : 1)
        writer.timeZoneEntry()
        writer.entry(
            "HKAverageMETs",
            random.decimal(workout.kind.effort * 100, spread: 4000, decimals: 4),
            unit: " kcal/hr\u{B7}kg"
        )
        guard workout.kind.isOutdoor else { return }
        // Apple scales humidity to percent twice: 7700 % is 77 %.
        writer.entry("HKWeatherHumidity", FixedPoint(random.within(38...92) * 100), unit: " %")
        writer.entry("HKWeatherTemperature", random.decimal(640, spread: 140, decimals: 1, tail: 3), unit: " degF")
        writer.entry("HKElevationAscended", FixedPoint(random.within(180...9400)), unit: " cm")
    }

    private func writeEvents(
        of workout: PlannedWorkout,
        start: Int,
        random: inout RandomSequence,
        to writer: inout ElementWriter
    ) {
        func event(_ type: StaticString, _ moment: Int, duration: FixedPoint? = nil, to writer: inout ElementWriter) {
            writer.bytes.append("  <WorkoutEvent type=\"")
            writer.bytes.append(type)
            writer.bytes.append("\" date=\"")
            writer.date(moment)
            if let duration {
                writer.bytes.append("\" duration=\"")
                writer.bytes.append(duration)
                writer.bytes.append("\" durationUnit=\"min")
            }
            writer.bytes.append("\"/>\n")
        }
        if workout.kind.isOnFoot {
            // About one segment per kilometre.
            let length = workout.kind == .running ? 335 : 640
            for segment in 0..<workout.duration / length {
                let seconds = random.near(length, spread: 20)
                event(
                    "HKWorkoutEventTypeSegment",
                    start + segment * length,
                    duration: Self.minutes(seconds, random: &random),
                    to: &writer
                )
            }
        }
        guard workout.pause > 0 else { return }
        let moment = start + workout.duration / 2
        event("HKWorkoutEventTypePause", moment, to: &writer)
        event("HKWorkoutEventTypeResume", moment + workout.pause, to: &writer)
    }

    private func writeStatistics(
        of workout: PlannedWorkout,
        in plan: DayPlan,
        times: Sample,
        random: inout RandomSequence,
        to writer: inout ElementWriter
    ) {
        func open(_ type: StaticString, to writer: inout ElementWriter) {
            writer.bytes.append("  <WorkoutStatistics type=\"")
            writer.bytes.append(type)
            writer.bytes.append("\" startDate=\"")
            writer.date(times.start)
            writer.bytes.append("\" endDate=\"")
            writer.date(times.end)
        }
        func sum(_ type: StaticString, _ value: FixedPoint, _ unit: StaticString, to writer: inout ElementWriter) {
            open(type, to: &writer)
            writer.bytes.append("\" sum=\"")
            writer.bytes.append(value)
            writer.bytes.append("\" unit=\"")
            writer.bytes.append(unit)
            writer.bytes.append("\"/>\n")
        }
        let energy = workout.slots.reduce(0) { $0 + plan.activeEnergy(in: $1) }
        sum("HKQuantityTypeIdentifierActiveEnergyBurned", FixedPoint(energy, decimals: 3), "Cal", to: &writer)
        sum(
            "HKQuantityTypeIdentifierBasalEnergyBurned",
            FixedPoint(workout.duration * 187 / 10, decimals: 3),
            "Cal",
            to: &writer
        )
        if let distance = workout.distance(in: plan) {
            sum(
                workout.kind.isOnFoot
                    ? "HKQuantityTypeIdentifierDistanceWalkingRunning" : "HKQuantityTypeIdentifierDistanceCycling",
                distance,
                "mi",
                to: &writer
            )
        }
        if workout.kind.isOnFoot {
            sum("HKQuantityTypeIdentifierStepCount", FixedPoint(workout.steps(in: plan)), "count", to: &writer)
        }
        let peak = plan.heartRate(atSecond: workout.start + workout.duration - 150)
        open("HKQuantityTypeIdentifierHeartRate", to: &writer)
        writer.bytes.append("\" average=\"")
        writer.bytes.append(random.decimal(peak - 7, spread: 2, decimals: 0, tail: 4))
        writer.bytes.append("\" minimum=\"")
        writer.bytes.append(plan.restingHeartRate + 18)
        writer.bytes.append("\" maximum=\"")
        writer.bytes.append(peak + 10)
        writer.bytes.append("\" unit=\"count/min\"/>\n")
    }

    /// Seconds as minutes with as many digits as a sensor gives, such as `31.73680251737436`.
    private static func minutes(_ seconds: Int, random: inout RandomSequence) -> FixedPoint {
        FixedPoint(seconds * 100_000_000_000_000 / 60 + random.below(1_000_000_000_000), decimals: 14)
    }
}
