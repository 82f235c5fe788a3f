internal import FHIRR4
internal import HealthExport

/// An Observation of any kind but a plain record's, in the order in which its JSON is written.
struct ObservationDraft: Sendable {
    /// Canonical URLs of the profiles it claims.
    var profiles: [String] = []
    /// Tags of `meta.tag`.
    var tags: [Coding] = []
    /// Codings of `category`, each a CodeableConcept of its own.
    var categories: [Coding] = []
    /// Extensions, the gateway's left out.
    var extensions: [JSONValue] = []
    /// Identifiers beside our own.
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

    /// An Observation of this code.
    init(codings: [Coding], text: String? = nil) {
        self.codings = codings
        self.text = text
    }

    /// The resource.
    ///
    /// - Parameters:
    ///   - id: its name.
    ///   - digest: of the element that it is made of.
    ///   - group: names its kind, for cutting Bundles.
    ///   - frame: who wrote and measured it; `nil` for what has no source.
    ///   - context: the run's.
    /// - Returns: the draft of the whole resource.
    func resource(
        id: ResourceID,
        digest: UInt64,
        group: String,
        frame: SampleFrame?,
        in context: MappingContext
    ) -> ResourceDraft {
        var extensions = extensions
        if let gateway = frame?.gateway {
            extensions.insert(
                [
                    "url": "http://hl7.org/fhir/StructureDefinition/observation-gatewayDevice",
                    "valueReference": context.reference(.device, gateway.id),
                ],
                at: 0
            )
        }
        var body: [JSONValue.Member] = [
            .init("status", .string(status)),
            .init("category", .list(categories.map { .concept([$0]) })),
            .init("code", .concept(codings, text: text)),
            .init("subject", context.subject),
        ]
        body += effective
        body.append(.init("performer", [context.subject]))
        if let value { body.append(value) }
        body += [
            .init("bodySite", bodySite),
            .init("method", method),
            .init("device", frame?.device.map { context.reference(.device, $0.id) } ?? nil),
            .init("referenceRange", .list(referenceRange)),
            .init("hasMember", .list(members.map { context.reference(.observation, $0) })),
            .init("component", .list(components)),
            .init("extension", .list(extensions)),
        ]
        var draft = ResourceDraft(type: .observation, id: id, digest: digest, group: group, body: body)
        draft.identifiers = identifiers
        draft.device = frame?.device?.number ?? -1
        draft.gateway = frame?.gateway?.number ?? -1
        draft.rank = frame?.syncVersion ?? 0
        draft.meta = ["profile": .list(profiles.map { .string($0) }), "tag": .list(tags.map(\.json))]
        return draft
    }

    /// A component of a code and a value, such as `("valueQuantity", …)`.
    static func component(
        _ codings: [Coding],
        text: String? = nil,
        _ value: JSONValue.Member,
        referenceRange: JSONValue = nil
    ) -> JSONValue {
        let ranges: JSONValue = referenceRange.isAbsent ? nil : [referenceRange]
        return .object([.init("code", .concept(codings, text: text)), value, .init("referenceRange", ranges)])
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
