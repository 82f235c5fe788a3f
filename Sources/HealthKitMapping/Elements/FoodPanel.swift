internal import FHIRR4
internal import HealthExport

/// A food correlation as a panel that refers to its nutrients.
///
/// The nutrients are Observations where they stand at the top of the file; those that stand
/// nowhere else are written at the end, and the panel behind them: a server may refuse a reference
/// to what it has not. With conditional creates the panel's Bundle carries them, since only there
/// it can refer to them.
struct FoodPanel {
    static let type = "HKCorrelationTypeIdentifierFood"
    /// How the types of nutrients begin.
    static let nutrientPrefix = "HKQuantityTypeIdentifierDietary"

    let context: MappingContext

    /// How the records inside an element are written; `nil` where they are only counted.
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
        // It never refers to what the options leave out.
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
        // Correlations are sets: the order of the file says nothing.
        draft.members = Set(nutrients.map(\.id)).sorted()
        var value = CorrelationChild.identityValue(of: children)
        if let food = frame["HKFoodType"] { value += IdentityScheme.separator + food }
        value += CorrelationChild.mealSuffix(of: frame)
        let resource = draft.resource(
            id: context.scheme.id(
                kind: "Correlation",
                type: Self.type,
                frame: frame,
                value: frame["HKExternalUUID"] ?? value
            ),
            digest: context.scheme.digest(of: element),
            kind: Self.type,
            frame: frame,
            in: context
        )
        var mapped = MappedElement(resource)
        if context.options.form != .conditionalCreate { mapped.units[0].role = .last }
        // Nobody knows whether these stand at the top, too.
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
