/// Apple's identifiers as of iOS 26.2, listed here so that a type lost from the profiles is noticed.
public enum HealthKitIdentifiers {
    /// 120 quantity types.
    public static let quantity = names(
        """
        ActiveEnergyBurned AppleExerciseTime AppleMoveTime AppleSleepingBreathingDisturbances
        AppleSleepingWristTemperature AppleStandTime AppleWalkingSteadiness AtrialFibrillationBurden
        BasalBodyTemperature BasalEnergyBurned BloodAlcoholContent BloodGlucose BloodPressureDiastolic
        BloodPressureSystolic BodyFatPercentage BodyMass BodyMassIndex BodyTemperature CrossCountrySkiingSpeed
        CyclingCadence CyclingFunctionalThresholdPower CyclingPower CyclingSpeed DietaryBiotin DietaryCaffeine
        DietaryCalcium DietaryCarbohydrates DietaryChloride DietaryCholesterol DietaryChromium DietaryCopper
        DietaryEnergyConsumed DietaryFatMonounsaturated DietaryFatPolyunsaturated DietaryFatSaturated DietaryFatTotal
        DietaryFiber DietaryFolate DietaryIodine DietaryIron DietaryMagnesium DietaryManganese DietaryMolybdenum
        DietaryNiacin DietaryPantothenicAcid DietaryPhosphorus DietaryPotassium DietaryProtein DietaryRiboflavin
        DietarySelenium DietarySodium DietarySugar DietaryThiamin DietaryVitaminA DietaryVitaminB12 DietaryVitaminB6
        DietaryVitaminC DietaryVitaminD DietaryVitaminE DietaryVitaminK DietaryWater DietaryZinc
        DistanceCrossCountrySkiing DistanceCycling DistanceDownhillSnowSports DistancePaddleSports DistanceRowing
        DistanceSkatingSports DistanceSwimming DistanceWalkingRunning DistanceWheelchair ElectrodermalActivity
        EnvironmentalAudioExposure EnvironmentalSoundReduction EstimatedWorkoutEffortScore FlightsClimbed
        ForcedExpiratoryVolume1 ForcedVitalCapacity HeadphoneAudioExposure HeartRate HeartRateRecoveryOneMinute
        HeartRateVariabilitySDNN Height InhalerUsage InsulinDelivery LeanBodyMass NikeFuel NumberOfAlcoholicBeverages
        NumberOfTimesFallen OxygenSaturation PaddleSportsSpeed PeakExpiratoryFlowRate PeripheralPerfusionIndex
        PhysicalEffort PushCount RespiratoryRate RestingHeartRate RowingSpeed RunningGroundContactTime RunningPower
        RunningSpeed RunningStrideLength RunningVerticalOscillation SixMinuteWalkTestDistance StairAscentSpeed
        StairDescentSpeed StepCount SwimmingStrokeCount TimeInDaylight UVExposure UnderwaterDepth VO2Max
        WaistCircumference WalkingAsymmetryPercentage WalkingDoubleSupportPercentage WalkingHeartRateAverage
        WalkingSpeed WalkingStepLength WaterTemperature WorkoutEffortScore
        """,
        prefix: "HKQuantityTypeIdentifier"
    )

    /// 70 category types, two of which are names for the same type.
    public static let category = names(
        """
        AbdominalCramps Acne AppetiteChanges AppleStandHour AppleWalkingSteadinessEvent AudioExposureEvent
        BladderIncontinence BleedingAfterPregnancy BleedingDuringPregnancy Bloating BreastPain CervicalMucusQuality
        ChestTightnessOrPain Chills Constipation Contraceptive Coughing Diarrhea Dizziness DrySkin
        EnvironmentalAudioExposureEvent Fainting Fatigue Fever GeneralizedBodyAche HairLoss HandwashingEvent Headache
        HeadphoneAudioExposureEvent Heartburn HighHeartRateEvent HotFlashes HypertensionEvent InfrequentMenstrualCycles
        IntermenstrualBleeding IrregularHeartRhythmEvent IrregularMenstrualCycles Lactation LossOfSmell LossOfTaste
        LowCardioFitnessEvent LowHeartRateEvent LowerBackPain MemoryLapse MenstrualFlow MindfulSession MoodChanges
        Nausea NightSweats OvulationTestResult PelvicPain PersistentIntermenstrualBleeding Pregnancy PregnancyTestResult
        ProgesteroneTestResult ProlongedMenstrualPeriods RapidPoundingOrFlutteringHeartbeat RunnyNose SexualActivity
        ShortnessOfBreath SinusCongestion SkippedHeartbeat SleepAnalysis SleepApneaEvent SleepChanges SoreThroat
        ToothbrushingEvent VaginalDryness Vomiting Wheezing
        """,
        prefix: "HKCategoryTypeIdentifier"
    )

    /// `HKWorkoutActivityType` of Apple's SDK, without that prefix: 1 to 80 in order, then the numbers after gaps.
    public static let workoutActivities: [(number: Int, name: String)] =
        Array(
            zip(
                1...80,
                """
                AmericanFootball Archery AustralianFootball Badminton Baseball Basketball Bowling Boxing Climbing
                Cricket CrossTraining Curling Cycling Dance DanceInspiredTraining Elliptical EquestrianSports
                Fencing Fishing FunctionalStrengthTraining Golf Gymnastics Handball Hiking Hockey Hunting Lacrosse
                MartialArts MindAndBody MixedMetabolicCardioTraining PaddleSports Play PreparationAndRecovery
                Racquetball Rowing Rugby Running Sailing SkatingSports SnowSports Soccer Softball Squash
                StairClimbing SurfingSports Swimming TableTennis Tennis TrackAndField TraditionalStrengthTraining
                Volleyball Walking WaterFitness WaterPolo WaterSports Wrestling Yoga Barre CoreTraining
                CrossCountrySkiing DownhillSkiing Flexibility HighIntensityIntervalTraining JumpRope Kickboxing
                Pilates Snowboarding Stairs StepTraining WheelchairWalkPace WheelchairRunPace TaiChi MixedCardio
                HandCycling DiscSports FitnessGaming CardioDance SocialDance Pickleball Cooldown
                """.split(whereSeparator: \.isWhitespace).map(String.init)
            )
        ) + [(82, "SwimBikeRun"), (83, "Transition"), (84, "UnderwaterDiving"), (3000, "Other")]

    private static func names(_ text: String, prefix: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map { prefix + $0 }
    }
}
