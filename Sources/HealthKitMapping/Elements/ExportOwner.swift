/// What `Me` says about whose export it is: to be compared, never written.
public struct ExportOwner: Sendable, Equatable {
    /// Such as `1980-02-29`; `nil` if not given.
    public var birthDate: String?
    /// FHIR's administrative gender, such as `female`; `nil` if not given.
    public var gender: String?
    /// Over everything that `Me` says: equal digests are one person's.
    public var digest: UInt64
}

/// An owner, and where the export names it.
public struct NotedOwner: Sendable, Equatable {
    /// The owner.
    public var owner: ExportOwner
    /// Where the start tag of its `Me` ends, in bytes from the start of the XML.
    public var byteOffset: UInt64
    /// The rows that were made from it.
    public var rows: Range<Int>
}
