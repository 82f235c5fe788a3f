/// The heart rate: one measurement every five minutes, and every five seconds during a workout.
///
/// It takes the most bytes of all types and is the last of the quantities, so an export of a given size is brought
/// to that size here: each day gets its share of the bytes that are left, and the last day is cut off.
struct HeartRate {
    /// How many bytes the export may have after the last heart rate record.
    struct Budget {
        let end: UInt64
        /// The mean size of a record, in 1/256 byte.
        let bytesPerRecord256: Int
    }

    let person: Person
    let density: Density
    let budget: Budget?

    private static let type = RecordType("HKQuantityTypeIdentifierHeartRate", unit: "count/min")

    func write(_ days: DayRange, to writer: inout ElementWriter) {
        var remaining = budget == nil ? 0 : days.reduce(0) { $0 + Self.expectedCount256(person.plan(for: $1)) }
        for day in days where !writer.bytes.isStopped {
            let plan = person.plan(for: day)
            guard let budget else {
                write(plan, density: density, end: .max, to: &writer)
                continue
            }
            guard writer.bytes.byteCount < budget.end else { return }
            let expected = Self.expectedCount256(plan)
            let records = Int(budget.end - writer.bytes.byteCount) * 256 / budget.bytesPerRecord256
            // The last day aims 3 % too high, and is cut where the bytes end.
            let isLast = expected == remaining
            let per256 = records * 65_536 / max(remaining, 1) * (isLast ? 103 : 100) / 100
            write(plan, density: Density(per256: per256), end: budget.end, to: &writer)
            remaining -= expected
        }
    }

    /// The number of records of a day at natural density, in 1/256.
    static func expectedCount256(_ plan: DayPlan) -> Int {
        (0..<DayPlan.slotCount).reduce(0) { $0 + expectedCount256(plan, in: $1) }
    }

    private static func expectedCount256(_ plan: DayPlan, in slot: Int) -> Int {
        guard plan.isWatchWorn(in: slot) else { return 0 }
        return plan.workout?.slots.contains(slot) == true ? 60 * 256 : 256
    }

    private func write(_ plan: DayPlan, density: Density, end: UInt64, to writer: inout ElementWriter) {
        var run = RecordRun(of: Self.type, from: .watch, in: plan, shape: writer.shape)
        var random = RandomSequence(seed: person.seed, stream: Self.type.identifier, day: plan.day)
        var carry = random.below(256)
        for slot in 0..<DayPlan.slotCount where plan.isWatchWorn(in: slot) {
            let count = density.count(of: Self.expectedCount256(plan, in: slot), carry: &carry)
            let isWorkout = plan.workout?.slots.contains(slot) == true
            let effort = plan.effort(in: slot)
            for part in 0..<count {
                guard writer.bytes.byteCount < end else { return run.finish(to: &writer) }
                let jitter = random.below(DayPlan.slotSeconds)
                let second = slot * DayPlan.slotSeconds + (DayPlan.slotSeconds * part + jitter) / count
                let start = plan.startOfDay + second
                let scatter = effort < 100 ? 4 : isWorkout ? 3 : 6
                let beats = random.near(plan.heartRate(atSecond: second), spread: scatter)
                let sample = Sample(
                    start: start,
                    end: start,
                    created: start + 3 + random.below(isWorkout ? 4 : 180),
                    value: .number(FixedPoint(beats)),
                    metadata: isWorkout ? .none : .heartRateMotionContext(effort < 250 ? 1 : 2)
                )
                run.write(sample, to: &writer)
            }
        }
        run.finish(to: &writer)
    }
}
