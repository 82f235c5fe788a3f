internal import FHIRR4
internal import HealthExport

/// What a workout says about itself, or what one `WorkoutActivity` in it says.
struct WorkoutPart: Sendable {
    /// Seconds since 1970; `nil` if it has none of its own.
    var start: Int64?
    var end: Int64?
    /// Apple's name for what was done, if an activity gives it.
    var activityType: String?
    /// HealthKit's own id of an activity, the only one in an export.
    var uuid: String?
    var duration: (value: String, unit: String?)?
    /// Once each, in the order of their types.
    var statistics: [WorkoutStatistic]
    /// Once each, in the order of time.
    var events: [WorkoutEvent]
    /// Each pair once, in the order of their bytes.
    var metadata: [MetadataPair]
    /// Events and statistics from which nothing can be made.
    var leftOut: [ElementName]
    /// Dates that are not written.
    var unusableDates: [String]

    /// Reads a `Workout` or `WorkoutActivity`.
    init(_ element: HealthElement) {
        start = element.fhirInstant("startDate")
        end = element.fhirInstant("endDate")
        activityType = element["workoutActivityType"]
        uuid = element["uuid"]
        duration = element["duration"].map { ($0, element["durationUnit"]) }
        let statistics = element.children(.workoutStatistics).map { (element: $0, value: WorkoutStatistic($0)) }
        self.statistics = WorkoutStatistic.all(statistics.compactMap(\.value), of: element)
        let events = element.children(.workoutEvent).map { WorkoutEvent($0) }
        self.events = WorkoutEvent.inOrder(events.compactMap(\.self))
        metadata = MetadataPair.all(of: element)
        leftOut =
            Array(repeating: .workoutEvent, count: events.count - events.compactMap(\.self).count)
            + Array(repeating: .workoutStatistics, count: statistics.count - statistics.compactMap(\.value).count)
        unusableDates = statistics.filter { $0.value?.period == nil }
            .flatMap { [$0.element["startDate"], $0.element["endDate"]].compactMap(\.self) }
        // A workout without dates of its own is not written at all.
        guard element.name == .workoutActivity else { return }
        if start == nil, let text = element["startDate"] { unusableDates.append(text) }
        let isBackwards = start.flatMap { start in end.map { $0 < start } } ?? false
        if end == nil || isBackwards, let text = element["endDate"] { unusableDates.append(text) }
    }

    /// The activities of a workout, once each, in the order of time and then of everything that they say: their order
    /// in the file has no meaning.
    static func activities(of workout: HealthElement) -> [WorkoutPart] {
        var known: Set<ExactText> = []
        let unique = workout.children(.workoutActivity).map { (text: IdentityScheme.canonical($0), element: $0) }
            .filter { known.insert(ExactText($0.text)).inserted }
        let parts = unique.map { (part: WorkoutPart($0.element), text: $0.text) }.sorted { left, right in
            let (first, second) = (left.part.order, right.part.order)
            return first == second ? IdentityScheme.inByteOrder(left.text, right.text) : first < second
        }
        return parts.map(\.part)
    }

    private var order: (Int64, Int64, String) { (start ?? .min, end ?? .max, uuid ?? "") }

    /// Merges an activity that repeats the whole workout, as every workout of one sport has had since iOS 16.
    ///
    /// - Returns: `false`, with nothing changed, if it says something else.
    mutating func absorb(_ activity: WorkoutPart, start: Int64, end: Int64) -> Bool {
        // Both may have many statistics.
        let own = Set(statistics)
        let ownTypes = Set(statistics.map { ExactText($0.type) })
        guard (activity.start ?? start) == start, (activity.end ?? end) == end,
            activity.activityType == nil || activity.activityType == activityType,
            activity.duration == nil || duration == nil
                || (activity.duration?.value == duration?.value && activity.duration?.unit == duration?.unit),
            activity.statistics.allSatisfy({ own.contains($0) || !ownTypes.contains(ExactText($0.type)) })
        else { return false }
        uuid = activity.uuid
        duration = duration ?? activity.duration
        statistics = WorkoutStatistic.inOrder(statistics + activity.statistics)
        events = WorkoutEvent.inOrder(events + activity.events)
        metadata = MetadataPair.inOrder((metadata + activity.metadata).map { ($0.key, $0.value) })
        leftOut += activity.leftOut
        unusableDates += activity.unusableDates
        return true
    }

    /// The same without events that the workout lists too.
    func without(_ listed: Set<WorkoutEvent>) -> WorkoutPart {
        var part = self
        part.events.removeAll { listed.contains($0) }
        return part
    }
}

/// A metadata key with its value; equal to another of the same bytes.
struct MetadataPair: Sendable, Hashable {
    var key: String
    var value: String

    static func == (left: MetadataPair, right: MetadataPair) -> Bool {
        left.key.isExactly(right.key) && left.value.isExactly(right.value)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(key))
        hasher.combine(ExactText(value))
    }

    /// The entries of an element, each pair once, in the order of their bytes: their own order has no meaning.
    static func all(of element: HealthElement) -> [MetadataPair] {
        inOrder(SampleFrame.entries(of: element))
    }

    /// Each pair once, in the order of their bytes.
    static func inOrder(_ pairs: [(key: String, value: String)]) -> [MetadataPair] {
        MetadataMapper.distinct(pairs).map { MetadataPair(key: $0.key, value: $0.value) }
    }
}
