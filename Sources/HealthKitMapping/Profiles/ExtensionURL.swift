/// Canonical URLs of the extensions that `profiles/` defines, fixed for ever (docs/decisions/0003).
enum ExtensionURL {
    /// What Apple says of a prescription and R4 has no element for.
    static let visionPrescription = "urn:uuid:79ec16f0-6d0b-465b-8c7e-08c6bbed75eb"
    /// What Apple says of a lens and R4 has no element for.
    static let visionLens = "urn:uuid:4fa22a98-24e2-4a7f-bb8d-8e4bcee52376"
    /// When a heart beat was, in seconds from the start of its record.
    static let beatOffset = "urn:uuid:207a358c-832b-4b8a-8155-b2521763a02a"
}
