internal import FHIRR4
internal import HealthExport

/// A workout as the panel of HL7's Physical Activity guide: an Observation without a value
/// whose members say what was done, for how long, and what it came to.
///
/// Nothing in it is dropped up to the bound of `WorkoutLimit`: statistics are members, metadata and events are components,
/// an activity of a multisport workout is a panel of its own. A route is a `WorkoutRoute`. `docs/workouts.md` gives each
/// choice and its source.
///
/// Source: <http://hl7.org/fhir/us/physical-activity/STU1/StructureDefinition-pa-observation-activity-group.html>.
struct Workout {
    /// Its name in `--types`.
    static let type = "Workout"

    let context: MappingContext

    /// Whether `--types`, `--since` and `--until` include a workout, with the records inside it.
    ///
    /// One whose start is not known is in no stretch of time.
    static func isWanted(_ element: HealthElement, in context: MappingContext) -> Bool {
        guard context.wants([type]) else { return false }
        let start = element.fhirInstant("startDate")
        return start.map(context.isWanted) ?? (context.options.since == nil && context.options.until == nil)
    }

    func map(_ element: HealthElement) -> MappedElement {
        guard let frame = WorkoutFrame(element, in: context) else { return .unusable }
        guard Self.isWanted(element, in: context) else { return MappedElement() }
        var mapped = MappedElement()
        if frame.sample.endsBeforeStart { mapped.faults.append(.endBeforeStart) }

        // The frame was made from all of it, so the digest is that of the whole.
        var element = element
        var limit = WorkoutLimit()
        limit.apply(to: &element)
        mapped.unmapped.elements += limit.leftOut
        let activities = WorkoutPart.activities(of: element)
        var part = WorkoutPart(element)
        let folded =
            activities.count == 1 && part.absorb(activities[0], start: frame.sample.start, end: frame.sample.end)
        var panel = WorkoutPanel(frame, start: frame.sample.start, end: frame.sample.end)
        panel.addActivity(frame.activityType)
        panel.add(part)
        var counts: [String: Int] = [:]
        let listed = Set(part.events)
        for activity in folded ? [] : activities {
            let start = activity.start ?? frame.sample.start
            // As in its ids: one that runs backwards ends at its start.
            let end = max(start, activity.end ?? frame.sample.end)
            counts["\(start) \(end)", default: 0] += 1
            var inner = WorkoutPanel(
                frame,
                start: start,
                end: end,
                activity: counts["\(start) \(end)"],
                whole: panel.said
            )
            if let type = activity.activityType { inner.addActivity(type) }
            inner.add(activity.without(listed))
            panel.add(inner)
        }
        panel.add(samples(in: element))
        mapped.unmapped += panel.unmapped
        mapped.units = [.init(drafts: panel.finished())]
        let routed = RoutedWorkout(frame)
        for route in element.children(.workoutRoute) {
            WorkoutRoute(context: context).add(route, of: routed, to: &mapped)
        }
        return mapped
    }

    /// The records inside it, such as an effort score: part of what it says, they are written with it, whatever their
    /// own types and times, and left out with it.
    private func samples(in element: HealthElement) -> [ResourceID] {
        let ids = element.children(.record).filter { record in
            record["type"] != nil && record.instant("endDate") != nil && record.instant("startDate") != nil
        }.compactMap { CorrelationChild($0, in: context)?.id }
        // Once each and sorted: their order does not change the digest.
        return Set(ids).sorted()
    }
}

/// Who wrote a workout and when, and what names everything that is made from it.
struct WorkoutFrame: Sendable {
    let context: MappingContext
    let sample: SampleFrame
    /// Apple's name, such as `HKWorkoutActivityTypeRunning`; empty if there is none.
    let activityType: String
    /// The zone that it was done in.
    let zone: String?
    /// Its sync identifier, if it has one; needed for each member.
    private let syncIdentifier: String?
    /// Its own metadata, which may be many; looked up for each event.
    private let metadata: Set<MetadataPair>
    /// The digest of the whole workout except its routes, whose file names change with the phone's language.
    let digest: UInt64

    /// Reads the frame of a `Workout`; `nil` if a date is missing or wrong.
    init?(_ element: HealthElement, in context: MappingContext) {
        guard let sample = SampleFrame(element, in: context) else { return nil }
        self.context = context
        self.sample = sample
        zone = sample["HKTimeZone"]
        syncIdentifier = sample.syncIdentifier
        metadata = Set(sample.metadata.map { MetadataPair(key: $0.key, value: $0.value) })
        activityType = element["workoutActivityType"] ?? ""
        var content = element
        content.children.removeAll { $0.name == .workoutRoute }
        digest = context.digest(of: content, sample.start, sample.end, zone: zone)
    }

    /// The id of the panel, which has no words, or of what is made from a part of the workout.
    ///
    /// A sync identifier stands for the source and time of the workout; a part that has its own time keeps it.
    func id(_ words: [String] = [], start: Int64, end: Int64) -> ResourceID {
        guard let identifier = syncIdentifier else {
            return context.scheme.id(
                kind: "Workout",
                type: activityType,
                source: sample.identitySource,
                start: String(start),
                end: String(end),
                value: words.joined(separator: IdentityScheme.separator)
            )
        }
        let isOwnTime = start != sample.start || end != sample.end
        let fields = [identifier] + (isOwnTime ? [String(start), String(end)] : []) + words
        return context.scheme.id(
            kind: "Workout",
            type: activityType,
            source: sample.identitySource,
            start: "",
            end: "",
            value: fields.joined(separator: IdentityScheme.separator)
        )
    }

    /// What metadata of the workout, or of a part of it, adds.
    func metadata(_ pairs: [MetadataPair]) -> MetadataElements {
        let entries = pairs.map { (key: $0.key, value: $0.value) }
        // Zone, serial number and the like are read only from the workout's own.
        let places = MetadataPlaces.panel.subtracting(sample.takenPlaces)
        return context.metadataMapper.map(entries, places: places, hasZone: context.hasZone(entries)) { key, value in
            metadata.contains(MetadataPair(key: key, value: value))
        }
    }

    /// The resource of a draft, with the categories of HL7's guide before its own.
    func resource(
        _ draft: ObservationDraft,
        _ id: ResourceID,
        profile: String = ProfileURL.workoutMember,
        tags: [Coding] = []
    ) -> ResourceDraft {
        draft.profiles = [profile]
        draft.categories = Self.categories + draft.categories
        draft.tags = tags
        return draft.resource(id: id, digest: digest, kind: Workout.type, frame: sample, in: context)
    }

    /// The categories of everything in HL7's Physical Activity guide.
    private static let categories = [ObservationDraft.category("activity"), category]

    /// The guide's own category.
    static let category = physicalActivity("PhysicalActivity", "Physical Activity")

    /// A code that HL7's Physical Activity guide defines until LOINC has one.
    static func physicalActivity(_ code: String, _ display: String) -> Coding {
        Coding(
            system: "http://hl7.org/fhir/us/physical-activity/CodeSystem/pa-temporary-codes",
            code: code,
            display: display
        )
    }
}
