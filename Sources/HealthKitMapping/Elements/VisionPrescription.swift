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
        // The right one first: their order in the file does not change the digest.
        let children = element.children.map { (text: IdentityScheme.canonical($0), lens: VisionLens($0)) }
            .sorted { IdentityScheme.inByteOrder($1.text, $0.text) }
        let eyes = children.compactMap(\.lens)
        let brand = element["brand"]?.unlessBlank
        let rightNearPD = eyes.first { $0.eye == "right" }?.nearPD
        // Nor does a repetition.
        let distinct = children.enumerated().filter { place, child in
            place == 0 || !children[place - 1].text.isExactly(child.text)
        }.compactMap(\.element.lens)
        let lenses = distinct.compactMap { $0.specification(product, brand: brand, rightNearPD: rightNearPD, &mapped) }
        guard !lenses.isEmpty else {
            mapped.unmapped.elements.append(element.name)
            return mapped
        }
        let zone = frame["HKTimeZone"]
        var details: [JSONValue] = []
        let expiration = element.fhirInstant("expirationDate")
        if expiration == nil, let text = element["expirationDate"]?.unlessBlank { mapped.unmapped.values.append(text) }
        if let expiration {
            // Without the zone's name next to it, which not every reader accepts inside an extension.
            let time = context.time("valueDateTime", expiration, zone: zone).prefix(1)
            details.append(.object([.init("url", "expirationDate")] + time))
        }
        let added = context.metadata(of: frame, unread: ["HKDeviceSerialNumber"], places: [])
        var body: [JSONValue.Member] = [
            .init("status", "active")
        ]
        body += context.time("created", issued, zone: zone)
        body.append(.init("patient", context.subject))
        body += context.time("dateWritten", issued, zone: zone)
        body += [
            .init(
                "prescriber",
                [
                    "extension": [
                        [
                            "url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason",
                            "valueCode": "unknown",
                        ]
                    ]
                ]
            ),
            .init("lensSpecification", .list(lenses)),
            .init(
                "extension",
                .list([Self.extension(ExtensionURL.visionPrescription, details)] + added.extensions)
            ),
        ]
        var draft = ResourceDraft(
            type: .visionPrescription,
            id: id(type: type, issued: issued, eyes: eyes, frame: frame),
            digest: context.digest(of: element, issued, expiration ?? issued, zone: zone),
            kind: "VisionPrescription",
            meta: ["profile": [.string(ProfileURL.visionPrescription)]],
            identifiers: added.identifiers,
            body: body
        )
        draft.rank = frame.syncVersion
        draft.unmapped = added.unmapped
        mapped.units = [.init(drafts: [draft])]
        return mapped
    }

    private func id(type: String, issued: Int64, eyes: [VisionLens], frame: SampleFrame) -> ResourceID {
        let identifier = frame.syncIdentifier
        let values = eyes.flatMap(\.identityValues).sorted(by: IdentityScheme.inByteOrder)
            .joined(separator: IdentityScheme.separator)
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
