/// One record an hour: whether the watch's owner stood up in it.
struct StandHours {
    let person: Person

    private static let type = RecordType("HKCategoryTypeIdentifierAppleStandHour")

    func write(_ days: DayRange, to writer: inout ElementWriter) {
        for day in days where !writer.bytes.isStopped {
            let plan = person.plan(for: day)
            var run = RecordRun(of: Self.type, from: .watch, in: plan, shape: writer.shape)
            var random = RandomSequence(seed: person.seed, stream: Self.type.identifier, day: day)
            for hour in 0..<24 {
                let isStanding = plan.isStanding(inHour: hour)
                // An hour asleep is idle, and only half of them are recorded.
                if !isStanding, plan.isAsleep(in: hour * 12 + 11), random.happens(oneIn: 2) { continue }
                let start = plan.startOfDay + hour * 3600
                let value: StaticString =
                    isStanding ? "HKCategoryValueAppleStandHourStood" : "HKCategoryValueAppleStandHourIdle"
                let created = start + (isStanding ? random.within(300...3500) : random.within(3601...3900))
                run.write(Sample(start: start, end: start + 3600, created: created, value: .name(value)), to: &writer)
            }
            run.finish(to: &writer)
        }
    }
}
