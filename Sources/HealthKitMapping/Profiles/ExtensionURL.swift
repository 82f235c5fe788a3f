/// Canonical URLs of the extensions that `profiles/` defines, fixed for ever (docs/decisions/0003).
enum ExtensionURL {
    /// What Apple says of a prescription and R4 has no element for.
    static let visionPrescription = "http://pghd.invalid/StructureDefinition/healthkit-vision-prescription"
    /// What Apple says of a lens and R4 has no element for.
    static let visionLens = "http://pghd.invalid/StructureDefinition/healthkit-vision-lens"
    /// When a heart beat was, in seconds from the start of its record.
    static let beatOffset = "http://pghd.invalid/StructureDefinition/healthkit-beat-offset"
}
