/// What `Me` tells of whose export it is: to be compared, never written.
public struct ExportOwner: Sendable, Equatable {
    /// `1980-02-29`; `nil` where it is not told.
    public var birthDate: String?
    /// FHIR's administrative gender, such as `female`; `nil` where it is not told.
    public var gender: String?
}
