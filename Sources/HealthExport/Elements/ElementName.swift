/// The elements that Apple's DTD declares (export versions 3 to 14), and `other` for everything else.
///
/// Only names in this list are repeated in reports; any other name could hold anything, so it is counted as `other`.
/// Digests hash these names: adding one changes the digest of each workout, or other element, that holds such an
/// element.
@frozen
public enum ElementName: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case healthData, exportDate, me, record, correlation, workout, activitySummary, clinicalRecord
    case audiogram, visionPrescription, metadataEntry, heartRateVariabilityMetadataList
    case instantaneousBeatsPerMinute, workoutEvent, workoutStatistics, workoutActivity, workoutRoute
    case fileReference, location, sensitivityPoint, prescription, rightEye, leftEye, attachment
    case stateOfMind, other

    /// The name as Apple writes it, such as `WorkoutEvent`; `other` for names that are not Apple's.
    public var text: String { Self.texts[Int(rawValue)] }

    /// Top-level elements that are kept whole and become resources; all others, except records, are only counted.
    package static let trees: Set<ElementName> = [
        .me, .correlation, .workout, .activitySummary, .clinicalRecord, .audiogram, .visionPrescription,
    ]

    static let texts: [String] = [
        "HealthData", "ExportDate", "Me", "Record", "Correlation", "Workout", "ActivitySummary", "ClinicalRecord",
        "Audiogram", "VisionPrescription", "MetadataEntry", "HeartRateVariabilityMetadataList",
        "InstantaneousBeatsPerMinute", "WorkoutEvent", "WorkoutStatistics", "WorkoutActivity", "WorkoutRoute",
        "FileReference", "Location", "SensitivityPoint", "Prescription", "RightEye", "LeftEye", "Attachment",
        "StateOfMind", "other",
    ]
}
