internal import FHIRR4
internal import HealthExport

/// A prescription for glasses or contact lenses as FHIR's `VisionPrescription`.
///
///     <VisionPrescription type="glasses" dateIssued="2024-06-16 14:00:00 +0100" …>
///      <RightEye sphere="-1.25" sphereUnit="D" axis="90" axisUnit="deg" …/>
///
/// An export does not say who prescribed it, which FHIR requires: it is given as unknown. What R4 has no place for is
/// in extensions under Apple's names (docs/decisions/0012-vision-prescriptions.md).
struct VisionPrescription {
    let context: MappingContext

    /// FHIR's code for each kind of lens, by what phones write and by the names of HealthKit's constants.
    private static let products: [String: Coding] = [
        "glasses": glasses, "HKVisionPrescriptionTypeGlasses": glasses,
        "contacts": contact, "HKVisionPrescriptionTypeContacts": contact,
    ]
    private static let glasses = product("lens", "Lens")
    static let contact = product("contact", "Contact Lens")

    func map(_ element: HealthElement) -> MappedElement {
        guard let issued = element.fhirInstant("dateIssued") else { return .unusable }
        guard let type = element["type"], let product = Self.products[type] else {
            var mapped = MappedElement.leftOut(element.name)
            mapped.unmapped.values = [element["type"] ?? ""]
            return mapped
        }
        guard context.isWanted(issued), context.wants([element.name.text]) else { return MappedElement() }
        var mapped = MappedElement()
        let frame = SampleFrame(element, start: issued, end: issued, in: context)
        let zone = frame["HKTimeZone"]
        let (lenses, distinct) = Self.lenses(of: element)
        let brand = element["brand"]?.unlessBlank
        let rightNearPD = lenses.first { $0.eye == "right" }?.nearPD
        let specifications = distinct.compactMap {
            $0.specification(product, brand: brand, rightNearPD: rightNearPD, &mapped)
        }
        guard !specifications.isEmpty else {
            mapped.unmapped.elements.append(element.name)
            return mapped
        }
        let expiration = element.fhirInstant("expirationDate")
        if expiration == nil, let text = element["expirationDate"]?.unlessBlank { mapped.unmapped.values.append(text) }
        let added = context.metadata(of: frame, unread: ["HKDeviceSerialNumber"], places: [])
        let details = Self.extension(ExtensionURL.visionPrescription, details(expiration, zone: zone))
        var draft = ResourceDraft(
            type: .visionPrescription,
            id: id(type: type, issued: issued, lenses: lenses, frame: frame),
            digest: context.digest(of: element, issued, expiration ?? issued, zone: zone),
            kind: "VisionPrescription",
            meta: ["profile": [.string(ProfileURL.visionPrescription)]],
            identifiers: added.identifiers,
            body: body(issued, zone: zone, specifications) + [.init("extension", .list([details] + added.extensions))]
        )
        draft.rank = frame.syncVersion
        draft.unmapped = added.unmapped
        mapped.units = [.init(drafts: [draft])]
        return mapped
    }

    /// The lenses, the right one first, and those of them that repeat no other: neither the order in the file nor a
    /// repetition changes the digest.
    private static func lenses(of element: HealthElement) -> (all: [VisionLens], distinct: [VisionLens]) {
        let children = element.children.map { (text: IdentityScheme.canonical($0), lens: VisionLens($0)) }
            .sorted { IdentityScheme.inByteOrder($1.text, $0.text) }
        let distinct = children.enumerated().filter { place, child in
            place == 0 || !children[place - 1].text.isExactly(child.text)
        }
        return (children.compactMap(\.lens), distinct.compactMap(\.element.lens))
    }

    /// What R4 has no place for.
    private func details(_ expiration: Int64?, zone: String?) -> [JSONValue] {
        guard let expiration else { return [] }
        // Without the zone's name next to it, which not every reader accepts inside an extension.
        let time = context.time("valueDateTime", expiration, zone: zone).prefix(1)
        return [.object([.init("url", "expirationDate")] + time)]
    }

    private func body(_ issued: Int64, zone: String?, _ specifications: [JSONValue]) -> [JSONValue.Member] {
        var body: [JSONValue.Member] = [.init("status", "active")]
        body += context.time("created", issued, zone: zone)
        body.append(.init("patient", context.subject))
        body += context.time("dateWritten", issued, zone: zone)
        let unknown: JSONValue = [
            "url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason", "valueCode": "unknown",
        ]
        body.append(.init("prescriber", ["extension": [unknown]]))
        body.append(.init("lensSpecification", .list(specifications)))
        return body
    }

    private func id(type: String, issued: Int64, lenses: [VisionLens], frame: SampleFrame) -> ResourceID {
        // Phones write `glasses`; the form of Apple's other enumerations is read too, and names the same.
        let name = "HKVisionPrescriptionType"
        let type = type.hasPrefix(name) ? type.dropFirst(name.count).lowercased() : type
        let identifier = frame.syncIdentifier
        let values = IdentityScheme.joined(lenses.flatMap(\.identityValues))
        return context.scheme.id(
            kind: "VisionPrescription",
            type: type,
            source: "",
            start: identifier == nil ? String(issued) : "",
            end: "",
            value: identifier ?? values + frame.externalUUIDSuffix
        )
    }

    /// An extension made of parts; nothing if there are none.
    static func `extension`(_ url: String, _ parts: [JSONValue]) -> JSONValue {
        parts.isEmpty ? nil : ["url": .string(url), "extension": .list(parts)]
    }

    private static func product(_ code: String, _ display: String) -> Coding {
        Coding(
            system: "http://terminology.hl7.org/CodeSystem/ex-visionprescriptionproduct",
            code: code,
            display: display
        )
    }
}
