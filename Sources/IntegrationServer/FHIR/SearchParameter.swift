/// A search parameter: where its values are in a resource, and how they compare (R4, section 3.1.1).
struct SearchParameter: Sendable {
    enum Kind: String, Sendable {
        case token, date, reference
    }

    let name: String
    let kind: Kind
    /// The elements that hold the values: all of them for tokens, the first one present for dates.
    ///
    /// Empty where the store itself knows the value: id, time of the last change, and patient.
    let elements: [String]

    /// What can be searched by, per type; the CapabilityStatement is made from this.
    static func all(_ type: ResourceType) -> [SearchParameter] {
        let own: [SearchParameter] =
            switch type {
            case .observation:
                [
                    SearchParameter(name: "category", kind: .token, elements: ["category"]),
                    SearchParameter(name: "code", kind: .token, elements: ["code"]),
                    SearchParameter(
                        name: "date",
                        kind: .date,
                        elements: ["effectiveDateTime", "effectivePeriod", "effectiveInstant", "effectiveTiming"]
                    ),
                ] + patients(["subject", "patient"])
            case .device: patients(["patient"])
            case .documentReference:
                [
                    SearchParameter(name: "category", kind: .token, elements: ["category"]),
                    SearchParameter(name: "date", kind: .date, elements: ["date"]),
                    SearchParameter(name: "type", kind: .token, elements: ["type"]),
                ] + patients(["subject", "patient"])
            case .visionPrescription:
                [SearchParameter(name: "datewritten", kind: .date, elements: ["dateWritten"])] + patients(["patient"])
            case .patient: [SearchParameter(name: "birthdate", kind: .date, elements: ["birthDate"])]
            }
        return common + [SearchParameter(name: "identifier", kind: .token, elements: identifiers(type))] + own
    }

    private static let common = [
        SearchParameter(name: "_id", kind: .token, elements: []),
        SearchParameter(name: "_lastUpdated", kind: .date, elements: []),
    ]

    private static func identifiers(_ type: ResourceType) -> [String] {
        type == .documentReference ? ["masterIdentifier", "identifier"] : ["identifier"]
    }

    private static func patients(_ names: [String]) -> [SearchParameter] {
        names.map { SearchParameter(name: $0, kind: .reference, elements: []) }
    }
}

/// What a resource can be found by.
struct SearchIndex: Sendable, Equatable {
    struct Token: Sendable, Hashable {
        let parameter: String
        let system: String
        let value: String

        /// Compares bytes, as the store does: as text, two spellings of an accent are the same.
        static func == (one: Token, other: Token) -> Bool {
            one.parameter == other.parameter && one.system.utf8.elementsEqual(other.system.utf8)
                && one.value.utf8.elementsEqual(other.value.utf8)
        }
    }

    var tokens: Set<Token> = []
    var span: ClosedRange<Int64>?

    /// `links` says what references are replaced by.
    init(_ content: ResourceContent, links: ReferenceLinks = ReferenceLinks()) {
        for parameter in SearchParameter.all(content.type) {
            let values = parameter.elements.compactMap { content.value[$0] }
            switch parameter.kind {
            case .token: for element in values.flatMap(\.oneOrMany) { add(element, to: parameter.name) }
            case .date: if let value = values.first { span = Self.span(value) }
            case .reference: add(content.subject(links: links), of: content, to: parameter.name)
            }
        }
    }

    /// Adds a `subject` that is not a Patient of this server; for others the store knows whose they are.
    private mutating func add(_ reference: String?, of content: ResourceContent, to parameter: String) {
        guard parameter == "subject", let reference, ResourceID.patient(of: reference, base: content.base) == nil else {
            return
        }
        tokens.insert(Token(parameter: parameter, system: "", value: reference))
    }

    /// A CodeableConcept's codings, an Identifier, or a code.
    private mutating func add(_ value: JSONValue, to parameter: String) {
        for coding in value["coding"]?.elements ?? [] { add(coding, to: parameter) }
        let text = (value["code"] ?? value["value"])?.string ?? value.string
        let system = value["system"]?.string
        // A system alone is found by `system|`.
        guard text != nil || system != nil else { return }
        tokens.insert(Token(parameter: parameter, system: system ?? "", value: text ?? ""))
    }

    /// An open end of a Period reaches to the end of time; for a Timing the outer limits count (R4, section 3.1.1.5.4).
    private static func span(_ value: JSONValue) -> ClosedRange<Int64>? {
        if let text = value.string { return FHIRInstant.span(text) }
        let times = (value["event"]?.elements ?? []) + [value["repeat"]?["boundsPeriod"]].compactMap(\.self)
        if !times.isEmpty {
            let spans = times.compactMap(span)
            guard let low = spans.map(\.lowerBound).min(), let high = spans.map(\.upperBound).max() else { return nil }
            return low...high
        }
        let start = value["start"]?.string.flatMap(FHIRInstant.span)
        let end = value["end"]?.string.flatMap(FHIRInstant.span)
        guard start != nil || end != nil else { return nil }
        let low = start?.lowerBound ?? -forever
        return low...max(low, end?.upperBound ?? forever)
    }

    private static let forever: Int64 = 253_402_300_799_999
}
