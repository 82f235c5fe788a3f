/// What `Me` tells of whose export it is: to be compared, never written.
public struct ExportOwner: Sendable, Equatable {
    /// `1980-02-29`; `nil` where it is not told.
    public var birthDate: String?
    /// FHIR's administrative gender, such as `female`; `nil` where it is not told.
    public var gender: String?
    /// Of all that `Me` says: equal ones are one person's.
    public var digest: UInt64
}

/// An owner, and where the export tells it.
public struct NotedOwner: Sendable, Equatable {
    /// Who.
    public var owner: ExportOwner
    /// Where the start tag of its `Me` ends, in bytes from the start of the XML.
    public var byteOffset: UInt64
    /// The rows that were made of it.
    public var rows: Range<Int>
}
