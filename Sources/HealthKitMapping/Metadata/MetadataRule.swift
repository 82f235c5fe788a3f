internal import FHIRR4
internal import HealthExport

/// Where the value of a metadata key goes.
///
/// Keys are the raw values that exports use, which often differ from the names of Apple's constants. Keys that are not
/// here are kept as text in an extension.
enum MetadataRule: Sendable {
    /// It is part of the time, the code or the Device.
    case elsewhere
    /// A second `category`.
    case laboratory
    /// `identifier`, in addition to our own.
    case identifier
    /// `valueQuantity.comparator`
    case lowerBound, upperBound
    /// `referenceRange`
    case rangeLow, rangeHigh
    /// `bodySite`, from an enumeration.
    case bodySite(String)
    /// `method`, from an enumeration.
    case method(String)
    /// A component: it says something by itself, or changes what the value means.
    case component([Coding], Kind)
    /// An extension with a typed value.
    case `extension`(Kind)

    /// What a value is.
    enum Kind: Sendable {
        case boolean, quantity, humidity, text
        /// A difference of two sound levels, which has no reference level.
        case levelDifference
        /// A raw number of one of Apple's enumerations.
        case coded(String)
    }

    /// The kind of its value, if that has to go into an extension.
    var kind: Kind {
        switch self {
        case .component(_, let kind), .extension(let kind): kind
        case .bodySite(let system), .method(let system): .coded(system)
        case .lowerBound, .upperBound, .laboratory: .boolean
        case .rangeLow, .rangeHigh: .quantity
        case .elsewhere, .identifier: .text
        }
    }

    /// Whether both need the one place for a body site, or the one for a method.
    func sharesPlace(with other: MetadataRule) -> Bool {
        switch (self, other) {
        case (.bodySite, .bodySite), (.method, .method): true
        default: false
        }
    }

    /// Keys whose value shows where somebody was: written, as text, only if routes are asked for.
    private static let places = [
        "_HKPrivateWorkoutWeatherLocationCoordinatesLatitude", "_HKPrivateWorkoutWeatherLocationCoordinatesLongitude",
    ]

    /// Whether a key's value shows a place.
    static func tellsPlace(_ key: String) -> Bool { places.contains { key.isExactly($0) } }

    static let rules: [String: MetadataRule] = [
        "HKTimeZone": .elsewhere,
        "HKFoodType": .extension(.text),
        "HKDeviceSerialNumber": .elsewhere,
        "HKUDIDeviceIdentifier": .elsewhere,
        "HKUDIProductionIdentifier": .extension(.text),
        "HKWasTakenInLab": .laboratory,
        "HKExternalUUID": .identifier,
        "HKMetadataKeySyncIdentifier": .identifier,
        "HKMetadataKeySyncVersion": .extension(.quantity),
        "HKMetadataKeyQuantityClampedToLowerBound": .lowerBound,
        "HKMetadataKeyQuantityClampedToUpperBound": .upperBound,
        "HKReferenceRangeLowerLimit": .rangeLow,
        "HKReferenceRangeUpperLimit": .rangeHigh,
        "HKBodyTemperatureSensorLocation": .bodySite("hkbodytemperaturesensorlocation"),
        "HKHeartRateSensorLocation": .bodySite("hkheartratesensorlocation"),
        "HKVO2MaxTestType": .method("hkvo2maxtesttype"),
        "HKMetadataKeyHeartRateRecoveryTestType": .method("hkheartraterecoverytesttype"),
        "HKCyclingCyclingFunctionalThresholdPowerTestType": .method("hkcyclingfunctionalthresholdpowertesttype"),
        "HKPhysicalEffortEstimationType": .method("hkphysicaleffortestimationtype"),
        "HKBloodGlucoseMealTime": .component(
            [Coding(system: "urn:iso:std:iso:11073:10101", code: "8417864", display: "MDC_CTXT_GLU_MEAL")],
            .coded("hkbloodglucosemealtime")
        ),
        "HKInsulinDeliveryReason": .component([], .coded("hkinsulindeliveryreason")),
        "HKMenstrualCycleStart": .component([], .boolean),
        "HKSexualActivityProtectionUsed": .component([], .boolean),
        "HKHeartRateEventThreshold": .component([], .quantity),
        "HKLowCardioFitnessEventThreshold": .component([], .quantity),
        "HKVO2MaxValue": .component([], .quantity),
        "HKMetadataKeyAudioExposureLevel": .component([], .quantity),
        "HKMetadataKeyAudioExposureDuration": .component([], .quantity),
        "HKMetadataKeyHeadphoneGain": .component([], .levelDifference),
        "HKMetadataKeyBarometricPressure": .component([], .quantity),
        "HKMetadataKeyMaximumLightIntensity": .component([], .quantity),
        "HKMetadataKeyHeartRateRecoveryActivityDuration": .component([], .quantity),
        "HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate": .component([], .quantity),
        "HKMetadataKeySessionEstimate": .component([], .quantity),
        "HKSwimmingStrokeStyle": .component([], .coded("hkswimmingstrokestyle")),
        "HKMetadataKeyHeartRateMotionContext": .extension(.coded("hkheartratemotioncontext")),
        "HKMetadataKeyUserMotionContext": .extension(.coded("hkusermotioncontext")),
        "HKMetadataKeyDevicePlacementSide": .extension(.coded("hkdeviceplacementside")),
        "HKMetadataKeyWaterSalinity": .extension(.coded("hkwatersalinity")),
        "HKMetadataKeyAppleDeviceCalibrated": .extension(.boolean),
        "HKWasUserEntered": .extension(.boolean),
        "HKAlgorithmVersion": .extension(.text),
        "HKMetadataKeyAppleECGAlgorithmVersion": .extension(.text),
        "HKDateOfEarliestDataUsedForEstimate": .extension(.text),
        // Keys of workouts.
        "HKIndoorWorkout": .component([], .boolean),
        "HKMetadataKeyAppleFitnessPlusSession": .component([], .boolean),
        "HKMetadataKeyAppleFitnessPlusCatalogIdentifier": .extension(.text),
        "HKSwimmingLocationType": .component([], .coded("hkworkoutswimminglocationtype")),
        "HKWeatherCondition": .component([], .coded("hkweathercondition")),
        "HKWeatherTemperature": .component([], .quantity),
        "HKWeatherHumidity": .component([], .humidity),
        "HKAverageMETs": .component([], .quantity),
        "HKAverageSpeed": .component([], .quantity),
        "HKMaximumSpeed": .component([], .quantity),
        "HKElevationAscended": .component([], .quantity),
        "HKElevationDescended": .component([], .quantity),
        "HKAlpineSlopeGrade": .component([], .quantity),
        "HKLapLength": .component([], .quantity),
        "HKIndoorBikeDistance": .component([], .quantity),
        "HKCrossTrainerDistance": .component([], .quantity),
        "HKFitnessMachineDuration": .component([], .quantity),
        "HKSWOLFScore": .component([], .quantity),
        "HKCoachedWorkout": .component([], .boolean),
        "HKGroupFitness": .component([], .boolean),
        "HKActivityType": .component([], .coded("hkworkoutactivitytype")),
        "HKMetadataKeyHeartRateRecoveryActivityType": .component([], .coded("hkworkoutactivitytype")),
    ]
}
