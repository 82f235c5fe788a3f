package import FHIRR4
package import HealthExport

/// Maps what is not a plain record: workouts, correlations, rings, audiograms and the rest.
///
/// Pure: the same element and options give the same bytes. One mapper serves one worker.
package struct ElementMapper: Sendable {
    /// The names in `--types` for what the table has no type for, with the types that they stand for.
    package static let typeNames: [String: String] = [
        "Electrocardiogram": ElectrocardiogramObservation.type, "Workout": Workout.type,
        "ActivitySummary": "ActivitySummary", "Audiogram": "Audiogram", "VisionPrescription": "VisionPrescription",
        "Me": "Me", "ClinicalRecord": "ClinicalRecord", "SleepDurationGoal": "HKDataTypeSleepDurationGoal",
    ]

    /// The names in `--types` for panels, with the types that must be asked for to get them.
    package static func panelTypes(in table: MappingTable) -> [String: Set<String>] {
        let nutrients = table.types.map(\.identifier).filter { $0.hasPrefix(FoodPanel.nutrientPrefix) }
        return [
            "BloodPressure": [BloodPressure.type, BloodPressure.systolic, BloodPressure.diastolic],
            "Food": Set(nutrients + [FoodPanel.type]),
        ]
    }

    /// Whether anything in an export has this type.
    ///
    /// - Parameters:
    ///   - identifier: Apple's in full, such as `HKQuantityTypeIdentifierHeartRate`, or one that `typeNames` leads to.
    ///   - table: the mapping.
    /// - Returns: `false` for short names too.
    package static func isType(_ identifier: String, in table: MappingTable) -> Bool {
        table.type(identifier) != nil || typeNames.values.contains(identifier)
            || panelTypes(in: table).values.contains { $0.contains(identifier) }
    }

    let context: MappingContext

    /// The day of the export, such as `2024-07-01`, whose summaries still grow; `nil` if the export does not say.
    package var exportDay: String?

    /// A mapper for one run.
    package init(table: MappingTable, options: MappingOptions, registry: DeviceRegistry) {
        context = MappingContext(table: table, options: options, registry: registry)
    }

    /// Maps one element.
    ///
    /// - Parameters:
    ///   - element: complete, with all that is in it.
    ///   - json: the resources are appended.
    ///   - rows: a row for each is appended, and one for each sample that the element covers.
    ///   - fault: called for each thing that is damaged.
    /// - Returns: what was counted.
    package func map(
        _ element: HealthElement,
        into json: inout JSONBytes,
        rows: inout RawArray<EncodedResource>,
        fault: (Malformation.Kind) -> Void
    ) -> ElementTally {
        let mapped = map(element)
        let firstRow = rows.count
        var tally = write(mapped, into: &json, rows: &rows, fault: fault)
        if let owner = mapped.owner {
            tally.owners = [NotedOwner(owner: owner, byteOffset: element.byteOffset, rows: firstRow..<rows.count)]
        }
        return tally
    }

    /// Maps a file that an element refers to.
    ///
    /// - Parameters:
    ///   - file: which one.
    ///   - content: its bytes; `nil` if the export does not hold it.
    ///   - json: the resources are appended.
    ///   - rows: a row for each is appended.
    ///   - fault: called for each thing that is damaged.
    /// - Returns: what was counted.
    package func map(
        _ file: ReferencedFile,
        content: [UInt8]?,
        into json: inout JSONBytes,
        rows: inout RawArray<EncodedResource>,
        fault: (Malformation.Kind) -> Void
    ) -> ElementTally {
        write(map(file, content: content), into: &json, rows: &rows, fault: fault)
    }

    /// Maps an electrocardiogram.
    ///
    /// - Parameters:
    ///   - electrocardiogram: one of the export's.
    ///   - json: the resources are appended.
    ///   - rows: a row for each is appended.
    ///   - fault: called for each thing that is damaged.
    /// - Returns: what was counted.
    package func map(
        _ electrocardiogram: Electrocardiogram,
        into json: inout JSONBytes,
        rows: inout RawArray<EncodedResource>,
        fault: (Malformation.Kind) -> Void
    ) -> ElementTally {
        write(map(electrocardiogram), into: &json, rows: &rows, fault: fault)
    }

    /// Whether `--types` asks for electrocardiograms, so that their files need to be read.
    package var wantsElectrocardiograms: Bool { context.wants([ElectrocardiogramObservation.type]) }

    private func write(
        _ mapped: MappedElement,
        into json: inout JSONBytes,
        rows: inout RawArray<EncodedResource>,
        fault: (Malformation.Kind) -> Void
    ) -> ElementTally {
        mapped.faults.forEach(fault)
        for id in mapped.covered { rows.append(.covering(id)) }
        for unit in mapped.units {
            for (place, draft) in unit.drafts.enumerated() {
                draft.write(
                    form: context.options.form,
                    role: unit.role,
                    followers: unit.drafts.count - 1 - place,
                    to: &json,
                    rows: &rows
                )
            }
        }
        return ElementTally(mapped)
    }

    /// Whether the records inside an element must be in one Bundle with what is made from it.
    package func joinsRecords(in element: HealthElement) -> Bool { roleOfRecords(in: element) == .resource }

    /// How the records inside an element are written; `nil` if they are only counted.
    package func roleOfRecords(in element: HealthElement) -> EncodedResource.Role? {
        guard element.name == .workout else {
            return FoodPanel.roleOfRecords(in: element, form: context.options.form)
        }
        return Workout.isWanted(element, in: context) ? .resource : nil
    }

    func map(_ file: ReferencedFile, content: [UInt8]?) -> MappedElement {
        switch file.kind {
        case .route: WorkoutRoute(context: context).map(file, content: content)
        case .clinicalRecord: ClinicalRecord(context: context).map(file, content: content)
        }
    }

    func map(_ electrocardiogram: Electrocardiogram) -> MappedElement {
        ElectrocardiogramObservation(context: context).map(electrocardiogram)
    }

    func map(_ element: HealthElement) -> MappedElement {
        guard !context.options.includesRoutes else { return mapWhole(element) }
        // Before anything is made from it, even a digest: `--routes` is not part of a Bundle's key.
        let (rest, count) = element.withoutPlaces
        var mapped = mapWhole(rest)
        if context.options.keepsMetadata, !mapped.units.isEmpty {
            mapped.unmapped.elements += Array(repeating: .metadataEntry, count: count)
        }
        return mapped
    }

    private func mapWhole(_ element: HealthElement) -> MappedElement {
        // By its bytes: another type that only looks like one of the two is not a panel.
        let panels = [BloodPressure.type, FoodPanel.type]
        if element.name == .correlation, !panels.contains(where: { element["type"]?.isExactly($0) == true }) {
            return .leftOut(element.name)
        }
        guard !SourceName.isTooLong(in: element) else { return .unusable }
        return switch (element.name, element["type"]) {
        case (.correlation, BloodPressure.type): BloodPressure(context: context).map(element)
        case (.correlation, FoodPanel.type): FoodPanel(context: context).map(element)
        case (.workout, _): Workout(context: context).map(element)
        case (.activitySummary, _): ActivitySummary(context: context, exportDay: exportDay).map(element)
        case (.audiogram, _): Audiogram(context: context).map(element)
        case (.visionPrescription, _): VisionPrescription(context: context).map(element)
        case (.clinicalRecord, _): ClinicalRecord(context: context).map(element)
        case (.me, _): Characteristics(context: context).map(element)
        default: ElementName.trees.contains(element.name) ? .leftOut(element.name) : MappedElement()
        }
    }
}

