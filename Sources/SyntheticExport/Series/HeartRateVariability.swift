/// The variability of the heartbeat (SDNN) in one minute, with the beats that it is computed from.
struct HeartRateVariability {
    let person: Person

    private static let type = RecordType("HKQuantityTypeIdentifierHeartRateVariabilitySDNN", unit: "ms")

    func write(_ days: DayRange, to writer: inout ElementWriter) {
        for day in days where !writer.bytes.isStopped {
            let plan = person.plan(for: day)
            let source = Source.watch.text(on: day, shape: writer.shape)
            var random = RandomSequence(seed: person.seed, stream: Self.type.identifier, day: day)
            let count = random.within(4...7)
            for index in 0..<count {
                let second = 86_400 * index / count + random.below(86_400 / count - 120)
                guard plan.isWatchWorn(in: second / DayPlan.slotSeconds) else { continue }
                write(plan, atSecond: second, from: source, random: &random, to: &writer)
            }
        }
    }

    private func write(
        _ plan: DayPlan,
        atSecond second: Int,
        from source: SourceText,
        random: inout RandomSequence,
        to writer: inout ElementWriter
    ) {
        let start = plan.startOfDay + second
        let isAsleep = plan.isAsleep(in: second / DayPlan.slotSeconds)
        // It is measured at rest, never on a run.
        let rate = min(plan.heartRate(atSecond: second), plan.restingHeartRate + 18)
        let beats = Beats(
            meanInterval: 60_000 / rate,
            swing: isAsleep ? random.within(60...110) : random.within(35...80),
            random: random
        )
        _ = random.next()
        let sample = Sample(
            start: start,
            end: start + 60,
            created: start + 60 + random.within(2...8),
            value: .number(beats.standardDeviation)
        )
        writer.openRecord(sample, of: Self.type, from: source, indent: " ")
        guard writer.shape.isApples else { return writer.closeEmpty() }
        writer.bytes.append(">\n  <HeartRateVariabilityMetadataList>\n")
        // Unlike the dates, these are local times, with summer time.
        let clock = ((start + person.zone.offset(at: start)) % 86_400 + 86_400) % 86_400 * 100
        beats.forEach { interval, moment in
            writer.bytes.append("   <InstantaneousBeatsPerMinute bpm=\"")
            writer.bytes.append((60_000 + interval / 2) / interval)
            writer.bytes.append("\" time=\"")
            writer.clock(hundredths: (clock + moment / 10) % 8_640_000)
            writer.bytes.append("\"/>\n")
        }
        writer.bytes.append("  </HeartRateVariabilityMetadataList>\n </Record>\n")
    }
}

/// The beats of one minute, drawn again for each use so that none is stored.
private struct Beats {
    let meanInterval: Int
    /// How far breathing lengthens and shortens the interval, in milliseconds.
    let swing: Int
    let random: RandomSequence

    /// Calls `body` with each interval and the moment of its beat, both in milliseconds.
    func forEach(_ body: (_ interval: Int, _ moment: Int) -> Void) {
        var random = random
        var moment = 0
        while true {
            // A breath takes four seconds: the interval grows in the first half and shrinks in the second.
            let phase = moment % 4000
            let breathing = (phase < 2000 ? phase : 4000 - phase) - 1000
            let interval = max(meanInterval + breathing * swing / 1000 + random.near(0, spread: 40), 300)
            moment += interval
            guard moment < 60_000 else { return }
            body(interval, moment)
        }
    }

    /// The standard deviation of the intervals in milliseconds, to six decimals.
    var standardDeviation: FixedPoint {
        var (count, sum, squares) = (0, 0, 0)
        forEach { interval, _ in
            count += 1
            sum += interval
            squares += interval * interval
        }
        let variance = (squares * count - sum * sum) * 1_000_000 / (count * count)
        return FixedPoint(Self.squareRoot(variance * 1_000_000), decimals: 6)
    }

    /// The largest whole number whose square is at most `square` (Newton's method).
    private static func squareRoot(_ square: Int) -> Int {
        guard square > 1 else { return square }
        var root = 1 << ((Int.bitWidth - square.leadingZeroBitCount + 1) / 2)
        while true {
            let next = (root + square / root) / 2
            if next >= root { return root }
            root = next
        }
    }
}

extension ElementWriter {
    /// Writes a time of day as recent iOS does in US English, such as `6:14:48.94 PM`, with U+202F before the letters.
    fileprivate mutating func clock(hundredths: Int) {
        let second = hundredths / 100
        let hour = second / 3600
        bytes.append((hour + 11) % 12 + 1)
        bytes.append(":")
        bytes.appendPair(second / 60 % 60)
        bytes.append(":")
        bytes.appendPair(second % 60)
        bytes.append(".")
        bytes.appendPair(hundredths % 100)
        bytes.append(hour < 12 ? "\u{202F}AM" : "\u{202F}PM")
    }
}
