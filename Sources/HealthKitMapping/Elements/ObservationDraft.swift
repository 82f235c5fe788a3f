internal import FHIRR4
internal import HealthExport

/// An Observation that is not made from a plain record, with its parts in the order of its JSON.
///
/// A class because it is completed in several places and written once: a structure of so many parts would be copied at
/// each step.
final class ObservationDraft {
    /// Canonical URLs of the profiles that it claims, at least one.
    var profiles: [String] = []
    /// Tags of `meta.tag`.
    var tags: [Coding] = []
    /// Codings of `category`, each a CodeableConcept of its own, at least one.
    var categories: [Coding] = []
    /// Extensions, except the gateway's.
    var extensions: [JSONValue] = []
    /// Identifiers in addition to our own.
    var identifiers: [JSONValue] = []
    var status = "final"
    /// The code, standard codings first.
    var codings: [Coding]
    /// The code in words.
    var text: String?
    /// `effectiveDateTime` or `effectivePeriod`.
    var effective: [JSONValue.Member] = []
    /// `valueQuantity` and the like, or `dataAbsentReason`; a panel has none.
    var value: JSONValue.Member?
    var bodySite: JSONValue = nil
    var method: JSONValue = nil
    var referenceRange: [JSONValue] = []
    var members: [ResourceID] = []
    var components: [JSONValue] = []
    /// What had no meaning in its metadata.
    var unmapped = Unmapped()

    /// An Observation of this code.
    init(codings: [Coding], text: String? = nil) {
        self.codings = codings
        self.text = text
    }

    /// Writes the whole resource.
    ///
    /// - Parameters:
    ///   - id: its id.
    ///   - digest: the digest of the element that it is made from.
    ///   - kind: says what it is, for cutting Bundles.
    ///   - frame: who wrote and measured it; `nil` if it has no source.
    ///   - context: the run's.
    /// - Returns: the draft, ready to be framed.
    func resource(
        id: ResourceID,
        digest: UInt64,
        kind: String,
        frame: SampleFrame?,
        in context: MappingContext
    ) -> ResourceDraft {
        var json = JSONBytes(capacity: 1 << 11)
        write(id, frame, context, to: &json)
        let content = unsafe json.withBytes { unsafe Array($0) }
        var draft = ResourceDraft(type: .observation, id: id, digest: digest, kind: kind, content: content)
        draft.device = frame?.device?.number ?? -1
        draft.gateway = frame?.gateway?.number ?? -1
        draft.rank = frame?.syncVersion ?? 0
        draft.unmapped = unmapped
        return draft
    }

    /// Writes everything after the id, directly as JSON: a workout has ten of these.
    private func write(_ id: ResourceID, _ frame: SampleFrame?, _ context: MappingContext, to json: inout JSONBytes) {
        json.append(literal: ",\"meta\":{\"profile\":")
        json.appendList(profiles) { $1.appendString($0) }
        if !tags.isEmpty {
            json.append(literal: ",\"tag\":")
            json.appendList(tags) { $0.write(to: &$1) }
        }
        json.append(literal: "}")
        ResourceDraft.writeIdentifiers(id, identifiers, to: &json)
        json.append(literal: ",\"status\":")
        json.appendString(status)
        json.append(literal: ",\"category\":")
        json.appendList(categories) { $1.appendConcept([$0]) }
        JSONValue.Member("code", .concept(codings, text: text)).writeNext(to: &json)
        json.append(literal: ",\"subject\":{\"reference\":")
        json.appendString(context.subjectReference)
        json.append(literal: "}")
        for member in effective { member.writeNext(to: &json) }
        json.append(literal: ",\"performer\":[{\"reference\":")
        json.appendString(context.subjectReference)
        json.append(literal: "}]")
        value?.writeNext(to: &json)
        JSONValue.Member("bodySite", bodySite).writeNext(to: &json)
        JSONValue.Member("method", method).writeNext(to: &json)
        if let device = frame?.device {
            json.append(literal: ",\"device\":")
            context.writeReference(.device, device.id, to: &json)
        }
        JSONValue.Member("referenceRange", .list(referenceRange)).writeNext(to: &json)
        if !members.isEmpty {
            json.append(literal: ",\"hasMember\":")
            json.appendList(members) { context.writeReference(.observation, $0, to: &$1) }
        }
        JSONValue.Member("component", .list(components)).writeNext(to: &json)
        guard let gateway = frame?.gateway else {
            return JSONValue.Member("extension", .list(extensions)).writeNext(to: &json)
        }
        json.append(literal: ",\"extension\":[{\"url\":")
        json.append(literal: "\"http://hl7.org/fhir/StructureDefinition/observation-gatewayDevice\"")
        json.append(literal: ",\"valueReference\":")
        context.writeReference(.device, gateway.id, to: &json)
        json.append(literal: "}")
        MetadataElements.write(extensions, to: &json)
        json.append(literal: "]")
    }

    /// A component of a code and a value, such as `("valueQuantity", …)`.
    static func component(
        _ codings: [Coding],
        text: String? = nil,
        _ value: JSONValue.Member,
        referenceRange: JSONValue = nil,
        extensions: [JSONValue] = []
    ) -> JSONValue {
        let ranges: JSONValue = referenceRange.isAbsent ? nil : [referenceRange]
        return .object([
            .init("extension", .list(extensions)), .init("code", .concept(codings, text: text)), value,
            .init("referenceRange", ranges),
        ])
    }

    /// The category of a type that the table doesn't know (docs/decisions/0004).
    static func categoryOfUnknown(_ type: String) -> String {
        SampleKind(type: type) == .quantity ? "activity" : "survey"
    }

    /// The code of HL7's observation-category, such as `activity`.
    static func category(_ code: String) -> Coding {
        let display = code.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined(separator: " ")
        return Coding(
            system: "http://terminology.hl7.org/CodeSystem/observation-category",
            code: code,
            display: display
        )
    }
}

extension JSONBytes {
    /// Appends a list of what `write` appends for each item.
    fileprivate mutating func appendList<Item>(_ items: [Item], _ write: (Item, inout JSONBytes) -> Void) {
        append(literal: "[")
        for (place, item) in items.enumerated() {
            if place > 0 { append(literal: ",") }
            write(item, &self)
        }
        append(literal: "]")
    }
}
