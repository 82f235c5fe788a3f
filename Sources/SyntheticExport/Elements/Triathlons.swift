/// A race of three sports every eight weeks: one workout with several activities, and laps with a swimming stroke.
///
/// The swim, the ride and the run always have the same length; only when they start and the laps differ.
struct Triathlons {
    let person: Person

    private static let occasions = Occasions(
        stream: "triathlon",
        period: 56,
        least: 1,
        since: Introduction.workoutActivities
    )

    /// One of the three sports, with the seconds that it and the change after it take.
    private struct Leg {
        let swimmingLocation: Int?
        let seconds: Int
        let change: Int
        let energy: Int
        let distance: (type: StaticString, value: FixedPoint, unit: StaticString)
    }

    private static let legs: [Leg] = [
        Leg(
            swimmingLocation: 2,
            seconds: 960,
            change: 150,
            energy: 142,
            distance: ("HKQuantityTypeIdentifierDistanceSwimming", FixedPoint(820), "yd")
        ),
        Leg(
            swimmingLocation: nil,
            seconds: 2520,
            change: 110,
            energy: 388,
            distance: ("HKQuantityTypeIdentifierDistanceCycling", FixedPoint(124, decimals: 1), "mi")
        ),
        Leg(
            swimmingLocation: nil,
            seconds: 1740,
            change: 0,
            energy: 301,
            distance: ("HKQuantityTypeIdentifierDistanceWalkingRunning", FixedPoint(31, decimals: 1), "mi")
        ),
    ]

    func write(_ days: DayRange, to writer: inout ElementWriter) {
        for (day, _) in Self.occasions.all(of: person, in: days) {
            var random = RandomSequence(seed: person.seed, stream: "triathlon", day: day)
            write(day, startingAt: person.zone.startOfDay(day) + random.within(46_800...48_600), &random, to: &writer)
        }
    }

    private func write(
        _ day: Int,
        startingAt start: Int,
        _ random: inout RandomSequence,
        to writer: inout ElementWriter
    ) {
        let end = Self.legs.reduce(start) { $0 + $1.seconds + $1.change }
        writer.bytes.append(" <Workout workoutActivityType=\"HKWorkoutActivityTypeSwimBikeRun\" duration=\"")
        writer.minutes(end - start)
        writer.source(Source.watch.text(on: day, shape: writer.shape))
        writer.times(of: Sample(start: start, end: end, created: end + 11, value: .absent))
        writer.bytes.append("\">\n")
        writer.entry("HKIndoorWorkout", 0)
        writer.timeZoneEntry()
        writeLaps(from: start, &random, to: &writer)
        var moment = start
        for leg in Self.legs {
            write(leg, from: moment, &random, to: &writer)
            moment += leg.seconds + leg.change
        }
        let energy = FixedPoint(Self.legs.reduce(0) { $0 + $1.energy })
        writeSum("HKQuantityTypeIdentifierActiveEnergyBurned", energy, "Cal", start, end, indent: "  ", to: &writer)
        writer.bytes.append(" </Workout>\n")
    }

    /// Writes the four laps of the swim, the last of them as backstroke.
    private func writeLaps(from start: Int, _ random: inout RandomSequence, to writer: inout ElementWriter) {
        let lap = Self.legs[0].seconds / 4
        for number in 0..<4 {
            writer.bytes.append("  <WorkoutEvent type=\"HKWorkoutEventTypeLap\" date=\"")
            writer.date(start + number * lap)
            writer.bytes.append("\" duration=\"")
            writer.minutes(lap - random.below(9))
            writer.bytes.append("\">\n   <MetadataEntry key=\"HKSwimmingStrokeStyle\" value=\"")
            writer.bytes.append(number == 3 ? "3" : "2")
            writer.bytes.append("\"/>\n  </WorkoutEvent>\n")
        }
    }

    private func write(
        _ leg: Leg,
        from start: Int,
        _ random: inout RandomSequence,
        to writer: inout ElementWriter
    ) {
        let end = start + leg.seconds
        writer.bytes.append("  <WorkoutActivity uuid=\"")
        writer.bytes.append(string: random.uuid())
        writer.bytes.append("\" startDate=\"")
        writer.date(start)
        writer.bytes.append("\" endDate=\"")
        writer.date(end)
        writer.bytes.append("\" duration=\"")
        writer.minutes(leg.seconds)
        writer.bytes.append("\">\n")
        if let location = leg.swimmingLocation {
            writer.bytes.append("   <MetadataEntry key=\"HKSwimmingLocationType\" value=\"")
            writer.bytes.append(location)
            writer.bytes.append("\"/>\n")
        }
        let (type, value, unit) = leg.distance
        writeSum(type, value, unit, start, end, indent: "   ", to: &writer)
        writeSum(
            "HKQuantityTypeIdentifierActiveEnergyBurned",
            FixedPoint(leg.energy),
            "Cal",
            start,
            end,
            indent: "   ",
            to: &writer
        )
        writer.bytes.append("  </WorkoutActivity>\n")
    }

    private func writeSum(
        _ type: StaticString,
        _ value: FixedPoint,
        _ unit: StaticString,
        _ start: Int,
        _ end: Int,
        indent: StaticString,
        to writer: inout ElementWriter
    ) {
        writer.bytes.append(indent)
        writer.bytes.append("<WorkoutStatistics type=\"")
        writer.bytes.append(type)
        writer.bytes.append("\" startDate=\"")
        writer.date(start)
        writer.bytes.append("\" endDate=\"")
        writer.date(end)
        writer.bytes.append("\" sum=\"")
        writer.bytes.append(value)
        writer.bytes.append("\" unit=\"")
        writer.bytes.append(unit)
        writer.bytes.append("\"/>\n")
    }
}

extension ElementWriter {
    /// Writes seconds as a duration in minutes and `durationUnit`, without the last closing quote.
    fileprivate mutating func minutes(_ seconds: Int) {
        bytes.append(FixedPoint(seconds * 1000 / 60, decimals: 3))
        bytes.append("\" durationUnit=\"min")
    }
}
