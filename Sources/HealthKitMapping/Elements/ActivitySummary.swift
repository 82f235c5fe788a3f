internal import FHIRR4
internal import HealthExport

/// A day's activity rings as one Observation: what was reached, and each goal as a goal.
///
///     <ActivitySummary dateComponents="2024-06-16" activeEnergyBurned="612" activeEnergyBurnedGoal="500" …/>
///
/// It sums up what records say one by one, so its tag `summary` keeps it out of sums of samples. The day of the export
/// still grows and is `preliminary` (docs/decisions/0010-activity-rings.md).
struct ActivitySummary {
    /// The HealthKit class of such an element, and our code for it.
    static let type = "HKActivitySummary"

    let context: MappingContext
    /// The day of the export, which is not over yet.
    let exportDay: String?

    /// One ring: an attribute and its name.
    private struct Ring {
        var attribute: String
        var display: String
        /// The quantity type of the samples that the ring sums.
        var type: String?
    }

    private static let categories = [ObservationDraft.category("activity")]

    private static let rings = [
        Ring(
            attribute: "activeEnergyBurned",
            display: "Active energy burned",
            type: "HKQuantityTypeIdentifierActiveEnergyBurned"
        ),
        Ring(attribute: "appleMoveTime", display: "Move time", type: "HKQuantityTypeIdentifierAppleMoveTime"),
        Ring(
            attribute: "appleExerciseTime",
            display: "Exercise time",
            type: "HKQuantityTypeIdentifierAppleExerciseTime"
        ),
        Ring(attribute: "appleStandHours", display: "Stand hours"),
    ]

    func map(_ element: HealthElement) -> MappedElement {
        let element = Self.named(element)
        guard let date = element["dateComponents"], CalendarDay.start(of: date) != nil else { return .unusable }
        guard context.isWanted(day: date), context.wants([element.name.text]) else { return MappedElement() }
        var mapped = MappedElement()
        var components: [JSONValue] = []
        for ring in Self.rings { components += self.components(of: ring, in: element, &mapped) }
        guard !components.isEmpty, date >= Self.firstDay else {
            mapped.unmapped.elements.append(element.name)
            return mapped
        }
        let draft = ObservationDraft(codings: [.apple(Self.type, "Activity summary")], text: "Activity summary")
        draft.profiles = [ProfileURL.activitySummary]
        draft.tags = [SummaryTag.summary]
        draft.categories = Self.categories
        draft.effective = [.init("effectiveDateTime", .string(date))]
        draft.components = components
        // It may still grow, and so may the day after it, if that had begun in another zone.
        let isOpen = exportDay.map { date >= $0 } ?? false
        draft.status = isOpen ? "preliminary" : "final"
        let resource = draft.resource(
            id: context.scheme.id(kind: "ActivitySummary", type: Self.type, source: "", start: date, end: ""),
            digest: context.scheme.digest(of: isOpen ? Self.marked(element) : element),
            kind: Self.type,
            frame: nil,
            in: context
        )
        mapped.units = [.init(drafts: [resource])]
        return mapped
    }

    /// What was reached and the goal; nothing where both are 0: a day without a watch, or a ring that the owner does
    /// not have.
    private func components(
        of ring: Ring,
        in element: HealthElement,
        _ mapped: inout MappedElement
    ) -> [JSONValue] {
        let reached = element[ring.attribute]
        let goal = element[ring.attribute + "Goal"].flatMap { Self.isZero($0) ? nil : $0 }
        // A goal alone is not a ring.
        if reached == nil, let goal { mapped.unmapped.values.append(goal) }
        guard let reached, goal != nil || !Self.isZero(reached) else { return [] }
        let unit = ring.attribute == "activeEnergyBurned" ? element["activeEnergyBurnedUnit"] : "min"
        func quantity(_ text: String) -> JSONValue? {
            guard ring.attribute == "appleStandHours" else { return context.quantity(text, unit: unit) }
            // The number of clock hours in which somebody stood for a minute: not a duration.
            return .quantity(text, unit: "hours", code: "{hours}")
        }
        guard let value = quantity(reached) else {
            mapped.unmapped.values.append(reached)
            return []
        }
        if unit.flatMap({ context.table.unit($0) }) == nil { mapped.unmapped.units.append(unit ?? "") }
        mapped.unmapped.suspectPercents += [reached, goal].compactMap(\.self)
            .filter { context.isSuspectPercent($0, unit: unit) }.map { _ in Self.type }
        let own = "\(Self.type).\(ring.attribute)"
        let codings =
            (ring.type.map { [Coding.apple($0, context.table.type($0)?.display)] } ?? []) + [.apple(own, ring.display)]
        var components = [ObservationDraft.component(codings, text: ring.display, .init("valueQuantity", value))]
        guard let goal else { return components }
        if let value = quantity(goal) {
            let display = ring.display + " goal"
            components.append(
                ObservationDraft.component(
                    [.apple(own + "Goal", display)],
                    text: display,
                    .init("valueQuantity", value)
                )
            )
        } else {
            mapped.unmapped.values.append(goal)
        }
        return components
    }

    /// The element with the move ring under its name of today: iOS 13 counted "move minutes".
    private static func named(_ element: HealthElement) -> HealthElement {
        guard !element.attributes.contains(where: { $0.name.isExactly("appleMoveTime") }) else { return element }
        var element = element
        for index in element.attributes.indices {
            switch element.attributes[index].name {
            case "appleMoveMinutes": element.attributes[index].name = "appleMoveTime"
            case "appleMoveMinutesGoal": element.attributes[index].name = "appleMoveTimeGoal"
            default: break
            }
        }
        return element
    }

    private static func isZero(_ text: String) -> Bool { ExactDecimal(text).map { $0.digits == 0 } ?? false }

    /// The element as the digest of an open day has it: once the day is over, the same numbers are final.
    private static func marked(_ element: HealthElement) -> HealthElement {
        var element = element
        element.attributes.append(.init("status", "preliminary"))
        return element
    }

    /// The first day that a watch could measure; earlier ones are placeholders.
    private static let firstDay = "2014-01-01"
}
