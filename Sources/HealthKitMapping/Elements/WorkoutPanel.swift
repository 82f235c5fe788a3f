internal import FHIRR4
internal import HealthExport

/// A panel that is being made: a workout's, or that of one activity in it.
struct WorkoutPanel {
    private(set) var unmapped = Unmapped()

    private let frame: WorkoutFrame
    private let start: Int64
    private let end: Int64
    private let effective: [JSONValue.Member]
    /// The words that all ids in it begin with.
    private let words: [String]
    private var drafts: [ResourceDraft] = []
    private var members: [ResourceID] = []
    private var components: [JSONValue] = []
    private var identifiers: [JSONValue] = []
    private var metadata: [MetadataPair] = []
    /// What it says itself, by the words of its members.
    private(set) var said: Set<ExactText> = []
    /// What the whole workout says, if this is a part of one.
    private let whole: Set<ExactText>
    /// How many events have had the same words and start.
    private var eventCounts: [ExactText: Int] = [:]

    /// A panel without members.
    ///
    /// - Parameters:
    ///   - frame: the workout's.
    ///   - start: of the workout or the activity.
    ///   - end: the same.
    ///   - activity: for an activity, its number among those of the same time; `nil` for the workout.
    ///   - whole: for an activity, what the workout says.
    init(_ frame: WorkoutFrame, start: Int64, end: Int64, activity: Int? = nil, whole: Set<ExactText> = []) {
        self.frame = frame
        self.whole = whole
        self.start = start
        self.end = max(start, end)
        effective = frame.context.effective(start, self.end, zone: frame.zone)
        words = activity.map { ["WorkoutActivity"] + ($0 > 1 ? [String($0)] : []) } ?? []
    }

    private var context: MappingContext { frame.context }

    /// The tags of what the whole workout says too.
    private func partTags(_ word: String) -> [Coding] { whole.contains(ExactText(word)) ? [SummaryTag.part] : [] }

    private static let durationWord = "duration"

    /// Adds what was done.
    mutating func addActivity(_ type: String) {
        let draft = ObservationDraft(codings: [.loinc("73985-4", "Exercise activity")], text: "Activity")
        if let meaning = context.table.value(type) {
            draft.value = .init("valueCodeableConcept", .concept(meaning.codings, text: meaning.text))
        } else {
            unmapped.values.append(type)
            draft.value =
                type.unlessBlank.map { .init("valueCodeableConcept", ["text": .string($0)]) }
                ?? .init("dataAbsentReason", .dataAbsent("unknown", "Unknown"))
        }
        add(draft, named: "activity")
    }

    /// Adds everything that a part says.
    mutating func add(_ part: WorkoutPart) {
        if let uuid = part.uuid.flatMap({ WorkoutPart.uuid($0) }) {
            identifiers.append(["system": "urn:ietf:rfc:3986", "value": .string("urn:uuid:" + uuid)])
        } else if part.uuid?.unlessBlank != nil {
            unmapped.values.append("")
        }
        if let duration = part.duration { add(duration: duration.value, unit: duration.unit) }
        unmapped.elements += part.leftOut
        unmapped.values += part.unusableDates
        // By their bytes: Swift considers some texts of different bytes equal.
        var used: Set<ExactText> = []
        var timedCounts: [ExactText: Int] = [:]
        for statistic in part.statistics {
            let meaning = statistic.meaning(in: context.table)
            if let unit = statistic.unknownUnit(meaning) { unmapped.units.append(unit) }
            if meaning.type == nil && statistic.type.hasPrefix("HK") || statistic.lacksCodes(meaning) {
                unmapped.types.append(statistic.type)
            }
            unmapped.values += statistic.unusableNumbers
            unmapped.suspectPercents += statistic.suspectPercents(in: context)
            let members = statistic.members(meaning, in: context)
            if members.isEmpty { unmapped.elements.append(.workoutStatistics) }
            for member in members {
                var member = member
                let (first, last) = statistic.period ?? (start, end)
                let isWhole = first == start && last == end
                let tags = member.tags + partTags(member.word)
                said.insert(ExactText(member.word))
                // A second one of the same type has another time, or says something else.
                if !used.insert(ExactText(member.word)).inserted {
                    member.word += IdentityScheme.separator + "\(first)" + IdentityScheme.separator + "\(last)"
                    let count = timedCounts[ExactText(member.word), default: 0] + 1
                    timedCounts[ExactText(member.word)] = count
                    if count > 1 { member.word += IdentityScheme.separator + "\(count)" }
                }
                member.draft.effective = isWhole ? effective : context.effective(first, last, zone: frame.zone)
                add(member.draft, named: member.word, tags: tags)
            }
        }
        metadata = part.metadata
        for event in part.events { add(event) }
    }

    /// Adds the finished panel of an activity.
    mutating func add(_ panel: WorkoutPanel) {
        let finished = panel.finished()
        drafts += finished
        members += finished.suffix(1).map(\.id)
        unmapped += panel.unmapped
    }

