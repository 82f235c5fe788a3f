/// A quantity that is recorded all day and derives from the day's plan, slot by slot.
struct SlotSeries {
    enum Quantity { case steps, distance, basalEnergy, activeEnergy, physicalEffort, exerciseTime, standTime }

    let quantity: Quantity
    let type: RecordType
    let sources: [Source]
    /// How many digits after the point ``total(_:in:from:)`` has, and how many random digits follow them.
    var decimals = 0
    var tail = 0
    /// The first day on which devices recorded it, in days since 1970.
    var since = Int.min

    func write(_ days: DayRange, of person: Person, density: Density, to writer: inout ElementWriter) {
        let before = writer.bytes.byteCount
        for day in days where day >= since && !writer.bytes.isStopped {
            let plan = person.plan(for: day)
            for source in sources { write(plan, from: source, density: density, to: &writer) }
        }
        if !isMinuteByMinute { writer.densityDependentByteCount += writer.bytes.byteCount - before }
    }

    private func write(_ plan: DayPlan, from source: Source, density: Density, to writer: inout ElementWriter) {
        var run = RecordRun(of: type, from: source, in: plan, shape: writer.shape)
        let seed = plan.person.seed &+ source.rawValue
        // Steps and distance are cut at the same seconds, since one sensor reports both.
        var cuts = RandomSequence(seed: seed, stream: isMovement ? "movement" : type.identifier, day: plan.day)
        var tails = RandomSequence(seed: seed, stream: "tails", day: plan.day)
        var carry = cuts.below(256)
        // What a slot without a record of its own passes on to the next, so that the day's sum stays right.
        var pending: Interval?
        for slot in 0..<DayPlan.slotCount {
            let start = slot * DayPlan.slotSeconds
            let amount = total(plan, in: slot, from: source)
            guard amount > 0 else {
                if let pending { write(pending, parts: 1, of: plan, &cuts, &tails, in: &run, to: &writer) }
                pending = nil
                continue
            }
            var interval = Interval(start: start, end: start + DayPlan.slotSeconds, amount: amount)
            if isCumulative, let pending {
                interval = Interval(start: pending.start, end: interval.end, amount: pending.amount + amount)
            }
            let parts = count(plan, in: slot, from: source, density: density, carry: &carry)
            pending = parts == 0 && isCumulative ? interval : nil
            write(interval, parts: parts, of: plan, &cuts, &tails, in: &run, to: &writer)
        }
        if let pending { write(pending, parts: 1, of: plan, &cuts, &tails, in: &run, to: &writer) }
        run.finish(to: &writer)
    }

    /// Cuts an interval into records of equal length.
    private func write(
        _ interval: Interval,
        parts: Int,
        of plan: DayPlan,
        _ cuts: inout RandomSequence,
        _ tails: inout RandomSequence,
        in run: inout RecordRun,
        to writer: inout ElementWriter
    ) {
        let length = interval.end - interval.start
        let scale = FixedPoint.powerOfTen(tail)
        for part in 0..<parts {
            let from = interval.start + length * part / parts
            let to = interval.start + length * (part + 1) / parts
            let amount = interval.amount
            let value = isCumulative ? amount * (part + 1) / parts - amount * part / parts : amount
            let draw = cuts.next()
            guard value > 0 else { continue }
            // The body moves for only a part of the interval: up to a quarter is cut off at either end.
            let margin = isMinuteByMinute ? 0 : (to - from) / 4
            let start = plan.startOfDay + from + Int(draw & 0xFF) * margin / 256
            let end = plan.startOfDay + to - Int(draw >> 8 & 0xFF) * margin / 256
            let number = FixedPoint(value * scale + (tail > 0 ? tails.below(scale) : 0), decimals: decimals + tail)
            let sample = Sample(
                start: start,
                end: end,
                created: end + 20 + (isMinuteByMinute ? part : Int(draw >> 16 & 0x7F)),
                value: .number(number),
                metadata: quantity == .physicalEffort ? .physicalEffortEstimation : .none
            )
            run.write(sample, to: &writer)
        }
    }

