public import FHIRR4

/// One resource of a Bundle, as far as delivering it is concerned.
public struct BundleMember: Sendable, BitwiseCopyable, Equatable {
    /// The logical id, even if the server chooses another.
    public var id: ResourceID
    /// What its bytes depend on and its id does not cover; `nil` if not known.
    public var digest: UInt64?
    /// What kind of resource it is; declared here because it then takes no extra memory.
    public var type: ResourceType
    /// Of two with the same id the one of higher rank is the later version.
    public var rank: UInt64
    /// Apple's type as a number; 0 if not known.
    public var kind: UInt64

    /// A member as given.
    public init(id: ResourceID, digest: UInt64?, rank: UInt64 = 0, type: ResourceType, kind: UInt64 = 0) {
        self.id = id
        self.digest = digest
        self.rank = rank
        self.type = type
        self.kind = kind
    }

    init(_ row: EncodedResource) {
        self.init(id: row.id, digest: row.digest, rank: row.rank, type: row.type, kind: row.kind)
    }
}
