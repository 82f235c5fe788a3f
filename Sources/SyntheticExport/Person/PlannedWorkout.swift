/// A workout in a day's plan.
struct PlannedWorkout {
    enum Kind {
        case running, walking, cycling, strength, yoga

        /// Metabolic rate in hundredths of a MET.
        var effort: Int {
            switch self {
            case .running: 880
            case .walking: 430
            case .cycling: 720
            case .strength: 480
            case .yoga: 270
            }
        }

        var isOnFoot: Bool { self == .running || self == .walking }

        var isOutdoor: Bool { isOnFoot || self == .cycling }

        var activityType: StaticString {
            switch self {
            case .running: "HKWorkoutActivityTypeRunning"
            case .walking: "HKWorkoutActivityTypeWalking"
            case .cycling: "HKWorkoutActivityTypeCycling"
            case .strength: "HKWorkoutActivityTypeFunctionalStrengthTraining"
            case .yoga: "HKWorkoutActivityTypeYoga"
            }
        }
    }

    let kind: Kind
    /// Seconds after the start of the day.
    let start: Int
    /// Seconds of exercise, without the pause.
    let duration: Int
    /// Seconds of the only pause; 0 for none.
    let pause: Int

    var end: Int { start + duration + pause }

    /// The slots whose middle is in the workout.
    var slots: Range<Int> {
        (start + 150) / DayPlan.slotSeconds..<(end + 150) / DayPlan.slotSeconds
    }

    /// Miles covered on foot or on a bicycle; `nil` indoors.
    func distance(in plan: DayPlan) -> FixedPoint? {
        switch kind {
        case .running: FixedPoint(steps(in: plan) * 590_300, decimals: 9)
        case .walking: FixedPoint(steps(in: plan) * 434_960, decimals: 9)
        // 14 mi/h.
        case .cycling: FixedPoint(duration * 3889, decimals: 6)
        case .strength, .yoga: nil
        }
    }

    func steps(in plan: DayPlan) -> Int { slots.reduce(0) { $0 + plan.steps(in: $1) } }

    /// Draws a workout, or `nil` on three of seven days: in the evening on weekdays, in the morning on weekends.
    init?(isWeekend: Bool, random: inout RandomSequence) {
        guard random.below(7) < 4 else { return nil }
        let draw = random.below(100)
        kind = draw < 35 ? .running : draw < 55 ? .walking : draw < 70 ? .cycling : draw < 88 ? .strength : .yoga
        start = random.near(isWeekend ? 36_900 : 64_200, spread: 3600)
        duration = random.within(1260...3480)
        pause = random.happens(oneIn: 5) ? random.within(25...190) : 0
    }
}
