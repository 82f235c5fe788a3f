internal import FHIRR4
internal import HealthExport

/// Puts each metadata entry where FHIR has a place for it, and the rest into an extension.
///
/// Entries come as distinct pairs in ascending order of key, then of value: their order in the file has no meaning.
/// What a frame reads (`HKTimeZone`, `HKDeviceSerialNumber`, `HKUDIDeviceIdentifier`) is left out here.
/// docs/metadata.md has every key with its place and the reason.
final class MetadataMapper: Sendable {
    /// The extension of our own: `key` and `value`.
    static let extensionURL = "http://pghd.invalid/StructureDefinition/healthkit-metadata-entry"

    /// A bound of a reference range, as in the export and as it is written.
    private struct Bound {
        var text: String?
        var quantity: JSONValue?
    }

    let table: MappingTable
    /// Whether entries without a place of their own are kept.
    let keepsRest: Bool

    init(table: MappingTable, keepsRest: Bool) {
        self.table = table
        self.keepsRest = keepsRest
    }

    /// Maps the entries of one sample.
    ///
    /// - Parameters:
    ///   - entries: distinct pairs, sorted; values are not empty.
    ///   - places: where the resource has room for what they say.
    ///   - unit: the unit of the sample's number, if it has one.
    ///   - hasZone: whether its `HKTimeZone` is a zone; if not, it stays text.
    ///   - isRead: whether what is read elsewhere, such as a zone, was read from this pair; if not, it stays text.
    /// - Returns: what they add.
    func map(
        _ entries: [(key: String, value: String)],
        places: MetadataPlaces = [.panel, .number],
        unit: ValueUnit? = nil,
        hasZone: Bool = true,
        isRead: (_ key: String, _ value: String) -> Bool = { _, _ in true }
    ) -> MetadataElements {
        var elements = MetadataElements()
        var low = Bound()
        var high = Bound()
        for (place, (key, value)) in entries.enumerated() {
            switch MetadataRule.rules.value(ofExactly: key) {
            case .elsewhere:
                // Of several the greatest counts there, which is the last.
                let isLast = place + 1 == entries.count || !entries[place + 1].key.isExactly(key)
                let hasPlace =
                    (hasZone || !key.isExactly("HKTimeZone"))
                    && (places.contains(.udi) || !key.isExactly("HKUDIDeviceIdentifier"))
                if !isLast || !hasPlace || !isRead(key, value) { rest(key, value) }
            case .identifier:
                elements.identifiers.append(
                    ["use": "secondary", "type": ["text": .string(key)], "value": .string(value)]
                )
            case .laboratory where value == "1" && places.contains(.laboratory): elements.isLaboratory = true
            case .lowerBound where value == "1" && places.contains(.number): elements.comparator = "<="
            // Where the value is clamped to both bounds, only the other one is its comparator.
            case .upperBound where value == "1" && places.contains(.number) && elements.comparator == nil:
                elements.comparator = ">="
            // A 0 goes without saying.
            case .laboratory, .lowerBound, .upperBound: if value != "0" { rest(key, value) }
            case .rangeLow where places.contains(.number): take(key, value, into: &low)
            case .rangeHigh where places.contains(.number): take(key, value, into: &high)
            case .bodySite where places.contains(.elements):
                guard let concept = placed(place, among: entries) else { rest(key, value); continue }
                elements.bodySite = concept
                elements.spareBodySite = spare(key, value)
            case .method where places.contains(.elements):
                guard let concept = placed(place, among: entries) else { rest(key, value); continue }
                elements.method = concept
                elements.spareMethod = spare(key, value)
            case .component(let codings, let kind) where places.contains(.components):
                guard let member = member(value, kind) else { rest(key, value); continue }
                let text = table.otherDisplays.value(ofExactly: key)
                elements.components.append(ObservationDraft.component(codings + [.apple(key)], text: text, member))
            case .rangeLow, .rangeHigh, .bodySite, .method, .component, .extension, nil: rest(key, value)
            }
        }
        elements.referenceRange = ["low": low.quantity ?? nil, "high": high.quantity ?? nil]
        if keepsRest {
            for (key, value) in entries { note(key, value, hasZone: hasZone, in: &elements.unmapped) }
        }
        return elements

        /// Of several the last that is a number counts; the others stay as they are.
        func take(_ key: String, _ value: String, into bound: inout Bound) {
            let quantity = unit.map { $0.bound(value) ?? self.quantity(value, in: $0) } ?? self.quantity(value)
            guard let quantity else { return rest(key, value) }
            if let former = bound.text { rest(key, former) }
            bound = Bound(text: value, quantity: quantity)
        }

        func rest(_ key: String, _ value: String) { elements.extensions += spare(key, value) }
    }

    /// Notes a unit that the table doesn't know, or the key of a value of the wrong kind: both are written as text.
    private func note(_ key: String, _ value: String, hasZone: Bool, in unmapped: inout Unmapped) {
        let kind = MetadataRule.rules.value(ofExactly: key)?.kind ?? .text
        switch kind {
        case .boolean where value == "1" || value == "0": break
        case .coded(let system) where concept(value, system) != nil: break
        case .quantity, .humidity, .levelDifference:
            guard let measure = measure(value, kind) else { return unmapped.values.append(key) }
            if let unit = measure.unit, measure.mapping == nil { unmapped.units.append(unit) }
        case .text where hasZone || !key.isExactly("HKTimeZone"): break
        case .boolean, .coded, .text: unmapped.values.append(key)
        }
    }

