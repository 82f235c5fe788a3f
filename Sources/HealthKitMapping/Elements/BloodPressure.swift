package import FHIRR4
internal import HealthExport

/// A blood pressure correlation as one panel: FHIR R4's `bp` profile.
///
/// Its two records are at the top of the file too; the panel covers them. A value that is missing, or whose unit is not
/// a pressure, becomes a `dataAbsentReason`. Device and metadata that the two have and the correlation lacks go into
/// the panel: nothing else would write them.
///
/// Source: <https://hl7.org/fhir/R4/bp.html>.
package struct BloodPressure {
    static let type = "HKCorrelationTypeIdentifierBloodPressure"
    static let systolic = "HKQuantityTypeIdentifierBloodPressureSystolic"
    static let diastolic = "HKQuantityTypeIdentifierBloodPressureDiastolic"
    /// Types whose records wait for a panel.
    static let valueTypes: Set<String> = [systolic, diastolic]

    private static let valueKinds = Set(valueTypes.map { EncodedResource.kind(of: $0) })

    /// Whether this is the Observation of one of the two values, which a panel may stand for.
    package static func isValue(_ row: EncodedResource) -> Bool { valueKinds.contains(row.kind) }

    let context: MappingContext

    func map(_ element: HealthElement) -> MappedElement {
        guard let frame = SampleFrame(element, in: context) else { return .unusable }
        guard context.wants([Self.type, Self.systolic, Self.diastolic]) else { return MappedElement() }
        let panel = panel(of: element, frame)
        guard !context.isWanted(frame.start) else { return panel }
        // It covers its values even if only another selection has it: of two adjoining selections each value is in one.
        var left = MappedElement()
        left.covered = panel.covered
        return left
    }

    private func panel(of element: HealthElement, _ whole: SampleFrame) -> MappedElement {
        var frame = whole
        var mapped = MappedElement()
        let children = element.children.compactMap { CorrelationChild($0, in: context) }
        // A panel of neither would only say that somebody measured.
        guard children.contains(where: { child in Self.valueTypes.contains { child.type.isExactly($0) } }) else {
            return .leftOut(element.name)
        }
        // The report shows that these have no place here: whether they are at the top of the file too is not known.
        let others = children.filter { child in !Self.valueTypes.contains { child.type.isExactly($0) } }
        mapped.unmapped.values += others.map(\.type)
        let draft = ObservationDraft(codings: Self.codings, text: "Blood pressure")
        draft.profiles = ["http://hl7.org/fhir/StructureDefinition/bp", ProfileURL.bloodPressure]
        draft.categories = Self.categories
        draft.add(context.metadata(of: frame, places: .vitalSignsPanel))
        let covered = Self.valueCodings.compactMap { type, codings in
            addComponent(of: children.filter { $0.type.isExactly(type) }, codings, to: draft, &mapped)
        }
        mapped.covered = covered.map(\.id)
        if frame.device == nil, let device = covered.lazy.compactMap(\.frame.device).first {
            frame.device = device
            // There is room for one: the systolic value's, if it has one.
            let others = Set(covered.compactMap { $0.frame.device?.id }).subtracting([device.id])
            mapped.unmapped.values += others.map { _ in "" }
        }
        let zone = frame["HKTimeZone"] ?? covered.lazy.compactMap { $0.frame["HKTimeZone"] }.first
        draft.effective = context.effective(frame.start, frame.end, zone: zone)
        // A time can be written in one zone only.
        var told = [zone].compactMap { $0 }
        for child in covered where context.hasZone(child.frame.metadata) {
            guard let other = child.frame["HKTimeZone"], !told.contains(where: other.isExactly) else { continue }
            told.append(other)
            draft.extensions += context.metadataMapper.spare("HKTimeZone", other)
        }
        let value = CorrelationChild.identityValue(of: children) + frame.externalUUIDSuffix
        let resource = draft.resource(
            id: context.scheme.id(kind: "Correlation", type: Self.type, frame: frame, value: value),
            digest: context.digest(of: element, frame.start, frame.end, zone: zone),
            kind: Self.type,
            frame: frame,
            in: context
        )
        mapped.units = [.init(drafts: [resource])]
        if frame.endsBeforeStart { mapped.faults.append(.endBeforeStart) }
        return mapped
    }

    /// Adds the component of one of the two values.
    ///
    /// - Returns: the record that it shows; `nil` if none can be shown.
    private func addComponent(
        of children: [CorrelationChild],
        _ codings: [Coding],
        to draft: ObservationDraft,
        _ mapped: inout MappedElement
    ) -> CorrelationChild? {
        // Correlations are sets, so of several values the ids decide. A value that the panel can't show stays alone.
        let child = children.sorted(by: CorrelationChild.isBefore).first { millimetresOfMercury($0) != nil }
        let said = child.map { metadata(of: $0) } ?? MetadataElements()
        let quantity = child.flatMap { millimetresOfMercury($0, comparator: said.comparator) }
        if let child {
            mapped.unmapped.values += children.filter { $0.id != child.id }.map(\.type)
        } else if !children.isEmpty {
            // What is not a pressure has no place here; if its record is also at the top, that one shows it as it is.
            mapped.unmapped.values.append("")
        }
        draft.addNew(said)
        draft.components.append(
            ObservationDraft.component(
                codings,
                quantity.map { .init("valueQuantity", $0) }
                    ?? .init("dataAbsentReason", .dataAbsent("unknown", "Unknown")),
                referenceRange: said.referenceRange
            )
        )
        return child
    }

    /// What a value's own metadata says; a version means nothing without its identifier.
    private func metadata(of child: CorrelationChild) -> MetadataElements {
        context.metadata(
            of: child.frame,
            except: ["HKMetadataKeySyncVersion"],
            places: [.vitalSignsPanel, .number],
            unit: Self.unit(of: child)
        )
    }

    /// The value in the one unit that the profile allows.
    private func millimetresOfMercury(_ child: CorrelationChild, comparator: String? = nil) -> JSONValue? {
        guard let unit = Self.unit(of: child), let number = ExactDecimal(child.value) else { return nil }
        return .quantity(
            unit.conversion.text(of: number, asWritten: child.value),
            comparator: comparator,
            Self.millimetreOfMercury.display,
            code: Self.millimetreOfMercury.ucumCode
        )
    }

    /// The child's unit, if it is a pressure.
    private static func unit(of child: CorrelationChild) -> ValueUnit? {
        guard let conversion = child.unit.flatMap({ conversions[$0] }) else { return nil }
        return ValueUnit(appleUnit: child.unit, unit: millimetreOfMercury, conversion: conversion)
    }

    private static let codings: [Coding] = [
        .loinc("85354-9", "Blood pressure panel with all children optional"), .apple(type, "Blood pressure"),
    ]
    private static let categories = [ObservationDraft.category("vital-signs")]
    private static let valueCodings: [(type: String, codings: [Coding])] = [
        (systolic, "8480-6", "Systolic blood pressure"), (diastolic, "8462-4", "Diastolic blood pressure"),
    ].map { type, loinc, display in (type, [.loinc(loinc, display), .apple(type, display)]) }

    private static let millimetreOfMercury = UnitMapping(ucumCode: "mm[Hg]", display: "mmHg")

    /// 1000 Pa and 98.0665 Pa / 133.322387415 Pa.
    private static let conversions: [String: ValueConversion] = [
        "mmHg": .asWritten,
        "kPa": .multiplied(by: ExactDecimal(digits: 7_500_615_758_456_563, exponent: -15)),
        "hPa": .multiplied(by: ExactDecimal(digits: 7_500_615_758_456_563, exponent: -16)),
        "cmAq": .multiplied(by: ExactDecimal(digits: 7_355_591_352_765_687, exponent: -16)),
    ]
}
