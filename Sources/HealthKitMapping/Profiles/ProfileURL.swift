internal import HealthExport

/// Canonical URLs of the profiles in `profiles/`: what a resource claims in `meta.profile`.
///
/// Fixed for ever, like the identifier systems (docs/decisions/0003). R4's vital signs claim R4's own profile before
/// these.
enum ProfileURL {
    static let quantity = "urn:uuid:bc85a2b8-a447-552d-8020-548701a8c404"
    static let category = "urn:uuid:dbdfd610-0ee2-593c-b1bd-b2f12fde8d0c"
    static let sleep = "urn:uuid:3a387dd1-399f-5bdb-b322-fc5909654693"
    static let bloodPressure = "urn:uuid:27be05da-7cbb-5aad-9cb7-87ceee9dd4d0"
    static let foodPanel = "urn:uuid:a02f05e8-48fb-56ed-86ea-1b66844b056b"
    static let electrocardiogram = "urn:uuid:ce5c966a-5f55-5a39-9316-1f6d1eef70fd"
    static let workout = "urn:uuid:d88a05e7-ecf5-5ba3-b000-120e2e931f52"
    static let workoutMember = "urn:uuid:b818fa07-d501-5725-9d6b-3dfbc1f47850"
    static let audiogram = "urn:uuid:5248450f-3523-506a-9c69-bf1bf387c910"
    static let visionPrescription = "urn:uuid:ba4c5ecf-8ccd-5a76-85ba-fa42284dc596"
    static let activitySummary = "urn:uuid:1a715b98-359a-56fe-ae1d-2390409d2bd1"
    static let dailySummary = "urn:uuid:60709d63-46a9-54c1-a7b7-8067e7e4b38a"
    static let characteristic = "urn:uuid:4e2d0980-bda1-5fc4-9f88-b7f58cc6d16f"
    /// The device that measured.
    static let measuringDevice = "urn:uuid:a1b7ae0c-e87b-58eb-adb7-d03ba2ed9817"
    /// The app or system that wrote.
    static let writingDevice = "urn:uuid:1513b5e8-b144-5b2b-bca3-30a7e0020929"
    /// A DocumentReference of a clinical record.
    static let clinicalRecord = "urn:uuid:6511e98e-99b1-5969-9659-79eb69a7068e"
    /// A DocumentReference of a workout's track.
    static let route = "urn:uuid:abe85cd2-4c8b-5c57-ad03-b36b3df80682"

    /// The profile of a `Record` of this type.
    static func record(ofType type: String) -> String {
        switch SampleKind(type: type) {
        case .category: type.isExactly("HKCategoryTypeIdentifierSleepAnalysis") ? sleep : category
        case .quantity, .data: quantity
        }
    }
}
