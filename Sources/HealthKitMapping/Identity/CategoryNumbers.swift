/// The raw numbers of HealthKit's category values under identity scheme `pghd1`.
///
/// A value's name changes between iOS versions (`…SleepAnalysisAsleep` became `…AsleepUnspecified`,
/// `…MenstrualFlowLight` became `…VaginalBleedingLight`), its number never, so the identity has the number. The table
/// is frozen with the scheme and separate from the mapping: a name that is not in it stands for itself, for ever.
enum CategoryNumbers {
    /// What a category value adds to its sample's identity.
    ///
    /// - Parameter value: the attribute's text; `nil` if it is absent, by which HealthKit means `notApplicable`, number
    ///   0.
    /// - Returns: digits, or the text itself if its number is not known.
    static func identityText(of value: String?) -> String {
        guard let value, !value.isEmpty else { return "0" }
        return numbers.value(ofExactly: value).map(String.init) ?? value
    }

    private static let numbers: [String: Int] = [
        "HKCategoryValueAppetiteChangesDecreased": 2,
        "HKCategoryValueAppetiteChangesIncreased": 3,
        "HKCategoryValueAppetiteChangesNoChange": 1,
        "HKCategoryValueAppetiteChangesUnspecified": 0,
        "HKCategoryValueAppleStandHourIdle": 1,
        "HKCategoryValueAppleStandHourStood": 0,
        "HKCategoryValueAppleWalkingSteadinessEventInitialLow": 1,
        "HKCategoryValueAppleWalkingSteadinessEventInitialVeryLow": 2,
        "HKCategoryValueAppleWalkingSteadinessEventRepeatLow": 3,
        "HKCategoryValueAppleWalkingSteadinessEventRepeatVeryLow": 4,
        "HKCategoryValueAudioExposureEventLoudEnvironment": 1,
        "HKCategoryValueCervicalMucusQualityCreamy": 3,
        "HKCategoryValueCervicalMucusQualityDry": 1,
        "HKCategoryValueCervicalMucusQualityEggWhite": 5,
        "HKCategoryValueCervicalMucusQualitySticky": 2,
        "HKCategoryValueCervicalMucusQualityWatery": 4,
        "HKCategoryValueContraceptiveImplant": 2,
        "HKCategoryValueContraceptiveInjection": 3,
        "HKCategoryValueContraceptiveIntrauterineDevice": 4,
        "HKCategoryValueContraceptiveIntravaginalRing": 5,
        "HKCategoryValueContraceptiveOral": 6,
        "HKCategoryValueContraceptivePatch": 7,
        "HKCategoryValueContraceptiveUnspecified": 1,
        "HKCategoryValueEnvironmentalAudioExposureEventMomentaryLimit": 1,
        "HKCategoryValueHeadphoneAudioExposureEventSevenDayLimit": 1,
        "HKCategoryValueLowCardioFitnessEventLowFitness": 1,
        "HKCategoryValueMenstrualFlowHeavy": 4,
        "HKCategoryValueMenstrualFlowLight": 2,
        "HKCategoryValueMenstrualFlowMedium": 3,
        "HKCategoryValueMenstrualFlowNone": 5,
        "HKCategoryValueMenstrualFlowUnspecified": 1,
        "HKCategoryValueNotApplicable": 0,
        "HKCategoryValueOvulationTestResultEstrogenSurge": 4,
        "HKCategoryValueOvulationTestResultIndeterminate": 3,
        "HKCategoryValueOvulationTestResultLuteinizingHormoneSurge": 2,
        "HKCategoryValueOvulationTestResultNegative": 1,
        "HKCategoryValueOvulationTestResultPositive": 2,
        "HKCategoryValuePregnancyTestResultIndeterminate": 3,
        "HKCategoryValuePregnancyTestResultNegative": 1,
        "HKCategoryValuePregnancyTestResultPositive": 2,
        "HKCategoryValuePresenceNotPresent": 1,
        "HKCategoryValuePresencePresent": 0,
        "HKCategoryValueProgesteroneTestResultIndeterminate": 3,
        "HKCategoryValueProgesteroneTestResultNegative": 1,
        "HKCategoryValueProgesteroneTestResultPositive": 2,
        "HKCategoryValueSeverityMild": 2,
        "HKCategoryValueSeverityModerate": 3,
        "HKCategoryValueSeverityNotPresent": 1,
        "HKCategoryValueSeveritySevere": 4,
        "HKCategoryValueSeverityUnspecified": 0,
        "HKCategoryValueSleepAnalysisAsleep": 1,
        "HKCategoryValueSleepAnalysisAsleepCore": 3,
        "HKCategoryValueSleepAnalysisAsleepDeep": 4,
        "HKCategoryValueSleepAnalysisAsleepREM": 5,
        "HKCategoryValueSleepAnalysisAsleepUnspecified": 1,
        "HKCategoryValueSleepAnalysisAwake": 2,
        "HKCategoryValueSleepAnalysisInBed": 0,
        "HKCategoryValueVaginalBleedingHeavy": 4,
        "HKCategoryValueVaginalBleedingLight": 2,
        "HKCategoryValueVaginalBleedingMedium": 3,
        "HKCategoryValueVaginalBleedingNone": 5,
        "HKCategoryValueVaginalBleedingUnspecified": 1,
    ]
}
