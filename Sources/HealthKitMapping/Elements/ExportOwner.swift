/// What `Me` says about whose export it is: to be compared, never written.
package struct ExportOwner: Sendable, Equatable {
    /// Such as `1980-02-29`; `nil` if not given.
    package var birthDate: String?
    /// FHIR's administrative gender, such as `female`; `nil` if not given.
    package var gender: String?
    /// Over everything that `Me` says: equal digests are one person's.
    package var digest: UInt64
}

/// An owner, and where the export names it.
package struct NotedOwner: Sendable, Equatable {
    /// The owner.
    package var owner: ExportOwner
    /// Where the start tag of its `Me` ends, in bytes from the start of the XML.
    package var byteOffset: UInt64
    /// The rows that were made from it.
    package var rows: Range<Int>
}
