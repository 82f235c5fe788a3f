// swift-format-ignore-file
// Made by profiles/embed.py from profiles/*.json: edit those and run `make profiles`.

/// What the mapping reads of the files of `profiles/`.
package enum EmbeddedProfiles {
    /// Each file's name, its SHA-256 in hex digits, and its rows (`ProfileRows`), by name.
    package static let files: [(name: String, digest: String, rows: StaticString)] = [
        ("CodeSystem-healthkit.json", "803ef5b2c9d60e99c1a79b60bb49b004d002cfb56c4afe1f7a60464b1d05cd24", codeSystemHealthkit),
        ("ConceptMap-healthkit-category-values.json", "2e497fe2196b6b58123611c288d6ef42a4c29ad6419b40caf76ee58fb16f9bbe", conceptMapHealthkitCategoryValues),
        ("ConceptMap-healthkit-characteristics.json", "5c84347fcc5364ce6f11e427474d9405f903515a1248ccda9732b00d22f34251", conceptMapHealthkitCharacteristics),
        ("ConceptMap-healthkit-metadata.json", "4366658a9fb22b3ca0bd7ffbc539ac0b2f577157124699223d3c5501a62f64b0", conceptMapHealthkitMetadata),
        ("ConceptMap-healthkit-types.json", "040c7a70aba2ad18c5a8e8538b105a9e11ef65bb52c52468b852690fd4698b15", conceptMapHealthkitTypes),
        ("ConceptMap-healthkit-units.json", "61f396f7657f27311f0afd47e92cb06b0c70bab62a178c594c298f3883215e53", conceptMapHealthkitUnits),
        ("ConceptMap-healthkit-workouts.json", "334e8057ffa1f063f4c3f7e92273675d89321c23b8ea46a23e39bc04f3b2d621", conceptMapHealthkitWorkouts),
    ]
}

