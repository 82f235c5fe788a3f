internal import FHIRR4
internal import HealthExport

/// A food correlation as a panel that refers to its nutrients.
///
/// The nutrients are Observations where they are at the top of the file. Those that are nowhere else are written at the
/// end, and the panel after them: a server may refuse a reference to what it does not have. With conditional creates
/// the panel's Bundle carries them, since only there can it refer to them.
struct FoodPanel {
    static let type = "HKCorrelationTypeIdentifierFood"
    /// How the types of nutrients begin.
    static let nutrientPrefix = "HKQuantityTypeIdentifierDietary"

    let context: MappingContext

    /// How the records inside an element are written; `nil` if they are only counted.
    static func roleOfRecords(in element: HealthElement, form: EntryForm) -> EncodedResource.Role? {
        guard element.name == .correlation, element["type"]?.isExactly(type) == true else { return nil }
        return form == .conditionalCreate ? .resource : .waiting
    }

    func map(_ element: HealthElement) -> MappedElement {
        guard let frame = SampleFrame(element, in: context) else { return .unusable }
        guard context.isWanted(frame.start), context.wants([Self.type]) else { return MappedElement() }
        let children = element.children.compactMap { CorrelationChild($0, in: context) }
        let nutrients = children.filter { $0.type.beginsExactly(with: Self.nutrientPrefix) }
        guard !nutrients.isEmpty else { return .leftOut(element.name) }
        // A panel never refers to what the options leave out.
        guard nutrients.allSatisfy({ context.isWanted($0.frame.start) && context.wants([$0.type]) }) else {
            return MappedElement()
        }
        let draft = ObservationDraft(
            codings: [.loinc("80453-4", "Food intake panel"), .apple(Self.type, "Food")],
            text: frame["HKFoodType"].flatMap(\.unlessBlank) ?? "Food"
        )
        draft.profiles = [ProfileURL.foodPanel]
        draft.categories = [ObservationDraft.category(category)]
        draft.add(context.metadata(of: frame, except: ["HKFoodType"]))
        draft.effective = context.effective(frame.start, frame.end, zone: frame["HKTimeZone"])
        // Correlations are sets: their order in the file has no meaning.
        draft.members = Set(nutrients.map(\.id)).sorted()
        let suffixes = frame.foodSuffix + frame.mealSuffix + frame.externalUUIDSuffix
        let value = CorrelationChild.identityValue(of: children) + suffixes
        let resource = draft.resource(
            id: context.scheme.id(kind: "Correlation", type: Self.type, frame: frame, value: value),
            digest: context.digest(of: element, frame.start, frame.end, zone: frame["HKTimeZone"]),
            kind: Self.type,
            frame: frame,
            in: context
        )
        var mapped = MappedElement(resource)
        if context.options.form != .conditionalCreate { mapped.units[0].role = .last }
        // Whether these are at the top of the file too is not known.
        let others = children.filter { !$0.type.beginsExactly(with: Self.nutrientPrefix) }
        mapped.unmapped.values += others.map(\.type)
        if frame.endsBeforeStart { mapped.faults.append(.endBeforeStart) }
        return mapped
    }

    /// The category of its nutrients.
    private var category: String {
        context.table.type(Self.nutrientPrefix + "EnergyConsumed")?.category ?? "activity"
    }
}