extension HealthElement {
    /// The same without metadata that show a place, and how many those were.
    ///
    /// Those of records in it are counted with the records, and those of routes not at all.
    fileprivate var withoutPlaces: (element: HealthElement, count: Int) {
        var rest = self
        var count = 0
        rest.children = children.compactMap { child in
            if child.name == .metadataEntry, let key = child["key"], MetadataRule.tellsPlace(key) {
                count += 1
                return nil
            }
            guard !child.children.isEmpty else { return child }
            let (inner, found) = child.withoutPlaces
            if child.name != .record, child.name != .workoutRoute { count += found }
            return inner
        }
        return (rest, count)
    }
}

/// What was counted in the elements of a chunk.
package struct ElementTally: Sendable, Equatable {
    /// What had no meaning in the elements and in what is inside them.
    package var unmapped = UnmappedCounts()

    /// Whose export it is, once for each `Me`.
    package var owners: [NotedOwner] = []

    /// Files to be read once the XML is done.
    package var files: [ReferencedFile] = []

    /// Nothing yet.
    package init() {}

    init(_ mapped: MappedElement) {
        files = mapped.files
        unmapped = UnmappedCounts(mapped.unmapped)
        for unit in mapped.units {
            for draft in unit.drafts where !draft.unmapped.isEmpty { unmapped.add(UnmappedCounts(draft.unmapped)) }
        }
    }

    /// Adds elements of a name that were left out.
    package mutating func addLeftOut(_ name: ElementName, _ count: UInt64) {
        if count > 0 { unmapped.elements[name.text, default: 0] += count }
    }

    /// Adds what had no meaning in the metadata of records.
    package mutating func add(_ counts: UnmappedCounts) { unmapped.add(counts) }

    /// Adds values that could not be read.
    package mutating func addUnknownValues(_ count: UInt64) {
        if count > 0 { unmapped.values["other", default: 0] += count }
    }

    /// Adds what another element counted.
    package mutating func add(_ other: ElementTally) {
        files += other.files
        owners += other.owners
        unmapped.add(other.unmapped)
    }
}