    /// An interval in seconds after the start of the day, and the quantity in it.
    private struct Interval {
        let start: Int
        let end: Int
        let amount: Int
    }
}

// MARK: - What each quantity takes from the plan

extension SlotSeries {
    private var isMovement: Bool { quantity == .steps || quantity == .distance }
    private var isCumulative: Bool { quantity != .physicalEffort }
    /// Apple's exercise and stand times are in whole minutes, whatever the density.
    private var isMinuteByMinute: Bool { quantity == .exerciseTime || quantity == .standTime }

    /// The quantity in the five minutes of a slot, in units of 10 to the power of -`decimals`.
    private func total(_ plan: DayPlan, in slot: Int, from source: Source) -> Int {
        let isRecording = source == .phone ? plan.isPhoneCarried(in: slot) : plan.isWatchWorn(in: slot)
        let effort = plan.effort(in: slot)
        switch quantity {
        case .steps: return isRecording ? plan.steps(in: slot) : 0
        // 0.70 m a step on a walk and 0.95 m on a run, in units of 10^-9 mi.
        case .distance: return isRecording ? plan.steps(in: slot) * (effort > 700 ? 590_300 : 434_960) : 0
        // 1.12 kcal a minute awake; the watch keeps estimating while it is on its charger.
        case .basalEnergy: return effort < 100 ? 5210 : 5604 + (effort & 63)
        case .activeEnergy: return isRecording ? plan.activeEnergy(in: slot) : 0
        case .physicalEffort: return isRecording ? effort / 10 : 0
        case .exerciseTime: return plan.isExercise(in: slot) ? 5 : 0
        case .standTime: return isRecording && effort > 140 ? effort >= 250 ? 5 : 1 + (effort & 1) : 0
        }
    }

    private func count(
        _ plan: DayPlan,
        in slot: Int,
        from source: Source,
        density: Density,
        carry: inout Int
    ) -> Int {
        if quantity == .exerciseTime { return 5 }
        if quantity == .standTime { return 1 }
        let isWorkout = plan.workout?.slots.contains(slot) == true
        let isWalking = plan.effort(in: slot) >= 250
        let expected: Int
        switch quantity {
        case .basalEnergy: expected = isWorkout ? 256 : 128
        case .physicalEffort: expected = isWorkout ? 1280 : plan.isAsleep(in: slot) ? 48 : 256
        default: expected = isWorkout ? 1280 : isWalking ? (source == .phone ? 256 : 384) : 160
        }
        return density.count(of: expected, carry: &carry)
    }

    static let steps = SlotSeries(
        quantity: .steps,
        type: RecordType("HKQuantityTypeIdentifierStepCount", unit: "count"),
        sources: [.phone, .watch]
    )
    static let distance = SlotSeries(
        quantity: .distance,
        type: RecordType("HKQuantityTypeIdentifierDistanceWalkingRunning", unit: "mi"),
        sources: [.phone, .watch],
        decimals: 9,
        tail: 6
    )
    static let basalEnergy = SlotSeries(
        quantity: .basalEnergy,
        type: RecordType("HKQuantityTypeIdentifierBasalEnergyBurned", unit: "Cal"),
        sources: [.watch],
        decimals: 3
    )
    static let activeEnergy = SlotSeries(
        quantity: .activeEnergy,
        type: RecordType("HKQuantityTypeIdentifierActiveEnergyBurned", unit: "Cal"),
        sources: [.watch],
        decimals: 3,
        tail: 11
    )
    static let exerciseTime = SlotSeries(
        quantity: .exerciseTime,
        type: RecordType("HKQuantityTypeIdentifierAppleExerciseTime", unit: "min"),
        sources: [.watch]
    )
    static let standTime = SlotSeries(
        quantity: .standTime,
        type: RecordType("HKQuantityTypeIdentifierAppleStandTime", unit: "min"),
        sources: [.watch],
        since: Introduction.standTime
    )
    static let physicalEffort = SlotSeries(
        quantity: .physicalEffort,
        type: RecordType("HKQuantityTypeIdentifierPhysicalEffort", unit: "kcal/hr\u{B7}kg"),
        sources: [.watch],
        decimals: 1,
        since: Introduction.physicalEffort
    )
}
