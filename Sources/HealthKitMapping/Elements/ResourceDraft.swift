internal import FHIRR4
internal import HealthExport

/// A resource that is built element by element, before it is written.
struct ResourceDraft: Sendable {
    var type: ResourceType
    var id: ResourceID
    /// What its content is known by: of its element, not of its bytes (docs/formats.md, "Digests").
    var digest: UInt64
    /// Apple's `SyncVersion`.
    var rank: UInt64 = 0
    /// Names what it is, for cutting Bundles: a group never spans two.
    var group: String
    /// The Device that measured, by its number in the registry; -1 for none.
    var device: Int32 = -1
    /// The Device that wrote; -1 for none.
    var gateway: Int32 = -1
    /// `meta`, or nothing.
    var meta: JSONValue = nil
    /// Everything behind `meta`, in order; `identifier` is put before it.
    var body: [JSONValue.Member]
    /// Identifiers beside ours, such as HealthKit's own UUID.
    var identifiers: [JSONValue] = []
    /// A Patient's own id on the server; it gets no identifier of ours, and only creates.
    var patientID: String?

    /// Appends the resource in the run's form, and its row, which says that so many `followers`
    /// of the same unit are written behind it.
    func write(
        form: EntryForm,
        role: EncodedResource.Role = .resource,
        followers: Int = 0,
        to json: inout JSONBytes,
        rows: inout RawArray<EncodedResource>
    ) {
        let start = json.count
        json.append(patientID.map { form.patientOpening(id: $0) } ?? form.opening(type: type.name, id: id))
        var members = [JSONValue.Member("meta", meta)]
        if patientID == nil {
            let own: JSONValue = ["system": .string(IdentityScheme.identifierSystem), "value": .string(id.text)]
            members.append(.init("identifier", .list([own] + identifiers)))
        }
        for member in members + body where !member.value.isAbsent {
            json.append(",")
            member.write(to: &json)
        }
        json.append(patientID.map { form.patientClosing(id: $0) } ?? form.closing(type: type.name, id: id))
        var row = EncodedResource(
            id: id,
            digest: digest,
            rank: rank,
            group: EncodedResource.group(of: group),
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
    /// Resources that must stand in one Bundle, the one that refers to the others last.
    struct Unit: Sendable {
        var drafts: [ResourceDraft]
        var role = EncodedResource.Role.resource
    }

    var units: [Unit] = []
    /// Samples that waiting records repeat: they are not written on their own.
    var covered: [ResourceID] = []
    /// Whose export it is, where it tells.
    var owner: ExportOwner?
    /// Files that belong to it.
    var files: [ReferencedFile] = []
    /// What is damaged in it.
    var faults: [Malformation.Kind] = []
    /// Values of an enumeration that the table does not know.
    var unknownValues: [String] = []
    /// Units that the table does not know; blank for a number without the unit that it wants.
    var unknownUnits: [String] = []
    /// Apple's types of numbers above 150 %, which are written without a UCUM code.
    var suspectPercents: [String] = []
    /// Elements in it that are not converted.
    var leftOut: [ElementName] = []

    init() {}

    /// An element whose dates are missing or wrong: nothing is written.
    static var unusable: MappedElement {
        var mapped = MappedElement()
        mapped.faults = [.unusableRecord]
        return mapped
    }

    /// An element that is not converted.
    static func leftOut(_ name: ElementName) -> MappedElement {
        var mapped = MappedElement()
        mapped.leftOut = [name]
        return mapped
    }

    /// One resource alone.
    init(_ draft: ResourceDraft) { units = [Unit(drafts: [draft])] }
}
