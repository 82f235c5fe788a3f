/// The route of an outdoor workout: an element inside the workout's that names the file with the track.
struct WorkoutRoute {
    let person: Person
    let workout: PlannedWorkout
    let day: Int
    /// The mean speed in millimetres per second.
    let speed: Int

    /// The route of a day's workout; `nil` if it has none.
    ///
    /// Only the first outdoor workout in each two weeks has one: a track is as large as a whole day's records.
    init?(of plan: DayPlan) {
        guard plan.day >= Introduction.routeFiles, let workout = plan.workout,
            let miles = workout.distance(in: plan)
        else {
            return nil
        }
        let earlier = plan.day - plan.day % 14..<plan.day
        if earlier.contains(where: { plan.person.plan(for: $0).workout?.kind.isOutdoor == true }) { return nil }
        person = plan.person
        self.workout = workout
        day = plan.day
        // A mile is 1,609,344 mm.
        speed = miles.mantissa / 1000 * 1_609_344 / FixedPoint.powerOfTen(miles.decimals - 3) / workout.duration
    }

    /// When the track starts: the watch needs a few seconds to find its position.
    var start: Int { person.zone.startOfDay(day) + workout.start + 4 }
    private var end: Int { person.zone.startOfDay(day) + workout.end - 1 }

    /// The file's path, such as `workout-routes/route_2024-06-15_6.51pm.gpx`.
    var path: String { "workout-routes/route_\(name(separator: ".", space: "_")).gpx" }

    /// The end in local time, such as `2024-06-15_6.51pm` or `2024-06-15 6:51pm`.
    func name(separator: String, space: String) -> String {
        let local = end + person.zone.offset(at: end)
        let (localDay, second) = (local / 86_400, local % 86_400)
        let (hour, minute) = (second / 3600, second / 60 % 60)
        return "\(CalendarDate(daysSince1970: localDay))\(space)\((hour + 11) % 12 + 1)\(separator)"
            + "\(minute < 10 ? "0" : "")\(minute)\(hour < 12 ? "am" : "pm")"
    }

    /// Writes the element as a child of the workout's.
    func write(to writer: inout ElementWriter) {
        var random = RandomSequence(seed: person.seed, stream: "route id", day: day)
        writer.bytes.append("  <WorkoutRoute sourceName=\"")
        writer.sourceValues(Source.watch.text(on: day, shape: writer.shape))
        writer.times(of: Sample(start: start, end: end, created: end + 9, value: .absent))
        writer.bytes.append("\">\n   <MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"")
        writer.bytes.append(string: random.uuid())
        writer.bytes.append("\"/>\n   <MetadataEntry key=\"HKMetadataKeySyncVersion\" value=\"2\"/>\n")
        writer.bytes.append("   <FileReference path=\"/")
        writer.bytes.append(string: path)
        writer.bytes.append("\"/>\n  </WorkoutRoute>\n")
    }
}
