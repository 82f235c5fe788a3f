/// The invented person whose life fills an export: the same seed and zone give the same days.
struct Person {
    let seed: UInt64
    let zone: HomeZone

    /// What the person does on a day, given in days since 1970.
    func plan(for day: Int) -> DayPlan { DayPlan(of: self, on: day) }

    /// When the person goes to bed on the evening of a day, in seconds after its start.
    func bedtime(on day: Int) -> Int {
        var random = RandomSequence(seed: seed, stream: "bedtime", day: day)
        let isBeforeWeekend = [5, 6].contains(CalendarDate.weekday(ofDay: day))
        return random.near(isBeforeWeekend ? 83_400 : 81_600, spread: 2700)
    }

    /// Whether the person has a cold: four days in a row, in about one of three blocks of 45 days.
    func isSick(on day: Int) -> Bool {
        let block = day / 45
        var random = RandomSequence(seed: seed, stream: "illness", day: block)
        let first = random.below(41)
        return random.happens(oneIn: 3) && (first..<first + 4).contains(day - block * 45)
    }

    /// Whether the heart races for a while at rest: once in three weeks.
    func hasRacingHeart(on day: Int) -> Bool {
        var random = RandomSequence(seed: seed, stream: "racing heart", day: 0)
        return (day + random.below(21)).isMultiple(of: 21)
    }

    /// Body mass in grams: a slow swing over the year, and some scatter from day to day.
    func bodyMass(on day: Int) -> Int {
        var random = RandomSequence(seed: seed, stream: "body mass", day: day)
        let phase = day % 366
        let swing = phase < 183 ? phase : 366 - phase
        return random.near(69_400 + swing * 14, spread: 550)
    }

    /// Resting heart rate in beats per minute: lower in summer, higher with a cold.
    func restingHeartRate(on day: Int) -> Int {
        var random = RandomSequence(seed: seed, stream: "resting heart rate", day: day)
        let phase = day % 366
        let swing = phase < 183 ? 183 - phase : phase - 183
        return random.near(56 + swing / 50, spread: 2) + (isSick(on: day) ? 8 : 0)
    }
}