private let codeSystemHealthkit: StaticString = #"""
r	CodeSystem	19	http://developer.apple.com/documentation/healthkit
c	HKCategoryTypeIdentifierAbdominalCramps	Abdominal cramps
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierAcne	Acne
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierAppetiteChanges	Appetite changes
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueappetitechanges
c	HKCategoryTypeIdentifierAppleStandHour	Stand hour
p	kind		category
p	since-ios		9.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueapplestandhour
c	HKCategoryTypeIdentifierAppleWalkingSteadinessEvent	Walking steadiness event
p	kind		category
p	since-ios		15.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueapplewalkingsteadinessevent
c	HKCategoryTypeIdentifierAudioExposureEvent	Environmental audio exposure event
p	kind		category
p	since-ios		13.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueenvironmentalaudioexposureevent
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueaudioexposureevent
c	HKCategoryTypeIdentifierBladderIncontinence	Bladder incontinence
p	kind		category
p	since-ios		14.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierBleedingAfterPregnancy	Bleeding after pregnancy
p	kind		category
p	since-ios		18.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvaluevaginalbleeding
c	HKCategoryTypeIdentifierBleedingDuringPregnancy	Bleeding during pregnancy
p	kind		category
p	since-ios		18.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvaluevaginalbleeding
c	HKCategoryTypeIdentifierBloating	Bloating
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierBreastPain	Breast pain
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierCervicalMucusQuality	Cervical mucus quality
p	kind		category
p	since-ios		9.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvaluecervicalmucusquality
c	HKCategoryTypeIdentifierChestTightnessOrPain	Chest tightness or pain
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierChills	Chills
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierConstipation	Constipation
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierContraceptive	Contraceptive
p	kind		category
p	since-ios		14.3
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvaluecontraceptive
c	HKCategoryTypeIdentifierCoughing	Coughing
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierDiarrhea	Diarrhea
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierDizziness	Dizziness
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierDrySkin	Dry skin
p	kind		category
p	since-ios		14.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent	Environmental audio exposure event
p	kind		category
p	since-ios		14.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueenvironmentalaudioexposureevent
p	alias-of	HKCategoryTypeIdentifierAudioExposureEvent
c	HKCategoryTypeIdentifierFainting	Fainting
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierFatigue	Fatigue
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierFever	Fever
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierGeneralizedBodyAche	Generalized body ache
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierHairLoss	Hair loss
p	kind		category
p	since-ios		14.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierHandwashingEvent	Handwashing event
p	kind		category
p	since-ios		14.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierHeadache	Headache
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierHeadphoneAudioExposureEvent	Headphone audio exposure event
p	kind		category
p	since-ios		14.2
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueheadphoneaudioexposureevent
c	HKCategoryTypeIdentifierHeartburn	Heartburn
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierHighHeartRateEvent	High heart rate notification
p	kind		category
p	since-ios		12.2
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierHotFlashes	Hot flashes
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierHypertensionEvent	Hypertension notification
p	kind		category
p	since-ios		26.2
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierInfrequentMenstrualCycles	Infrequent menstrual cycles
p	kind		category
p	since-ios		16.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierIntermenstrualBleeding	Spotting
p	kind		category
p	since-ios		9.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierIrregularHeartRhythmEvent	Irregular heart rhythm notification
p	kind		category
p	since-ios		12.2
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierIrregularMenstrualCycles	Irregular menstrual cycles
p	kind		category
p	since-ios		16.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierLactation	Lactation
p	kind		category
p	since-ios		14.3
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierLossOfSmell	Loss of smell
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierLossOfTaste	Loss of taste
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierLowCardioFitnessEvent	Low cardio fitness notification
p	kind		category
p	since-ios		14.3
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvaluelowcardiofitnessevent
c	HKCategoryTypeIdentifierLowHeartRateEvent	Low heart rate notification
p	kind		category
p	since-ios		12.2
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierLowerBackPain	Lower back pain
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierMemoryLapse	Memory lapse
p	kind		category
p	since-ios		14.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierMenstrualFlow	Menstrual flow
p	kind		category
p	since-ios		9.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvaluevaginalbleeding
c	HKCategoryTypeIdentifierMindfulSession	Mindful session
p	kind		category
p	since-ios		10.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierMoodChanges	Mood changes
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvaluepresence
c	HKCategoryTypeIdentifierNausea	Nausea
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierNightSweats	Night sweats
p	kind		category
p	since-ios		14.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierOvulationTestResult	Ovulation test
p	kind		category
p	since-ios		9.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueovulationtestresult
c	HKCategoryTypeIdentifierPelvicPain	Pelvic pain
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierPersistentIntermenstrualBleeding	Persistent intermenstrual bleeding
p	kind		category
p	since-ios		16.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierPregnancy	Pregnancy
p	kind		category
p	since-ios		14.3
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierPregnancyTestResult	Pregnancy test
p	kind		category
p	since-ios		15.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvaluepregnancytestresult
c	HKCategoryTypeIdentifierProgesteroneTestResult	Progesterone (PdG) test
p	kind		category
p	since-ios		15.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueprogesteronetestresult
c	HKCategoryTypeIdentifierProlongedMenstrualPeriods	Prolonged menstrual periods
p	kind		category
p	since-ios		16.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierRapidPoundingOrFlutteringHeartbeat	Rapid pounding or fluttering heartbeat
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierRunnyNose	Runny nose
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierSexualActivity	Sexual activity
p	kind		category
p	since-ios		9.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierShortnessOfBreath	Shortness of breath
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierSinusCongestion	Sinus congestion
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierSkippedHeartbeat	Skipped heartbeat
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierSleepAnalysis	Sleep analysis
p	kind		category
p	since-ios		8.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvaluesleepanalysis
c	HKCategoryTypeIdentifierSleepApneaEvent	Sleep apnea notification
p	kind		category
p	since-ios		18.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierSleepChanges	Sleep changes
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvaluepresence
c	HKCategoryTypeIdentifierSoreThroat	Sore throat
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierToothbrushingEvent	Toothbrushing event
p	kind		category
p	since-ios		13.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalue
c	HKCategoryTypeIdentifierVaginalDryness	Vaginal dryness
p	kind		category
p	since-ios		14.0
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierVomiting	Vomiting
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKCategoryTypeIdentifierWheezing	Wheezing
p	kind		category
p	since-ios		13.6
p	value-system		https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
c	HKQuantityTypeIdentifierActiveEnergyBurned	Active energy burned
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		kcal
p	unit		Cal
p	unit		kJ
p	unit		cal
p	unit		J
c	HKQuantityTypeIdentifierAppleExerciseTime	Exercise minutes
p	kind		quantity
p	since-ios		9.3
p	aggregation		cumulative
p	unit		min
p	unit		hr
p	unit		s
c	HKQuantityTypeIdentifierAppleMoveTime	Move minutes
p	kind		quantity
p	since-ios		14.5
p	aggregation		cumulative
p	unit		min
p	unit		hr
p	unit		s
c	HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances	Sleeping breathing disturbances
p	kind		quantity
p	since-ios		18.0
p	aggregation		discreteArithmetic
p	unit		count
p	unit		count/hr
c	HKQuantityTypeIdentifierAppleSleepingWristTemperature	Sleeping wrist temperature
p	kind		quantity
p	since-ios		16.0
p	aggregation		discreteArithmetic
p	unit		degC
p	unit		degF
p	unit		K
c	HKQuantityTypeIdentifierAppleStandTime	Stand minutes
p	kind		quantity
p	since-ios		13.0
p	aggregation		cumulative
p	unit		min
p	unit		hr
p	unit		s
c	HKQuantityTypeIdentifierAppleWalkingSteadiness	Walking steadiness
p	kind		quantity
p	since-ios		15.0
p	aggregation		discreteArithmetic
p	unit		%
c	HKQuantityTypeIdentifierAtrialFibrillationBurden	Atrial fibrillation burden
p	kind		quantity
p	since-ios		16.0
p	aggregation		discreteTemporallyWeighted
p	unit		%
c	HKQuantityTypeIdentifierBasalBodyTemperature	Basal body temperature
p	kind		quantity
p	since-ios		9.0
p	aggregation		discreteArithmetic
p	unit		degC
p	unit		degF
p	unit		K
c	HKQuantityTypeIdentifierBasalEnergyBurned	Resting energy burned
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		kcal
p	unit		Cal
p	unit		kJ
p	unit		cal
p	unit		J
c	HKQuantityTypeIdentifierBloodAlcoholContent	Blood alcohol content
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		%
c	HKQuantityTypeIdentifierBloodGlucose	Blood glucose
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		mg/dL
p	unit		mmol/L
c	HKQuantityTypeIdentifierBloodPressureDiastolic	Diastolic blood pressure
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		mmHg
p	unit		kPa
c	HKQuantityTypeIdentifierBloodPressureSystolic	Systolic blood pressure
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		mmHg
p	unit		kPa
c	HKQuantityTypeIdentifierBodyFatPercentage	Body fat percentage
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		%
c	HKQuantityTypeIdentifierBodyMass	Body weight
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		kg
p	unit		lb
p	unit		st
p	unit		g
p	unit		oz
c	HKQuantityTypeIdentifierBodyMassIndex	Body mass index
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		count
c	HKQuantityTypeIdentifierBodyTemperature	Body temperature
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		degC
p	unit		degF
p	unit		K
c	HKQuantityTypeIdentifierCrossCountrySkiingSpeed	Cross-country skiing speed
p	kind		quantity
p	since-ios		18.0
p	aggregation		discreteArithmetic
p	unit		km/hr
p	unit		mi/hr
p	unit		m/s
p	unit		ft/s
c	HKQuantityTypeIdentifierCyclingCadence	Cycling cadence
p	kind		quantity
p	since-ios		17.0
p	aggregation		discreteTemporallyWeighted
p	unit		count/min
p	unit		rpm
c	HKQuantityTypeIdentifierCyclingFunctionalThresholdPower	Cycling functional threshold power
p	kind		quantity
p	since-ios		17.0
p	aggregation		discreteArithmetic
p	unit		W
p	unit		kcal/hr
c	HKQuantityTypeIdentifierCyclingPower	Cycling power
p	kind		quantity
p	since-ios		17.0
p	aggregation		discreteTemporallyWeighted
p	unit		W
p	unit		kcal/hr
c	HKQuantityTypeIdentifierCyclingSpeed	Cycling speed
p	kind		quantity
p	since-ios		17.0
p	aggregation		discreteTemporallyWeighted
p	unit		km/hr
p	unit		mi/hr
p	unit		m/s
p	unit		ft/s
c	HKQuantityTypeIdentifierDietaryBiotin	Dietary biotin
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryCaffeine	Dietary caffeine
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryCalcium	Dietary calcium
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryCarbohydrates	Dietary carbohydrates
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryChloride	Dietary chloride
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryCholesterol	Dietary cholesterol
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryChromium	Dietary chromium
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryCopper	Dietary copper
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryEnergyConsumed	Dietary energy
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		kcal
p	unit		Cal
p	unit		kJ
p	unit		cal
p	unit		J
c	HKQuantityTypeIdentifierDietaryFatMonounsaturated	Dietary monounsaturated fat
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryFatPolyunsaturated	Dietary polyunsaturated fat
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryFatSaturated	Dietary saturated fat
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryFatTotal	Dietary total fat
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryFiber	Dietary fiber
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryFolate	Dietary folate
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryIodine	Dietary iodine
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryIron	Dietary iron
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryMagnesium	Dietary magnesium
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryManganese	Dietary manganese
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryMolybdenum	Dietary molybdenum
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryNiacin	Dietary niacin
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryPantothenicAcid	Dietary pantothenic acid
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryPhosphorus	Dietary phosphorus
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryPotassium	Dietary potassium
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryProtein	Dietary protein
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryRiboflavin	Dietary riboflavin
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietarySelenium	Dietary selenium
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietarySodium	Dietary sodium
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietarySugar	Dietary sugar
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryThiamin	Dietary thiamin
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryVitaminA	Dietary vitamin A
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryVitaminB12	Dietary vitamin B12
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryVitaminB6	Dietary vitamin B6
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryVitaminC	Dietary vitamin C
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryVitaminD	Dietary vitamin D
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryVitaminE	Dietary vitamin E
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryVitaminK	Dietary vitamin K
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDietaryWater	Water intake
p	kind		quantity
p	since-ios		9.0
p	aggregation		cumulative
p	unit		mL
p	unit		L
p	unit		fl_oz_us
p	unit		fl_oz_imp
p	unit		cup_us
p	unit		pt_us
c	HKQuantityTypeIdentifierDietaryZinc	Dietary zinc
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		g
p	unit		mg
p	unit		mcg
c	HKQuantityTypeIdentifierDistanceCrossCountrySkiing	Cross-country skiing distance
p	kind		quantity
p	since-ios		18.0
p	aggregation		cumulative
p	unit		km
p	unit		mi
p	unit		m
p	unit		yd
p	unit		ft
p	unit		cm
p	unit		in
c	HKQuantityTypeIdentifierDistanceCycling	Cycling distance
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		km
p	unit		mi
p	unit		m
p	unit		yd
p	unit		ft
p	unit		cm
p	unit		in
c	HKQuantityTypeIdentifierDistanceDownhillSnowSports	Downhill snow sports distance
p	kind		quantity
p	since-ios		11.2
p	aggregation		cumulative
p	unit		km
p	unit		mi
p	unit		m
p	unit		yd
p	unit		ft
p	unit		cm
p	unit		in
c	HKQuantityTypeIdentifierDistancePaddleSports	Paddle sports distance
p	kind		quantity
p	since-ios		18.0
p	aggregation		cumulative
p	unit		km
p	unit		mi
p	unit		m
p	unit		yd
p	unit		ft
p	unit		cm
p	unit		in
c	HKQuantityTypeIdentifierDistanceRowing	Rowing distance
p	kind		quantity
p	since-ios		18.0
p	aggregation		cumulative
p	unit		km
p	unit		mi
p	unit		m
p	unit		yd
p	unit		ft
p	unit		cm
p	unit		in
c	HKQuantityTypeIdentifierDistanceSkatingSports	Skating sports distance
p	kind		quantity
p	since-ios		18.0
p	aggregation		cumulative
p	unit		km
p	unit		mi
p	unit		m
p	unit		yd
p	unit		ft
p	unit		cm
p	unit		in
c	HKQuantityTypeIdentifierDistanceSwimming	Swimming distance
p	kind		quantity
p	since-ios		10.0
p	aggregation		cumulative
p	unit		m
p	unit		yd
p	unit		km
p	unit		mi
p	unit		ft
c	HKQuantityTypeIdentifierDistanceWalkingRunning	Walking + running distance
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		km
p	unit		mi
p	unit		m
p	unit		yd
p	unit		ft
p	unit		cm
p	unit		in
c	HKQuantityTypeIdentifierDistanceWheelchair	Wheelchair distance
p	kind		quantity
p	since-ios		10.0
p	aggregation		cumulative
p	unit		km
p	unit		mi
p	unit		m
p	unit		yd
p	unit		ft
p	unit		cm
p	unit		in
c	HKQuantityTypeIdentifierElectrodermalActivity	Electrodermal activity
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		mcS
p	unit		S
c	HKQuantityTypeIdentifierEnvironmentalAudioExposure	Environmental audio exposure
p	kind		quantity
p	since-ios		13.0
p	aggregation		discreteEquivalentContinuousLevel
p	unit		dBASPL
c	HKQuantityTypeIdentifierEnvironmentalSoundReduction	Environmental sound reduction
p	kind		quantity
p	since-ios		16.0
p	aggregation		discreteEquivalentContinuousLevel
p	unit		dBASPL
c	HKQuantityTypeIdentifierEstimatedWorkoutEffortScore	Workout effort (estimated)
p	kind		quantity
p	since-ios		18.0
p	aggregation		discreteArithmetic
p	unit		appleEffortScore
c	HKQuantityTypeIdentifierFlightsClimbed	Flights climbed
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		count
c	HKQuantityTypeIdentifierForcedExpiratoryVolume1	Forced expiratory volume, 1 s
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		L
p	unit		mL
p	unit		fl_oz_us
c	HKQuantityTypeIdentifierForcedVitalCapacity	Forced vital capacity
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		L
p	unit		mL
p	unit		cup_us
p	unit		fl_oz_us
c	HKQuantityTypeIdentifierHeadphoneAudioExposure	Headphone audio exposure
p	kind		quantity
p	since-ios		13.0
p	aggregation		discreteEquivalentContinuousLevel
p	unit		dBASPL
c	HKQuantityTypeIdentifierHeartRate	Heart rate
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteTemporallyWeighted
p	unit		count/min
c	HKQuantityTypeIdentifierHeartRateRecoveryOneMinute	Heart rate recovery, one minute
p	kind		quantity
p	since-ios		16.0
p	aggregation		discreteArithmetic
p	unit		count/min
c	HKQuantityTypeIdentifierHeartRateVariabilitySDNN	Heart rate variability (SDNN)
p	kind		quantity
p	since-ios		11.0
p	aggregation		discreteArithmetic
p	unit		ms
p	unit		s
c	HKQuantityTypeIdentifierHeight	Body height
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		cm
p	unit		ft
p	unit		in
p	unit		m
c	HKQuantityTypeIdentifierInhalerUsage	Inhaler usage
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		count
c	HKQuantityTypeIdentifierInsulinDelivery	Insulin delivery
p	kind		quantity
p	since-ios		11.0
p	aggregation		cumulative
p	unit		IU
c	HKQuantityTypeIdentifierLeanBodyMass	Lean body mass
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		kg
p	unit		lb
p	unit		st
p	unit		g
p	unit		oz
c	HKQuantityTypeIdentifierNikeFuel	NikeFuel
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		count
c	HKQuantityTypeIdentifierNumberOfAlcoholicBeverages	Alcoholic beverages
p	kind		quantity
p	since-ios		15.0
p	aggregation		cumulative
p	unit		count
c	HKQuantityTypeIdentifierNumberOfTimesFallen	Number of times fallen
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		count
c	HKQuantityTypeIdentifierOxygenSaturation	Blood oxygen saturation
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		%
c	HKQuantityTypeIdentifierPaddleSportsSpeed	Paddle sports speed
p	kind		quantity
p	since-ios		18.0
p	aggregation		discreteArithmetic
p	unit		km/hr
p	unit		mi/hr
p	unit		m/s
p	unit		ft/s
c	HKQuantityTypeIdentifierPeakExpiratoryFlowRate	Peak expiratory flow rate
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		L/min
p	unit		L/s
c	HKQuantityTypeIdentifierPeripheralPerfusionIndex	Peripheral perfusion index
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		%
c	HKQuantityTypeIdentifierPhysicalEffort	Physical effort (METs)
p	kind		quantity
p	since-ios		17.0
p	aggregation		discreteArithmetic
p	unit		kcal/hr·kg
c	HKQuantityTypeIdentifierPushCount	Wheelchair pushes
p	kind		quantity
p	since-ios		10.0
p	aggregation		cumulative
p	unit		count
c	HKQuantityTypeIdentifierRespiratoryRate	Respiratory rate
p	kind		quantity
p	since-ios		8.0
p	aggregation		discreteArithmetic
p	unit		count/min
c	HKQuantityTypeIdentifierRestingHeartRate	Resting heart rate
p	kind		quantity
p	since-ios		11.0
p	aggregation		discreteTemporallyWeighted
p	unit		count/min
c	HKQuantityTypeIdentifierRowingSpeed	Rowing speed
p	kind		quantity
p	since-ios		18.0
p	aggregation		discreteArithmetic
p	unit		km/hr
p	unit		mi/hr
p	unit		m/s
p	unit		ft/s
c	HKQuantityTypeIdentifierRunningGroundContactTime	Running ground contact time
p	kind		quantity
p	since-ios		16.0
p	aggregation		discreteArithmetic
p	unit		ms
p	unit		s
c	HKQuantityTypeIdentifierRunningPower	Running power
p	kind		quantity
p	since-ios		16.0
p	aggregation		discreteArithmetic
p	unit		W
p	unit		kcal/hr
c	HKQuantityTypeIdentifierRunningSpeed	Running speed
p	kind		quantity
p	since-ios		16.0
p	aggregation		discreteArithmetic
p	unit		km/hr
p	unit		mi/hr
p	unit		m/s
p	unit		ft/s
c	HKQuantityTypeIdentifierRunningStrideLength	Running stride length
p	kind		quantity
p	since-ios		16.0
p	aggregation		discreteArithmetic
p	unit		cm
p	unit		in
p	unit		m
p	unit		ft
c	HKQuantityTypeIdentifierRunningVerticalOscillation	Running vertical oscillation
p	kind		quantity
p	since-ios		16.0
p	aggregation		discreteArithmetic
p	unit		cm
p	unit		in
p	unit		m
c	HKQuantityTypeIdentifierSixMinuteWalkTestDistance	Six-minute walk distance (estimated)
p	kind		quantity
p	since-ios		14.0
p	aggregation		discreteArithmetic
p	unit		m
p	unit		ft
p	unit		yd
c	HKQuantityTypeIdentifierStairAscentSpeed	Stair ascent speed
p	kind		quantity
p	since-ios		14.0
p	aggregation		discreteArithmetic
p	unit		m/s
p	unit		ft/s
c	HKQuantityTypeIdentifierStairDescentSpeed	Stair descent speed
p	kind		quantity
p	since-ios		14.0
p	aggregation		discreteArithmetic
p	unit		m/s
p	unit		ft/s
c	HKQuantityTypeIdentifierStepCount	Step count
p	kind		quantity
p	since-ios		8.0
p	aggregation		cumulative
p	unit		count
c	HKQuantityTypeIdentifierSwimmingStrokeCount	Swimming strokes
p	kind		quantity
p	since-ios		10.0
p	aggregation		cumulative
p	unit		count
c	HKQuantityTypeIdentifierTimeInDaylight	Time in daylight
p	kind		quantity
p	since-ios		17.0
p	aggregation		cumulative
p	unit		min
p	unit		hr
p	unit		s
c	HKQuantityTypeIdentifierUVExposure	UV exposure index
p	kind		quantity
p	since-ios		9.0
p	aggregation		discreteArithmetic
p	unit		count
c	HKQuantityTypeIdentifierUnderwaterDepth	Underwater depth
p	kind		quantity
p	since-ios		16.0
p	aggregation		discreteArithmetic
p	unit		m
p	unit		ft
c	HKQuantityTypeIdentifierVO2Max	VO2 max (cardio fitness)
p	kind		quantity
p	since-ios		11.0
p	aggregation		discreteArithmetic
p	unit		mL/min·kg
c	HKQuantityTypeIdentifierWaistCircumference	Waist circumference
p	kind		quantity
p	since-ios		11.0
p	aggregation		discreteArithmetic
p	unit		cm
p	unit		in
p	unit		m
p	unit		ft
c	HKQuantityTypeIdentifierWalkingAsymmetryPercentage	Walking asymmetry
p	kind		quantity
p	since-ios		14.0
p	aggregation		discreteArithmetic
p	unit		%
c	HKQuantityTypeIdentifierWalkingDoubleSupportPercentage	Walking double support time
p	kind		quantity
p	since-ios		14.0
p	aggregation		discreteArithmetic
p	unit		%
c	HKQuantityTypeIdentifierWalkingHeartRateAverage	Walking heart rate average
p	kind		quantity
p	since-ios		11.0
p	aggregation		discreteTemporallyWeighted
p	unit		count/min
c	HKQuantityTypeIdentifierWalkingSpeed	Walking speed
p	kind		quantity
p	since-ios		14.0
p	aggregation		discreteArithmetic
p	unit		km/hr
p	unit		mi/hr
p	unit		m/s
p	unit		ft/s
c	HKQuantityTypeIdentifierWalkingStepLength	Walking step length
p	kind		quantity
p	since-ios		14.0
p	aggregation		discreteArithmetic
p	unit		cm
p	unit		in
p	unit		m
p	unit		ft
c	HKQuantityTypeIdentifierWaterTemperature	Water temperature
p	kind		quantity
p	since-ios		16.0
p	aggregation		discreteArithmetic
p	unit		degC
p	unit		degF
p	unit		K
c	HKQuantityTypeIdentifierWorkoutEffortScore	Workout effort (self-rated)
p	kind		quantity
p	since-ios		18.0
p	aggregation		discreteArithmetic
p	unit		appleEffortScore
c	HKActivitySummary	Activity summary
p	kind		other
c	HKActivitySummary.activeEnergyBurned	Active energy burned
p	kind		other
c	HKActivitySummary.activeEnergyBurnedGoal	Active energy burned goal
p	kind		other
c	HKActivitySummary.appleExerciseTime	Exercise time
p	kind		other
c	HKActivitySummary.appleExerciseTimeGoal	Exercise time goal
p	kind		other
c	HKActivitySummary.appleMoveTime	Move time
p	kind		other
c	HKActivitySummary.appleMoveTimeGoal	Move time goal
p	kind		other
c	HKActivitySummary.appleStandHours	Stand hours
p	kind		other
c	HKActivitySummary.appleStandHoursGoal	Stand hours goal
p	kind		other
c	HKActivityType	Activity type
p	kind		other
c	HKAlpineSlopeGrade	Alpine slope grade
p	kind		other
c	HKAverageMETs	Average METs
p	kind		other
c	HKAverageSpeed	Average speed
p	kind		other
c	HKBloodGlucoseMealTime	Meal time of a blood glucose
p	kind		other
c	HKCategoryValueSleepAnalysisAsleepCore	asleep, core
p	kind		other
c	HKCategoryValueSleepAnalysisAsleepDeep	asleep, deep
p	kind		other
c	HKCategoryValueSleepAnalysisAsleepREM	asleep, REM
p	kind		other
c	HKCategoryValueSleepAnalysisAsleepUnspecified	asleep, stage unspecified
p	kind		other
c	HKCategoryValueSleepAnalysisAwake	awake
p	kind		other
c	HKCategoryValueSleepAnalysisInBed	in bed
p	kind		other
c	HKCharacteristicTypeIdentifierBloodType	Blood type
p	kind		other
c	HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse	Use of medications that affect cardio fitness
p	kind		other
c	HKCharacteristicTypeIdentifierFitzpatrickSkinType	Fitzpatrick skin type
p	kind		other
c	HKCoachedWorkout	Coached workout
p	kind		other
c	HKCorrelationTypeIdentifierBloodPressure	Blood pressure
p	kind		other
c	HKCorrelationTypeIdentifierFood	Food
p	kind		other
c	HKCrossTrainerDistance	Cross trainer distance
p	kind		other
c	HKDataTypeIdentifierAudiogram	Audiogram
p	kind		other
c	HKElectrocardiogram	Electrocardiogram
p	kind		other
c	HKElectrocardiogram.Classification	Classification
p	kind		other
c	HKElectrocardiogram.NumberOfVoltageMeasurements	Number of voltage measurements
p	kind		other
c	HKElectrocardiogram.SamplingFrequency	Sampling frequency
p	kind		other
c	HKElectrocardiogram.Symptoms	Symptoms
p	kind		other
c	HKElevationAscended	Elevation ascended
p	kind		other
c	HKElevationDescended	Elevation descended
p	kind		other
c	HKFitnessMachineDuration	Fitness machine duration
p	kind		other
c	HKGroupFitness	Group fitness
p	kind		other
c	HKHeartRateEventThreshold	Threshold of a heart rate event
p	kind		other
c	HKIndoorBikeDistance	Indoor bike distance
p	kind		other
c	HKIndoorWorkout	Indoor workout
p	kind		other
c	HKInsulinDeliveryReason	Reason of an insulin delivery
p	kind		other
c	HKLapLength	Lap length
p	kind		other
c	HKLowCardioFitnessEventThreshold	Threshold of a low cardio fitness event
p	kind		other
c	HKMaximumSpeed	Maximum speed
p	kind		other
c	HKMenstrualCycleStart	Start of a menstrual cycle
p	kind		other
c	HKMetadataKeyAppleFitnessPlusSession	Apple Fitness+ session
p	kind		other
c	HKMetadataKeyAudioExposureDuration	Audio exposure duration
p	kind		other
c	HKMetadataKeyAudioExposureLevel	Audio exposure level
p	kind		other
c	HKMetadataKeyBarometricPressure	Barometric pressure
p	kind		other
c	HKMetadataKeyHeadphoneGain	Headphone gain
p	kind		other
c	HKMetadataKeyHeartRateRecoveryActivityDuration	Duration of the activity before a heart rate recovery
p	kind		other
c	HKMetadataKeyHeartRateRecoveryActivityType	Activity before a heart rate recovery
p	kind		other
c	HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate	Maximum heart rate observed during recovery
p	kind		other
c	HKMetadataKeyMaximumLightIntensity	Maximum light intensity
p	kind		other
c	HKMetadataKeySessionEstimate	Session estimate
p	kind		other
c	HKSWOLFScore	SWOLF score
p	kind		other
c	HKSexualActivityProtectionUsed	Protection used
p	kind		other
c	HKSwimmingLocationType	Swimming location type
p	kind		other
c	HKSwimmingStrokeStyle	Swimming stroke style
p	kind		other
c	HKVO2MaxValue	VO2 max of an event
p	kind		other
c	HKWeatherCondition	Weather condition
p	kind		other
c	HKWeatherHumidity	Weather humidity
p	kind		other
c	HKWeatherTemperature	Weather temperature
p	kind		other
c	HKWorkoutActivity	Workout activity
p	kind		other
c	HKWorkout.duration	Duration
p	kind		other
c	HKWorkoutEvent	Workout event
p	kind		other
c	HKWorkoutRouteTypeIdentifier	Workout route
p	kind		other
c	HKWorkoutTypeIdentifier	Workout
p	kind		other
c	InstantaneousBeatsPerMinute	Instantaneous heart rate
p	kind		other
"""#

private let conceptMapHealthkitCategoryValues: StaticString = #"""
r	ConceptMap	19	urn:uuid:27a46282-3bff-4041-9ee8-84eef2a4a84b
g	http://developer.apple.com/documentation/healthkit	http://snomed.info/sct
e	HKCategoryValueSeverityUnspecified
t	52101004	Present	equivalent
e	HKCategoryValueSeverityNotPresent
t	2667000	Absent	equivalent
e	HKCategoryValueSeverityMild
t	255604002		equivalent
e	HKCategoryValueSeverityModerate
t	6736007		equivalent
e	HKCategoryValueSeveritySevere
t	24484000		equivalent
e	HKCategoryValuePresencePresent
t	52101004	Present	equivalent
e	HKCategoryValuePresenceNotPresent
t	2667000	Absent	equivalent
e	HKCategoryValuePregnancyTestResultNegative
t	260385009	Negative	equivalent
e	HKCategoryValuePregnancyTestResultPositive
t	10828004	Positive	equivalent
e	HKCategoryValuePregnancyTestResultIndeterminate
t	82334004	Indeterminate	equivalent
e	HKCategoryValueProgesteroneTestResultNegative
t	260385009	Negative	equivalent
e	HKCategoryValueProgesteroneTestResultPositive
t	10828004	Positive	equivalent
e	HKCategoryValueProgesteroneTestResultIndeterminate
t	82334004	Indeterminate	equivalent
e	HKCategoryValueOvulationTestResultNegative
t	260385009	Negative	equivalent
e	HKCategoryValueOvulationTestResultIndeterminate
t	82334004	Indeterminate	equivalent
g	http://developer.apple.com/documentation/healthkit	http://loinc.org
e	HKCategoryValueNotApplicable
t	LA15173-0	Pregnant	equivalent	http://developer.apple.com/documentation/healthkit	HKCategoryTypeIdentifierPregnancy
t	LA29252-6	Currently breastfeeding	equivalent	http://developer.apple.com/documentation/healthkit	HKCategoryTypeIdentifierLactation
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvalue
e	HKCategoryValueNotApplicable
t	0	not applicable	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvalueappetitechanges
e	HKCategoryValueAppetiteChangesUnspecified
t	0	present, direction unspecified	equal
e	HKCategoryValueAppetiteChangesNoChange
t	1	no change	equal
e	HKCategoryValueAppetiteChangesDecreased
t	2	decreased	equal
e	HKCategoryValueAppetiteChangesIncreased
t	3	increased	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvalueapplestandhour
e	HKCategoryValueAppleStandHourStood
t	0	stood	equal
e	HKCategoryValueAppleStandHourIdle
t	1	idle	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvalueapplewalkingsteadinessevent
e	HKCategoryValueAppleWalkingSteadinessEventInitialLow
t	1	initial low	equal
e	HKCategoryValueAppleWalkingSteadinessEventInitialVeryLow
t	2	initial very low	equal
e	HKCategoryValueAppleWalkingSteadinessEventRepeatLow
t	3	repeat low	equal
e	HKCategoryValueAppleWalkingSteadinessEventRepeatVeryLow
t	4	repeat very low	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvalueaudioexposureevent
e	HKCategoryValueAudioExposureEventLoudEnvironment
t	1	loud environment	equivalent
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvaluecervicalmucusquality
e	HKCategoryValueCervicalMucusQualityDry
t	1	dry	equal
e	HKCategoryValueCervicalMucusQualitySticky
t	2	sticky	equal
e	HKCategoryValueCervicalMucusQualityCreamy
t	3	creamy	equal
e	HKCategoryValueCervicalMucusQualityWatery
t	4	watery	equal
e	HKCategoryValueCervicalMucusQualityEggWhite
t	5	egg white	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvaluecontraceptive
e	HKCategoryValueContraceptiveUnspecified
t	1	unspecified	equal
e	HKCategoryValueContraceptiveImplant
t	2	implant	equal
e	HKCategoryValueContraceptiveInjection
t	3	injection	equal
e	HKCategoryValueContraceptiveIntrauterineDevice
t	4	intrauterine device	equal
e	HKCategoryValueContraceptiveIntravaginalRing
t	5	intravaginal ring	equal
e	HKCategoryValueContraceptiveOral
t	6	oral	equal
e	HKCategoryValueContraceptivePatch
t	7	patch	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvalueenvironmentalaudioexposureevent
e	HKCategoryValueEnvironmentalAudioExposureEventMomentaryLimit
t	1	momentary limit	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvalueheadphoneaudioexposureevent
e	HKCategoryValueHeadphoneAudioExposureEventSevenDayLimit
t	1	seven day limit	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvaluelowcardiofitnessevent
e	HKCategoryValueLowCardioFitnessEventLowFitness
t	1	low fitness	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvalueovulationtestresult
e	HKCategoryValueOvulationTestResultNegative
t	1	negative	equal
e	HKCategoryValueOvulationTestResultLuteinizingHormoneSurge
t	2	luteinizing hormone surge	equal
e	HKCategoryValueOvulationTestResultPositive
t	2	luteinizing hormone surge	equivalent
e	HKCategoryValueOvulationTestResultIndeterminate
t	3	indeterminate	equal
e	HKCategoryValueOvulationTestResultEstrogenSurge
t	4	estrogen surge	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvaluepregnancytestresult
e	HKCategoryValuePregnancyTestResultNegative
t	1	negative	equal
e	HKCategoryValuePregnancyTestResultPositive
t	2	positive	equal
e	HKCategoryValuePregnancyTestResultIndeterminate
t	3	indeterminate	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvaluepresence
e	HKCategoryValuePresencePresent
t	0	present	equal
e	HKCategoryValuePresenceNotPresent
t	1	not present	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvalueprogesteronetestresult
e	HKCategoryValueProgesteroneTestResultNegative
t	1	negative	equal
e	HKCategoryValueProgesteroneTestResultPositive
t	2	positive	equal
e	HKCategoryValueProgesteroneTestResultIndeterminate
t	3	indeterminate	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity
e	HKCategoryValueSeverityUnspecified
t	0	present, severity unspecified	equal
e	HKCategoryValueSeverityNotPresent
t	1	not present	equal
e	HKCategoryValueSeverityMild
t	2	mild	equal
e	HKCategoryValueSeverityModerate
t	3	moderate	equal
e	HKCategoryValueSeveritySevere
t	4	severe	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvaluesleepanalysis
e	HKCategoryValueSleepAnalysisInBed
t	0	in bed	equal
e	HKCategoryValueSleepAnalysisAsleepUnspecified
t	1	asleep, stage unspecified	equal
e	HKCategoryValueSleepAnalysisAsleep
t	1	asleep, stage unspecified	equivalent
e	HKCategoryValueSleepAnalysisAwake
t	2	awake	equal
e	HKCategoryValueSleepAnalysisAsleepCore
t	3	asleep, core	equal
e	HKCategoryValueSleepAnalysisAsleepDeep
t	4	asleep, deep	equal
e	HKCategoryValueSleepAnalysisAsleepREM
t	5	asleep, REM	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcategoryvaluevaginalbleeding
e	HKCategoryValueVaginalBleedingUnspecified
t	1	present, amount unspecified	equal
e	HKCategoryValueVaginalBleedingLight
t	2	light	equal
e	HKCategoryValueVaginalBleedingMedium
t	3	medium	equal
e	HKCategoryValueVaginalBleedingHeavy
t	4	heavy	equal
e	HKCategoryValueVaginalBleedingNone
t	5	none	equal
e	HKCategoryValueMenstrualFlowUnspecified
t	1	present, amount unspecified	equivalent
e	HKCategoryValueMenstrualFlowLight
t	2	light	equivalent
e	HKCategoryValueMenstrualFlowMedium
t	3	medium	equivalent
e	HKCategoryValueMenstrualFlowHeavy
t	4	heavy	equivalent
e	HKCategoryValueMenstrualFlowNone
t	5	none	equivalent
"""#

private let conceptMapHealthkitCharacteristics: StaticString = #"""
r	ConceptMap	19	urn:uuid:cf72d50c-0236-48e8-86a8-ebd5b697733e
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkbloodtype
e	HKBloodTypeAPositive
t	1	A positive	equivalent
e	HKBloodTypeANegative
t	2	A negative	equivalent
e	HKBloodTypeBPositive
t	3	B positive	equivalent
e	HKBloodTypeBNegative
t	4	B negative	equivalent
e	HKBloodTypeABPositive
t	5	AB positive	equivalent
e	HKBloodTypeABNegative
t	6	AB negative	equivalent
e	HKBloodTypeOPositive
t	7	O positive	equivalent
e	HKBloodTypeONegative
t	8	O negative	equivalent
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkfitzpatrickskintype
e	HKFitzpatrickSkinTypeI
t	1	Fitzpatrick skin type I	equivalent
e	HKFitzpatrickSkinTypeII
t	2	Fitzpatrick skin type II	equivalent
e	HKFitzpatrickSkinTypeIII
t	3	Fitzpatrick skin type III	equivalent
e	HKFitzpatrickSkinTypeIV
t	4	Fitzpatrick skin type IV	equivalent
e	HKFitzpatrickSkinTypeV
t	5	Fitzpatrick skin type V	equivalent
e	HKFitzpatrickSkinTypeVI
t	6	Fitzpatrick skin type VI	equivalent
g	http://developer.apple.com/documentation/healthkit	http://hl7.org/fhir/administrative-gender
e	HKBiologicalSexFemale
t	female	Female	inexact
e	HKBiologicalSexMale
t	male	Male	inexact
e	HKBiologicalSexOther
t	other	Other	inexact
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkbiologicalsex
e	HKBiologicalSexFemale
t	1	Female	equivalent
e	HKBiologicalSexMale
t	2	Male	equivalent
e	HKBiologicalSexOther
t	3	Other	equivalent
"""#

private let conceptMapHealthkitMetadata: StaticString = #"""
r	ConceptMap	19	urn:uuid:7d1a2c4e-64c0-5d3b-9b7e-3f8a1b6c2d90
g	http://developer.apple.com/documentation/healthkit	http://snomed.info/sct
e	HKBodyTemperatureSensorLocationArmpit
t	422543003		equivalent
e	HKBodyTemperatureSensorLocationMouth
t	74262004		equivalent
e	HKBodyTemperatureSensorLocationRectum
t	34402009		equivalent
e	HKBodyTemperatureSensorLocationToe
t	29707007		equivalent
e	HKBodyTemperatureSensorLocationFinger
t	7569003		equivalent
e	HKBodyTemperatureSensorLocationEar
t	117590005		equivalent
e	HKBodyTemperatureSensorLocationEarDrum
t	42859004		equivalent
e	HKBodyTemperatureSensorLocationTemporalArtery
t	15672000		equivalent
e	HKBodyTemperatureSensorLocationForehead
t	52795006		equivalent
e	HKHeartRateSensorLocationFinger
t	7569003		equivalent
e	HKHeartRateSensorLocationWrist
t	8205005		equivalent
g	http://developer.apple.com/documentation/healthkit	urn:iso:std:iso:11073:10101
e	HKBloodGlucoseMealTimePreprandial
t	8417868	MDC_CTXT_GLU_MEAL_PREPRANDIAL	equivalent
e	HKBloodGlucoseMealTimePostprandial
t	8417872	MDC_CTXT_GLU_MEAL_POSTPRANDIAL	equivalent
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkheartratemotioncontext
e	HKHeartRateMotionContextNotSet
t	0	not set	equal
e	HKHeartRateMotionContextSedentary
t	1	sedentary	equal
e	HKHeartRateMotionContextActive
t	2	active	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkusermotioncontext
e	HKUserMotionContextNotSet
t	0	not set	equal
e	HKUserMotionContextStationary
t	1	stationary	equal
e	HKUserMotionContextActive
t	2	active	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkbloodglucosemealtime
e	HKBloodGlucoseMealTimePreprandial
t	1	preprandial	equal
e	HKBloodGlucoseMealTimePostprandial
t	2	postprandial	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkinsulindeliveryreason
e	HKInsulinDeliveryReasonBasal
t	1	basal	equal
e	HKInsulinDeliveryReasonBolus
t	2	bolus	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkvo2maxtesttype
e	HKVO2MaxTestTypeMaxExercise
t	1	max exercise	equal
e	HKVO2MaxTestTypePredictionSubMaxExercise
t	2	prediction sub max exercise	equal
e	HKVO2MaxTestTypePredictionNonExercise
t	3	prediction non exercise	equal
e	HKVO2MaxTestTypePredictionStepTest
t	4	prediction step test	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkbodytemperaturesensorlocation
e	HKBodyTemperatureSensorLocationOther
t	0	other	equal
e	HKBodyTemperatureSensorLocationArmpit
t	1	armpit	equal
e	HKBodyTemperatureSensorLocationBody
t	2	body	equal
e	HKBodyTemperatureSensorLocationEar
t	3	ear	equal
e	HKBodyTemperatureSensorLocationFinger
t	4	finger	equal
e	HKBodyTemperatureSensorLocationGastroIntestinal
t	5	gastro-intestinal	equal
e	HKBodyTemperatureSensorLocationMouth
t	6	mouth	equal
e	HKBodyTemperatureSensorLocationRectum
t	7	rectum	equal
e	HKBodyTemperatureSensorLocationToe
t	8	toe	equal
e	HKBodyTemperatureSensorLocationEarDrum
t	9	ear drum	equal
e	HKBodyTemperatureSensorLocationTemporalArtery
t	10	temporal artery	equal
e	HKBodyTemperatureSensorLocationForehead
t	11	forehead	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkheartratesensorlocation
e	HKHeartRateSensorLocationOther
t	0	other	equal
e	HKHeartRateSensorLocationChest
t	1	chest	equal
e	HKHeartRateSensorLocationWrist
t	2	wrist	equal
e	HKHeartRateSensorLocationFinger
t	3	finger	equal
e	HKHeartRateSensorLocationHand
t	4	hand	equal
e	HKHeartRateSensorLocationEarLobe
t	5	ear lobe	equal
e	HKHeartRateSensorLocationFoot
t	6	foot	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkdeviceplacementside
e	HKDevicePlacementSideUnknown
t	0	unknown	equal
e	HKDevicePlacementSideLeft
t	1	left	equal
e	HKDevicePlacementSideRight
t	2	right	equal
e	HKDevicePlacementSideCentral
t	3	central	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkwatersalinity
e	HKWaterSalinityFreshWater
t	1	fresh water	equal
e	HKWaterSalinitySaltWater
t	2	salt water	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkswimmingstrokestyle
e	HKSwimmingStrokeStyleUnknown
t	0	unknown	equal
e	HKSwimmingStrokeStyleMixed
t	1	mixed	equal
e	HKSwimmingStrokeStyleFreestyle
t	2	freestyle	equal
e	HKSwimmingStrokeStyleBackstroke
t	3	backstroke	equal
e	HKSwimmingStrokeStyleBreaststroke
t	4	breaststroke	equal
e	HKSwimmingStrokeStyleButterfly
t	5	butterfly	equal
e	HKSwimmingStrokeStyleKickboard
t	6	kickboard	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkworkoutswimminglocationtype
e	HKWorkoutSwimmingLocationTypeUnknown
t	0	unknown	equal
e	HKWorkoutSwimmingLocationTypePool
t	1	pool	equal
e	HKWorkoutSwimmingLocationTypeOpenWater
t	2	open water	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkphysicaleffortestimationtype
e	HKPhysicalEffortEstimationTypeActivityLookup
t	1	activity lookup	equal
e	HKPhysicalEffortEstimationTypeDeviceSensed
t	2	device sensed	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkcyclingfunctionalthresholdpowertesttype
e	HKCyclingFunctionalThresholdPowerTestTypeMaxExercise60Minute
t	1	max exercise 60 minute	equal
e	HKCyclingFunctionalThresholdPowerTestTypeMaxExercise20Minute
t	2	max exercise 20 minute	equal
e	HKCyclingFunctionalThresholdPowerTestTypeRampTest
t	3	ramp test	equal
e	HKCyclingFunctionalThresholdPowerTestTypePredictionExercise
t	4	prediction exercise	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkheartraterecoverytesttype
e	HKHeartRateRecoveryTestTypeMaxExercise
t	1	max exercise	equal
e	HKHeartRateRecoveryTestTypePredictionSubMaxExercise
t	2	prediction sub max exercise	equal
e	HKHeartRateRecoveryTestTypePredictionNonExercise
t	3	prediction non exercise	equal
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkweathercondition
e	HKWeatherConditionNone
t	0	none	equal
e	HKWeatherConditionClear
t	1	clear	equal
e	HKWeatherConditionFair
t	2	fair	equal
e	HKWeatherConditionPartlyCloudy
t	3	partly cloudy	equal
e	HKWeatherConditionMostlyCloudy
t	4	mostly cloudy	equal
e	HKWeatherConditionCloudy
t	5	cloudy	equal
e	HKWeatherConditionFoggy
t	6	foggy	equal
e	HKWeatherConditionHaze
t	7	haze	equal
e	HKWeatherConditionWindy
t	8	windy	equal
e	HKWeatherConditionBlustery
t	9	blustery	equal
e	HKWeatherConditionSmoky
t	10	smoky	equal
e	HKWeatherConditionDust
t	11	dust	equal
e	HKWeatherConditionSnow
t	12	snow	equal
e	HKWeatherConditionHail
t	13	hail	equal
e	HKWeatherConditionSleet
t	14	sleet	equal
e	HKWeatherConditionFreezingDrizzle
t	15	freezing drizzle	equal
e	HKWeatherConditionFreezingRain
t	16	freezing rain	equal
e	HKWeatherConditionMixedRainAndHail
t	17	mixed rain and hail	equal
e	HKWeatherConditionMixedRainAndSnow
t	18	mixed rain and snow	equal
e	HKWeatherConditionMixedRainAndSleet
t	19	mixed rain and sleet	equal
e	HKWeatherConditionMixedSnowAndSleet
t	20	mixed snow and sleet	equal
e	HKWeatherConditionDrizzle
t	21	drizzle	equal
e	HKWeatherConditionScatteredShowers
t	22	scattered showers	equal
e	HKWeatherConditionShowers
t	23	showers	equal
e	HKWeatherConditionThunderstorms
t	24	thunderstorms	equal
e	HKWeatherConditionTropicalStorm
t	25	tropical storm	equal
e	HKWeatherConditionHurricane
t	26	hurricane	equal
e	HKWeatherConditionTornado
t	27	tornado	equal
"""#

private let conceptMapHealthkitTypes: StaticString = #"""
r	ConceptMap	19	urn:uuid:88a456b6-1e10-4655-aaae-dc758772b2c3
g	http://developer.apple.com/documentation/healthkit	http://loinc.org
e	HKCategoryTypeIdentifierAbdominalCramps
t			unmatched
e	HKCategoryTypeIdentifierAcne
t			unmatched
e	HKCategoryTypeIdentifierAppetiteChanges
t			unmatched
e	HKCategoryTypeIdentifierAppleStandHour
t			unmatched
e	HKCategoryTypeIdentifierAppleWalkingSteadinessEvent
t			unmatched
e	HKCategoryTypeIdentifierAudioExposureEvent
t			unmatched
e	HKCategoryTypeIdentifierBladderIncontinence
t			unmatched
e	HKCategoryTypeIdentifierBleedingAfterPregnancy
t			unmatched
e	HKCategoryTypeIdentifierBleedingDuringPregnancy
t			unmatched
e	HKCategoryTypeIdentifierBloating
t			unmatched
e	HKCategoryTypeIdentifierBreastPain
t			unmatched
e	HKCategoryTypeIdentifierCervicalMucusQuality
t	10570-0	Consistency of Cervical mucus	equivalent
e	HKCategoryTypeIdentifierChestTightnessOrPain
t			unmatched
e	HKCategoryTypeIdentifierChills
t			unmatched
e	HKCategoryTypeIdentifierConstipation
t			unmatched
e	HKCategoryTypeIdentifierContraceptive
t	8659-5	Birth control method - Reported	equivalent
e	HKCategoryTypeIdentifierCoughing
t			unmatched
e	HKCategoryTypeIdentifierDiarrhea
t			unmatched
e	HKCategoryTypeIdentifierDizziness
t			unmatched
e	HKCategoryTypeIdentifierDrySkin
t			unmatched
e	HKCategoryTypeIdentifierFainting
t			unmatched
e	HKCategoryTypeIdentifierFatigue
t			unmatched
e	HKCategoryTypeIdentifierFever
t			unmatched
e	HKCategoryTypeIdentifierGeneralizedBodyAche
t			unmatched
e	HKCategoryTypeIdentifierHairLoss
t			unmatched
e	HKCategoryTypeIdentifierHandwashingEvent
t			unmatched
e	HKCategoryTypeIdentifierHeadache
t			unmatched
e	HKCategoryTypeIdentifierHeadphoneAudioExposureEvent
t			unmatched
e	HKCategoryTypeIdentifierHeartburn
t			unmatched
e	HKCategoryTypeIdentifierHighHeartRateEvent
t			unmatched
e	HKCategoryTypeIdentifierHotFlashes
t			unmatched
e	HKCategoryTypeIdentifierHypertensionEvent
t			unmatched
e	HKCategoryTypeIdentifierInfrequentMenstrualCycles
t			unmatched
e	HKCategoryTypeIdentifierIntermenstrualBleeding
t			unmatched
e	HKCategoryTypeIdentifierIrregularHeartRhythmEvent
t			unmatched
e	HKCategoryTypeIdentifierIrregularMenstrualCycles
t			unmatched
e	HKCategoryTypeIdentifierLactation
t	63895-7	Breastfeeding status	relatedto
e	HKCategoryTypeIdentifierLossOfSmell
t			unmatched
e	HKCategoryTypeIdentifierLossOfTaste
t			unmatched
e	HKCategoryTypeIdentifierLowCardioFitnessEvent
t			unmatched
e	HKCategoryTypeIdentifierLowHeartRateEvent
t			unmatched
e	HKCategoryTypeIdentifierLowerBackPain
t			unmatched
e	HKCategoryTypeIdentifierMemoryLapse
t			unmatched
e	HKCategoryTypeIdentifierMenstrualFlow
t			unmatched
e	HKCategoryTypeIdentifierMindfulSession
t			unmatched
e	HKCategoryTypeIdentifierMoodChanges
t			unmatched
e	HKCategoryTypeIdentifierNausea
t	81660-3	Nausea [Presence]	relatedto
e	HKCategoryTypeIdentifierNightSweats
t			unmatched
e	HKCategoryTypeIdentifierOvulationTestResult
t			unmatched
e	HKCategoryTypeIdentifierPelvicPain
t			unmatched
e	HKCategoryTypeIdentifierPersistentIntermenstrualBleeding
t			unmatched
e	HKCategoryTypeIdentifierPregnancy
t	82810-3	Pregnancy status	wider
e	HKCategoryTypeIdentifierPregnancyTestResult
t	2106-3	Choriogonadotropin [Presence] in Urine	narrower
e	HKCategoryTypeIdentifierProgesteroneTestResult
t			unmatched
e	HKCategoryTypeIdentifierProlongedMenstrualPeriods
t			unmatched
e	HKCategoryTypeIdentifierRapidPoundingOrFlutteringHeartbeat
t			unmatched
e	HKCategoryTypeIdentifierRunnyNose
t			unmatched
e	HKCategoryTypeIdentifierSexualActivity
t			unmatched
e	HKCategoryTypeIdentifierShortnessOfBreath
t			unmatched
e	HKCategoryTypeIdentifierSinusCongestion
t			unmatched
e	HKCategoryTypeIdentifierSkippedHeartbeat
t			unmatched
e	HKCategoryTypeIdentifierSleepAnalysis
t			unmatched
e	HKCategoryTypeIdentifierSleepApneaEvent
t			unmatched
e	HKCategoryTypeIdentifierSleepChanges
t			unmatched
e	HKCategoryTypeIdentifierSoreThroat
t			unmatched
e	HKCategoryTypeIdentifierToothbrushingEvent
t			unmatched
e	HKCategoryTypeIdentifierVaginalDryness
t			unmatched
e	HKCategoryTypeIdentifierVomiting
t			unmatched
e	HKCategoryTypeIdentifierWheezing
t			unmatched
e	HKQuantityTypeIdentifierActiveEnergyBurned
t	41981-2	Calories burned	wider
e	HKQuantityTypeIdentifierAppleExerciseTime
t			unmatched
e	HKQuantityTypeIdentifierAppleMoveTime
t			unmatched
e	HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances
t			unmatched
e	HKQuantityTypeIdentifierAppleSleepingWristTemperature
t	61008-9	Body surface temperature	wider
e	HKQuantityTypeIdentifierAppleStandTime
t			unmatched
e	HKQuantityTypeIdentifierAppleWalkingSteadiness
t			unmatched
e	HKQuantityTypeIdentifierAtrialFibrillationBurden
t			unmatched
e	HKQuantityTypeIdentifierBasalBodyTemperature
t			unmatched
e	HKQuantityTypeIdentifierBasalEnergyBurned
t			unmatched
e	HKQuantityTypeIdentifierBloodAlcoholContent
t			unmatched
e	HKQuantityTypeIdentifierBloodGlucose
t	2339-0	Glucose [Mass/volume] in Blood	relatedto	http://unitsofmeasure.org	mg/dL
t	15074-8	Glucose [Moles/volume] in Blood	relatedto	http://unitsofmeasure.org	mmol/L
e	HKQuantityTypeIdentifierBloodPressureDiastolic
t	8462-4	Diastolic blood pressure	equivalent
e	HKQuantityTypeIdentifierBloodPressureSystolic
t	8480-6	Systolic blood pressure	equivalent
e	HKQuantityTypeIdentifierBodyFatPercentage
t	41982-0	Percentage of body fat Measured	narrower
e	HKQuantityTypeIdentifierBodyMass
t	29463-7	Body weight	equivalent
e	HKQuantityTypeIdentifierBodyMassIndex
t	39156-5	Body mass index (BMI) [Ratio]	equivalent
e	HKQuantityTypeIdentifierBodyTemperature
t	8310-5	Body temperature	equivalent
e	HKQuantityTypeIdentifierCrossCountrySkiingSpeed
t			unmatched
e	HKQuantityTypeIdentifierCyclingCadence
t			unmatched
e	HKQuantityTypeIdentifierCyclingFunctionalThresholdPower
t			unmatched
e	HKQuantityTypeIdentifierCyclingPower
t			unmatched
e	HKQuantityTypeIdentifierCyclingSpeed
t			unmatched
e	HKQuantityTypeIdentifierDietaryBiotin
t			unmatched
e	HKQuantityTypeIdentifierDietaryCaffeine
t			unmatched
e	HKQuantityTypeIdentifierDietaryCalcium
t			unmatched
e	HKQuantityTypeIdentifierDietaryCarbohydrates
t	9060-5	Carbohydrate intake Measured	narrower
e	HKQuantityTypeIdentifierDietaryChloride
t			unmatched
e	HKQuantityTypeIdentifierDietaryCholesterol
t			unmatched
e	HKQuantityTypeIdentifierDietaryChromium
t			unmatched
e	HKQuantityTypeIdentifierDietaryCopper
t			unmatched
e	HKQuantityTypeIdentifierDietaryEnergyConsumed
t	9052-2	Calorie intake total	equivalent
e	HKQuantityTypeIdentifierDietaryFatMonounsaturated
t			unmatched
e	HKQuantityTypeIdentifierDietaryFatPolyunsaturated
t			unmatched
e	HKQuantityTypeIdentifierDietaryFatSaturated
t			unmatched
e	HKQuantityTypeIdentifierDietaryFatTotal
t	9067-0	Fat intake Measured	narrower
e	HKQuantityTypeIdentifierDietaryFiber
t			unmatched
e	HKQuantityTypeIdentifierDietaryFolate
t			unmatched
e	HKQuantityTypeIdentifierDietaryIodine
t			unmatched
e	HKQuantityTypeIdentifierDietaryIron
t			unmatched
e	HKQuantityTypeIdentifierDietaryMagnesium
t			unmatched
e	HKQuantityTypeIdentifierDietaryManganese
t			unmatched
e	HKQuantityTypeIdentifierDietaryMolybdenum
t			unmatched
e	HKQuantityTypeIdentifierDietaryNiacin
t			unmatched
e	HKQuantityTypeIdentifierDietaryPantothenicAcid
t			unmatched
e	HKQuantityTypeIdentifierDietaryPhosphorus
t			unmatched
e	HKQuantityTypeIdentifierDietaryPotassium
t			unmatched
e	HKQuantityTypeIdentifierDietaryProtein
t	9080-3	Protein intake Measured	narrower
e	HKQuantityTypeIdentifierDietaryRiboflavin
t			unmatched
e	HKQuantityTypeIdentifierDietarySelenium
t			unmatched
e	HKQuantityTypeIdentifierDietarySodium
t			unmatched
e	HKQuantityTypeIdentifierDietarySugar
t			unmatched
e	HKQuantityTypeIdentifierDietaryThiamin
t			unmatched
e	HKQuantityTypeIdentifierDietaryVitaminA
t			unmatched
e	HKQuantityTypeIdentifierDietaryVitaminB12
t			unmatched
e	HKQuantityTypeIdentifierDietaryVitaminB6
t			unmatched
e	HKQuantityTypeIdentifierDietaryVitaminC
t			unmatched
e	HKQuantityTypeIdentifierDietaryVitaminD
t			unmatched
e	HKQuantityTypeIdentifierDietaryVitaminE
t			unmatched
e	HKQuantityTypeIdentifierDietaryVitaminK
t			unmatched
e	HKQuantityTypeIdentifierDietaryWater
t	8985-4	Fluid intake Measured	relatedto
e	HKQuantityTypeIdentifierDietaryZinc
t			unmatched
e	HKQuantityTypeIdentifierDistanceCrossCountrySkiing
t	103208-5	Distance traveled	wider
e	HKQuantityTypeIdentifierDistanceCycling
t	93818-3	Cycling distance unspecified time	equivalent
e	HKQuantityTypeIdentifierDistanceDownhillSnowSports
t	103208-5	Distance traveled	wider
e	HKQuantityTypeIdentifierDistancePaddleSports
t	103208-5	Distance traveled	wider
e	HKQuantityTypeIdentifierDistanceRowing
t	103208-5	Distance traveled	wider
e	HKQuantityTypeIdentifierDistanceSkatingSports
t	103208-5	Distance traveled	wider
e	HKQuantityTypeIdentifierDistanceSwimming
t	93816-7	Swimming distance unspecified time	equivalent
e	HKQuantityTypeIdentifierDistanceWalkingRunning
t	112427-0	Distance walking or running	equivalent
t	103208-5	Distance traveled	wider
e	HKQuantityTypeIdentifierDistanceWheelchair
t	103208-5	Distance traveled	wider
e	HKQuantityTypeIdentifierElectrodermalActivity
t			unmatched
e	HKQuantityTypeIdentifierEnvironmentalAudioExposure
t			unmatched
e	HKQuantityTypeIdentifierEnvironmentalSoundReduction
t			unmatched
e	HKQuantityTypeIdentifierEstimatedWorkoutEffortScore
t			unmatched
e	HKQuantityTypeIdentifierFlightsClimbed
t	100304-5	Flights climbed [#] Reporting Period	equivalent
e	HKQuantityTypeIdentifierForcedExpiratoryVolume1
t	20150-9	FEV1	equivalent
e	HKQuantityTypeIdentifierForcedVitalCapacity
t	19870-5	Forced vital capacity [Volume] Respiratory system	equivalent
e	HKQuantityTypeIdentifierHeadphoneAudioExposure
t			unmatched
e	HKQuantityTypeIdentifierHeartRate
t	8867-4	Heart rate	equivalent
e	HKQuantityTypeIdentifierHeartRateRecoveryOneMinute
t			unmatched
e	HKQuantityTypeIdentifierHeartRateVariabilitySDNN
t	112429-6	Heart rate variability SDNN [Time]	equivalent
t	80404-7	R-R interval.standard deviation (Heart rate variability)	wider
e	HKQuantityTypeIdentifierHeight
t	8302-2	Body height	equivalent
e	HKQuantityTypeIdentifierInhalerUsage
t			unmatched
e	HKQuantityTypeIdentifierInsulinDelivery
t			unmatched
e	HKQuantityTypeIdentifierLeanBodyMass
t	91557-9	Lean body weight	equivalent
e	HKQuantityTypeIdentifierNikeFuel
t			unmatched
e	HKQuantityTypeIdentifierNumberOfAlcoholicBeverages
t			unmatched
e	HKQuantityTypeIdentifierNumberOfTimesFallen
t			unmatched
e	HKQuantityTypeIdentifierOxygenSaturation
t	2708-6	Oxygen saturation in Arterial blood	wider
t	59408-5	Oxygen saturation in Arterial blood by Pulse oximetry	equivalent
e	HKQuantityTypeIdentifierPaddleSportsSpeed
t			unmatched
e	HKQuantityTypeIdentifierPeakExpiratoryFlowRate
t	33452-4	Maximum expiratory gas flow Respiratory system airway	equivalent
e	HKQuantityTypeIdentifierPeripheralPerfusionIndex
t	61006-3	Perfusion index Tissue by Pulse oximetry	equivalent
e	HKQuantityTypeIdentifierPhysicalEffort
t	112426-2	Physical effort	equivalent
e	HKQuantityTypeIdentifierPushCount
t	96502-0	Number of wheelchair pushes per time period	relatedto
e	HKQuantityTypeIdentifierRespiratoryRate
t	9279-1	Respiratory rate	equivalent
e	HKQuantityTypeIdentifierRestingHeartRate
t	40443-4	Heart rate --resting	equivalent
e	HKQuantityTypeIdentifierRowingSpeed
t			unmatched
e	HKQuantityTypeIdentifierRunningGroundContactTime
t			unmatched
e	HKQuantityTypeIdentifierRunningPower
t			unmatched
e	HKQuantityTypeIdentifierRunningSpeed
t			unmatched
e	HKQuantityTypeIdentifierRunningStrideLength
t			unmatched
e	HKQuantityTypeIdentifierRunningVerticalOscillation
t			unmatched
e	HKQuantityTypeIdentifierSixMinuteWalkTestDistance
t	64098-7	Six minute walk test	relatedto
e	HKQuantityTypeIdentifierStairAscentSpeed
t	112431-2	Stair ascent speed [Velocity]	equivalent
e	HKQuantityTypeIdentifierStairDescentSpeed
t	112430-4	Stair descent speed [Velocity]	equivalent
e	HKQuantityTypeIdentifierStepCount
t	55423-8	Number of steps in unspecified time Pedometer	equivalent
e	HKQuantityTypeIdentifierSwimmingStrokeCount
t			unmatched
e	HKQuantityTypeIdentifierTimeInDaylight
t			unmatched
e	HKQuantityTypeIdentifierUVExposure
t			unmatched
e	HKQuantityTypeIdentifierUnderwaterDepth
t			unmatched
e	HKQuantityTypeIdentifierVO2Max
t	94122-9	Oxygen consumption (VO2)/Body weight [Volume Rate Content] --peak during exercise	relatedto
e	HKQuantityTypeIdentifierWaistCircumference
t	8280-0	Waist Circumference at umbilicus by Tape measure	narrower
e	HKQuantityTypeIdentifierWalkingAsymmetryPercentage
t			unmatched
e	HKQuantityTypeIdentifierWalkingDoubleSupportPercentage
t			unmatched
e	HKQuantityTypeIdentifierWalkingHeartRateAverage
t			unmatched
e	HKQuantityTypeIdentifierWalkingSpeed
t			unmatched
e	HKQuantityTypeIdentifierWalkingStepLength
t			unmatched
e	HKQuantityTypeIdentifierWaterTemperature
t			unmatched
e	HKQuantityTypeIdentifierWorkoutEffortScore
t			unmatched
g	http://developer.apple.com/documentation/healthkit	http://snomed.info/sct
e	HKCategoryTypeIdentifierAbdominalCramps
t			unmatched
e	HKCategoryTypeIdentifierAcne
t			unmatched
e	HKCategoryTypeIdentifierAppetiteChanges
t			unmatched
e	HKCategoryTypeIdentifierBladderIncontinence
t	165232002		equivalent
e	HKCategoryTypeIdentifierBloating
t	116289008		equivalent
e	HKCategoryTypeIdentifierBreastPain
t	53430007		equivalent
e	HKCategoryTypeIdentifierChestTightnessOrPain
t			unmatched
e	HKCategoryTypeIdentifierChills
t	43724002		equivalent
e	HKCategoryTypeIdentifierConstipation
t	14760008		equivalent
e	HKCategoryTypeIdentifierCoughing
t	49727002		equivalent
e	HKCategoryTypeIdentifierDiarrhea
t	62315008		equivalent
e	HKCategoryTypeIdentifierDizziness
t	404640003		equivalent
e	HKCategoryTypeIdentifierDrySkin
t			unmatched
e	HKCategoryTypeIdentifierFainting
t	271594007		equivalent
e	HKCategoryTypeIdentifierFatigue
t	84229001		equivalent
e	HKCategoryTypeIdentifierFever
t	386661006		equivalent
e	HKCategoryTypeIdentifierGeneralizedBodyAche
t			unmatched
e	HKCategoryTypeIdentifierHairLoss
t	278040002		equivalent
e	HKCategoryTypeIdentifierHeadache
t	25064002		equivalent
e	HKCategoryTypeIdentifierHeartburn
t	16331000		equivalent
e	HKCategoryTypeIdentifierHotFlashes
t			unmatched
e	HKCategoryTypeIdentifierLossOfSmell
t	44169009		equivalent
e	HKCategoryTypeIdentifierLossOfTaste
t	36955009		equivalent
e	HKCategoryTypeIdentifierLowerBackPain
t	279039007		equivalent
e	HKCategoryTypeIdentifierMemoryLapse
t			unmatched
e	HKCategoryTypeIdentifierMoodChanges
t			unmatched
e	HKCategoryTypeIdentifierNausea
t	422587007		equivalent
e	HKCategoryTypeIdentifierNightSweats
t	42984000		equivalent
e	HKCategoryTypeIdentifierPelvicPain
t	30473006		equivalent
e	HKCategoryTypeIdentifierRapidPoundingOrFlutteringHeartbeat
t			unmatched
e	HKCategoryTypeIdentifierRunnyNose
t	64531003		equivalent
e	HKCategoryTypeIdentifierShortnessOfBreath
t	267036007		equivalent
e	HKCategoryTypeIdentifierSinusCongestion
t			unmatched
e	HKCategoryTypeIdentifierSkippedHeartbeat
t			unmatched
e	HKCategoryTypeIdentifierSleepAnalysis
t	258158006	Sleep, function	wider
e	HKCategoryTypeIdentifierSleepChanges
t			unmatched
e	HKCategoryTypeIdentifierSoreThroat
t	267102003		equivalent
e	HKCategoryTypeIdentifierVaginalDryness
t	31908003		equivalent
e	HKCategoryTypeIdentifierVomiting
t	300359004		wider
e	HKCategoryTypeIdentifierWheezing
t	56018004		equivalent
e	HKQuantityTypeIdentifierBloodPressureSystolic
t	271649006		equivalent
e	HKQuantityTypeIdentifierBodyMass
t	27113001		equivalent
g	http://developer.apple.com/documentation/healthkit	http://terminology.hl7.org/CodeSystem/observation-category
e	HKCategoryTypeIdentifierAbdominalCramps
t	survey	Survey	wider
e	HKCategoryTypeIdentifierAcne
t	survey	Survey	wider
e	HKCategoryTypeIdentifierAppetiteChanges
t	survey	Survey	wider
e	HKCategoryTypeIdentifierAppleStandHour
t	activity	Activity	wider
e	HKCategoryTypeIdentifierAppleWalkingSteadinessEvent
t	activity	Activity	wider
e	HKCategoryTypeIdentifierAudioExposureEvent
t	exam	Exam	wider
e	HKCategoryTypeIdentifierBladderIncontinence
t	survey	Survey	wider
e	HKCategoryTypeIdentifierBleedingAfterPregnancy
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierBleedingDuringPregnancy
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierBloating
t	survey	Survey	wider
e	HKCategoryTypeIdentifierBreastPain
t	survey	Survey	wider
e	HKCategoryTypeIdentifierCervicalMucusQuality
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierChestTightnessOrPain
t	survey	Survey	wider
e	HKCategoryTypeIdentifierChills
t	survey	Survey	wider
e	HKCategoryTypeIdentifierConstipation
t	survey	Survey	wider
e	HKCategoryTypeIdentifierContraceptive
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierCoughing
t	survey	Survey	wider
e	HKCategoryTypeIdentifierDiarrhea
t	survey	Survey	wider
e	HKCategoryTypeIdentifierDizziness
t	survey	Survey	wider
e	HKCategoryTypeIdentifierDrySkin
t	survey	Survey	wider
e	HKCategoryTypeIdentifierFainting
t	survey	Survey	wider
e	HKCategoryTypeIdentifierFatigue
t	survey	Survey	wider
e	HKCategoryTypeIdentifierFever
t	survey	Survey	wider
e	HKCategoryTypeIdentifierGeneralizedBodyAche
t	survey	Survey	wider
e	HKCategoryTypeIdentifierHairLoss
t	survey	Survey	wider
e	HKCategoryTypeIdentifierHandwashingEvent
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierHeadache
t	survey	Survey	wider
e	HKCategoryTypeIdentifierHeadphoneAudioExposureEvent
t	exam	Exam	wider
e	HKCategoryTypeIdentifierHeartburn
t	survey	Survey	wider
e	HKCategoryTypeIdentifierHighHeartRateEvent
t	vital-signs	Vital Signs	wider
e	HKCategoryTypeIdentifierHotFlashes
t	survey	Survey	wider
e	HKCategoryTypeIdentifierHypertensionEvent
t	exam	Exam	wider
e	HKCategoryTypeIdentifierInfrequentMenstrualCycles
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierIntermenstrualBleeding
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierIrregularHeartRhythmEvent
t	exam	Exam	wider
e	HKCategoryTypeIdentifierIrregularMenstrualCycles
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierLactation
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierLossOfSmell
t	survey	Survey	wider
e	HKCategoryTypeIdentifierLossOfTaste
t	survey	Survey	wider
e	HKCategoryTypeIdentifierLowCardioFitnessEvent
t	exam	Exam	wider
e	HKCategoryTypeIdentifierLowHeartRateEvent
t	vital-signs	Vital Signs	wider
e	HKCategoryTypeIdentifierLowerBackPain
t	survey	Survey	wider
e	HKCategoryTypeIdentifierMemoryLapse
t	survey	Survey	wider
e	HKCategoryTypeIdentifierMenstrualFlow
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierMindfulSession
t	activity	Activity	wider
e	HKCategoryTypeIdentifierMoodChanges
t	survey	Survey	wider
e	HKCategoryTypeIdentifierNausea
t	survey	Survey	wider
e	HKCategoryTypeIdentifierNightSweats
t	survey	Survey	wider
e	HKCategoryTypeIdentifierOvulationTestResult
t	laboratory	Laboratory	wider
e	HKCategoryTypeIdentifierPelvicPain
t	survey	Survey	wider
e	HKCategoryTypeIdentifierPersistentIntermenstrualBleeding
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierPregnancy
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierPregnancyTestResult
t	laboratory	Laboratory	wider
e	HKCategoryTypeIdentifierProgesteroneTestResult
t	laboratory	Laboratory	wider
e	HKCategoryTypeIdentifierProlongedMenstrualPeriods
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierRapidPoundingOrFlutteringHeartbeat
t	survey	Survey	wider
e	HKCategoryTypeIdentifierRunnyNose
t	survey	Survey	wider
e	HKCategoryTypeIdentifierSexualActivity
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierShortnessOfBreath
t	survey	Survey	wider
e	HKCategoryTypeIdentifierSinusCongestion
t	survey	Survey	wider
e	HKCategoryTypeIdentifierSkippedHeartbeat
t	survey	Survey	wider
e	HKCategoryTypeIdentifierSleepAnalysis
t	activity	Activity	wider
e	HKCategoryTypeIdentifierSleepApneaEvent
t	exam	Exam	wider
e	HKCategoryTypeIdentifierSleepChanges
t	survey	Survey	wider
e	HKCategoryTypeIdentifierSoreThroat
t	survey	Survey	wider
e	HKCategoryTypeIdentifierToothbrushingEvent
t	social-history	Social History	wider
e	HKCategoryTypeIdentifierVaginalDryness
t	survey	Survey	wider
e	HKCategoryTypeIdentifierVomiting
t	survey	Survey	wider
e	HKCategoryTypeIdentifierWheezing
t	survey	Survey	wider
e	HKQuantityTypeIdentifierActiveEnergyBurned
t	activity	Activity	wider
e	HKQuantityTypeIdentifierAppleExerciseTime
t	activity	Activity	wider
e	HKQuantityTypeIdentifierAppleMoveTime
t	activity	Activity	wider
e	HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances
t	exam	Exam	wider
e	HKQuantityTypeIdentifierAppleSleepingWristTemperature
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierAppleStandTime
t	activity	Activity	wider
e	HKQuantityTypeIdentifierAppleWalkingSteadiness
t	activity	Activity	wider
e	HKQuantityTypeIdentifierAtrialFibrillationBurden
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierBasalBodyTemperature
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierBasalEnergyBurned
t	activity	Activity	wider
e	HKQuantityTypeIdentifierBloodAlcoholContent
t	laboratory	Laboratory	wider
e	HKQuantityTypeIdentifierBloodGlucose
t	laboratory	Laboratory	wider
e	HKQuantityTypeIdentifierBloodPressureDiastolic
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierBloodPressureSystolic
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierBodyFatPercentage
t	exam	Exam	wider
e	HKQuantityTypeIdentifierBodyMass
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierBodyMassIndex
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierBodyTemperature
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierCrossCountrySkiingSpeed
t	activity	Activity	wider
e	HKQuantityTypeIdentifierCyclingCadence
t	activity	Activity	wider
e	HKQuantityTypeIdentifierCyclingFunctionalThresholdPower
t	activity	Activity	wider
e	HKQuantityTypeIdentifierCyclingPower
t	activity	Activity	wider
e	HKQuantityTypeIdentifierCyclingSpeed
t	activity	Activity	wider
e	HKQuantityTypeIdentifierDietaryBiotin
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryCaffeine
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryCalcium
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryCarbohydrates
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryChloride
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryCholesterol
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryChromium
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryCopper
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryEnergyConsumed
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryFatMonounsaturated
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryFatPolyunsaturated
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryFatSaturated
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryFatTotal
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryFiber
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryFolate
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryIodine
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryIron
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryMagnesium
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryManganese
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryMolybdenum
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryNiacin
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryPantothenicAcid
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryPhosphorus
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryPotassium
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryProtein
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryRiboflavin
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietarySelenium
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietarySodium
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietarySugar
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryThiamin
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryVitaminA
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryVitaminB12
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryVitaminB6
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryVitaminC
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryVitaminD
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryVitaminE
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryVitaminK
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryWater
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDietaryZinc
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierDistanceCrossCountrySkiing
t	activity	Activity	wider
e	HKQuantityTypeIdentifierDistanceCycling
t	activity	Activity	wider
e	HKQuantityTypeIdentifierDistanceDownhillSnowSports
t	activity	Activity	wider
e	HKQuantityTypeIdentifierDistancePaddleSports
t	activity	Activity	wider
e	HKQuantityTypeIdentifierDistanceRowing
t	activity	Activity	wider
e	HKQuantityTypeIdentifierDistanceSkatingSports
t	activity	Activity	wider
e	HKQuantityTypeIdentifierDistanceSwimming
t	activity	Activity	wider
e	HKQuantityTypeIdentifierDistanceWalkingRunning
t	activity	Activity	wider
e	HKQuantityTypeIdentifierDistanceWheelchair
t	activity	Activity	wider
e	HKQuantityTypeIdentifierElectrodermalActivity
t	exam	Exam	wider
e	HKQuantityTypeIdentifierEnvironmentalAudioExposure
t	exam	Exam	wider
e	HKQuantityTypeIdentifierEnvironmentalSoundReduction
t	exam	Exam	wider
e	HKQuantityTypeIdentifierEstimatedWorkoutEffortScore
t	activity	Activity	wider
e	HKQuantityTypeIdentifierFlightsClimbed
t	activity	Activity	wider
e	HKQuantityTypeIdentifierForcedExpiratoryVolume1
t	exam	Exam	wider
e	HKQuantityTypeIdentifierForcedVitalCapacity
t	exam	Exam	wider
e	HKQuantityTypeIdentifierHeadphoneAudioExposure
t	exam	Exam	wider
e	HKQuantityTypeIdentifierHeartRate
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierHeartRateRecoveryOneMinute
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierHeartRateVariabilitySDNN
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierHeight
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierInhalerUsage
t	therapy	Therapy	wider
e	HKQuantityTypeIdentifierInsulinDelivery
t	therapy	Therapy	wider
e	HKQuantityTypeIdentifierLeanBodyMass
t	exam	Exam	wider
e	HKQuantityTypeIdentifierNikeFuel
t	activity	Activity	wider
e	HKQuantityTypeIdentifierNumberOfAlcoholicBeverages
t	social-history	Social History	wider
e	HKQuantityTypeIdentifierNumberOfTimesFallen
t	survey	Survey	wider
e	HKQuantityTypeIdentifierOxygenSaturation
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierPaddleSportsSpeed
t	activity	Activity	wider
e	HKQuantityTypeIdentifierPeakExpiratoryFlowRate
t	exam	Exam	wider
e	HKQuantityTypeIdentifierPeripheralPerfusionIndex
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierPhysicalEffort
t	activity	Activity	wider
e	HKQuantityTypeIdentifierPushCount
t	activity	Activity	wider
e	HKQuantityTypeIdentifierRespiratoryRate
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierRestingHeartRate
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierRowingSpeed
t	activity	Activity	wider
e	HKQuantityTypeIdentifierRunningGroundContactTime
t	activity	Activity	wider
e	HKQuantityTypeIdentifierRunningPower
t	activity	Activity	wider
e	HKQuantityTypeIdentifierRunningSpeed
t	activity	Activity	wider
e	HKQuantityTypeIdentifierRunningStrideLength
t	activity	Activity	wider
e	HKQuantityTypeIdentifierRunningVerticalOscillation
t	activity	Activity	wider
e	HKQuantityTypeIdentifierSixMinuteWalkTestDistance
t	exam	Exam	wider
e	HKQuantityTypeIdentifierStairAscentSpeed
t	activity	Activity	wider
e	HKQuantityTypeIdentifierStairDescentSpeed
t	activity	Activity	wider
e	HKQuantityTypeIdentifierStepCount
t	activity	Activity	wider
e	HKQuantityTypeIdentifierSwimmingStrokeCount
t	activity	Activity	wider
e	HKQuantityTypeIdentifierTimeInDaylight
t	activity	Activity	wider
e	HKQuantityTypeIdentifierUVExposure
t	exam	Exam	wider
e	HKQuantityTypeIdentifierUnderwaterDepth
t	activity	Activity	wider
e	HKQuantityTypeIdentifierVO2Max
t	exam	Exam	wider
e	HKQuantityTypeIdentifierWaistCircumference
t	exam	Exam	wider
e	HKQuantityTypeIdentifierWalkingAsymmetryPercentage
t	activity	Activity	wider
e	HKQuantityTypeIdentifierWalkingDoubleSupportPercentage
t	activity	Activity	wider
e	HKQuantityTypeIdentifierWalkingHeartRateAverage
t	vital-signs	Vital Signs	wider
e	HKQuantityTypeIdentifierWalkingSpeed
t	activity	Activity	wider
e	HKQuantityTypeIdentifierWalkingStepLength
t	activity	Activity	wider
e	HKQuantityTypeIdentifierWaterTemperature
t	activity	Activity	wider
e	HKQuantityTypeIdentifierWorkoutEffortScore
t	activity	Activity	wider
"""#

private let conceptMapHealthkitUnits: StaticString = #"""
r	ConceptMap	19	urn:uuid:ec6e5c64-3692-49f5-8ff3-b1661c04b620
g	https://developer.apple.com/documentation/healthkit/hkunit	http://unitsofmeasure.org
e	%
t	%	%	equivalent
e	Cal
t	kcal	kcal	equivalent
e	Hz
t	Hz	Hz	equivalent
e	IU
t	[iU]	IU	equivalent
e	J
t	J	J	equivalent
e	K
t	K	K	equivalent
e	L
t	L	L	equivalent
e	L/min
t	L/min	L/min	equivalent
e	L/s
t	L/s	L/s	equivalent
e	Pa
t	Pa	Pa	equivalent
e	S
t	S	S	equivalent
e	W
t	W	W	equivalent
e	appleEffortScore
t	{score}	effort score	equivalent
e	atm
t	atm	atm	equivalent
e	cal
t	cal	cal	equivalent
e	cm
t	cm	cm	equivalent
e	cmAq
t	cm[H2O]	cmH2O	equivalent
e	count
t	1	count	equivalent
t	/h	disturbances/hour	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances
t	kg/m2	kg/m²	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierBodyMassIndex
t	{flights}	flights	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierFlightsClimbed
t	{puff}	puffs	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierInhalerUsage
t	{NikeFuel}	NikeFuel	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierNikeFuel
t	{drink}	drinks	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierNumberOfAlcoholicBeverages
t	{fall}	falls	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierNumberOfTimesFallen
t	{pushes}	pushes	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierPushCount
t	{steps}	steps	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierStepCount
t	{strokes}	strokes	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierSwimmingStrokeCount
t	{uv_index}	UV index	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierUVExposure
e	count/hr
t	/h	per hour	equivalent
t	/h	disturbances/hour	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances
e	count/min
t	/min	per minute	equivalent
t	/min	revolutions/minute	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierCyclingCadence
t	/min	beats/minute	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierHeartRate
t	/min	beats/minute	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierHeartRateRecoveryOneMinute
t	/min	breaths/minute	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierRespiratoryRate
t	/min	beats/minute	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierRestingHeartRate
t	/min	beats/minute	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierWalkingHeartRateAverage
e	count/s
t	/s	per second	equivalent
e	cup_imp
t	10.[foz_br]	cup (imperial)	equivalent
e	cup_us
t	[cup_us]	cup (US)	equivalent
e	d
t	d	d	equivalent
e	dBASPL
t	dB[SPL]	dB(A) SPL	wider
t	dB	dB	equivalent	http://developer.apple.com/documentation/healthkit	HKQuantityTypeIdentifierEnvironmentalSoundReduction
e	dBHL
t	dB	dB HL	wider
e	dL
t	dL	dL	equivalent
e	degC
t	Cel	°C	equivalent
e	degF
t	[degF]	°F	equivalent
e	fl_oz_imp
t	[foz_br]	fl oz (imperial)	equivalent
e	fl_oz_us
t	[foz_us]	fl oz (US)	equivalent
e	ft
t	[ft_i]	ft	equivalent
e	ft/s
t	[ft_i]/s	ft/s	equivalent
e	g
t	g	g	equivalent
e	hr
t	h	h	equivalent
e	hPa
t	hPa	hPa	equivalent
e	in
t	[in_i]	in	equivalent
e	inHg
t	[in_i'Hg]	inHg	equivalent
e	kJ
t	kJ	kJ	equivalent
e	kPa
t	kPa	kPa	equivalent
e	kcal
t	kcal	kcal	equivalent
e	kcal/hr
t	kcal/h	kcal/h	equivalent
e	kcal/hr·kg
t	kcal/(h.kg)	kcal/(h·kg)	equivalent
e	kg
t	kg	kg	equivalent
e	km
t	km	km	equivalent
e	km/hr
t	km/h	km/h	equivalent
e	lb
t	[lb_av]	lb	equivalent
e	lx
t	lx	lx	equivalent
e	m
t	m	m	equivalent
e	m/s
t	m/s	m/s	equivalent
e	mL
t	mL	mL	equivalent
e	mL/min·kg
t	mL/min/kg	mL/(min·kg)	equivalent
e	mcS
t	uS	µS	equivalent
e	mcg
t	ug	mcg	equivalent
e	mg
t	mg	mg	equivalent
e	mg/dL
t	mg/dL	mg/dL	equivalent
e	mi
t	[mi_i]	mi	equivalent
e	mi/hr
t	[mi_i]/h	mi/h	equivalent
e	min
t	min	min	equivalent
e	mm
t	mm	mm	equivalent
e	mmHg
t	mm[Hg]	mmHg	equivalent
e	mmol/L
t	mmol/L	mmol/L	equivalent
e	ms
t	ms	ms	equivalent
e	oz
t	[oz_av]	oz	equivalent
e	pt_imp
t	[pt_br]	pt (imperial)	equivalent
e	pt_us
t	[pt_us]	pt (US)	equivalent
e	rpm
t	/min	revolutions/minute	equivalent
e	s
t	s	s	equivalent
e	st
t	[stone_av]	st	equivalent
e	yd
t	[yd_i]	yd	equivalent
"""#

private let conceptMapHealthkitWorkouts: StaticString = #"""
r	ConceptMap	19	urn:uuid:2775193d-3187-45cd-9275-4c8cb74e1c00
g	http://developer.apple.com/documentation/healthkit	http://loinc.org
e	HKWorkoutActivityTypeCrossTraining
t	LA11840-8	Mixed	inexact
e	HKWorkoutActivityTypeCycling
t	LA11837-4	Bicycling	equivalent
e	HKWorkoutActivityTypeFunctionalStrengthTraining
t	LA11839-0	Weights	inexact
e	HKWorkoutActivityTypeMixedMetabolicCardioTraining
t	LA11840-8	Mixed	inexact
e	HKWorkoutActivityTypeRunning
t	LA11836-6	Running	equivalent
e	HKWorkoutActivityTypeSwimming
t	LA11838-2	Swimming	equivalent
e	HKWorkoutActivityTypeTraditionalStrengthTraining
t	LA11839-0	Weights	equivalent
e	HKWorkoutActivityTypeWalking
t	LA11834-1	Walking	equivalent
e	HKWorkoutActivityTypeMixedCardio
t	LA11840-8	Mixed	inexact
e	HKWorkoutActivityTypeSwimBikeRun
t	LA11840-8	Mixed	wider
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkworkoutactivitytype
e	HKWorkoutActivityTypeAmericanFootball
t	1	American Football	equivalent
e	HKWorkoutActivityTypeArchery
t	2	Archery	equivalent
e	HKWorkoutActivityTypeAustralianFootball
t	3	Australian Football	equivalent
e	HKWorkoutActivityTypeBadminton
t	4	Badminton	equivalent
e	HKWorkoutActivityTypeBaseball
t	5	Baseball	equivalent
e	HKWorkoutActivityTypeBasketball
t	6	Basketball	equivalent
e	HKWorkoutActivityTypeBowling
t	7	Bowling	equivalent
e	HKWorkoutActivityTypeBoxing
t	8	Boxing	equivalent
e	HKWorkoutActivityTypeClimbing
t	9	Climbing	equivalent
e	HKWorkoutActivityTypeCricket
t	10	Cricket	equivalent
e	HKWorkoutActivityTypeCrossTraining
t	11	Cross Training	equivalent
e	HKWorkoutActivityTypeCurling
t	12	Curling	equivalent
e	HKWorkoutActivityTypeCycling
t	13	Cycling	equivalent
e	HKWorkoutActivityTypeDance
t	14	Dance	equivalent
e	HKWorkoutActivityTypeDanceInspiredTraining
t	15	Dance Inspired Training	equivalent
e	HKWorkoutActivityTypeElliptical
t	16	Elliptical	equivalent
e	HKWorkoutActivityTypeEquestrianSports
t	17	Equestrian Sports	equivalent
e	HKWorkoutActivityTypeFencing
t	18	Fencing	equivalent
e	HKWorkoutActivityTypeFishing
t	19	Fishing	equivalent
e	HKWorkoutActivityTypeFunctionalStrengthTraining
t	20	Functional Strength Training	equivalent
e	HKWorkoutActivityTypeGolf
t	21	Golf	equivalent
e	HKWorkoutActivityTypeGymnastics
t	22	Gymnastics	equivalent
e	HKWorkoutActivityTypeHandball
t	23	Handball	equivalent
e	HKWorkoutActivityTypeHiking
t	24	Hiking	equivalent
e	HKWorkoutActivityTypeHockey
t	25	Hockey	equivalent
e	HKWorkoutActivityTypeHunting
t	26	Hunting	equivalent
e	HKWorkoutActivityTypeLacrosse
t	27	Lacrosse	equivalent
e	HKWorkoutActivityTypeMartialArts
t	28	Martial Arts	equivalent
e	HKWorkoutActivityTypeMindAndBody
t	29	Mind And Body	equivalent
e	HKWorkoutActivityTypeMixedMetabolicCardioTraining
t	30	Mixed Metabolic Cardio Training	equivalent
e	HKWorkoutActivityTypePaddleSports
t	31	Paddle Sports	equivalent
e	HKWorkoutActivityTypePlay
t	32	Play	equivalent
e	HKWorkoutActivityTypePreparationAndRecovery
t	33	Preparation And Recovery	equivalent
e	HKWorkoutActivityTypeRacquetball
t	34	Racquetball	equivalent
e	HKWorkoutActivityTypeRowing
t	35	Rowing	equivalent
e	HKWorkoutActivityTypeRugby
t	36	Rugby	equivalent
e	HKWorkoutActivityTypeRunning
t	37	Running	equivalent
e	HKWorkoutActivityTypeSailing
t	38	Sailing	equivalent
e	HKWorkoutActivityTypeSkatingSports
t	39	Skating Sports	equivalent
e	HKWorkoutActivityTypeSnowSports
t	40	Snow Sports	equivalent
e	HKWorkoutActivityTypeSoccer
t	41	Soccer	equivalent
e	HKWorkoutActivityTypeSoftball
t	42	Softball	equivalent
e	HKWorkoutActivityTypeSquash
t	43	Squash	equivalent
e	HKWorkoutActivityTypeStairClimbing
t	44	Stair Climbing	equivalent
e	HKWorkoutActivityTypeSurfingSports
t	45	Surfing Sports	equivalent
e	HKWorkoutActivityTypeSwimming
t	46	Swimming	equivalent
e	HKWorkoutActivityTypeTableTennis
t	47	Table Tennis	equivalent
e	HKWorkoutActivityTypeTennis
t	48	Tennis	equivalent
e	HKWorkoutActivityTypeTrackAndField
t	49	Track And Field	equivalent
e	HKWorkoutActivityTypeTraditionalStrengthTraining
t	50	Traditional Strength Training	equivalent
e	HKWorkoutActivityTypeVolleyball
t	51	Volleyball	equivalent
e	HKWorkoutActivityTypeWalking
t	52	Walking	equivalent
e	HKWorkoutActivityTypeWaterFitness
t	53	Water Fitness	equivalent
e	HKWorkoutActivityTypeWaterPolo
t	54	Water Polo	equivalent
e	HKWorkoutActivityTypeWaterSports
t	55	Water Sports	equivalent
e	HKWorkoutActivityTypeWrestling
t	56	Wrestling	equivalent
e	HKWorkoutActivityTypeYoga
t	57	Yoga	equivalent
e	HKWorkoutActivityTypeBarre
t	58	Barre	equivalent
e	HKWorkoutActivityTypeCoreTraining
t	59	Core Training	equivalent
e	HKWorkoutActivityTypeCrossCountrySkiing
t	60	Cross Country Skiing	equivalent
e	HKWorkoutActivityTypeDownhillSkiing
t	61	Downhill Skiing	equivalent
e	HKWorkoutActivityTypeFlexibility
t	62	Flexibility	equivalent
e	HKWorkoutActivityTypeHighIntensityIntervalTraining
t	63	High Intensity Interval Training	equivalent
e	HKWorkoutActivityTypeJumpRope
t	64	Jump Rope	equivalent
e	HKWorkoutActivityTypeKickboxing
t	65	Kickboxing	equivalent
e	HKWorkoutActivityTypePilates
t	66	Pilates	equivalent
e	HKWorkoutActivityTypeSnowboarding
t	67	Snowboarding	equivalent
e	HKWorkoutActivityTypeStairs
t	68	Stairs	equivalent
e	HKWorkoutActivityTypeStepTraining
t	69	Step Training	equivalent
e	HKWorkoutActivityTypeWheelchairWalkPace
t	70	Wheelchair Walk Pace	equivalent
e	HKWorkoutActivityTypeWheelchairRunPace
t	71	Wheelchair Run Pace	equivalent
e	HKWorkoutActivityTypeTaiChi
t	72	Tai Chi	equivalent
e	HKWorkoutActivityTypeMixedCardio
t	73	Mixed Cardio	equivalent
e	HKWorkoutActivityTypeHandCycling
t	74	Hand Cycling	equivalent
e	HKWorkoutActivityTypeDiscSports
t	75	Disc Sports	equivalent
e	HKWorkoutActivityTypeFitnessGaming
t	76	Fitness Gaming	equivalent
e	HKWorkoutActivityTypeCardioDance
t	77	Cardio Dance	equivalent
e	HKWorkoutActivityTypeSocialDance
t	78	Social Dance	equivalent
e	HKWorkoutActivityTypePickleball
t	79	Pickleball	equivalent
e	HKWorkoutActivityTypeCooldown
t	80	Cooldown	equivalent
e	HKWorkoutActivityTypeSwimBikeRun
t	82	Swim Bike Run	equivalent
e	HKWorkoutActivityTypeTransition
t	83	Transition	equivalent
e	HKWorkoutActivityTypeUnderwaterDiving
t	84	Underwater Diving	equivalent
e	HKWorkoutActivityTypeOther
t	3000	Other	equivalent
g	http://developer.apple.com/documentation/healthkit	https://developer.apple.com/documentation/healthkit/hkworkouteventtype
e	HKWorkoutEventTypePause
t	1	pause	equivalent
e	HKWorkoutEventTypeResume
t	2	resume	equivalent
e	HKWorkoutEventTypeLap
t	3	lap	equivalent
e	HKWorkoutEventTypeMarker
t	4	marker	equivalent
e	HKWorkoutEventTypeMotionPaused
t	5	motion paused	equivalent
e	HKWorkoutEventTypeMotionResumed
t	6	motion resumed	equivalent
e	HKWorkoutEventTypeSegment
t	7	segment	equivalent
e	HKWorkoutEventTypePauseOrResumeRequest
t	8	pause or resume request	equivalent
"""#
