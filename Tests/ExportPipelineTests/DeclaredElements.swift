/// The elements and attributes that version 14 of Apple's DTD declares, with the attributes that iOS 18 added without a
/// new number, and `Location`, which older versions declare.
///
/// Listed here independently, so that anything the reader does not know is noticed.
enum DeclaredElements {
    /// Attributes by element.
    static let attributes: [(element: String, attributes: [String])] = [
        ("HealthData", words("locale")),
        ("ExportDate", words("value")),
        (
            "Me",
            words("DateOfBirth BiologicalSex BloodType FitzpatrickSkinType CardioFitnessMedicationsUse")
                .map { "HKCharacteristicTypeIdentifier" + $0 }
        ),
        ("Record", ["type", "unit", "value"] + source),
        ("Correlation", ["type"] + source),
        (
            "Workout",
            words(
                "workoutActivityType duration durationUnit totalDistance totalDistanceUnit totalEnergyBurned"
                    + " totalEnergyBurnedUnit"
            ) + source
        ),
        ("WorkoutActivity", words("uuid startDate endDate duration durationUnit")),
        ("WorkoutEvent", words("type date duration durationUnit")),
        ("WorkoutStatistics", words("type startDate endDate average minimum maximum sum unit")),
        ("WorkoutRoute", source),
        ("FileReference", words("path")),
        ("Location", words("date latitude longitude altitude horizontalAccuracy verticalAccuracy course speed")),
        (
            "ActivitySummary",
            words(
                "dateComponents activeEnergyBurned activeEnergyBurnedGoal activeEnergyBurnedUnit appleMoveTime"
                    + " appleMoveTimeGoal appleExerciseTime appleExerciseTimeGoal appleStandHours appleStandHoursGoal"
            )
        ),
        ("MetadataEntry", words("key value")),
        ("HeartRateVariabilityMetadataList", []),
        ("InstantaneousBeatsPerMinute", words("bpm time")),
        (
            "ClinicalRecord",
            words("type identifier sourceName sourceURL fhirVersion receivedDate resourceFilePath")
        ),
        ("Audiogram", ["type"] + source),
        (
            "SensitivityPoint",
            words("frequencyValue frequencyUnit")
                + ["left", "right"].flatMap { ear in
                    words("Value Unit Masked ClampingRangeLowerBound ClampingRangeUpperBound").map { ear + "Ear" + $0 }
                }
        ),
        ("VisionPrescription", words("type dateIssued expirationDate brand")),
        ("RightEye", lens),
        ("LeftEye", lens),
        ("Attachment", words("identifier")),
    ]

    private static let source = words("sourceName sourceVersion device creationDate startDate endDate")
    private static let lens =
        words("sphere cylinder axis add vertex prismAmount prismAngle farPD nearPD baseCurve diameter")
        .flatMap { [$0, $0 + "Unit"] }

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
