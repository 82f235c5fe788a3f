/// A type that is recorded a few times a day or a month: a row in the tables of this folder.
struct SpotSeries {
    /// When in the day's plan samples are taken.
    enum Timing {
        /// Between two times, in minutes after the start of the day.
        case minutes(Range<Int>)
        /// In the night that ends on the day.
        case asleep
        /// Once, over the whole night that ends on the day.
        case wholeNight
        /// Once, over the whole day.
        case wholeDay
        /// Over the week that ends with the start of the day.
        case weekBefore
        /// Once, after a run or a walk, if the day has one.
        case afterWorkoutOnFoot
        /// Once, when the heart races, if it does on that day.
        case racingHeart
    }

    let type: RecordType
    let source: Source
    /// The number of samples in a hundred days: 40 means one every two and a half days.
    let perHundredDays: Int
    let timing: Timing
    var seconds: ClosedRange<Int> = 0...0
    /// Series with the same stream, count and timing are taken at the same moments.
    var stream: StaticString?
    var since = Int.min
    /// How many samples a day with a cold has in addition.
    var perSickDay = 0
    var metadata: @Sendable (inout RandomSequence, Int) -> Metadata = { _, _ in .none }
    let reading: @Sendable (inout RandomSequence, DayPlan) -> Sample.Value

    func write(_ days: DayRange, of person: Person, to writer: inout ElementWriter) {
        for day in days where day >= since && !writer.bytes.isStopped {
            let count = count(on: day, of: person)
            if count > 0 { write(person.plan(for: day), count: count, to: &writer) }
        }
    }

    private func write(_ plan: DayPlan, count: Int, to writer: inout ElementWriter) {
        var run = RecordRun(of: type, from: source, in: plan, shape: writer.shape)
        for sample in samples(in: plan, count: count) { run.write(sample, to: &writer) }
        run.finish(to: &writer)
    }

    /// The samples of a day, in the order of their start, which is not quite their order in the file.
    func samples(on day: Int, of person: Person) -> [Sample] {
        samples(in: person.plan(for: day), count: count(on: day, of: person))
    }

    private func samples(in plan: DayPlan, count: Int) -> [Sample] {
        guard count > 0, let window = window(in: plan) else { return [] }
        let seed = plan.person.seed
        var moments = RandomSequence(seed: seed, stream: stream ?? type.identifier, day: plan.day)
        var values = RandomSequence(seed: ~seed &+ source.rawValue, stream: type.identifier, day: plan.day)
        return (0..<count).map { index in
            let from = window.lowerBound + window.count * index / count
            let length = window.count / count
            let start = plan.startOfDay + from + (length > 1 ? moments.below(length) : 0)
            let end = start + moments.within(seconds)
            let created = end + (source == .phone ? moments.within(30...900) : moments.within(2...40))
            let value = reading(&values, plan)
            return Sample(
                start: start,
                end: end,
                created: created,
                value: value,
                metadata: metadata(&moments, created)
            )
        }
    }

    /// How many samples a day has; rare ones are spread evenly, so that even a short export holds each type.
    private func count(on day: Int, of person: Person) -> Int {
        switch timing {
        case .wholeDay, .wholeNight, .afterWorkoutOnFoot, .racingHeart: return 1
        case .minutes, .asleep, .weekBefore: break
        }
        var random = RandomSequence(seed: person.seed, stream: stream ?? type.identifier, day: 0)
        let phase = random.below(100) + 100_000 * perHundredDays
        var count = (perHundredDays * (day + 1) + phase) / 100 - (perHundredDays * day + phase) / 100
        if perHundredDays >= 400 {
            var today = RandomSequence(seed: ~person.seed, stream: stream ?? type.identifier, day: day)
            count += today.below(3) - 1
        }
        return count + (perSickDay > 0 && person.isSick(on: day) ? perSickDay : 0)
    }

    /// When samples may start, in seconds after the start of the day; `nil` if the day has no occasion for them.
    private func window(in plan: DayPlan) -> Range<Int>? {
        switch timing {
        case .minutes(let minutes): return minutes.lowerBound * 60..<minutes.upperBound * 60
        case .asleep: return plan.lastBedtime + 1800..<plan.wakeTime - 1800
        case .wholeNight: return plan.lastBedtime + 1200..<plan.lastBedtime + 1201
        case .wholeDay: return 0..<1
        case .weekBefore: return -604_800 ..< -604_799
        case .afterWorkoutOnFoot:
            guard let workout = plan.workout, workout.kind.isOnFoot else { return nil }
            return workout.end..<workout.end + 1
        case .racingHeart:
            guard let slot = plan.racingSlots.first else { return nil }
            return slot * DayPlan.slotSeconds..<slot * DayPlan.slotSeconds + 1
        }
    }
}
