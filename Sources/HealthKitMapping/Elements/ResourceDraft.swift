internal import FHIRR4
internal import HealthExport

/// A resource that is built element by element, before it is written.
struct ResourceDraft: Sendable {
    var type: ResourceType
    var id: ResourceID
    /// Identifies its content, by its element and not by its bytes (docs/formats.md, "Digests").
    var digest: UInt64
    /// Apple's `SyncVersion`, or when a clinical record was received.
    var rank: UInt64 = 0
    /// Says what it is, for cutting Bundles, which never hold two kinds.
    var kind: String
    /// The Device that measured, by its number in the registry; -1 for none.
    var device: Int32 = -1
    /// The Device that wrote; -1 for none.
    var gateway: Int32 = -1
    /// Everything after the id, each element with a comma before it.
    var content: [UInt8]
    /// A Patient's own id on the server; a Patient gets no identifier of ours, and is only created.
    var patientID: String?
    /// What had no meaning in its metadata.
    var unmapped = Unmapped()

    /// A resource of which everything is written except its opening and closing.
    init(type: ResourceType, id: ResourceID, digest: UInt64, kind: String, content: [UInt8]) {
        self.type = type
        self.id = id
        self.digest = digest
        self.kind = kind
        self.content = content
    }

    /// A resource from values: `meta` or nothing, identifiers in addition to ours, such as HealthKit's own UUID, and
    /// everything after them in order.
    init(
        type: ResourceType,
        id: ResourceID,
        digest: UInt64,
        kind: String,
        meta: JSONValue = nil,
        identifiers: [JSONValue] = [],
        body: [JSONValue.Member],
        patientID: String? = nil
    ) {
        var json = JSONBytes()
        JSONValue.Member("meta", meta).writeNext(to: &json)
        if patientID == nil { Self.writeIdentifiers(id, identifiers, to: &json) }
        for member in body { member.writeNext(to: &json) }
        let content = unsafe json.withBytes { unsafe Array($0) }
        self.init(type: type, id: id, digest: digest, kind: kind, content: content)
        self.patientID = patientID
    }

    /// Appends our identifier and the others.
    static func writeIdentifiers(_ id: ResourceID, _ others: [JSONValue], to json: inout JSONBytes) {
        json.append(literal: ",\"identifier\":[{\"system\":")
        json.appendString(ResourceID.identifierSystem)
        json.append(literal: ",\"value\":\"")
        json.append(id)
        json.append(literal: "\"}")
        MetadataElements.write(others, to: &json)
        json.append(literal: "]")
    }

    /// Appends the resource in the run's form, and its row, which says that `followers` more of the same unit are
    /// written after it.
    func write(
        form: EntryForm,
        role: EncodedResource.Role = .resource,
        followers: Int = 0,
        to json: inout JSONBytes,
        rows: inout RawArray<EncodedResource>
    ) {
        let start = json.count
        if let patientID {
            json.append(form.patientOpening(id: patientID))
            json.append(content)
            json.append(form.patientClosing(id: patientID))
        } else {
            form.writeOpening(type, id, to: &json)
            json.append(content)
            form.writeClosing(type, id, to: &json)
        }
        var row = EncodedResource(
            id: id,
            digest: digest,
            rank: rank,
            kind: EncodedResource.kind(of: kind),
            start: UInt32(truncatingIfNeeded: start),
            count: UInt32(truncatingIfNeeded: json.count - start),
            device: device,
            gateway: gateway
        )
        row.type = type
        row.role = role
        row.followers = UInt32(followers)
        rows.append(row)
    }
}

/// What became of one element.
struct MappedElement: Sendable {
    /// Resources that must be in one Bundle, the one that refers to the others last.
    struct Unit: Sendable {
        var drafts: [ResourceDraft]
        var role = EncodedResource.Role.resource
    }

    var units: [Unit] = []
    /// Samples that waiting records repeat: those are not written by themselves.
    var covered: [ResourceID] = []
    /// Whose export it is, if the element says so.
    var owner: ExportOwner?
    /// Files that belong to it.
    var files: [ReferencedFile] = []
    /// What is damaged in it.
    var faults: [Malformation.Kind] = []
    /// What had no meaning in it, and what in it is not converted.
    var unmapped = Unmapped()

    init() {}

    /// An element that can't be used, such as one whose dates are missing or wrong: nothing is written.
    static var unusable: MappedElement {
        var mapped = MappedElement()
        mapped.faults = [.unusableRecord]
        return mapped
    }

    /// An element that is not converted.
    static func leftOut(_ name: ElementName) -> MappedElement {
        var mapped = MappedElement()
        mapped.unmapped.elements = [name]
        return mapped
    }

    /// A single resource.
    init(_ draft: ResourceDraft) { units = [Unit(drafts: [draft])] }
}
