/// The attributes and children that the DTD declares for each of Apple's elements.
///
/// From version 14 of the DTD, with what iOS 18 added, and the `Location`, move minutes and workout totals of older
/// versions. It also lists children that Apple writes but the DTD forgets, such as a `WorkoutActivity` in a `Workout`.
/// Anything else is new from Apple or not from Apple: it is counted, so that nothing is ignored silently.
enum DeclaredMarkup {
    /// Attributes by element; `ParserState` knows those of `Record`.
    static let attributes: [(element: ElementName, names: [String])] = [
        (.healthData, ["locale"]), (.exportDate, ["value"]),
        (
            .me,
            ["DateOfBirth", "BiologicalSex", "BloodType", "FitzpatrickSkinType", "CardioFitnessMedicationsUse"]
                .map { "HKCharacteristicTypeIdentifier" + $0 }
        ),
        (.correlation, ["type"] + sample), (.audiogram, ["type"] + sample), (.workoutRoute, sample),
        (
            .workout,
            [
                "workoutActivityType", "duration", "durationUnit", "totalDistance", "totalDistanceUnit",
                "totalEnergyBurned", "totalEnergyBurnedUnit", "totalSwimmingStrokeCount",
                "totalSwimmingStrokeCountUnit", "totalFlightsClimbed", "totalFlightsClimbedUnit",
            ] + sample
        ),
        (.workoutActivity, ["uuid", "startDate", "endDate", "duration", "durationUnit", "workoutActivityType"]),
        (.workoutEvent, ["type", "date", "duration", "durationUnit"]),
        (
            .workoutStatistics,
            ["type", "startDate", "endDate", "average", "minimum", "maximum", "sum", "unit"]
        ),
        (.fileReference, ["path"]),
        (
            .location,
            [
                "date", "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "course",
                "speed",
            ]
        ),
        (
            .activitySummary,
            [
                "dateComponents", "activeEnergyBurned", "activeEnergyBurnedGoal", "activeEnergyBurnedUnit",
                "appleMoveTime", "appleMoveTimeGoal", "appleExerciseTime", "appleExerciseTimeGoal", "appleStandHours",
                "appleStandHoursGoal", "appleMoveMinutes", "appleMoveMinutesGoal",
            ]
        ),
        (.metadataEntry, ["key", "value"]), (.heartRateVariabilityMetadataList, []),
        (.instantaneousBeatsPerMinute, ["bpm", "time"]),
        (
            .clinicalRecord,
            ["type", "identifier", "sourceName", "sourceURL", "fhirVersion", "receivedDate", "resourceFilePath"]
        ),
        (
            .sensitivityPoint,
            ["frequencyValue", "frequencyUnit"]
                + ["left", "right"].flatMap { ear in
                    ["Value", "Unit", "Masked", "ClampingRangeLowerBound", "ClampingRangeUpperBound"]
                        .map { ear + "Ear" + $0 }
                }
        ),
        (.visionPrescription, ["type", "dateIssued", "expirationDate", "brand"]), (.rightEye, lens), (.leftEye, lens),
        (.attachment, ["identifier"]),
    ]

    private static let sample = ["sourceName", "sourceVersion", "device", "creationDate", "startDate", "endDate"]
    private static let lens = [
        "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD", "nearPD", "baseCurve",
        "diameter",
    ].flatMap { [$0, $0 + "Unit"] }

    /// Whether `child` may be converted inside `parent`; a prescription's `Attachment` is not.
    static func isRead(_ child: ElementName, in parent: ElementName) -> Bool {
        switch parent {
        case .record: child == .metadataEntry || child == .heartRateVariabilityMetadataList
        case .correlation: child == .metadataEntry || child == .record
        case .workout:
            [.metadataEntry, .record, .workoutEvent, .workoutStatistics, .workoutActivity, .workoutRoute].contains(
                child
            )
        case .workoutActivity: [.metadataEntry, .record, .workoutEvent, .workoutStatistics].contains(child)
        case .workoutEvent: child == .metadataEntry
        case .workoutRoute: child == .metadataEntry || child == .fileReference || child == .location
        case .audiogram: child == .metadataEntry || child == .sensitivityPoint
        case .visionPrescription: child == .metadataEntry || child == .rightEye || child == .leftEye
        case .heartRateVariabilityMetadataList: child == .instantaneousBeatsPerMinute
        default: false
        }
    }
}
