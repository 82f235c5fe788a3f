/// The elements that Apple's DTD declares (export versions 3 to 14), and everything else.
///
/// Names from a file are repeated in reports only when they are in this list; another
/// name could hold anything, so it is counted as `other`.
@frozen
public enum ElementName: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case healthData, exportDate, me, record, correlation, workout, activitySummary, clinicalRecord
    case audiogram, visionPrescription, metadataEntry, heartRateVariabilityMetadataList
    case instantaneousBeatsPerMinute, workoutEvent, workoutStatistics, workoutActivity, workoutRoute
    case fileReference, location, sensitivityPoint, prescription, rightEye, leftEye, attachment
    case stateOfMind, other

    /// The name as Apple writes it, such as `WorkoutEvent`; `other` for names that are not Apple's.
    public var text: String { Self.texts[Int(rawValue)] }

    static let texts: [String] = [
        "HealthData", "ExportDate", "Me", "Record", "Correlation", "Workout", "ActivitySummary", "ClinicalRecord",
        "Audiogram", "VisionPrescription", "MetadataEntry", "HeartRateVariabilityMetadataList",
        "InstantaneousBeatsPerMinute", "WorkoutEvent", "WorkoutStatistics", "WorkoutActivity", "WorkoutRoute",
        "FileReference", "Location", "SensitivityPoint", "Prescription", "RightEye", "LeftEye", "Attachment",
        "StateOfMind", "other",
    ]
}
