/// How a resource is written: alone, or as an entry of a transaction Bundle.
public enum EntryForm: Sendable, Hashable {
    /// `{"resourceType":…}`, for Bulk Data files.
    case resource
    /// `{"resource":{…},"request":{"method":"PUT","url":"Observation/h…"}}`: idempotent by itself.
    case update
    /// `{"fullUrl":"urn:uuid:…","resource":{…},"request":{"method":"POST",…,"ifNoneExist":"identifier=…"}}`,
    /// for servers that do not let clients choose ids.
    case conditionalCreate
}

/// The types of resources that are written.
@frozen
public enum ResourceType: UInt8, CaseIterable, Sendable {
    case observation, device, patient, documentReference, visionPrescription

    /// The types that say what was measured or recorded, unlike Device and Patient, which those refer to.
    package static let ofSamples = [observation, documentReference, visionPrescription]

    /// FHIR's name for it, such as `Observation`.
    public var name: String { Self.names[Int(rawValue)] }

    private static let names = ["Observation", "Device", "Patient", "DocumentReference", "VisionPrescription"]
}

/// One written resource: its identity, and where its bytes are in a run of JSON.
@frozen
@usableFromInline
package struct EncodedResource: Sendable, BitwiseCopyable {
    /// The logical id.
    @usableFromInline package var id: ResourceID
    /// The first 8 bytes of the SHA-256 over what the bytes depend on and the id does not cover.
    @usableFromInline package var digest: UInt64
    /// Of two resources with the same id that of higher rank wins, before the digest decides: Apple's `SyncVersion`, or
    /// when a clinical record was received.
    @usableFromInline package var rank: UInt64
    /// Apple's type as a number: a Bundle never holds two.
    @usableFromInline package var kind: UInt64
    /// Where the bytes begin.
    @usableFromInline package var start: UInt32
    /// How many there are.
    @usableFromInline package var count: UInt32
    /// The Device it refers to, by its number in the run's registry; -1 for none.
    @usableFromInline package var device: Int32
    /// The gateway Device it refers to; -1 for none.
    @usableFromInline package var gateway: Int32
    /// What kind of resource it is.
    package var type = ResourceType.observation
    /// What must be done with the row.
    package var role = Role.resource
    /// How many of the rows after it must be in the same Bundle.
    package var followers: UInt32 = 0

    /// What must be done with a row.
    @frozen
    @usableFromInline
    package enum Role: UInt8, Sendable {
        /// It is written in its place.
        case resource
        /// It waits until another row covers it, and is written at the end if none does.
        case waiting
        /// There is nothing to write: a waiting resource with this id, even one yet to come, is in another one.
        case covering
        /// It is written at the end, after those that wait: it refers to resources that may come late.
        case last
    }

    /// A type's number (FNV-1a), by which Bundles are cut and the ledger tells types apart: frozen.
    ///
    /// - Parameter type: such as `HKQuantityTypeIdentifierHeartRate`.
    /// - Returns: its ``kind``.
    package static func kind(of type: String) -> UInt64 {
        type.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// The row that covers a waiting resource.
    package static func covering(_ id: ResourceID) -> EncodedResource {
        var row = EncodedResource(
            id: id,
            digest: 0,
            rank: 0,
            kind: 0,
            start: 0,
            count: 0,
            device: -1,
            gateway: -1
        )
        row.role = .covering
        return row
    }

    /// A row of the table that accompanies a run of JSON.
    @inlinable
    package init(
        id: ResourceID,
        digest: UInt64,
        rank: UInt64,
        kind: UInt64,
        start: UInt32,
        count: UInt32,
        device: Int32,
        gateway: Int32
    ) {
        self.id = id
        self.digest = digest
        self.rank = rank
        self.kind = kind
        self.start = start
        self.count = count
        self.device = device
        self.gateway = gateway
    }
}
