internal import FHIRR4
internal import HealthExport

/// A clinic's record as a DocumentReference that holds its file byte for byte.
///
///     <ClinicalRecord type="Observation" identifier="lab-1" fhirVersion="4.0.1" resourceFilePath="/clinical-…"/>
///
/// The file is FHIR of some version about a patient of that clinic: neither its version nor its references are changed,
/// and its id has no meaning here (docs/decisions/0015-clinical-records.md).
struct ClinicalRecord {
    let context: MappingContext

    /// Asks for the record's file.
    func map(_ element: HealthElement) -> MappedElement {
        guard let path = element["resourceFilePath"] else { return .leftOut(element.name) }
        // A record of unknown time is in no stretch of time.
        let isInTime =
            received(element).map(context.isWanted) ?? (context.options.since == nil && context.options.until == nil)
        guard context.wants([element.name.text]), isInTime else {
            return MappedElement()
        }
        var mapped = MappedElement()
        mapped.files = [ReferencedFile(kind: .clinicalRecord, path: path, element: element)]
        return mapped
    }

    /// Writes the record with its file; without the file it is only counted, as a missing file.
    func map(_ file: ReferencedFile, content: [UInt8]?) -> MappedElement {
        guard let content else { return MappedElement() }
        guard ReferencedFile.Kind.clinicalRecord.isWhole(content) else {
            var mapped = MappedElement()
            mapped.faults = [.unreadableFile]
            return mapped
        }
        let element = file.element
        let type = element["type"].flatMap(\.unlessBlank)
        let source = SourceName.canonical(element["sourceName"] ?? "")
        let custodian = source.unlessBlank
        let version = element["fhirVersion"].flatMap { FHIRVersion($0) }
        // A file that is not a JSON object in UTF-8 is not FHIR, whatever the element says.
        let isJSON = ReferencedFile.beginsObject(content) && Self.isUTF8(content)
        let format: JSONValue = isJSON ? version?.coding ?? nil : nil
        let identifier = element["identifier"].flatMap(\.unlessBlank).map { value -> JSONValue in
            ["value": .string(value), "assigner": ["display": JSONValue(custodian)]]
        }
        let standard = type.flatMap { Self.resourceTypes.contains($0) ? $0 : nil }.map {
            Coding(system: "http://hl7.org/fhir/resource-types", code: $0, display: $0)
        }
        var draft = ResourceDraft(
            type: .documentReference,
            id: context.scheme.id(
                kind: "ClinicalRecord",
                type: type ?? "",
                // A clinic may be renamed; its server's address says which it is.
                source: element["sourceURL"]?.unlessBlank == nil ? source : "",
                start: "",
                end: "",
                value: identity(element, content)
            ),
            digest: context.scheme.digest(of: Self.stable(element), with: content),
            kind: "ClinicalRecord",
            meta: [
                "source": JSONValue(element["sourceURL"].flatMap { Self.isURI($0) ? $0 : nil }),
                "profile": [.string(ProfileURL.clinicalRecord)],
            ],
            body: [
                .init("masterIdentifier", identifier ?? nil),
                .init("status", "current"),
                .init("type", .concept(standard.map { [$0] } ?? [], text: type)),
                .init("subject", context.subject),
                .init("date", JSONValue(received(element).map { FHIRDateTime.utcText($0) })),
                .init("custodian", ["display": JSONValue(custodian)]),
                .init(
                    "content",
                    [
                        [
                            "attachment": .attachment(
                                content,
                                contentType: isJSON
                                    ? version?.contentType ?? "application/fhir+json" : "application/octet-stream",
                                title: type
                            ),
                            "format": format,
                        ]
                    ]
                ),
            ]
        )
        // Of two versions in one export the one that was received later stays.
        draft.rank = UInt64(max(received(element) ?? 0, 0))
        var mapped = MappedElement(draft)
        if !isJSON { mapped.unmapped.values.append("") }
        if version?.coding == nil, element["fhirVersion"]?.unlessBlank != nil { mapped.unmapped.values.append("") }
        if let url = element["sourceURL"]?.unlessBlank, !Self.isURI(url) { mapped.unmapped.values.append("") }
        if element["receivedDate"]?.unlessBlank != nil, received(element) == nil { mapped.unmapped.values.append("") }
        return mapped
    }

