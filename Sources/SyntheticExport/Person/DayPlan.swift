/// What the person does on one day, in slots of five minutes.
///
/// The records derive from it, so that the steps, the energy, the heart rate and the exercise minutes
/// of a run agree minute by minute, although they are far apart in the file.
struct DayPlan {
    static let slotCount = 288
    static let slotSeconds = 300

    let person: Person
    /// The day, in days since 1970, and the instant of its 00:00.
    let day: Int
    let startOfDay: Int
    /// Seconds after `startOfDay`; the night before began at `lastBedtime`, which is mostly negative.
    let lastBedtime: Int
    let wakeTime: Int
    let bedtime: Int
    let isSick: Bool
    let restingHeartRate: Int
    let workout: PlannedWorkout?
    /// A quarter of an hour at rest with a racing heart; empty on most days.
    let racingSlots: Range<Int>
    /// Metabolic rate in each slot, in hundredths of a MET.
    private var efforts: InlineArray<288, UInt16>
    /// The slots in which the watch is on its charger.
    private let chargingSlots: Range<Int>

    init(of person: Person, on day: Int) {
        self.person = person
        self.day = day
        startOfDay = person.zone.startOfDay(day)
        lastBedtime = person.bedtime(on: day - 1) + person.zone.startOfDay(day - 1) - startOfDay
        bedtime = person.bedtime(on: day)
        isSick = person.isSick(on: day)
        restingHeartRate = person.restingHeartRate(on: day)

        var random = RandomSequence(seed: person.seed, stream: "day", day: day)
        let isWeekend = [0, 6].contains(CalendarDate.weekday(ofDay: day))
        wakeTime = random.near(isWeekend ? 27_000 : 22_800, spread: 2400)
        let charging = wakeTime / Self.slotSeconds + random.within(2...8)
        chargingSlots = charging..<charging + random.within(6...12)
        workout = isSick ? nil : PlannedWorkout(isWeekend: isWeekend, random: &random)

        let racing = random.within(175...195)
        racingSlots = person.hasRacingHeart(on: day) ? racing..<racing + 3 : racing..<racing

        efforts = InlineArray(repeating: 95)
        let awake = wakeTime / Self.slotSeconds..<min(bedtime / Self.slotSeconds + 1, Self.slotCount)
        for slot in awake {
            let hour = slot / 12
            let walkPercent = (isWeekend ? Self.weekendWalkPercent : Self.weekdayWalkPercent)[hour] / (isSick ? 4 : 1)
            let isWalking = random.below(100) < walkPercent
            efforts[slot] = UInt16(isWalking ? random.within(270...400) : random.within(112...150))
        }
        if let workout {
            for slot in workout.slots { efforts[slot] = UInt16(random.near(workout.kind.effort, spread: 60)) }
        }
    }

    /// Metabolic rate in a slot, in hundredths of a MET: 95 asleep, 850 on a run.
    func effort(in slot: Int) -> Int { Int(efforts[slot]) }

    func isAsleep(in slot: Int) -> Bool { effort(in: slot) == 95 }

    func isWatchWorn(in slot: Int) -> Bool { !chargingSlots.contains(slot) }

    /// Whether the phone is in a pocket: not during workouts, and otherwise in about five slots of eight.
    func isPhoneCarried(in slot: Int) -> Bool {
        workout?.slots.contains(slot) != true && (effort(in: slot) * 40_503 + slot) >> 4 & 7 < 5
    }

    /// Steps in the five minutes of a slot.
    func steps(in slot: Int) -> Int {
        let effort = effort(in: slot)
        if let workout, workout.slots.contains(slot), !workout.kind.isOnFoot {
            return workout.kind == .strength ? 24 : 0
        }
        guard effort >= 250 else { return effort > 140 ? 6 + (effort & 7) * 2 : 0 }
        return min((effort - 200) * 21 / 10, 840)
    }

    /// Active energy in the five minutes of a slot, in thousandths of a kilocalorie.
    func activeEnergy(in slot: Int) -> Int { max(0, effort(in: slot) - 128) * 58 }

    /// Whether the slot's minutes count as exercise: a brisk walk or more, with the watch on.
    func isExercise(in slot: Int) -> Bool { effort(in: slot) >= 370 && isWatchWorn(in: slot) }

    /// Whether the watch sees the person stand and move in an hour, 0 to 23.
    func isStanding(inHour hour: Int) -> Bool {
        (hour * 12..<hour * 12 + 12).contains { effort(in: $0) > 146 && isWatchWorn(in: $0) }
    }

    /// Beats per minute at a second of the day, without the scatter of single measurements.
    func heartRate(atSecond second: Int) -> Int {
        let slot = min(second / Self.slotSeconds, Self.slotCount - 1)
        if racingSlots.contains(slot) { return 127 + slot % 3 }
        if isAsleep(in: slot) { return restingHeartRate - 5 + Self.nightSwing[slot % 18] }
        let full = restingHeartRate + 9 + (effort(in: slot) - 120) * 11 / 100
        guard let workout, workout.slots.contains(slot) else { return full }
        // The heart needs six minutes to follow the legs.
        let ramp = min(max(second - workout.start, 0), 360)
        return restingHeartRate + 20 + (full - restingHeartRate - 20) * ramp / 360
    }

    /// The percentage of each hour's slots that are spent walking: the way to work, lunch, the way home.
    private static let weekdayWalkPercent: InlineArray<24, Int> = [
        0, 0, 0, 0, 0, 4, 12, 22, 34, 9, 8, 9, 30, 14, 8, 8, 10, 28, 24, 14, 8, 5, 3, 1,
    ]
    private static let weekendWalkPercent: InlineArray<24, Int> = [
        0, 0, 0, 0, 0, 0, 3, 8, 12, 18, 26, 24, 16, 12, 20, 24, 20, 14, 12, 12, 8, 6, 4, 2,
    ]
    /// Changes of the heart rate in a sleep cycle of ninety minutes: lowest in deep sleep, highest in REM.
    private static let nightSwing: InlineArray<18, Int> = [
        2, 1, 0, -1, -2, -3, -3, -3, -2, -1, 0, 1, 2, 4, 5, 4, 3, 2,
    ]
}
