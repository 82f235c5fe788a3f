internal import FHIRR4

/// What a sample's metadata adds to its Observation, element by element.
struct MetadataElements: Sendable, Equatable {
    /// Further identifiers, after our own.
    var identifiers: [JSONValue] = []
    var components: [JSONValue] = []
    var extensions: [JSONValue] = []
    var bodySite: JSONValue = nil
    var method: JSONValue = nil
    /// The same two as extensions, for an Observation that has others.
    var spareBodySite: [JSONValue] = []
    var spareMethod: [JSONValue] = []
    var referenceRange: JSONValue = nil
    /// Whether a laboratory took the sample: `HKWasTakenInLab`.
    var isLaboratory = false
    /// `<=` or `>=` for a value that was clamped to a bound.
    var comparator: String?
    /// Units that the table doesn't know, and the keys of values that are not of their kind.
    var unmapped = Unmapped()

    /// What comes after `device` and before the components, each with a comma before it.
    func writeElements(to json: inout JSONBytes) {
        let elements: [JSONValue.Member] = [
            .init("bodySite", bodySite),
            .init("method", method),
            .init("referenceRange", referenceRange.isAbsent ? nil : [referenceRange]),
        ]
        for element in elements where !element.value.isAbsent {
            json.append(literal: ",")
            element.write(to: &json)
        }
    }

    /// List items, each with a comma before it.
    static func write(_ items: [JSONValue], to json: inout JSONBytes) {
        for item in items {
            json.append(literal: ",")
            item.write(to: &json)
        }
    }
}

extension ObservationDraft {
    /// Takes over what the metadata of a part says about the whole, unless the whole says it already.
    ///
    /// The part's identifiers are its own, as are its bounds and its reference range.
    func addNew(_ elements: MetadataElements) {
        var news = elements
        news.identifiers = []
        news.referenceRange = nil
        if !news.components.isEmpty {
            let known = Set(components)
            news.components.removeAll { known.contains($0) }
        }
        if !news.extensions.isEmpty {
            let known = Set(extensions)
            news.extensions.removeAll { known.contains($0) }
        }
        add(news)
    }

    private static let laboratory = category("laboratory")

    /// Takes over what metadata says.
    func add(_ elements: MetadataElements) {
        unmapped += elements.unmapped
        if elements.isLaboratory, !categories.contains(Self.laboratory) { categories.append(Self.laboratory) }
        components += elements.components
        extensions += elements.extensions
        identifiers += elements.identifiers
        for spare in take(elements.bodySite, elements.spareBodySite, into: &bodySite)
            + take(elements.method, elements.spareMethod, into: &method) where !extensions.contains(spare)
        {
            extensions.append(spare)
        }
        if !elements.referenceRange.isAbsent { referenceRange.append(elements.referenceRange) }
    }

    /// Fills a place that is empty.
    ///
    /// - Returns: the extension that says the same, if something else is in the place.
    private func take(_ value: JSONValue, _ spare: [JSONValue], into place: inout JSONValue) -> [JSONValue] {
        guard !value.isAbsent, !place.isAbsent else {
            if place.isAbsent { place = value }
            return []
        }
        return place == value ? [] : spare
    }
}