    /// What an entry says about the body site or the method; `nil` if another has the place.
    ///
    /// Of one key the last has it; if two keys want it, nobody knows which is right.
    private func placed(_ place: Int, among entries: [(key: String, value: String)]) -> JSONValue? {
        let (key, value) = entries[place]
        guard let rule = MetadataRule.rules.value(ofExactly: key), let meant = concept(value, of: rule) else {
            return nil
        }
        for (other, entry) in entries.enumerated() where other != place {
            guard let rival = MetadataRule.rules.value(ofExactly: entry.key), rival.sharesPlace(with: rule),
                concept(entry.value, of: rival) != nil
            else { continue }
            if other > place || !entry.key.isExactly(key) { return nil }
        }
        return meant
    }

    /// A pair as an extension; none if such are not kept.
    func spare(_ key: String, _ value: String) -> [JSONValue] {
        guard keepsRest else { return [] }
        let kind = MetadataRule.rules.value(ofExactly: key)?.kind ?? .text
        let member = member(value, kind) ?? member(value, .text) ?? .init("valueString", .string(value))
        return [
            [
                "url": .string(Self.extensionURL),
                "extension": [
                    ["url": "key", "valueString": .string(key)],
                    .object([.init("url", "value"), member]),
                ],
            ]
        ]
    }

    /// Pairs with a key and a value, once each, in the order of their bytes.
    static func distinct(_ pairs: [(key: String, value: String)]) -> [(key: String, value: String)] {
        let sorted = pairs.filter { !FHIRText.isBlank($0.key) && !FHIRText.isBlank($0.value) }.sorted {
            $0.key.isExactly($1.key)
                ? IdentityScheme.inByteOrder($0.value, $1.value) : IdentityScheme.inByteOrder($0.key, $1.key)
        }
        return sorted.enumerated().filter { place, pair in
            place == 0 || !sorted[place - 1].key.isExactly(pair.key) || !sorted[place - 1].value.isExactly(pair.value)
        }.map(\.element)
    }

    /// `value[x]` of a kind; `nil` if the text is not of that kind.
    private func member(_ value: String, _ kind: MetadataRule.Kind) -> JSONValue.Member? {
        switch kind {
        case .boolean:
            return value == "1" || value == "0" ? .init("valueBoolean", .bool(value == "1")) : nil
        case .coded(let system):
            return concept(value, system).map { .init("valueCodeableConcept", $0) }
        case .quantity, .humidity, .levelDifference:
            return quantity(value, kind).map { .init("valueQuantity", $0) }
        case .text:
            // A date's text has the offset of the day of export, so it is written as an instant.
            if let seconds = ExportDate.seconds(value), FHIRDateTime.range.contains(seconds) {
                return .init("valueDateTime", .string(FHIRDateTime.utcText(seconds)))
            }
            return value.unlessBlank.map { .init("valueString", .string($0)) }
        }
    }

    /// A raw number of an enumeration as a concept: Apple's code, standard ones before it.
    private func concept(_ value: String, _ system: String) -> JSONValue? {
        guard let mapping = table.value(number: value, in: ValueTable.appleSystems + system) else { return nil }
        return .concept(mapping.codings, text: mapping.text)
    }

    /// An entry's value as a concept, if its rule names an enumeration.
    private func concept(_ value: String, of rule: MetadataRule) -> JSONValue? {
        guard case .coded(let system) = rule.kind else { return nil }
        return concept(value, system)
    }

    /// `418 cm` as a Quantity; percentages here are percentages already, unlike those of records.
    private func quantity(_ text: String, _ kind: MetadataRule.Kind = .quantity) -> JSONValue? {
        guard let measure = measure(text, kind) else { return nil }
        let number = measure.number
        // Apple scales humidity twice: 6900 % is 69 %.
        var isScaled = false
        if case .humidity = kind { isScaled = number.isAbove(ExactDecimal(digits: 100, exponent: 0)) }
        let value =
            isScaled
            ? number.shifted(by: -2).withoutTrailingZeros().text
            : ValueConversion.asWritten.text(of: number, asWritten: measure.text)
        return .quantity(value, measure.mapping?.display ?? measure.unit, code: measure.mapping?.ucumCode)
    }

    /// A number with its own unit, if that is the unit in which the value is written.
    private func quantity(_ text: String, in unit: ValueUnit) -> JSONValue? {
        guard let mapping = measure(text, .quantity)?.mapping, mapping == unit.unit else { return nil }
        return quantity(text)
    }

    /// A number as written, and the unit after it.
    private struct Measure {
        var text: String
        var number: ExactDecimal
        var unit: String?
        /// What the table says about the unit; `nil` if it doesn't know it.
        var mapping: UnitMapping?
    }

    /// The parts of `418 cm`; `nil` if it does not begin with a number.
    private func measure(_ text: String, _ kind: MetadataRule.Kind) -> Measure? {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard let first = parts.first.map(String.init), let number = ExactDecimal(first) else { return nil }
        var measure = Measure(text: first, number: number, unit: parts.count > 1 ? String(parts[1]).unlessBlank : nil)
        guard let unit = measure.unit else { return measure }
        if case .levelDifference = kind {
            // The unit means what it means for samples of this type.
            measure.mapping = table.type("HKQuantityTypeIdentifierEnvironmentalSoundReduction")?.unit(unit)
        }
        measure.mapping = measure.mapping ?? table.unit(unit)
        return measure
    }
}