    /// Refers to Observations that come before the panel.
    mutating func add(_ samples: [ResourceID]) { members += samples }

    /// The members and, last, the panel.
    func finished() -> [ResourceDraft] {
        let draft = ObservationDraft(
            codings: [
                WorkoutFrame.physicalActivity("PAPanel", "Physical Activity Panel"),
                .apple(words.isEmpty ? "HKWorkoutTypeIdentifier" : "HKWorkoutActivity"),
            ],
            text: words.isEmpty ? "Workout" : "Activity of a workout"
        )
        draft.effective = effective
        draft.members = members
        draft.identifiers = identifiers
        draft.add(frame.metadata(metadata))
        draft.components += components
        if members.isEmpty, draft.components.isEmpty {
            draft.value = .init("dataAbsentReason", .dataAbsent("unknown", "Unknown"))
        }
        // An activity of which nothing is known has no members, which the panel's profile requires.
        let profile = members.isEmpty ? ProfileURL.workoutMember : ProfileURL.workout
        let tags = words.isEmpty ? [] : [SummaryTag.part]
        return drafts + [frame.resource(draft, frame.id(words, start: start, end: end), profile: profile, tags: tags)]
    }

    private mutating func add(_ draft: ObservationDraft, named word: String, tags: [Coding] = []) {
        if draft.effective.isEmpty { draft.effective = effective }
        let id = frame.id(words + [word], start: start, end: end)
        drafts.append(frame.resource(draft, id, tags: tags))
        members.append(id)
    }

    /// Adds the time spent, without pauses, in the guide's one unit.
    private mutating func add(duration: String, unit: String?) {
        let draft = ObservationDraft(codings: [.loinc("55411-3", "Exercise duration")], text: "Duration")
        said.insert(ExactText(Self.durationWord))
        if let minutes = WorkoutDuration(duration, unit: unit)?.minutes {
            draft.value = .init("valueQuantity", .quantity(minutes, "min", code: "min"))
        } else {
            let isNumber = ExactDecimal(duration) != nil
            if !isNumber { unmapped.values.append(duration) }
            if unit?.unlessBlank.map({ context.table.unit($0) == nil }) ?? isNumber {
                unmapped.units.append(unit ?? "")
            }
            if context.isSuspectPercent(duration, unit: unit) {
                unmapped.suspectPercents.append("HKWorkoutTypeIdentifier")
            }
            if let number = context.quantity(duration, unit: unit) {
                // The guide's code is for minutes.
                draft.codings = [.apple("HKWorkout.duration", "Duration")]
                draft.value = .init("valueQuantity", number)
            } else {
                draft.value = .init("dataAbsentReason", .dataAbsent("unknown", "Unknown"))
            }
        }
        add(draft, named: Self.durationWord, tags: partTags(Self.durationWord))
    }

    /// Adds an event as a component; one with metadata of its own as a member, since a component holds one value.
    private mutating func add(_ event: WorkoutEvent) {
        let meaning = context.table.value(event.type)
        if meaning == nil { unmapped.values.append(event.type) }
        if !event.unusableDuration.isNumber { unmapped.values.append("") }
        if let unit = event.unusableDuration.unit { unmapped.units.append(unit) }
        let codings = meaning?.codings ?? [.apple("HKWorkoutEvent", "Workout event")]
        let text = meaning?.text ?? event.type
        guard !event.metadata.isEmpty else {
            components.append(
                ObservationDraft.component(codings, text: text, event.value(in: context, zone: frame.zone))
            )
            return
        }
        let draft = ObservationDraft(codings: codings, text: text)
        draft.effective = context.effective(
            event.start,
            event.end,
            endMilliseconds: Int(event.milliseconds % 1000),
            zone: frame.zone
        )
        draft.add(frame.metadata(event.metadata))
        // If its metadata became no component, the event's own time is the value.
        if draft.components.isEmpty { draft.value = event.value(in: context, zone: frame.zone) }
        // Two events may differ only in their metadata: the later one, in the order of its bytes, gets a number.
        let name = ExactText("\(event.start) \(event.words)")
        let count = eventCounts[name, default: 0] + 1
        eventCounts[name] = count
        let ordinal = count > 1 ? [String(count)] : []
        let id = frame.id(words + event.words + ordinal, start: event.start, end: event.start)
        drafts.append(frame.resource(draft, id))
        members.append(id)
    }
}

extension WorkoutPart {
    /// A UUID in lower case; `nil` for any other text.
    static func uuid(_ text: String) -> String? {
        let lowered = text.lowercased()
        let parts = lowered.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        let isHex = parts.allSatisfy { part in
            part.utf8.allSatisfy { $0 &- 48 < 10 || $0 &- 97 < 6 }
        }
        return isHex ? lowered : nil
    }
}
