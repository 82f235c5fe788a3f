/// Nights: the phone records time in bed; the watch records sleep stages, or before iOS 16 only sleep.
struct Sleep {
    let person: Person

    private static let type = RecordType("HKCategoryTypeIdentifierSleepAnalysis")
    private static let core: StaticString = "HKCategoryValueSleepAnalysisAsleepCore"
    private static let deep: StaticString = "HKCategoryValueSleepAnalysisAsleepDeep"
    private static let rem: StaticString = "HKCategoryValueSleepAnalysisAsleepREM"
    private static let awake: StaticString = "HKCategoryValueSleepAnalysisAwake"

    func write(_ days: DayRange, to writer: inout ElementWriter) {
        for day in days where !writer.bytes.isStopped {
            let plan = person.plan(for: day)
            var random = RandomSequence(seed: person.seed, stream: Self.type.identifier, day: day)
            writeTimeInBed(plan, random: &random, to: &writer)
            // On one night in nine the watch stays on its charger.
            guard !random.happens(oneIn: 9) else { continue }
            writeSleep(plan, random: &random, to: &writer)
        }
    }

    private func writeTimeInBed(_ plan: DayPlan, random: inout RandomSequence, to writer: inout ElementWriter) {
        var run = RecordRun(of: Self.type, from: .phone, in: plan, shape: writer.shape)
        let end = plan.startOfDay + plan.wakeTime + random.within(60...900)
        let sample = Sample(
            start: plan.startOfDay + plan.lastBedtime,
            end: end,
            created: end + random.within(2...60),
            value: .name("HKCategoryValueSleepAnalysisInBed"),
            metadata: .timeZone
        )
        run.write(sample, to: &writer)
        run.finish(to: &writer)
    }

    /// Writes the night in cycles of about ninety minutes, with less deep sleep and more REM towards the morning.
    private func writeSleep(_ plan: DayPlan, random: inout RandomSequence, to writer: inout ElementWriter) {
        var run = RecordRun(of: Self.type, from: .watch, in: plan, shape: writer.shape)
        let hasStages = plan.day >= Introduction.sleepStages
        let wake = plan.startOfDay + plan.wakeTime
        let created = wake + random.within(30...600)
        var moment = plan.startOfDay + plan.lastBedtime + random.within(480...1800)

        func write(_ stage: StaticString, minutes: Int, random: inout RandomSequence, to writer: inout ElementWriter) {
            let end = min(moment + max(random.near(minutes * 60, spread: minutes * 18), 30), wake)
            guard end - moment >= 30 else { return }
            run.write(
                Sample(start: moment, end: end, created: created, value: .name(stage), metadata: .timeZone),
                to: &writer
            )
            moment = end
        }

        var cycle = 0
        while moment < wake - 30 {
            if hasStages {
                write(Self.core, minutes: 22, random: &random, to: &writer)
                if cycle < 3 { write(Self.deep, minutes: 32 - cycle * 10, random: &random, to: &writer) }
                write(Self.core, minutes: 24, random: &random, to: &writer)
                write(Self.rem, minutes: 9 + cycle * 7, random: &random, to: &writer)
                if random.happens(oneIn: 2) { write(Self.awake, minutes: 3, random: &random, to: &writer) }
            } else {
                write("HKCategoryValueSleepAnalysisAsleepUnspecified", minutes: 105, random: &random, to: &writer)
                moment += random.within(90...600)
            }
            cycle += 1
        }
        run.finish(to: &writer)
    }
}