    /// What distinguishes it from others of its type and clinic: its id there and its address, or else its bytes.
    private func identity(_ element: HealthElement, _ content: [UInt8]) -> String {
        let names = ["identifier", "sourceURL"].map { element[$0].flatMap(\.unlessBlank) ?? "" }
        let bytes = names == ["", ""] ? [context.scheme.digestText(of: content)] : []
        return (names + bytes).joined(separator: IdentityScheme.separator)
    }

    /// When it was downloaded, in seconds since 1970.
    private func received(_ element: HealthElement) -> Int64? {
        element.fhirInstant("receivedDate")
    }

    private static func isUTF8(_ content: [UInt8]) -> Bool {
        do {
            _ = try UTF8Span(validating: content.span)
            return true
        } catch {
            return false
        }
    }

    /// The element without the file's name, which has no meaning.
    private static func stable(_ element: HealthElement) -> HealthElement {
        var element = element
        element.attributes.removeAll { $0.name == "resourceFilePath" }
        return element
    }

    /// Whether a text has the form of an absolute URI: a scheme, then neither white space nor what RFC 3986 excludes.
    static func isURI(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), let first = text.utf8.first else { return false }
        let isLetter = { (byte: UInt8) in (byte | 0x20) &- UInt8(ascii: "a") < 26 }
        let scheme = text.utf8[..<colon]
        let rest = text.utf8[text.utf8.index(after: colon)...]
        return isLetter(first)
            && scheme.allSatisfy { isLetter($0) || $0 &- 48 < 10 || "+-.".utf8.contains($0) }
            && !rest.isEmpty
            && rest.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) }
    }

    /// R4's names for what HealthKit reads from clinics; DSTU2's `MedicationOrder` is not one.
    private static let resourceTypes: Set<String> = [
        "AllergyIntolerance", "Binary", "CarePlan", "CareTeam", "Condition", "Coverage", "Device", "DiagnosticReport",
        "DocumentReference", "Encounter", "Goal", "Immunization", "Location", "Medication", "MedicationAdministration",
        "MedicationDispense", "MedicationRequest", "MedicationStatement", "Observation", "Organization", "Patient",
        "Practitioner", "PractitionerRole", "Procedure", "Provenance", "RelatedPerson", "ServiceRequest", "Specimen",
    ]
}

/// A version of FHIR as an export gives it: `4.0.1`.
private struct FHIRVersion {
    private let text: String

    /// A version of two or three numbers; `nil` for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3,
            parts.allSatisfy({ (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy { $0 &- 48 < 10 } })
        else { return nil }
        self.text = text
    }

    /// R4, "fhirVersion MIME-type parameter": <https://hl7.org/fhir/R4/http.html#version-parameter>.
    var contentType: String {
        "application/fhir+json; fhirVersion=\(text.split(separator: ".").prefix(2).joined(separator: "."))"
    }

    /// Its code; `nil` for a version that is not in R4's list.
    var coding: JSONValue? {
        Self.codes.contains(text) ? ["system": "http://hl7.org/fhir/FHIR-version", "code": .string(text)] : nil
    }

    /// <https://hl7.org/fhir/R4/codesystem-FHIR-version.html>.
    private static let codes: Set = [
        "0.01", "0.05", "0.06", "0.11", "0.0.80", "0.0.81", "0.0.82", "0.4.0", "0.5.0", "1.0.0", "1.0.1", "1.0.2",
        "1.1.0", "1.4.0", "1.6.0", "1.8.0", "3.0.0", "3.0.1", "3.3.0", "3.5.0", "4.0.0", "4.0.1",
    ]
}
