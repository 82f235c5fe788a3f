/// Canonical URLs of the extensions that `profiles/` defines, fixed for ever (docs/decisions/0003).
enum ExtensionURL {
    /// What Apple says about a prescription and R4 has no element for.
    static let visionPrescription = "http://pghd.invalid/StructureDefinition/healthkit-vision-prescription"
    /// What Apple says about a lens and R4 has no element for.
    static let visionLens = "http://pghd.invalid/StructureDefinition/healthkit-vision-lens"
    /// When a heartbeat was, in seconds from the start of its record.
    static let beatOffset = "http://pghd.invalid/StructureDefinition/healthkit-beat-offset"
}
