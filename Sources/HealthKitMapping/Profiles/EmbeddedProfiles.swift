// swift-format-ignore-file
// Made by profiles/embed.py from profiles/*.json: edit those and run `make profiles`.

/// The files of `profiles/`, byte for byte.
package enum EmbeddedProfiles {
    /// Each file's name and text, by name.
    package static let files: [(name: String, text: StaticString)] = [
        ("CodeSystem-healthkit.json", codeSystemHealthkit),
        ("ConceptMap-healthkit-category-values.json", conceptMapHealthkitCategoryValues),
        ("ConceptMap-healthkit-characteristics.json", conceptMapHealthkitCharacteristics),
        ("ConceptMap-healthkit-metadata.json", conceptMapHealthkitMetadata),
        ("ConceptMap-healthkit-types.json", conceptMapHealthkitTypes),
        ("ConceptMap-healthkit-units.json", conceptMapHealthkitUnits),
        ("ConceptMap-healthkit-workouts.json", conceptMapHealthkitWorkouts),
    ]
}

private let codeSystemHealthkit: StaticString = #"""
{
  "resourceType": "CodeSystem",
  "id": "healthkit",
  "url": "http://developer.apple.com/documentation/healthkit",
  "identifier": [{ "system": "urn:ietf:rfc:3986", "value": "urn:uuid:503235b8-c6e0-4f8c-a73d-03e42079147b" }],
  "version": "12",
  "name": "HealthKitTypes",
  "title": "Apple HealthKit quantity and category types",
  "status": "active",
  "experimental": false,
  "publisher": "pghd",
  "description": "The 120 quantity and 70 category type identifiers of Apple HealthKit (iOS 26.2) as codes, and behind them the other names of Apple's that pghd writes as codes: those of correlations, workouts, rings and the like, of what they hold, and keys of metadata. The code is what `type` holds in export.xml. The system belongs to Apple, who publishes no FHIR CodeSystem; this is the fragment that pghd knows, under the URL that HealthKitOnFHIR uses too, so that data of both can be joined.",
  "caseSensitive": true,
  "content": "fragment",
  "property": [
    {
      "code": "kind",
      "description": "quantity (a number with a unit), category (a named value, or none), or other (no type of a Record)",
      "type": "code"
    },
    { "code": "since-ios", "description": "First iOS version that has the type", "type": "string" },
    {
      "code": "aggregation",
      "description": "HKQuantityAggregationStyle of a quantity type; only cumulative ones may be summed",
      "type": "code"
    },
    {
      "code": "unit",
      "description": "Unit that exports use for the type, in Apple's spelling, the usual one first; what stands between < and > (a molar mass) is left out",
      "type": "string"
    },
    {
      "code": "value-system",
      "description": "System of the enumeration that a category type's values come from, the current one first; a bare number is read with that one",
      "type": "string"
    },
    { "code": "alias-of", "description": "The identifier that exports write for the same type", "type": "code" }
  ],
  "concept": [
    {
      "code": "HKCategoryTypeIdentifierAbdominalCramps",
      "display": "Abdominal cramps",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierAcne",
      "display": "Acne",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierAppetiteChanges",
      "display": "Appetite changes",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueappetitechanges"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierAppleStandHour",
      "display": "Stand hour",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "9.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueapplestandhour"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierAppleWalkingSteadinessEvent",
      "display": "Walking steadiness event",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "15.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueapplewalkingsteadinessevent"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierAudioExposureEvent",
      "display": "Environmental audio exposure event",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueenvironmentalaudioexposureevent"
        },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueaudioexposureevent"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierBladderIncontinence",
      "display": "Bladder incontinence",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "14.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierBleedingAfterPregnancy",
      "display": "Bleeding after pregnancy",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "18.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluevaginalbleeding"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierBleedingDuringPregnancy",
      "display": "Bleeding during pregnancy",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "18.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluevaginalbleeding"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierBloating",
      "display": "Bloating",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierBreastPain",
      "display": "Breast pain",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierCervicalMucusQuality",
      "display": "Cervical mucus quality",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "9.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluecervicalmucusquality"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierChestTightnessOrPain",
      "display": "Chest tightness or pain",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierChills",
      "display": "Chills",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierConstipation",
      "display": "Constipation",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierContraceptive",
      "display": "Contraceptive",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "14.3" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluecontraceptive"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierCoughing",
      "display": "Coughing",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierDiarrhea",
      "display": "Diarrhea",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierDizziness",
      "display": "Dizziness",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierDrySkin",
      "display": "Dry skin",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "14.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent",
      "display": "Environmental audio exposure event",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "14.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueenvironmentalaudioexposureevent"
        },
        { "code": "alias-of", "valueCode": "HKCategoryTypeIdentifierAudioExposureEvent" }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierFainting",
      "display": "Fainting",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierFatigue",
      "display": "Fatigue",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierFever",
      "display": "Fever",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierGeneralizedBodyAche",
      "display": "Generalized body ache",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierHairLoss",
      "display": "Hair loss",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "14.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierHandwashingEvent",
      "display": "Handwashing event",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "14.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierHeadache",
      "display": "Headache",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierHeadphoneAudioExposureEvent",
      "display": "Headphone audio exposure event",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "14.2" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueheadphoneaudioexposureevent"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierHeartburn",
      "display": "Heartburn",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierHighHeartRateEvent",
      "display": "High heart rate notification",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "12.2" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierHotFlashes",
      "display": "Hot flashes",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierHypertensionEvent",
      "display": "Hypertension notification",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "26.2" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierInfrequentMenstrualCycles",
      "display": "Infrequent menstrual cycles",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "16.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierIntermenstrualBleeding",
      "display": "Spotting",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "9.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierIrregularHeartRhythmEvent",
      "display": "Irregular heart rhythm notification",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "12.2" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierIrregularMenstrualCycles",
      "display": "Irregular menstrual cycles",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "16.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierLactation",
      "display": "Lactation",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "14.3" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierLossOfSmell",
      "display": "Loss of smell",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierLossOfTaste",
      "display": "Loss of taste",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierLowCardioFitnessEvent",
      "display": "Low cardio fitness notification",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "14.3" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluelowcardiofitnessevent"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierLowHeartRateEvent",
      "display": "Low heart rate notification",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "12.2" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierLowerBackPain",
      "display": "Lower back pain",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierMemoryLapse",
      "display": "Memory lapse",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "14.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierMenstrualFlow",
      "display": "Menstrual flow",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "9.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluevaginalbleeding"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierMindfulSession",
      "display": "Mindful session",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "10.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierMoodChanges",
      "display": "Mood changes",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluepresence"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierNausea",
      "display": "Nausea",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierNightSweats",
      "display": "Night sweats",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "14.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierOvulationTestResult",
      "display": "Ovulation test",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "9.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueovulationtestresult"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierPelvicPain",
      "display": "Pelvic pain",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierPersistentIntermenstrualBleeding",
      "display": "Persistent intermenstrual bleeding",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "16.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierPregnancy",
      "display": "Pregnancy",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "14.3" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierPregnancyTestResult",
      "display": "Pregnancy test",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "15.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluepregnancytestresult"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierProgesteroneTestResult",
      "display": "Progesterone (PdG) test",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "15.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueprogesteronetestresult"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierProlongedMenstrualPeriods",
      "display": "Prolonged menstrual periods",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "16.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierRapidPoundingOrFlutteringHeartbeat",
      "display": "Rapid pounding or fluttering heartbeat",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierRunnyNose",
      "display": "Runny nose",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierSexualActivity",
      "display": "Sexual activity",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "9.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierShortnessOfBreath",
      "display": "Shortness of breath",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierSinusCongestion",
      "display": "Sinus congestion",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierSkippedHeartbeat",
      "display": "Skipped heartbeat",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierSleepAnalysis",
      "display": "Sleep analysis",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "8.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluesleepanalysis"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierSleepApneaEvent",
      "display": "Sleep apnea notification",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "18.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierSleepChanges",
      "display": "Sleep changes",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluepresence"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierSoreThroat",
      "display": "Sore throat",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierToothbrushingEvent",
      "display": "Toothbrushing event",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierVaginalDryness",
      "display": "Vaginal dryness",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "14.0" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierVomiting",
      "display": "Vomiting",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKCategoryTypeIdentifierWheezing",
      "display": "Wheezing",
      "property": [
        { "code": "kind", "valueCode": "category" },
        { "code": "since-ios", "valueString": "13.6" },
        {
          "code": "value-system",
          "valueString": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity"
        }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierActiveEnergyBurned",
      "display": "Active energy burned",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "kcal" },
        { "code": "unit", "valueString": "Cal" },
        { "code": "unit", "valueString": "kJ" },
        { "code": "unit", "valueString": "cal" },
        { "code": "unit", "valueString": "J" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierAppleExerciseTime",
      "display": "Exercise minutes",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "9.3" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "min" },
        { "code": "unit", "valueString": "hr" },
        { "code": "unit", "valueString": "s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierAppleMoveTime",
      "display": "Move minutes",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "14.5" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "min" },
        { "code": "unit", "valueString": "hr" },
        { "code": "unit", "valueString": "s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances",
      "display": "Sleeping breathing disturbances",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "18.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "count" },
        { "code": "unit", "valueString": "count/hr" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierAppleSleepingWristTemperature",
      "display": "Sleeping wrist temperature",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "16.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "degC" },
        { "code": "unit", "valueString": "degF" },
        { "code": "unit", "valueString": "K" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierAppleStandTime",
      "display": "Stand minutes",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "13.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "min" },
        { "code": "unit", "valueString": "hr" },
        { "code": "unit", "valueString": "s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierAppleWalkingSteadiness",
      "display": "Walking steadiness",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "15.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "%" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierAtrialFibrillationBurden",
      "display": "Atrial fibrillation burden",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "16.0" },
        { "code": "aggregation", "valueCode": "discreteTemporallyWeighted" },
        { "code": "unit", "valueString": "%" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierBasalBodyTemperature",
      "display": "Basal body temperature",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "9.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "degC" },
        { "code": "unit", "valueString": "degF" },
        { "code": "unit", "valueString": "K" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierBasalEnergyBurned",
      "display": "Resting energy burned",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "kcal" },
        { "code": "unit", "valueString": "Cal" },
        { "code": "unit", "valueString": "kJ" },
        { "code": "unit", "valueString": "cal" },
        { "code": "unit", "valueString": "J" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierBloodAlcoholContent",
      "display": "Blood alcohol content",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "%" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierBloodGlucose",
      "display": "Blood glucose",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "mg/dL" },
        { "code": "unit", "valueString": "mmol/L" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierBloodPressureDiastolic",
      "display": "Diastolic blood pressure",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "mmHg" },
        { "code": "unit", "valueString": "kPa" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierBloodPressureSystolic",
      "display": "Systolic blood pressure",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "mmHg" },
        { "code": "unit", "valueString": "kPa" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierBodyFatPercentage",
      "display": "Body fat percentage",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "%" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierBodyMass",
      "display": "Body weight",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "kg" },
        { "code": "unit", "valueString": "lb" },
        { "code": "unit", "valueString": "st" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "oz" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierBodyMassIndex",
      "display": "Body mass index",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "count" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierBodyTemperature",
      "display": "Body temperature",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "degC" },
        { "code": "unit", "valueString": "degF" },
        { "code": "unit", "valueString": "K" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierCrossCountrySkiingSpeed",
      "display": "Cross-country skiing speed",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "18.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "km/hr" },
        { "code": "unit", "valueString": "mi/hr" },
        { "code": "unit", "valueString": "m/s" },
        { "code": "unit", "valueString": "ft/s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierCyclingCadence",
      "display": "Cycling cadence",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "17.0" },
        { "code": "aggregation", "valueCode": "discreteTemporallyWeighted" },
        { "code": "unit", "valueString": "count/min" },
        { "code": "unit", "valueString": "rpm" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierCyclingFunctionalThresholdPower",
      "display": "Cycling functional threshold power",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "17.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "W" },
        { "code": "unit", "valueString": "kcal/hr" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierCyclingPower",
      "display": "Cycling power",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "17.0" },
        { "code": "aggregation", "valueCode": "discreteTemporallyWeighted" },
        { "code": "unit", "valueString": "W" },
        { "code": "unit", "valueString": "kcal/hr" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierCyclingSpeed",
      "display": "Cycling speed",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "17.0" },
        { "code": "aggregation", "valueCode": "discreteTemporallyWeighted" },
        { "code": "unit", "valueString": "km/hr" },
        { "code": "unit", "valueString": "mi/hr" },
        { "code": "unit", "valueString": "m/s" },
        { "code": "unit", "valueString": "ft/s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryBiotin",
      "display": "Dietary biotin",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryCaffeine",
      "display": "Dietary caffeine",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryCalcium",
      "display": "Dietary calcium",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryCarbohydrates",
      "display": "Dietary carbohydrates",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryChloride",
      "display": "Dietary chloride",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryCholesterol",
      "display": "Dietary cholesterol",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryChromium",
      "display": "Dietary chromium",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryCopper",
      "display": "Dietary copper",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryEnergyConsumed",
      "display": "Dietary energy",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "kcal" },
        { "code": "unit", "valueString": "Cal" },
        { "code": "unit", "valueString": "kJ" },
        { "code": "unit", "valueString": "cal" },
        { "code": "unit", "valueString": "J" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryFatMonounsaturated",
      "display": "Dietary monounsaturated fat",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryFatPolyunsaturated",
      "display": "Dietary polyunsaturated fat",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryFatSaturated",
      "display": "Dietary saturated fat",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryFatTotal",
      "display": "Dietary total fat",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryFiber",
      "display": "Dietary fiber",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryFolate",
      "display": "Dietary folate",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryIodine",
      "display": "Dietary iodine",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryIron",
      "display": "Dietary iron",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryMagnesium",
      "display": "Dietary magnesium",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryManganese",
      "display": "Dietary manganese",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryMolybdenum",
      "display": "Dietary molybdenum",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryNiacin",
      "display": "Dietary niacin",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryPantothenicAcid",
      "display": "Dietary pantothenic acid",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryPhosphorus",
      "display": "Dietary phosphorus",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryPotassium",
      "display": "Dietary potassium",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryProtein",
      "display": "Dietary protein",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryRiboflavin",
      "display": "Dietary riboflavin",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietarySelenium",
      "display": "Dietary selenium",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietarySodium",
      "display": "Dietary sodium",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietarySugar",
      "display": "Dietary sugar",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryThiamin",
      "display": "Dietary thiamin",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryVitaminA",
      "display": "Dietary vitamin A",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryVitaminB12",
      "display": "Dietary vitamin B12",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryVitaminB6",
      "display": "Dietary vitamin B6",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryVitaminC",
      "display": "Dietary vitamin C",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryVitaminD",
      "display": "Dietary vitamin D",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryVitaminE",
      "display": "Dietary vitamin E",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryVitaminK",
      "display": "Dietary vitamin K",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryWater",
      "display": "Water intake",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "9.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "mL" },
        { "code": "unit", "valueString": "L" },
        { "code": "unit", "valueString": "fl_oz_us" },
        { "code": "unit", "valueString": "fl_oz_imp" },
        { "code": "unit", "valueString": "cup_us" },
        { "code": "unit", "valueString": "pt_us" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDietaryZinc",
      "display": "Dietary zinc",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "mg" },
        { "code": "unit", "valueString": "mcg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDistanceCrossCountrySkiing",
      "display": "Cross-country skiing distance",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "18.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "km" },
        { "code": "unit", "valueString": "mi" },
        { "code": "unit", "valueString": "m" },
        { "code": "unit", "valueString": "yd" },
        { "code": "unit", "valueString": "ft" },
        { "code": "unit", "valueString": "cm" },
        { "code": "unit", "valueString": "in" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDistanceCycling",
      "display": "Cycling distance",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "km" },
        { "code": "unit", "valueString": "mi" },
        { "code": "unit", "valueString": "m" },
        { "code": "unit", "valueString": "yd" },
        { "code": "unit", "valueString": "ft" },
        { "code": "unit", "valueString": "cm" },
        { "code": "unit", "valueString": "in" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDistanceDownhillSnowSports",
      "display": "Downhill snow sports distance",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "11.2" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "km" },
        { "code": "unit", "valueString": "mi" },
        { "code": "unit", "valueString": "m" },
        { "code": "unit", "valueString": "yd" },
        { "code": "unit", "valueString": "ft" },
        { "code": "unit", "valueString": "cm" },
        { "code": "unit", "valueString": "in" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDistancePaddleSports",
      "display": "Paddle sports distance",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "18.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "km" },
        { "code": "unit", "valueString": "mi" },
        { "code": "unit", "valueString": "m" },
        { "code": "unit", "valueString": "yd" },
        { "code": "unit", "valueString": "ft" },
        { "code": "unit", "valueString": "cm" },
        { "code": "unit", "valueString": "in" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDistanceRowing",
      "display": "Rowing distance",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "18.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "km" },
        { "code": "unit", "valueString": "mi" },
        { "code": "unit", "valueString": "m" },
        { "code": "unit", "valueString": "yd" },
        { "code": "unit", "valueString": "ft" },
        { "code": "unit", "valueString": "cm" },
        { "code": "unit", "valueString": "in" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDistanceSkatingSports",
      "display": "Skating sports distance",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "18.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "km" },
        { "code": "unit", "valueString": "mi" },
        { "code": "unit", "valueString": "m" },
        { "code": "unit", "valueString": "yd" },
        { "code": "unit", "valueString": "ft" },
        { "code": "unit", "valueString": "cm" },
        { "code": "unit", "valueString": "in" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDistanceSwimming",
      "display": "Swimming distance",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "10.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "m" },
        { "code": "unit", "valueString": "yd" },
        { "code": "unit", "valueString": "km" },
        { "code": "unit", "valueString": "mi" },
        { "code": "unit", "valueString": "ft" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDistanceWalkingRunning",
      "display": "Walking + running distance",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "km" },
        { "code": "unit", "valueString": "mi" },
        { "code": "unit", "valueString": "m" },
        { "code": "unit", "valueString": "yd" },
        { "code": "unit", "valueString": "ft" },
        { "code": "unit", "valueString": "cm" },
        { "code": "unit", "valueString": "in" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierDistanceWheelchair",
      "display": "Wheelchair distance",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "10.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "km" },
        { "code": "unit", "valueString": "mi" },
        { "code": "unit", "valueString": "m" },
        { "code": "unit", "valueString": "yd" },
        { "code": "unit", "valueString": "ft" },
        { "code": "unit", "valueString": "cm" },
        { "code": "unit", "valueString": "in" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierElectrodermalActivity",
      "display": "Electrodermal activity",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "mcS" },
        { "code": "unit", "valueString": "S" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierEnvironmentalAudioExposure",
      "display": "Environmental audio exposure",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "13.0" },
        { "code": "aggregation", "valueCode": "discreteEquivalentContinuousLevel" },
        { "code": "unit", "valueString": "dBASPL" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierEnvironmentalSoundReduction",
      "display": "Environmental sound reduction",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "16.0" },
        { "code": "aggregation", "valueCode": "discreteEquivalentContinuousLevel" },
        { "code": "unit", "valueString": "dBASPL" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierEstimatedWorkoutEffortScore",
      "display": "Workout effort (estimated)",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "18.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "appleEffortScore" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierFlightsClimbed",
      "display": "Flights climbed",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "count" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierForcedExpiratoryVolume1",
      "display": "Forced expiratory volume, 1 s",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "L" },
        { "code": "unit", "valueString": "mL" },
        { "code": "unit", "valueString": "fl_oz_us" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierForcedVitalCapacity",
      "display": "Forced vital capacity",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "L" },
        { "code": "unit", "valueString": "mL" },
        { "code": "unit", "valueString": "cup_us" },
        { "code": "unit", "valueString": "fl_oz_us" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierHeadphoneAudioExposure",
      "display": "Headphone audio exposure",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "13.0" },
        { "code": "aggregation", "valueCode": "discreteEquivalentContinuousLevel" },
        { "code": "unit", "valueString": "dBASPL" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierHeartRate",
      "display": "Heart rate",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteTemporallyWeighted" },
        { "code": "unit", "valueString": "count/min" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierHeartRateRecoveryOneMinute",
      "display": "Heart rate recovery, one minute",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "16.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "count/min" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierHeartRateVariabilitySDNN",
      "display": "Heart rate variability (SDNN)",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "11.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "ms" },
        { "code": "unit", "valueString": "s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierHeight",
      "display": "Body height",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "cm" },
        { "code": "unit", "valueString": "ft" },
        { "code": "unit", "valueString": "in" },
        { "code": "unit", "valueString": "m" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierInhalerUsage",
      "display": "Inhaler usage",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "count" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierInsulinDelivery",
      "display": "Insulin delivery",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "11.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "IU" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierLeanBodyMass",
      "display": "Lean body mass",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "kg" },
        { "code": "unit", "valueString": "lb" },
        { "code": "unit", "valueString": "st" },
        { "code": "unit", "valueString": "g" },
        { "code": "unit", "valueString": "oz" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierNikeFuel",
      "display": "NikeFuel",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "count" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierNumberOfAlcoholicBeverages",
      "display": "Alcoholic beverages",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "15.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "count" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierNumberOfTimesFallen",
      "display": "Number of times fallen",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "count" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierOxygenSaturation",
      "display": "Blood oxygen saturation",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "%" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierPaddleSportsSpeed",
      "display": "Paddle sports speed",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "18.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "km/hr" },
        { "code": "unit", "valueString": "mi/hr" },
        { "code": "unit", "valueString": "m/s" },
        { "code": "unit", "valueString": "ft/s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierPeakExpiratoryFlowRate",
      "display": "Peak expiratory flow rate",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "L/min" },
        { "code": "unit", "valueString": "L/s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierPeripheralPerfusionIndex",
      "display": "Peripheral perfusion index",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "%" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierPhysicalEffort",
      "display": "Physical effort (METs)",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "17.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "kcal/hr·kg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierPushCount",
      "display": "Wheelchair pushes",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "10.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "count" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierRespiratoryRate",
      "display": "Respiratory rate",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "count/min" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierRestingHeartRate",
      "display": "Resting heart rate",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "11.0" },
        { "code": "aggregation", "valueCode": "discreteTemporallyWeighted" },
        { "code": "unit", "valueString": "count/min" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierRowingSpeed",
      "display": "Rowing speed",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "18.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "km/hr" },
        { "code": "unit", "valueString": "mi/hr" },
        { "code": "unit", "valueString": "m/s" },
        { "code": "unit", "valueString": "ft/s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierRunningGroundContactTime",
      "display": "Running ground contact time",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "16.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "ms" },
        { "code": "unit", "valueString": "s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierRunningPower",
      "display": "Running power",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "16.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "W" },
        { "code": "unit", "valueString": "kcal/hr" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierRunningSpeed",
      "display": "Running speed",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "16.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "km/hr" },
        { "code": "unit", "valueString": "mi/hr" },
        { "code": "unit", "valueString": "m/s" },
        { "code": "unit", "valueString": "ft/s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierRunningStrideLength",
      "display": "Running stride length",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "16.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "cm" },
        { "code": "unit", "valueString": "in" },
        { "code": "unit", "valueString": "m" },
        { "code": "unit", "valueString": "ft" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierRunningVerticalOscillation",
      "display": "Running vertical oscillation",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "16.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "cm" },
        { "code": "unit", "valueString": "in" },
        { "code": "unit", "valueString": "m" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierSixMinuteWalkTestDistance",
      "display": "Six-minute walk distance (estimated)",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "14.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "m" },
        { "code": "unit", "valueString": "ft" },
        { "code": "unit", "valueString": "yd" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierStairAscentSpeed",
      "display": "Stair ascent speed",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "14.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "m/s" },
        { "code": "unit", "valueString": "ft/s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierStairDescentSpeed",
      "display": "Stair descent speed",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "14.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "m/s" },
        { "code": "unit", "valueString": "ft/s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierStepCount",
      "display": "Step count",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "8.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "count" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierSwimmingStrokeCount",
      "display": "Swimming strokes",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "10.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "count" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierTimeInDaylight",
      "display": "Time in daylight",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "17.0" },
        { "code": "aggregation", "valueCode": "cumulative" },
        { "code": "unit", "valueString": "min" },
        { "code": "unit", "valueString": "hr" },
        { "code": "unit", "valueString": "s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierUVExposure",
      "display": "UV exposure index",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "9.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "count" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierUnderwaterDepth",
      "display": "Underwater depth",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "16.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "m" },
        { "code": "unit", "valueString": "ft" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierVO2Max",
      "display": "VO2 max (cardio fitness)",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "11.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "mL/min·kg" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierWaistCircumference",
      "display": "Waist circumference",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "11.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "cm" },
        { "code": "unit", "valueString": "in" },
        { "code": "unit", "valueString": "m" },
        { "code": "unit", "valueString": "ft" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierWalkingAsymmetryPercentage",
      "display": "Walking asymmetry",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "14.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "%" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierWalkingDoubleSupportPercentage",
      "display": "Walking double support time",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "14.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "%" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierWalkingHeartRateAverage",
      "display": "Walking heart rate average",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "11.0" },
        { "code": "aggregation", "valueCode": "discreteTemporallyWeighted" },
        { "code": "unit", "valueString": "count/min" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierWalkingSpeed",
      "display": "Walking speed",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "14.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "km/hr" },
        { "code": "unit", "valueString": "mi/hr" },
        { "code": "unit", "valueString": "m/s" },
        { "code": "unit", "valueString": "ft/s" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierWalkingStepLength",
      "display": "Walking step length",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "14.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "cm" },
        { "code": "unit", "valueString": "in" },
        { "code": "unit", "valueString": "m" },
        { "code": "unit", "valueString": "ft" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierWaterTemperature",
      "display": "Water temperature",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "16.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "degC" },
        { "code": "unit", "valueString": "degF" },
        { "code": "unit", "valueString": "K" }
      ]
    },
    {
      "code": "HKQuantityTypeIdentifierWorkoutEffortScore",
      "display": "Workout effort (self-rated)",
      "property": [
        { "code": "kind", "valueCode": "quantity" },
        { "code": "since-ios", "valueString": "18.0" },
        { "code": "aggregation", "valueCode": "discreteArithmetic" },
        { "code": "unit", "valueString": "appleEffortScore" }
      ]
    },
    {
      "code": "HKActivitySummary",
      "display": "Activity summary",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKActivitySummary.activeEnergyBurned",
      "display": "Active energy burned",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKActivitySummary.activeEnergyBurnedGoal",
      "display": "Active energy burned goal",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKActivitySummary.appleExerciseTime",
      "display": "Exercise time",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKActivitySummary.appleExerciseTimeGoal",
      "display": "Exercise time goal",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKActivitySummary.appleMoveTime",
      "display": "Move time",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKActivitySummary.appleMoveTimeGoal",
      "display": "Move time goal",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKActivitySummary.appleStandHours",
      "display": "Stand hours",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKActivitySummary.appleStandHoursGoal",
      "display": "Stand hours goal",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKActivityType",
      "display": "Activity type",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKAlpineSlopeGrade",
      "display": "Alpine slope grade",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKAverageMETs",
      "display": "Average METs",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKAverageSpeed",
      "display": "Average speed",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKBloodGlucoseMealTime",
      "display": "Meal time of a blood glucose",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKCategoryValueSleepAnalysisAsleepCore",
      "display": "asleep, core",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKCategoryValueSleepAnalysisAsleepDeep",
      "display": "asleep, deep",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKCategoryValueSleepAnalysisAsleepREM",
      "display": "asleep, REM",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKCategoryValueSleepAnalysisAsleepUnspecified",
      "display": "asleep, stage unspecified",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKCategoryValueSleepAnalysisAwake",
      "display": "awake",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKCategoryValueSleepAnalysisInBed",
      "display": "in bed",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKCharacteristicTypeIdentifierBloodType",
      "display": "Blood type",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse",
      "display": "Use of medications that affect cardio fitness",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKCharacteristicTypeIdentifierFitzpatrickSkinType",
      "display": "Fitzpatrick skin type",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKCoachedWorkout",
      "display": "Coached workout",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKCorrelationTypeIdentifierBloodPressure",
      "display": "Blood pressure",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKCorrelationTypeIdentifierFood",
      "display": "Food",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKCrossTrainerDistance",
      "display": "Cross trainer distance",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKDataTypeIdentifierAudiogram",
      "display": "Audiogram",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKElectrocardiogram",
      "display": "Electrocardiogram",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKElectrocardiogram.Classification",
      "display": "Classification",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKElectrocardiogram.NumberOfVoltageMeasurements",
      "display": "Number of voltage measurements",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKElectrocardiogram.SamplingFrequency",
      "display": "Sampling frequency",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKElectrocardiogram.Symptoms",
      "display": "Symptoms",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKElevationAscended",
      "display": "Elevation ascended",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKElevationDescended",
      "display": "Elevation descended",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKFitnessMachineDuration",
      "display": "Fitness machine duration",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKGroupFitness",
      "display": "Group fitness",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKHeartRateEventThreshold",
      "display": "Threshold of a heart rate event",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKIndoorBikeDistance",
      "display": "Indoor bike distance",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKIndoorWorkout",
      "display": "Indoor workout",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKInsulinDeliveryReason",
      "display": "Reason of an insulin delivery",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    { "code": "HKLapLength", "display": "Lap length", "property": [{ "code": "kind", "valueCode": "other" }] },
    {
      "code": "HKLowCardioFitnessEventThreshold",
      "display": "Threshold of a low cardio fitness event",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKMaximumSpeed",
      "display": "Maximum speed",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKMenstrualCycleStart",
      "display": "Start of a menstrual cycle",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKMetadataKeyAppleFitnessPlusSession",
      "display": "Apple Fitness+ session",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKMetadataKeyAudioExposureDuration",
      "display": "Audio exposure duration",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKMetadataKeyAudioExposureLevel",
      "display": "Audio exposure level",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKMetadataKeyBarometricPressure",
      "display": "Barometric pressure",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKMetadataKeyHeadphoneGain",
      "display": "Headphone gain",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKMetadataKeyHeartRateRecoveryActivityDuration",
      "display": "Duration of the activity before a heart rate recovery",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKMetadataKeyHeartRateRecoveryActivityType",
      "display": "Activity before a heart rate recovery",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate",
      "display": "Maximum heart rate observed during recovery",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKMetadataKeyMaximumLightIntensity",
      "display": "Maximum light intensity",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKMetadataKeySessionEstimate",
      "display": "Session estimate",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    { "code": "HKSWOLFScore", "display": "SWOLF score", "property": [{ "code": "kind", "valueCode": "other" }] },
    {
      "code": "HKSexualActivityProtectionUsed",
      "display": "Protection used",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKSwimmingLocationType",
      "display": "Swimming location type",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKSwimmingStrokeStyle",
      "display": "Swimming stroke style",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKVO2MaxValue",
      "display": "VO2 max of an event",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKWeatherCondition",
      "display": "Weather condition",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKWeatherHumidity",
      "display": "Weather humidity",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKWeatherTemperature",
      "display": "Weather temperature",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKWorkoutActivity",
      "display": "Workout activity",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKWorkout.duration",
      "display": "Duration",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKWorkoutEvent",
      "display": "Workout event",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKWorkoutRouteTypeIdentifier",
      "display": "Workout route",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "HKWorkoutTypeIdentifier",
      "display": "Workout",
      "property": [{ "code": "kind", "valueCode": "other" }]
    },
    {
      "code": "InstantaneousBeatsPerMinute",
      "display": "Instantaneous heart rate",
      "property": [{ "code": "kind", "valueCode": "other" }]
    }
  ]
}

"""#

private let conceptMapHealthkitCategoryValues: StaticString = #"""
{
  "resourceType": "ConceptMap",
  "id": "healthkit-category-values",
  "url": "urn:uuid:27a46282-3bff-4041-9ee8-84eef2a4a84b",
  "version": "12",
  "name": "HealthKitCategoryValuesToCodes",
  "title": "HealthKit category values to codes",
  "status": "active",
  "experimental": false,
  "publisher": "pghd",
  "description": "Which codes the value of a category sample gets. Export.xml writes the name of a case of one of Apple's enumerations (HKCategoryValueSeverityMild); its code is the raw number in the system of that enumeration, its display the words of the case, and a standard code stands before it where there is one. A target that depends on Observation.code applies to that HealthKit type only and replaces those that do not. For MenstrualFlow exports since iOS 18 write HKCategoryValueVaginalBleeding names, with the same numbers: both are written as the newer ones.",
  "copyright": "This content includes LOINC (http://loinc.org). LOINC is copyright © Regenstrief Institute, Inc. and the Logical Observation Identifiers Names and Codes (LOINC) Committee and is available at no cost under the license at https://loinc.org/license. LOINC® is a registered United States trademark of Regenstrief Institute, Inc. This content includes SNOMED Clinical Terms® (SNOMED CT®), copyright © International Health Terminology Standards Development Organisation (IHTSDO), used by permission; its use may need a license, see https://www.snomed.org/get-snomed. SNOMED CT was originally created by The College of American Pathologists.",
  "group": [
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "http://snomed.info/sct",
      "element": [
        {
          "code": "HKCategoryValueSeverityUnspecified",
          "target": [{
            "code": "52101004",
            "display": "Present",
            "equivalence": "equivalent",
            "comment": "What the Health app calls present: no grade was given. IPS value set of presence and absence; sure."
          }]
        },
        {
          "code": "HKCategoryValueSeverityNotPresent",
          "target": [{
            "code": "2667000",
            "display": "Absent",
            "equivalence": "equivalent",
            "comment": "IPS value set of presence and absence; sure."
          }]
        },
        {
          "code": "HKCategoryValueSeverityMild",
          "target": [{
            "code": "255604002",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryValueSeverityModerate",
          "target": [{
            "code": "6736007",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryValueSeveritySevere",
          "target": [{
            "code": "24484000",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryValuePresencePresent",
          "target": [{
            "code": "52101004",
            "display": "Present",
            "equivalence": "equivalent",
            "comment": "IPS value set of presence and absence; sure."
          }]
        },
        {
          "code": "HKCategoryValuePresenceNotPresent",
          "target": [{
            "code": "2667000",
            "display": "Absent",
            "equivalence": "equivalent",
            "comment": "IPS value set of presence and absence; sure."
          }]
        },
        {
          "code": "HKCategoryValuePregnancyTestResultNegative",
          "target": [{
            "code": "260385009",
            "display": "Negative",
            "equivalence": "equivalent",
            "comment": "As IPS codes the results of tests; sure."
          }]
        },
        {
          "code": "HKCategoryValuePregnancyTestResultPositive",
          "target": [{
            "code": "10828004",
            "display": "Positive",
            "equivalence": "equivalent",
            "comment": "As IPS codes the results of tests; sure."
          }]
        },
        {
          "code": "HKCategoryValuePregnancyTestResultIndeterminate",
          "target": [{
            "code": "82334004",
            "display": "Indeterminate",
            "equivalence": "equivalent",
            "comment": "As laboratories code the results of tests; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryValueProgesteroneTestResultNegative",
          "target": [{
            "code": "260385009",
            "display": "Negative",
            "equivalence": "equivalent",
            "comment": "As IPS codes the results of tests; sure."
          }]
        },
        {
          "code": "HKCategoryValueProgesteroneTestResultPositive",
          "target": [{
            "code": "10828004",
            "display": "Positive",
            "equivalence": "equivalent",
            "comment": "As IPS codes the results of tests; sure."
          }]
        },
        {
          "code": "HKCategoryValueProgesteroneTestResultIndeterminate",
          "target": [{
            "code": "82334004",
            "display": "Indeterminate",
            "equivalence": "equivalent",
            "comment": "As laboratories code the results of tests; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryValueOvulationTestResultNegative",
          "target": [{
            "code": "260385009",
            "display": "Negative",
            "equivalence": "equivalent",
            "comment": "As IPS codes the results of tests; sure."
          }]
        },
        {
          "code": "HKCategoryValueOvulationTestResultIndeterminate",
          "target": [{
            "code": "82334004",
            "display": "Indeterminate",
            "equivalence": "equivalent",
            "comment": "As laboratories code the results of tests; plausible, not looked up in a SNOMED CT release."
          }]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "http://loinc.org",
      "element": [{
        "code": "HKCategoryValueNotApplicable",
        "target": [
          {
            "code": "LA15173-0",
            "display": "Pregnant",
            "equivalence": "equivalent",
            "comment": "Answer of 82810-3, as in the IPS pregnancy status profile; sure.",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKCategoryTypeIdentifierPregnancy"
            }]
          },
          {
            "code": "LA29252-6",
            "display": "Currently breastfeeding",
            "equivalence": "equivalent",
            "comment": "Answer of 63895-7, as in ISiK's breastfeeding status; sure.",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKCategoryTypeIdentifierLactation"
            }]
          }
        ]
      }]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvalue",
      "element": [{
        "code": "HKCategoryValueNotApplicable",
        "target": [{ "code": "0", "display": "not applicable", "equivalence": "equal" }]
      }]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueappetitechanges",
      "element": [
        {
          "code": "HKCategoryValueAppetiteChangesUnspecified",
          "target": [{ "code": "0", "display": "present, direction unspecified", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueAppetiteChangesNoChange",
          "target": [{ "code": "1", "display": "no change", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueAppetiteChangesDecreased",
          "target": [{ "code": "2", "display": "decreased", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueAppetiteChangesIncreased",
          "target": [{ "code": "3", "display": "increased", "equivalence": "equal" }]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueapplestandhour",
      "element": [
        {
          "code": "HKCategoryValueAppleStandHourStood",
          "target": [{ "code": "0", "display": "stood", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueAppleStandHourIdle",
          "target": [{ "code": "1", "display": "idle", "equivalence": "equal" }]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueapplewalkingsteadinessevent",
      "element": [
        {
          "code": "HKCategoryValueAppleWalkingSteadinessEventInitialLow",
          "target": [{ "code": "1", "display": "initial low", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueAppleWalkingSteadinessEventInitialVeryLow",
          "target": [{ "code": "2", "display": "initial very low", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueAppleWalkingSteadinessEventRepeatLow",
          "target": [{ "code": "3", "display": "repeat low", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueAppleWalkingSteadinessEventRepeatVeryLow",
          "target": [{ "code": "4", "display": "repeat very low", "equivalence": "equal" }]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueaudioexposureevent",
      "element": [{
        "code": "HKCategoryValueAudioExposureEventLoudEnvironment",
        "target": [{
          "code": "1",
          "display": "loud environment",
          "equivalence": "equivalent",
          "comment": "The name before iOS 14 of EnvironmentalAudioExposureEventMomentaryLimit."
        }]
      }]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluecervicalmucusquality",
      "element": [
        {
          "code": "HKCategoryValueCervicalMucusQualityDry",
          "target": [{ "code": "1", "display": "dry", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueCervicalMucusQualitySticky",
          "target": [{ "code": "2", "display": "sticky", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueCervicalMucusQualityCreamy",
          "target": [{ "code": "3", "display": "creamy", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueCervicalMucusQualityWatery",
          "target": [{ "code": "4", "display": "watery", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueCervicalMucusQualityEggWhite",
          "target": [{ "code": "5", "display": "egg white", "equivalence": "equal" }]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluecontraceptive",
      "element": [
        {
          "code": "HKCategoryValueContraceptiveUnspecified",
          "target": [{ "code": "1", "display": "unspecified", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueContraceptiveImplant",
          "target": [{ "code": "2", "display": "implant", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueContraceptiveInjection",
          "target": [{ "code": "3", "display": "injection", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueContraceptiveIntrauterineDevice",
          "target": [{ "code": "4", "display": "intrauterine device", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueContraceptiveIntravaginalRing",
          "target": [{ "code": "5", "display": "intravaginal ring", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueContraceptiveOral",
          "target": [{ "code": "6", "display": "oral", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueContraceptivePatch",
          "target": [{ "code": "7", "display": "patch", "equivalence": "equal" }]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueenvironmentalaudioexposureevent",
      "element": [{
        "code": "HKCategoryValueEnvironmentalAudioExposureEventMomentaryLimit",
        "target": [{ "code": "1", "display": "momentary limit", "equivalence": "equal" }]
      }]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueheadphoneaudioexposureevent",
      "element": [{
        "code": "HKCategoryValueHeadphoneAudioExposureEventSevenDayLimit",
        "target": [{ "code": "1", "display": "seven day limit", "equivalence": "equal" }]
      }]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluelowcardiofitnessevent",
      "element": [{
        "code": "HKCategoryValueLowCardioFitnessEventLowFitness",
        "target": [{ "code": "1", "display": "low fitness", "equivalence": "equal" }]
      }]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueovulationtestresult",
      "element": [
        {
          "code": "HKCategoryValueOvulationTestResultNegative",
          "target": [{ "code": "1", "display": "negative", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueOvulationTestResultLuteinizingHormoneSurge",
          "target": [{ "code": "2", "display": "luteinizing hormone surge", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueOvulationTestResultPositive",
          "target": [{
            "code": "2",
            "display": "luteinizing hormone surge",
            "equivalence": "equivalent",
            "comment": "The older name of luteinizingHormoneSurge."
          }]
        },
        {
          "code": "HKCategoryValueOvulationTestResultIndeterminate",
          "target": [{ "code": "3", "display": "indeterminate", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueOvulationTestResultEstrogenSurge",
          "target": [{ "code": "4", "display": "estrogen surge", "equivalence": "equal" }]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluepregnancytestresult",
      "element": [
        {
          "code": "HKCategoryValuePregnancyTestResultNegative",
          "target": [{ "code": "1", "display": "negative", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValuePregnancyTestResultPositive",
          "target": [{ "code": "2", "display": "positive", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValuePregnancyTestResultIndeterminate",
          "target": [{ "code": "3", "display": "indeterminate", "equivalence": "equal" }]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluepresence",
      "element": [
        {
          "code": "HKCategoryValuePresencePresent",
          "target": [{ "code": "0", "display": "present", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValuePresenceNotPresent",
          "target": [{ "code": "1", "display": "not present", "equivalence": "equal" }]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueprogesteronetestresult",
      "element": [
        {
          "code": "HKCategoryValueProgesteroneTestResultNegative",
          "target": [{ "code": "1", "display": "negative", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueProgesteroneTestResultPositive",
          "target": [{ "code": "2", "display": "positive", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueProgesteroneTestResultIndeterminate",
          "target": [{ "code": "3", "display": "indeterminate", "equivalence": "equal" }]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvalueseverity",
      "element": [
        {
          "code": "HKCategoryValueSeverityUnspecified",
          "target": [{ "code": "0", "display": "present, severity unspecified", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueSeverityNotPresent",
          "target": [{ "code": "1", "display": "not present", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueSeverityMild",
          "target": [{ "code": "2", "display": "mild", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueSeverityModerate",
          "target": [{ "code": "3", "display": "moderate", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueSeveritySevere",
          "target": [{ "code": "4", "display": "severe", "equivalence": "equal" }]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluesleepanalysis",
      "element": [
        {
          "code": "HKCategoryValueSleepAnalysisInBed",
          "target": [{ "code": "0", "display": "in bed", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueSleepAnalysisAsleepUnspecified",
          "target": [{ "code": "1", "display": "asleep unspecified", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueSleepAnalysisAsleep",
          "target": [{
            "code": "1",
            "display": "asleep unspecified",
            "equivalence": "equivalent",
            "comment": "The name before iOS 16 of asleepUnspecified."
          }]
        },
        {
          "code": "HKCategoryValueSleepAnalysisAwake",
          "target": [{ "code": "2", "display": "awake", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueSleepAnalysisAsleepCore",
          "target": [{ "code": "3", "display": "asleep core", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueSleepAnalysisAsleepDeep",
          "target": [{ "code": "4", "display": "asleep deep", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueSleepAnalysisAsleepREM",
          "target": [{ "code": "5", "display": "asleep REM", "equivalence": "equal" }]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcategoryvaluevaginalbleeding",
      "element": [
        {
          "code": "HKCategoryValueVaginalBleedingUnspecified",
          "target": [{ "code": "1", "display": "present, amount unspecified", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueVaginalBleedingLight",
          "target": [{ "code": "2", "display": "light", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueVaginalBleedingMedium",
          "target": [{ "code": "3", "display": "medium", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueVaginalBleedingHeavy",
          "target": [{ "code": "4", "display": "heavy", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueVaginalBleedingNone",
          "target": [{ "code": "5", "display": "none", "equivalence": "equal" }]
        },
        {
          "code": "HKCategoryValueMenstrualFlowUnspecified",
          "target": [{
            "code": "1",
            "display": "present, amount unspecified",
            "equivalence": "equivalent",
            "comment": "The name before iOS 18."
          }]
        },
        {
          "code": "HKCategoryValueMenstrualFlowLight",
          "target": [{
            "code": "2",
            "display": "light",
            "equivalence": "equivalent",
            "comment": "The name before iOS 18."
          }]
        },
        {
          "code": "HKCategoryValueMenstrualFlowMedium",
          "target": [{
            "code": "3",
            "display": "medium",
            "equivalence": "equivalent",
            "comment": "The name before iOS 18."
          }]
        },
        {
          "code": "HKCategoryValueMenstrualFlowHeavy",
          "target": [{
            "code": "4",
            "display": "heavy",
            "equivalence": "equivalent",
            "comment": "The name before iOS 18."
          }]
        },
        {
          "code": "HKCategoryValueMenstrualFlowNone",
          "target": [{
            "code": "5",
            "display": "none",
            "equivalence": "equivalent",
            "comment": "The name before iOS 18."
          }]
        }
      ]
    }
  ]
}

"""#

private let conceptMapHealthkitCharacteristics: StaticString = #"""
{
  "resourceType": "ConceptMap",
  "id": "healthkit-characteristics",
  "url": "urn:uuid:cf72d50c-0236-48e8-86a8-ebd5b697733e",
  "version": "12",
  "name": "HealthKitCharacteristicsToCodes",
  "title": "HealthKit characteristics to codes",
  "status": "active",
  "experimental": false,
  "publisher": "pghd",
  "description": "Which codes the answers in Me get. Export.xml writes the name of a case of HKBloodType, HKFitzpatrickSkinType or HKBiologicalSex; its code is the raw number in the system of that enumeration, its display the words of the case. The case behind number 0 is not set: no answer.",
  "group": [
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkbloodtype",
      "element": [
        {"code": "HKBloodTypeAPositive", "target": [{"code": "1", "display": "A positive", "equivalence": "equivalent"}]},
        {"code": "HKBloodTypeANegative", "target": [{"code": "2", "display": "A negative", "equivalence": "equivalent"}]},
        {"code": "HKBloodTypeBPositive", "target": [{"code": "3", "display": "B positive", "equivalence": "equivalent"}]},
        {"code": "HKBloodTypeBNegative", "target": [{"code": "4", "display": "B negative", "equivalence": "equivalent"}]},
        {"code": "HKBloodTypeABPositive", "target": [{"code": "5", "display": "AB positive", "equivalence": "equivalent"}]},
        {"code": "HKBloodTypeABNegative", "target": [{"code": "6", "display": "AB negative", "equivalence": "equivalent"}]},
        {"code": "HKBloodTypeOPositive", "target": [{"code": "7", "display": "O positive", "equivalence": "equivalent"}]},
        {"code": "HKBloodTypeONegative", "target": [{"code": "8", "display": "O negative", "equivalence": "equivalent"}]}
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkfitzpatrickskintype",
      "element": [
        {"code": "HKFitzpatrickSkinTypeI", "target": [{"code": "1", "display": "Fitzpatrick skin type I", "equivalence": "equivalent"}]},
        {"code": "HKFitzpatrickSkinTypeII", "target": [{"code": "2", "display": "Fitzpatrick skin type II", "equivalence": "equivalent"}]},
        {"code": "HKFitzpatrickSkinTypeIII", "target": [{"code": "3", "display": "Fitzpatrick skin type III", "equivalence": "equivalent"}]},
        {"code": "HKFitzpatrickSkinTypeIV", "target": [{"code": "4", "display": "Fitzpatrick skin type IV", "equivalence": "equivalent"}]},
        {"code": "HKFitzpatrickSkinTypeV", "target": [{"code": "5", "display": "Fitzpatrick skin type V", "equivalence": "equivalent"}]},
        {"code": "HKFitzpatrickSkinTypeVI", "target": [{"code": "6", "display": "Fitzpatrick skin type VI", "equivalence": "equivalent"}]}
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "http://hl7.org/fhir/administrative-gender",
      "element": [
        {"code": "HKBiologicalSexFemale", "target": [{"code": "female", "display": "Female", "equivalence": "inexact", "comment": "Patient.gender is administrative; HealthKit asks for the biological sex."}]},
        {"code": "HKBiologicalSexMale", "target": [{"code": "male", "display": "Male", "equivalence": "inexact", "comment": "Patient.gender is administrative; HealthKit asks for the biological sex."}]},
        {"code": "HKBiologicalSexOther", "target": [{"code": "other", "display": "Other", "equivalence": "inexact", "comment": "Patient.gender is administrative; HealthKit asks for the biological sex."}]}
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkbiologicalsex",
      "element": [
        {"code": "HKBiologicalSexFemale", "target": [{"code": "1", "display": "Female", "equivalence": "equivalent"}]},
        {"code": "HKBiologicalSexMale", "target": [{"code": "2", "display": "Male", "equivalence": "equivalent"}]},
        {"code": "HKBiologicalSexOther", "target": [{"code": "3", "display": "Other", "equivalence": "equivalent"}]}
      ]
    }
  ]
}

"""#

private let conceptMapHealthkitMetadata: StaticString = #"""
{
  "resourceType": "ConceptMap",
  "id": "healthkit-metadata",
  "url": "urn:uuid:7d1a2c4e-64c0-5d3b-9b7e-3f8a1b6c2d90",
  "version": "12",
  "name": "HealthKitMetadataToCodes",
  "title": "HealthKit metadata enumerations to codes",
  "status": "active",
  "experimental": false,
  "publisher": "pghd",
  "description": "Which codes the raw number of a metadata entry gets. Export.xml writes numbers (HKMetadataKeyHeartRateMotionContext = 1); the source code is Apple's name of the case, the target in the system of that enumeration the number and the words of the case, and a standard code stands before it where there is one.",
  "copyright": "This content includes LOINC (http://loinc.org). LOINC is copyright © Regenstrief Institute, Inc. and the Logical Observation Identifiers Names and Codes (LOINC) Committee and is available at no cost under the license at https://loinc.org/license. LOINC® is a registered United States trademark of Regenstrief Institute, Inc. This content includes SNOMED Clinical Terms® (SNOMED CT®), copyright © International Health Terminology Standards Development Organisation (IHTSDO), used by permission; its use may need a license, see https://www.snomed.org/get-snomed. SNOMED CT was originally created by The College of American Pathologists.",
  "group": [
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "http://snomed.info/sct",
      "element": [
        {
          "code": "HKBodyTemperatureSensorLocationArmpit",
          "target": [
            {
              "code": "422543003",
              "equivalence": "equivalent",
              "comment": "Body structure; plausible, read in another implementation, not looked up in a SNOMED CT release."
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationMouth",
          "target": [
            {
              "code": "74262004",
              "equivalence": "equivalent",
              "comment": "Body structure; plausible, read in another implementation, not looked up in a SNOMED CT release."
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationRectum",
          "target": [
            {
              "code": "34402009",
              "equivalence": "equivalent",
              "comment": "Body structure; plausible, read in another implementation, not looked up in a SNOMED CT release."
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationToe",
          "target": [
            {
              "code": "29707007",
              "equivalence": "equivalent",
              "comment": "Body structure; plausible, read in another implementation, not looked up in a SNOMED CT release."
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationFinger",
          "target": [
            {
              "code": "7569003",
              "equivalence": "equivalent",
              "comment": "Body structure; plausible, read in another implementation, not looked up in a SNOMED CT release."
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationEar",
          "target": [
            {
              "code": "117590005",
              "equivalence": "equivalent",
              "comment": "Body structure; plausible, read in another implementation, not looked up in a SNOMED CT release."
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationEarDrum",
          "target": [
            {
              "code": "42859004",
              "equivalence": "equivalent",
              "comment": "Body structure; plausible, read in other implementations, not looked up in a SNOMED CT release."
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationTemporalArtery",
          "target": [
            {
              "code": "15672000",
              "equivalence": "equivalent",
              "comment": "Body structure; plausible, read in another implementation, not looked up in a SNOMED CT release."
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationForehead",
          "target": [
            {
              "code": "52795006",
              "equivalence": "equivalent",
              "comment": "Body structure; plausible, read in another implementation, not looked up in a SNOMED CT release."
            }
          ]
        },
        {
          "code": "HKHeartRateSensorLocationFinger",
          "target": [
            {
              "code": "7569003",
              "equivalence": "equivalent",
              "comment": "Body structure; plausible, read in another implementation, not looked up in a SNOMED CT release."
            }
          ]
        },
        {
          "code": "HKHeartRateSensorLocationWrist",
          "target": [
            {
              "code": "8205005",
              "equivalence": "equivalent",
              "comment": "Body structure; plausible, read in another implementation, not looked up in a SNOMED CT release."
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "urn:iso:std:iso:11073:10101",
      "element": [
        {
          "code": "HKBloodGlucoseMealTimePreprandial",
          "target": [
            {
              "code": "8417868",
              "display": "MDC_CTXT_GLU_MEAL_PREPRANDIAL",
              "equivalence": "equivalent",
              "comment": "Personal Health Device IG."
            }
          ]
        },
        {
          "code": "HKBloodGlucoseMealTimePostprandial",
          "target": [
            {
              "code": "8417872",
              "display": "MDC_CTXT_GLU_MEAL_POSTPRANDIAL",
              "equivalence": "equivalent",
              "comment": "Personal Health Device IG."
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkheartratemotioncontext",
      "element": [
        {
          "code": "HKHeartRateMotionContextNotSet",
          "target": [
            {
              "code": "0",
              "display": "not set",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKHeartRateMotionContextSedentary",
          "target": [
            {
              "code": "1",
              "display": "sedentary",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKHeartRateMotionContextActive",
          "target": [
            {
              "code": "2",
              "display": "active",
              "equivalence": "equal"
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkusermotioncontext",
      "element": [
        {
          "code": "HKUserMotionContextNotSet",
          "target": [
            {
              "code": "0",
              "display": "not set",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKUserMotionContextStationary",
          "target": [
            {
              "code": "1",
              "display": "stationary",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKUserMotionContextActive",
          "target": [
            {
              "code": "2",
              "display": "active",
              "equivalence": "equal"
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkbloodglucosemealtime",
      "element": [
        {
          "code": "HKBloodGlucoseMealTimePreprandial",
          "target": [
            {
              "code": "1",
              "display": "preprandial",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKBloodGlucoseMealTimePostprandial",
          "target": [
            {
              "code": "2",
              "display": "postprandial",
              "equivalence": "equal"
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkinsulindeliveryreason",
      "element": [
        {
          "code": "HKInsulinDeliveryReasonBasal",
          "target": [
            {
              "code": "1",
              "display": "basal",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKInsulinDeliveryReasonBolus",
          "target": [
            {
              "code": "2",
              "display": "bolus",
              "equivalence": "equal"
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkvo2maxtesttype",
      "element": [
        {
          "code": "HKVO2MaxTestTypeMaxExercise",
          "target": [
            {
              "code": "1",
              "display": "max exercise",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKVO2MaxTestTypePredictionSubMaxExercise",
          "target": [
            {
              "code": "2",
              "display": "prediction sub max exercise",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKVO2MaxTestTypePredictionNonExercise",
          "target": [
            {
              "code": "3",
              "display": "prediction non exercise",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKVO2MaxTestTypePredictionStepTest",
          "target": [
            {
              "code": "4",
              "display": "prediction step test",
              "equivalence": "equal"
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkbodytemperaturesensorlocation",
      "element": [
        {
          "code": "HKBodyTemperatureSensorLocationOther",
          "target": [
            {
              "code": "0",
              "display": "other",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationArmpit",
          "target": [
            {
              "code": "1",
              "display": "armpit",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationBody",
          "target": [
            {
              "code": "2",
              "display": "body",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationEar",
          "target": [
            {
              "code": "3",
              "display": "ear",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationFinger",
          "target": [
            {
              "code": "4",
              "display": "finger",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationGastroIntestinal",
          "target": [
            {
              "code": "5",
              "display": "gastro-intestinal",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationMouth",
          "target": [
            {
              "code": "6",
              "display": "mouth",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationRectum",
          "target": [
            {
              "code": "7",
              "display": "rectum",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationToe",
          "target": [
            {
              "code": "8",
              "display": "toe",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationEarDrum",
          "target": [
            {
              "code": "9",
              "display": "ear drum",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationTemporalArtery",
          "target": [
            {
              "code": "10",
              "display": "temporal artery",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKBodyTemperatureSensorLocationForehead",
          "target": [
            {
              "code": "11",
              "display": "forehead",
              "equivalence": "equal"
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkheartratesensorlocation",
      "element": [
        {
          "code": "HKHeartRateSensorLocationOther",
          "target": [
            {
              "code": "0",
              "display": "other",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKHeartRateSensorLocationChest",
          "target": [
            {
              "code": "1",
              "display": "chest",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKHeartRateSensorLocationWrist",
          "target": [
            {
              "code": "2",
              "display": "wrist",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKHeartRateSensorLocationFinger",
          "target": [
            {
              "code": "3",
              "display": "finger",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKHeartRateSensorLocationHand",
          "target": [
            {
              "code": "4",
              "display": "hand",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKHeartRateSensorLocationEarLobe",
          "target": [
            {
              "code": "5",
              "display": "ear lobe",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKHeartRateSensorLocationFoot",
          "target": [
            {
              "code": "6",
              "display": "foot",
              "equivalence": "equal"
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkdeviceplacementside",
      "element": [
        {
          "code": "HKDevicePlacementSideUnknown",
          "target": [
            {
              "code": "0",
              "display": "unknown",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKDevicePlacementSideLeft",
          "target": [
            {
              "code": "1",
              "display": "left",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKDevicePlacementSideRight",
          "target": [
            {
              "code": "2",
              "display": "right",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKDevicePlacementSideCentral",
          "target": [
            {
              "code": "3",
              "display": "central",
              "equivalence": "equal"
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkwatersalinity",
      "element": [
        {
          "code": "HKWaterSalinityFreshWater",
          "target": [
            {
              "code": "1",
              "display": "fresh water",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWaterSalinitySaltWater",
          "target": [
            {
              "code": "2",
              "display": "salt water",
              "equivalence": "equal"
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkswimmingstrokestyle",
      "element": [
        {
          "code": "HKSwimmingStrokeStyleUnknown",
          "target": [
            {
              "code": "0",
              "display": "unknown",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKSwimmingStrokeStyleMixed",
          "target": [
            {
              "code": "1",
              "display": "mixed",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKSwimmingStrokeStyleFreestyle",
          "target": [
            {
              "code": "2",
              "display": "freestyle",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKSwimmingStrokeStyleBackstroke",
          "target": [
            {
              "code": "3",
              "display": "backstroke",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKSwimmingStrokeStyleBreaststroke",
          "target": [
            {
              "code": "4",
              "display": "breaststroke",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKSwimmingStrokeStyleButterfly",
          "target": [
            {
              "code": "5",
              "display": "butterfly",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKSwimmingStrokeStyleKickboard",
          "target": [
            {
              "code": "6",
              "display": "kickboard",
              "equivalence": "equal"
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkworkoutswimminglocationtype",
      "element": [
        {
          "code": "HKWorkoutSwimmingLocationTypeUnknown",
          "target": [
            {
              "code": "0",
              "display": "unknown",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWorkoutSwimmingLocationTypePool",
          "target": [
            {
              "code": "1",
              "display": "pool",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWorkoutSwimmingLocationTypeOpenWater",
          "target": [
            {
              "code": "2",
              "display": "open water",
              "equivalence": "equal"
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkphysicaleffortestimationtype",
      "element": [
        {
          "code": "HKPhysicalEffortEstimationTypeActivityLookup",
          "target": [
            {
              "code": "1",
              "display": "activity lookup",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKPhysicalEffortEstimationTypeDeviceSensed",
          "target": [
            {
              "code": "2",
              "display": "device sensed",
              "equivalence": "equal"
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkcyclingfunctionalthresholdpowertesttype",
      "element": [
        {
          "code": "HKCyclingFunctionalThresholdPowerTestTypeMaxExercise60Minute",
          "target": [
            {
              "code": "1",
              "display": "max exercise 60 minute",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKCyclingFunctionalThresholdPowerTestTypeMaxExercise20Minute",
          "target": [
            {
              "code": "2",
              "display": "max exercise 20 minute",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKCyclingFunctionalThresholdPowerTestTypeRampTest",
          "target": [
            {
              "code": "3",
              "display": "ramp test",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKCyclingFunctionalThresholdPowerTestTypePredictionExercise",
          "target": [
            {
              "code": "4",
              "display": "prediction exercise",
              "equivalence": "equal"
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkheartraterecoverytesttype",
      "element": [
        {
          "code": "HKHeartRateRecoveryTestTypeMaxExercise",
          "target": [
            {
              "code": "1",
              "display": "max exercise",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKHeartRateRecoveryTestTypePredictionSubMaxExercise",
          "target": [
            {
              "code": "2",
              "display": "prediction sub max exercise",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKHeartRateRecoveryTestTypePredictionNonExercise",
          "target": [
            {
              "code": "3",
              "display": "prediction non exercise",
              "equivalence": "equal"
            }
          ]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkweathercondition",
      "element": [
        {
          "code": "HKWeatherConditionNone",
          "target": [
            {
              "code": "0",
              "display": "none",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionClear",
          "target": [
            {
              "code": "1",
              "display": "clear",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionFair",
          "target": [
            {
              "code": "2",
              "display": "fair",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionPartlyCloudy",
          "target": [
            {
              "code": "3",
              "display": "partly cloudy",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionMostlyCloudy",
          "target": [
            {
              "code": "4",
              "display": "mostly cloudy",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionCloudy",
          "target": [
            {
              "code": "5",
              "display": "cloudy",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionFoggy",
          "target": [
            {
              "code": "6",
              "display": "foggy",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionHaze",
          "target": [
            {
              "code": "7",
              "display": "haze",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionWindy",
          "target": [
            {
              "code": "8",
              "display": "windy",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionBlustery",
          "target": [
            {
              "code": "9",
              "display": "blustery",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionSmoky",
          "target": [
            {
              "code": "10",
              "display": "smoky",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionDust",
          "target": [
            {
              "code": "11",
              "display": "dust",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionSnow",
          "target": [
            {
              "code": "12",
              "display": "snow",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionHail",
          "target": [
            {
              "code": "13",
              "display": "hail",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionSleet",
          "target": [
            {
              "code": "14",
              "display": "sleet",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionFreezingDrizzle",
          "target": [
            {
              "code": "15",
              "display": "freezing drizzle",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionFreezingRain",
          "target": [
            {
              "code": "16",
              "display": "freezing rain",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionMixedRainAndHail",
          "target": [
            {
              "code": "17",
              "display": "mixed rain and hail",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionMixedRainAndSnow",
          "target": [
            {
              "code": "18",
              "display": "mixed rain and snow",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionMixedRainAndSleet",
          "target": [
            {
              "code": "19",
              "display": "mixed rain and sleet",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionMixedSnowAndSleet",
          "target": [
            {
              "code": "20",
              "display": "mixed snow and sleet",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionDrizzle",
          "target": [
            {
              "code": "21",
              "display": "drizzle",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionScatteredShowers",
          "target": [
            {
              "code": "22",
              "display": "scattered showers",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionShowers",
          "target": [
            {
              "code": "23",
              "display": "showers",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionThunderstorms",
          "target": [
            {
              "code": "24",
              "display": "thunderstorms",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionTropicalStorm",
          "target": [
            {
              "code": "25",
              "display": "tropical storm",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionHurricane",
          "target": [
            {
              "code": "26",
              "display": "hurricane",
              "equivalence": "equal"
            }
          ]
        },
        {
          "code": "HKWeatherConditionTornado",
          "target": [
            {
              "code": "27",
              "display": "tornado",
              "equivalence": "equal"
            }
          ]
        }
      ]
    }
  ]
}

"""#

private let conceptMapHealthkitTypes: StaticString = #"""
{
  "resourceType": "ConceptMap",
  "id": "healthkit-types",
  "url": "urn:uuid:88a456b6-1e10-4655-aaae-dc758772b2c3",
  "version": "12",
  "name": "HealthKitTypesToStandardCodes",
  "title": "HealthKit types to LOINC, SNOMED CT and observation categories",
  "status": "active",
  "experimental": false,
  "publisher": "pghd",
  "description": "Which standard codes and which category an Observation of each HealthKit type gets; Apple's own code is always given besides. The order of the groups and of the targets is the order of the codings. A target that depends on Quantity.code applies only to values in that UCUM unit. `unmatched` says why a system has no code. Comments name who uses the code and how sure it is: HKOF is StanfordBDHG/HealthKitOnFHIR, MS microsoft/healthkit-to-fhir, PA IG the HL7 Physical Activity and PHR IG the HL7 Personal Health Record Format implementation guide, Grove SchmiedmayerLab/grove-fhir; CardinalKit, mirobody, OMH (Open mHealth), PHD (HL7 Personal Health Device), US Core and ABDM are other public mappings; LOINC 2.83 means that the code is active in that release.",
  "copyright": "This content includes LOINC (http://loinc.org). LOINC is copyright © Regenstrief Institute, Inc. and the Logical Observation Identifiers Names and Codes (LOINC) Committee and is available at no cost under the license at https://loinc.org/license. LOINC® is a registered United States trademark of Regenstrief Institute, Inc. This content includes SNOMED Clinical Terms® (SNOMED CT®), copyright © International Health Terminology Standards Development Organisation (IHTSDO), used by permission; its use may need a license, see https://www.snomed.org/get-snomed. SNOMED CT was originally created by The College of American Pathologists.",
  "group": [
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "http://loinc.org",
      "element": [
        {
          "code": "HKCategoryTypeIdentifierAbdominalCramps",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierAcne",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierAppetiteChanges",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierAppleStandHour",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierAppleWalkingSteadinessEvent",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierAudioExposureEvent",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierBladderIncontinence",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierBleedingAfterPregnancy",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierBleedingDuringPregnancy",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierBloating",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierBreastPain",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierCervicalMucusQuality",
          "target": [{
            "code": "10570-0",
            "display": "Consistency of Cervical mucus",
            "equivalence": "equivalent",
            "comment": "CardinalKit, LOINC 2.83; plausible."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierChestTightnessOrPain",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierChills",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierConstipation",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierContraceptive",
          "target": [{
            "code": "8659-5",
            "display": "Birth control method - Reported",
            "equivalence": "equivalent",
            "comment": "The period is the period of use. Grove; plausible."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierCoughing",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierDiarrhea",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierDizziness",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierDrySkin",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierFainting",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierFatigue",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierFever",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierGeneralizedBodyAche",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierHairLoss",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierHandwashingEvent",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierHeadache",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierHeadphoneAudioExposureEvent",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierHeartburn",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierHighHeartRateEvent",
          "target": [{ "equivalence": "unmatched", "comment": "A notification, not a measured heart rate." }]
        },
        {
          "code": "HKCategoryTypeIdentifierHotFlashes",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierHypertensionEvent",
          "target": [{ "equivalence": "unmatched", "comment": "A notification, not a diagnosis or a blood pressure." }]
        },
        {
          "code": "HKCategoryTypeIdentifierInfrequentMenstrualCycles",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierIntermenstrualBleeding",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierIrregularHeartRhythmEvent",
          "target": [{ "equivalence": "unmatched", "comment": "A notification, not a diagnosis." }]
        },
        {
          "code": "HKCategoryTypeIdentifierIrregularMenstrualCycles",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierLactation",
          "target": [{
            "code": "63895-7",
            "display": "Breastfeeding status",
            "equivalence": "relatedto",
            "comment": "A period of lactation, not the answer to a question. Grove; plausible."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierLossOfSmell",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierLossOfTaste",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierLowCardioFitnessEvent",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierLowHeartRateEvent",
          "target": [{ "equivalence": "unmatched", "comment": "A notification, not a measured heart rate." }]
        },
        {
          "code": "HKCategoryTypeIdentifierLowerBackPain",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierMemoryLapse",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierMenstrualFlow",
          "target": [{ "equivalence": "unmatched", "comment": "3146-8 is menstrual status, not flow." }]
        },
        {
          "code": "HKCategoryTypeIdentifierMindfulSession",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierMoodChanges",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierNausea",
          "target": [{
            "code": "81660-3",
            "display": "Nausea [Presence]",
            "equivalence": "relatedto",
            "comment": "The term asks whether, Apple's value says how much. Grove, LOINC 2.83; plausible."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierNightSweats",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierOvulationTestResult",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierPelvicPain",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierPersistentIntermenstrualBleeding",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierPregnancy",
          "target": [{
            "code": "82810-3",
            "display": "Pregnancy status",
            "equivalence": "wider",
            "comment": "With the value LA15173-0 Pregnant, as in the IPS pregnancy status profile; the period is the pregnancy. Sure."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierPregnancyTestResult",
          "target": [{
            "code": "2106-3",
            "display": "Choriogonadotropin [Presence] in Urine",
            "equivalence": "narrower",
            "comment": "A home urine test is assumed. Grove; plausible."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierProgesteroneTestResult",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierProlongedMenstrualPeriods",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierRapidPoundingOrFlutteringHeartbeat",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierRunnyNose",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierSexualActivity",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierShortnessOfBreath",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierSinusCongestion",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierSkippedHeartbeat",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierSleepAnalysis",
          "target": [{
            "equivalence": "unmatched",
            "comment": "The sample is a stage with a period; LOINC's sleep terms (93829-0 to 93832-4, 103210-1, 103213-5) are durations, for derived totals only."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierSleepApneaEvent",
          "target": [{ "equivalence": "unmatched", "comment": "A notification, not a diagnosis or an index." }]
        },
        {
          "code": "HKCategoryTypeIdentifierSleepChanges",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierSoreThroat",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierToothbrushingEvent",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierVaginalDryness",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierVomiting",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKCategoryTypeIdentifierWheezing",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierActiveEnergyBurned",
          "target": [{
            "code": "41981-2",
            "display": "Calories burned",
            "equivalence": "wider",
            "comment": "The term says \"Calories burned\", so active and resting energy are told apart by Apple's code alone. HKOF, MS, mirobody, LOINC 2.83; plausible."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierAppleExerciseTime",
          "target": [{
            "equivalence": "unmatched",
            "comment": "Apple's own measure (brisk or above); 55411-3 is the duration of an exercise."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierAppleMoveTime",
          "target": [{ "equivalence": "unmatched", "comment": "Apple's own measure." }]
        },
        {
          "code": "HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances",
          "target": [{
            "equivalence": "unmatched",
            "comment": "Apple's own index; not an apnea-hypopnea index, so not 69990-0."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierAppleSleepingWristTemperature",
          "target": [{
            "code": "61008-9",
            "display": "Body surface temperature",
            "equivalence": "wider",
            "comment": "Skin temperature at the wrist; not 8310-5, which is body temperature. mirobody, Grove, LOINC 2.83; plausible."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierAppleStandTime",
          "target": [{
            "equivalence": "unmatched",
            "comment": "Samples are of a few minutes; 112425-4 is a day's total, and the scale of 112433-8 is Ord in LOINC 2.83, which no number of minutes has."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierAppleWalkingSteadiness",
          "target": [{ "equivalence": "unmatched", "comment": "Apple's own score." }]
        },
        {
          "code": "HKQuantityTypeIdentifierAtrialFibrillationBurden",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources; Apple reports 2 % for anything below." }]
        },
        {
          "code": "HKQuantityTypeIdentifierBasalBodyTemperature",
          "target": [{
            "equivalence": "unmatched",
            "comment": "LOINC 2.83 has no term for basal temperature; 8310-5 is broader."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBasalEnergyBurned",
          "target": [{
            "equivalence": "unmatched",
            "comment": "Resting energy must not merge with active energy (41981-2); 50042-1 is another quantity."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBloodAlcoholContent",
          "target": [{
            "equivalence": "unmatched",
            "comment": "Specimen and method are unknown (usually breath): 74859-0 asserts serum or plasma, 5640-8 blood."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBloodGlucose",
          "target": [
            {
              "code": "2339-0",
              "display": "Glucose [Mass/volume] in Blood",
              "equivalence": "relatedto",
              "comment": "Mass units. Specimen and method are not in HealthKit: 41653-7 would assert capillary blood and a glucometer, and sensors under the skin measure interstitial fluid. PHR IG, CardinalKit, Grove, mirobody, LOINC 2.83; sure.",
              "dependsOn": [{
                "property": "http://hl7.org/fhir/StructureDefinition/Quantity#Quantity.code",
                "system": "http://unitsofmeasure.org",
                "value": "mg/dL"
              }]
            },
            {
              "code": "15074-8",
              "display": "Glucose [Moles/volume] in Blood",
              "equivalence": "relatedto",
              "comment": "Molar units: the term's property must fit the unit; specimen as above. Grove, LOINC 2.83; sure.",
              "dependsOn": [{
                "property": "http://hl7.org/fhir/StructureDefinition/Quantity#Quantity.code",
                "system": "http://unitsofmeasure.org",
                "value": "mmol/L"
              }]
            }
          ]
        },
        {
          "code": "HKQuantityTypeIdentifierBloodPressureDiastolic",
          "target": [{
            "code": "8462-4",
            "display": "Diastolic blood pressure",
            "equivalence": "equivalent",
            "comment": "Component of the panel 85354-9. HKOF, MS, Grove, PHD, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBloodPressureSystolic",
          "target": [{
            "code": "8480-6",
            "display": "Systolic blood pressure",
            "equivalence": "equivalent",
            "comment": "Component of the panel 85354-9. HKOF, MS, Grove, PHD, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBodyFatPercentage",
          "target": [{
            "code": "41982-0",
            "display": "Percentage of body fat Measured",
            "equivalence": "narrower",
            "comment": "The term asserts that it was measured; Apple does not say. HKOF, Grove, PHR IG, mirobody, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBodyMass",
          "target": [{
            "code": "29463-7",
            "display": "Body weight",
            "equivalence": "equivalent",
            "comment": "HKOF, MS, Grove, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBodyMassIndex",
          "target": [{
            "code": "39156-5",
            "display": "Body mass index (BMI) [Ratio]",
            "equivalence": "equivalent",
            "comment": "HKOF, Grove, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBodyTemperature",
          "target": [{
            "code": "8310-5",
            "display": "Body temperature",
            "equivalence": "equivalent",
            "comment": "HKOF, MS, Grove, PHD, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierCrossCountrySkiingSpeed",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierCyclingCadence",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierCyclingFunctionalThresholdPower",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierCyclingPower",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierCyclingSpeed",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryBiotin",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81018-4 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryCaffeine",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 80490-6 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryCalcium",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 80975-6 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryCarbohydrates",
          "target": [{
            "code": "9060-5",
            "display": "Carbohydrate intake Measured",
            "equivalence": "narrower",
            "comment": "Property Mass; the term asserts a measured intake, Apple does not. Grove, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryChloride",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 80983-0 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryCholesterol",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81022-6 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryChromium",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81024-2 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryCopper",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81028-3 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryEnergyConsumed",
          "target": [{
            "code": "9052-2",
            "display": "Calorie intake total",
            "equivalence": "equivalent",
            "comment": "HKOF, MS, PHR IG, Grove, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryFatMonounsaturated",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81899-7 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryFatPolyunsaturated",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81036-6 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryFatSaturated",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81136-4 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryFatTotal",
          "target": [{
            "code": "9067-0",
            "display": "Fat intake Measured",
            "equivalence": "narrower",
            "comment": "The term asserts a measured intake, Apple does not. Grove, CardinalKit, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryFiber",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81057-2 is a 24-hour intake (for day totals only), LP203183-1 a LOINC Part and no code for an Observation."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryFolate",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81134-9 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryIodine",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81004-4 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryIron",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81083-8 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryMagnesium",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81006-9 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryManganese",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81008-5 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryMolybdenum",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81085-3 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryNiacin",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81067-1 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryPantothenicAcid",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81069-7 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryPhosphorus",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81946-6 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryPotassium",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81009-3 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryProtein",
          "target": [{
            "code": "9080-3",
            "display": "Protein intake Measured",
            "equivalence": "narrower",
            "comment": "The term asserts a measured intake, Apple does not. Grove, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryRiboflavin",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81071-3 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietarySelenium",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81086-1 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietarySodium",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81012-7 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietarySugar",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryThiamin",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81928-4 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryVitaminA",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81073-9 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryVitaminB12",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81063-0 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryVitaminB6",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81065-5 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryVitaminC",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81075-4 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryVitaminD",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81930-0 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryVitaminE",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81077-0 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryVitaminK",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81079-6 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryWater",
          "target": [{
            "code": "8985-4",
            "display": "Fluid intake Measured",
            "equivalence": "relatedto",
            "comment": "Fluid is broader than water, and the term asserts a measured intake. Grove, LOINC 2.83; plausible."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryZinc",
          "target": [{
            "equivalence": "unmatched",
            "comment": "No term for a single intake; 81088-7 is a 24-hour intake, for day totals only."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceCrossCountrySkiing",
          "target": [{
            "code": "103208-5",
            "display": "Distance traveled",
            "equivalence": "wider",
            "comment": "Any distance; how it was travelled is in Apple's code alone. Grove, LOINC 2.83; plausible."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceCycling",
          "target": [{
            "code": "93818-3",
            "display": "Cycling distance unspecified time",
            "equivalence": "equivalent",
            "comment": "PHR IG, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceDownhillSnowSports",
          "target": [{
            "code": "103208-5",
            "display": "Distance traveled",
            "equivalence": "wider",
            "comment": "Any distance; how it was travelled is in Apple's code alone. Grove, LOINC 2.83; plausible."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistancePaddleSports",
          "target": [{
            "code": "103208-5",
            "display": "Distance traveled",
            "equivalence": "wider",
            "comment": "Any distance; how it was travelled is in Apple's code alone. Grove, LOINC 2.83; plausible."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceRowing",
          "target": [{
            "code": "103208-5",
            "display": "Distance traveled",
            "equivalence": "wider",
            "comment": "Any distance; how it was travelled is in Apple's code alone. Grove, LOINC 2.83; plausible."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceSkatingSports",
          "target": [{
            "code": "103208-5",
            "display": "Distance traveled",
            "equivalence": "wider",
            "comment": "Any distance; how it was travelled is in Apple's code alone. Grove, LOINC 2.83; plausible."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceSwimming",
          "target": [{
            "code": "93816-7",
            "display": "Swimming distance unspecified time",
            "equivalence": "equivalent",
            "comment": "HKOF, PHR IG, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceWalkingRunning",
          "target": [
            {
              "code": "112427-0",
              "display": "Distance walking or running",
              "equivalence": "equivalent",
              "comment": "The exact term, LOINC 2.82 and later. mirobody, LOINC 2.83; sure."
            },
            {
              "code": "103208-5",
              "display": "Distance traveled",
              "equivalence": "wider",
              "comment": "For servers that do not know 112427-0 yet. Grove, LOINC 2.83; sure."
            }
          ]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceWheelchair",
          "target": [{
            "code": "103208-5",
            "display": "Distance traveled",
            "equivalence": "wider",
            "comment": "Any distance; how it was travelled is in Apple's code alone. Grove, LOINC 2.83; plausible."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierElectrodermalActivity",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierEnvironmentalAudioExposure",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierEnvironmentalSoundReduction",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierEstimatedWorkoutEffortScore",
          "target": [{ "equivalence": "unmatched", "comment": "Apple's own scale; 103223-4 is another one." }]
        },
        {
          "code": "HKQuantityTypeIdentifierFlightsClimbed",
          "target": [{
            "code": "100304-5",
            "display": "Flights climbed [#] Reporting Period",
            "equivalence": "equivalent",
            "comment": "HKOF, Grove, mirobody, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierForcedExpiratoryVolume1",
          "target": [{
            "code": "20150-9",
            "display": "FEV1",
            "equivalence": "equivalent",
            "comment": "HKOF, PHR IG, Grove, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierForcedVitalCapacity",
          "target": [{
            "code": "19870-5",
            "display": "Forced vital capacity [Volume] Respiratory system",
            "equivalence": "equivalent",
            "comment": "HKOF, PHR IG, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierHeadphoneAudioExposure",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierHeartRate",
          "target": [{
            "code": "8867-4",
            "display": "Heart rate",
            "equivalence": "equivalent",
            "comment": "The R4 heart rate profile pins this term. HKOF, MS, Grove, mirobody, LOINC 2.83, PHD; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierHeartRateRecoveryOneMinute",
          "target": [{ "equivalence": "unmatched", "comment": "A difference of two rates; 40442-6 is a rate." }]
        },
        {
          "code": "HKQuantityTypeIdentifierHeartRateVariabilitySDNN",
          "target": [
            {
              "code": "112429-6",
              "display": "Heart rate variability SDNN [Time]",
              "equivalence": "equivalent",
              "comment": "The exact term, LOINC 2.82 and later. Grove, mirobody, LOINC 2.83; sure."
            },
            {
              "code": "80404-7",
              "display": "R-R interval.standard deviation (Heart rate variability)",
              "equivalence": "wider",
              "comment": "For servers that do not know 112429-6 yet. HKOF, MS, CardinalKit, LOINC 2.83; sure."
            }
          ]
        },
        {
          "code": "HKQuantityTypeIdentifierHeight",
          "target": [{
            "code": "8302-2",
            "display": "Body height",
            "equivalence": "equivalent",
            "comment": "HKOF, MS, Grove, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierInhalerUsage",
          "target": [{ "equivalence": "unmatched", "comment": "82672-7 is a questionnaire item." }]
        },
        {
          "code": "HKQuantityTypeIdentifierInsulinDelivery",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources; a MedicationAdministration says more." }]
        },
        {
          "code": "HKQuantityTypeIdentifierLeanBodyMass",
          "target": [{
            "code": "91557-9",
            "display": "Lean body weight",
            "equivalence": "equivalent",
            "comment": "HKOF, Grove, PHR IG, mirobody, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierNikeFuel",
          "target": [{ "equivalence": "unmatched", "comment": "A vendor's index." }]
        },
        {
          "code": "HKQuantityTypeIdentifierNumberOfAlcoholicBeverages",
          "target": [{ "equivalence": "unmatched", "comment": "A count, not a daily rate; 74013-4 fits day totals only." }]
        },
        {
          "code": "HKQuantityTypeIdentifierNumberOfTimesFallen",
          "target": [{
            "equivalence": "unmatched",
            "comment": "A count; 91380-6 and 52552-7 ask about three months and a year."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierOxygenSaturation",
          "target": [
            {
              "code": "2708-6",
              "display": "Oxygen saturation in Arterial blood",
              "equivalence": "wider",
              "comment": "Required by the R4 oxygen saturation profile. MS, PHR IG, US Core, LOINC 2.83; sure."
            },
            {
              "code": "59408-5",
              "display": "Oxygen saturation in Arterial blood by Pulse oximetry",
              "equivalence": "equivalent",
              "comment": "HKOF, MS, US Core, LOINC 2.83; sure."
            }
          ]
        },
        {
          "code": "HKQuantityTypeIdentifierPaddleSportsSpeed",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierPeakExpiratoryFlowRate",
          "target": [{
            "code": "33452-4",
            "display": "Maximum expiratory gas flow Respiratory system airway",
            "equivalence": "equivalent",
            "comment": "Does not assert the instrument, unlike 19935-6. PHR IG, Grove, CardinalKit, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierPeripheralPerfusionIndex",
          "target": [{
            "code": "61006-3",
            "display": "Perfusion index Tissue by Pulse oximetry",
            "equivalence": "equivalent",
            "comment": "HKOF, Grove, mirobody, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierPhysicalEffort",
          "target": [{
            "code": "112426-2",
            "display": "Physical effort",
            "equivalence": "equivalent",
            "comment": "LOINC 2.82 and later, which gives kcal/(h.kg) as its unit. mirobody, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierPushCount",
          "target": [{
            "code": "96502-0",
            "display": "Number of wheelchair pushes per time period",
            "equivalence": "relatedto",
            "comment": "LOINC's example unit is a rate (/h); the sample is a count over its period. HKOF, Grove, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierRespiratoryRate",
          "target": [{
            "code": "9279-1",
            "display": "Respiratory rate",
            "equivalence": "equivalent",
            "comment": "HKOF, MS, Grove, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierRestingHeartRate",
          "target": [{
            "code": "40443-4",
            "display": "Heart rate --resting",
            "equivalence": "equivalent",
            "comment": "Not the heart rate profile's term 8867-4. HKOF, MS, Grove, PA IG, mirobody, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierRowingSpeed",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierRunningGroundContactTime",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierRunningPower",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierRunningSpeed",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierRunningStrideLength",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierRunningVerticalOscillation",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierSixMinuteWalkTestDistance",
          "target": [{
            "code": "64098-7",
            "display": "Six minute walk test",
            "equivalence": "relatedto",
            "comment": "Estimated by the watch over a week and capped at 500 m, not an administered test. PHR IG, Grove, mirobody, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierStairAscentSpeed",
          "target": [{
            "code": "112431-2",
            "display": "Stair ascent speed [Velocity]",
            "equivalence": "equivalent",
            "comment": "LOINC 2.82 and later. Grove, mirobody, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierStairDescentSpeed",
          "target": [{
            "code": "112430-4",
            "display": "Stair descent speed [Velocity]",
            "equivalence": "equivalent",
            "comment": "LOINC 2.82 and later. Grove, mirobody, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierStepCount",
          "target": [{
            "code": "55423-8",
            "display": "Number of steps in unspecified time Pedometer",
            "equivalence": "equivalent",
            "comment": "LOINC lists it as a number rate; the sample is a count over its period. HKOF, MS, PHR IG, CardinalKit, OMH, mirobody, LOINC 2.83; sure."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierSwimmingStrokeCount",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierTimeInDaylight",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierUVExposure",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierUnderwaterDepth",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierVO2Max",
          "target": [{
            "code": "94122-9",
            "display": "Oxygen consumption (VO2)/Body weight [Volume Rate Content] --peak during exercise",
            "equivalence": "relatedto",
            "comment": "Estimated by the watch; the term means a measured peak. mirobody, ABDM-IG example, LOINC 2.83; plausible."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierWaistCircumference",
          "target": [{
            "code": "8280-0",
            "display": "Waist Circumference at umbilicus by Tape measure",
            "equivalence": "narrower",
            "comment": "The term asserts umbilicus and tape measure, which Apple does not state. HKOF, CardinalKit, Grove, mirobody, LOINC 2.83; plausible."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierWalkingAsymmetryPercentage",
          "target": [{
            "equivalence": "unmatched",
            "comment": "The scale of 112432-0 is Ord and its property Prctl in LOINC 2.83, as if it were a rank; Apple's number is a share of steps."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierWalkingDoubleSupportPercentage",
          "target": [{
            "equivalence": "unmatched",
            "comment": "The property of 112434-6 is Prctl in LOINC 2.83, as if it were a rank; Apple's number is a share of the time."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierWalkingHeartRateAverage",
          "target": [{
            "equivalence": "unmatched",
            "comment": "89273-7 is the rate in an exercise challenge, not the mean while walking."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierWalkingSpeed",
          "target": [{ "equivalence": "unmatched", "comment": "No term for a moment; 41957-2 is a 24-hour mean." }]
        },
        {
          "code": "HKQuantityTypeIdentifierWalkingStepLength",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierWaterTemperature",
          "target": [{ "equivalence": "unmatched", "comment": "No term in the sources." }]
        },
        {
          "code": "HKQuantityTypeIdentifierWorkoutEffortScore",
          "target": [{ "equivalence": "unmatched", "comment": "Apple's own scale from 1 to 10; 103223-4 is another one." }]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "http://snomed.info/sct",
      "element": [
        {
          "code": "HKCategoryTypeIdentifierAbdominalCramps",
          "target": [{
            "equivalence": "unmatched",
            "comment": "51197009 in the PHR IG is of the stomach."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierAcne",
          "target": [{ "equivalence": "unmatched", "comment": "403364000 in the PHR IG is doubtful." }]
        },
        {
          "code": "HKCategoryTypeIdentifierAppetiteChanges",
          "target": [{
            "equivalence": "unmatched",
            "comment": "249473004 in the PHR IG is an altered appetite, and one of the values is no change."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierBladderIncontinence",
          "target": [{
            "code": "165232002",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierBloating",
          "target": [{
            "code": "116289008",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierBreastPain",
          "target": [{
            "code": "53430007",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierChestTightnessOrPain",
          "target": [{
            "equivalence": "unmatched",
            "comment": "23924001 in the PHR IG is tightness alone, and pain has a code of its own: severe pain would be tightness."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierChills",
          "target": [{
            "code": "43724002",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierConstipation",
          "target": [{
            "code": "14760008",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierCoughing",
          "target": [{
            "code": "49727002",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierDiarrhea",
          "target": [{
            "code": "62315008",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierDizziness",
          "target": [{
            "code": "404640003",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierDrySkin",
          "target": [{ "equivalence": "unmatched", "comment": "106076001 in the PHR IG is any finding of skin." }]
        },
        {
          "code": "HKCategoryTypeIdentifierFainting",
          "target": [{
            "code": "271594007",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierFatigue",
          "target": [{
            "code": "84229001",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierFever",
          "target": [{
            "code": "386661006",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierGeneralizedBodyAche",
          "target": [{ "equivalence": "unmatched", "comment": "22253000 in the PHR IG is pain in general." }]
        },
        {
          "code": "HKCategoryTypeIdentifierHairLoss",
          "target": [{
            "code": "278040002",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierHeadache",
          "target": [{
            "code": "25064002",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierHeartburn",
          "target": [{
            "code": "16331000",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierHotFlashes",
          "target": [{ "equivalence": "unmatched", "comment": "198436008 in the PHR IG is menopausal flushing only." }]
        },
        {
          "code": "HKCategoryTypeIdentifierLossOfSmell",
          "target": [{
            "code": "44169009",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierLossOfTaste",
          "target": [{
            "code": "36955009",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierLowerBackPain",
          "target": [{
            "code": "279039007",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierMemoryLapse",
          "target": [{ "equivalence": "unmatched", "comment": "225038006 in the PHR IG could not be verified." }]
        },
        {
          "code": "HKCategoryTypeIdentifierMoodChanges",
          "target": [{
            "code": "106131003",
            "equivalence": "wider",
            "comment": "Any finding of mood. PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierNausea",
          "target": [{
            "code": "422587007",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierNightSweats",
          "target": [{
            "code": "42984000",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierPelvicPain",
          "target": [{
            "code": "30473006",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierRapidPoundingOrFlutteringHeartbeat",
          "target": [{
            "code": "80313002",
            "equivalence": "wider",
            "comment": "Palpitations. PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierRunnyNose",
          "target": [{
            "code": "64531003",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierShortnessOfBreath",
          "target": [{
            "code": "267036007",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierSinusCongestion",
          "target": [{
            "code": "68235000",
            "equivalence": "relatedto",
            "comment": "Nasal congestion. PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierSkippedHeartbeat",
          "target": [{
            "equivalence": "unmatched",
            "comment": "80313002 (palpitations) in the PHR IG is its code for a rapid heartbeat too, so that the two could not be told apart."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierSleepAnalysis",
          "target": [{
            "code": "258158006",
            "display": "Sleep, function",
            "equivalence": "wider",
            "comment": "PHR IG, Open mHealth; plausible."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierSleepChanges",
          "target": [{ "equivalence": "unmatched", "comment": "247950007 in the PHR IG could not be verified." }]
        },
        {
          "code": "HKCategoryTypeIdentifierSoreThroat",
          "target": [{
            "code": "267102003",
            "equivalence": "equivalent",
            "comment": "May be inactive in recent SNOMED CT editions. PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierVaginalDryness",
          "target": [{
            "code": "31908003",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierVomiting",
          "target": [{
            "code": "300359004",
            "equivalence": "wider",
            "comment": "A broad finding. PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierWheezing",
          "target": [{
            "code": "56018004",
            "equivalence": "equivalent",
            "comment": "PHR IG; plausible, not looked up in a SNOMED CT release."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBloodPressureSystolic",
          "target": [{ "code": "271649006", "equivalence": "equivalent", "comment": "Seen in a public FHIR mapping; sure." }]
        },
        {
          "code": "HKQuantityTypeIdentifierBodyMass",
          "target": [{ "code": "27113001", "equivalence": "equivalent", "comment": "Seen in a public FHIR mapping; sure." }]
        }
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "http://terminology.hl7.org/CodeSystem/observation-category",
      "element": [
        {
          "code": "HKCategoryTypeIdentifierAbdominalCramps",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierAcne",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierAppetiteChanges",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierAppleStandHour",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierAppleWalkingSteadinessEvent",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierAudioExposureEvent",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierBladderIncontinence",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierBleedingAfterPregnancy",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierBleedingDuringPregnancy",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierBloating",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierBreastPain",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierCervicalMucusQuality",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierChestTightnessOrPain",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierChills",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierConstipation",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierContraceptive",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierCoughing",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierDiarrhea",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierDizziness",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierDrySkin",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierFainting",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierFatigue",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierFever",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierGeneralizedBodyAche",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierHairLoss",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierHandwashingEvent",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierHeadache",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierHeadphoneAudioExposureEvent",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierHeartburn",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierHighHeartRateEvent",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierHotFlashes",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierHypertensionEvent",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierInfrequentMenstrualCycles",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierIntermenstrualBleeding",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierIrregularHeartRhythmEvent",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierIrregularMenstrualCycles",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierLactation",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierLossOfSmell",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierLossOfTaste",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierLowCardioFitnessEvent",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierLowHeartRateEvent",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierLowerBackPain",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierMemoryLapse",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierMenstrualFlow",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierMindfulSession",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierMoodChanges",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierNausea",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierNightSweats",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierOvulationTestResult",
          "target": [{
            "code": "laboratory",
            "display": "Laboratory",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierPelvicPain",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierPersistentIntermenstrualBleeding",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierPregnancy",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierPregnancyTestResult",
          "target": [{
            "code": "laboratory",
            "display": "Laboratory",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierProgesteroneTestResult",
          "target": [{
            "code": "laboratory",
            "display": "Laboratory",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierProlongedMenstrualPeriods",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierRapidPoundingOrFlutteringHeartbeat",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierRunnyNose",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierSexualActivity",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierShortnessOfBreath",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierSinusCongestion",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierSkippedHeartbeat",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierSleepAnalysis",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierSleepApneaEvent",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierSleepChanges",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierSoreThroat",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierToothbrushingEvent",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierVaginalDryness",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierVomiting",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKCategoryTypeIdentifierWheezing",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: the person reports it; the PHR IG says social-history."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierActiveEnergyBurned",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierAppleExerciseTime",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierAppleMoveTime",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierAppleSleepingWristTemperature",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierAppleStandTime",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierAppleWalkingSteadiness",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierAtrialFibrillationBurden",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBasalBodyTemperature",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBasalEnergyBurned",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBloodAlcoholContent",
          "target": [{
            "code": "laboratory",
            "display": "Laboratory",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBloodGlucose",
          "target": [{
            "code": "laboratory",
            "display": "Laboratory",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBloodPressureDiastolic",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Required by http://hl7.org/fhir/StructureDefinition/bp."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBloodPressureSystolic",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Required by http://hl7.org/fhir/StructureDefinition/bp."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBodyFatPercentage",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBodyMass",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Required by http://hl7.org/fhir/StructureDefinition/bodyweight."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBodyMassIndex",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Required by http://hl7.org/fhir/StructureDefinition/bmi."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierBodyTemperature",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Required by http://hl7.org/fhir/StructureDefinition/bodytemp."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierCrossCountrySkiingSpeed",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierCyclingCadence",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierCyclingFunctionalThresholdPower",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierCyclingPower",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierCyclingSpeed",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryBiotin",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryCaffeine",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryCalcium",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryCarbohydrates",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryChloride",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryCholesterol",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryChromium",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryCopper",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryEnergyConsumed",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryFatMonounsaturated",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryFatPolyunsaturated",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryFatSaturated",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryFatTotal",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryFiber",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryFolate",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryIodine",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryIron",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryMagnesium",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryManganese",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryMolybdenum",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryNiacin",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryPantothenicAcid",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryPhosphorus",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryPotassium",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryProtein",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryRiboflavin",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietarySelenium",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietarySodium",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietarySugar",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryThiamin",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryVitaminA",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryVitaminB12",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryVitaminB6",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryVitaminC",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryVitaminD",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryVitaminE",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryVitaminK",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryWater",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDietaryZinc",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: what the person eats and drinks is a habit."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceCrossCountrySkiing",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceCycling",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceDownhillSnowSports",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistancePaddleSports",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceRowing",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceSkatingSports",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceSwimming",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceWalkingRunning",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierDistanceWheelchair",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierElectrodermalActivity",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierEnvironmentalAudioExposure",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierEnvironmentalSoundReduction",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierEstimatedWorkoutEffortScore",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierFlightsClimbed",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierForcedExpiratoryVolume1",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierForcedVitalCapacity",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierHeadphoneAudioExposure",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierHeartRate",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Required by http://hl7.org/fhir/StructureDefinition/heartrate."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierHeartRateRecoveryOneMinute",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierHeartRateVariabilitySDNN",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierHeight",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Required by http://hl7.org/fhir/StructureDefinition/bodyheight."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierInhalerUsage",
          "target": [{
            "code": "therapy",
            "display": "Therapy",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: a treatment that the person takes."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierInsulinDelivery",
          "target": [{
            "code": "therapy",
            "display": "Therapy",
            "equivalence": "wider",
            "comment": "Chosen here, the sources leave it open: a treatment that the person takes."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierLeanBodyMass",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierNikeFuel",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierNumberOfAlcoholicBeverages",
          "target": [{
            "code": "social-history",
            "display": "Social History",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierNumberOfTimesFallen",
          "target": [{
            "code": "survey",
            "display": "Survey",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierOxygenSaturation",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Required by http://hl7.org/fhir/StructureDefinition/oxygensat."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierPaddleSportsSpeed",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierPeakExpiratoryFlowRate",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierPeripheralPerfusionIndex",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierPhysicalEffort",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierPushCount",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierRespiratoryRate",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Required by http://hl7.org/fhir/StructureDefinition/resprate."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierRestingHeartRate",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierRowingSpeed",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierRunningGroundContactTime",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierRunningPower",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierRunningSpeed",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierRunningStrideLength",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierRunningVerticalOscillation",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierSixMinuteWalkTestDistance",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierStairAscentSpeed",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierStairDescentSpeed",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierStepCount",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierSwimmingStrokeCount",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierTimeInDaylight",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierUVExposure",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierUnderwaterDepth",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierVO2Max",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierWaistCircumference",
          "target": [{
            "code": "exam",
            "display": "Exam",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierWalkingAsymmetryPercentage",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierWalkingDoubleSupportPercentage",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierWalkingHeartRateAverage",
          "target": [{
            "code": "vital-signs",
            "display": "Vital Signs",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierWalkingSpeed",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierWalkingStepLength",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierWaterTemperature",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        },
        {
          "code": "HKQuantityTypeIdentifierWorkoutEffortScore",
          "target": [{
            "code": "activity",
            "display": "Activity",
            "equivalence": "wider",
            "comment": "Chosen here: no profile prescribes it."
          }]
        }
      ]
    }
  ]
}

"""#

private let conceptMapHealthkitUnits: StaticString = #"""
{
  "resourceType": "ConceptMap",
  "id": "healthkit-units",
  "url": "urn:uuid:ec6e5c64-3692-49f5-8ff3-b1661c04b620",
  "version": "12",
  "name": "HealthKitUnitsToUCUM",
  "title": "HealthKit units to UCUM",
  "status": "active",
  "experimental": false,
  "publisher": "pghd",
  "description": "Which UCUM code and which label a quantity gets for the unit in export.xml. The code of a target goes to Quantity.code, its display to Quantity.unit. A target that depends on Observation.code applies to that HealthKit type only and wins over the one that does not. What stands between < and > in Apple's spelling (a molar mass) is left out here.",
  "copyright": "UCUM is copyright © Regenstrief Institute, Inc., all rights reserved; its terms of use are at https://ucum.org/license.",
  "group": [{
    "source": "https://developer.apple.com/documentation/healthkit/hkunit",
    "target": "http://unitsofmeasure.org",
    "element": [
      {
        "code": "%",
        "target": [{
          "code": "%",
          "display": "%",
          "equivalence": "equivalent",
          "comment": "Apple writes a fraction from 0 to 1: the value is multiplied by 100."
        }]
      },
      {
        "code": "Cal",
        "target": [{ "code": "kcal", "display": "kcal", "equivalence": "equivalent", "comment": "Apple's large calorie." }]
      },
      {
        "code": "Hz",
        "target": [{ "code": "Hz", "display": "Hz", "equivalence": "equivalent", "comment": "Audiograms." }]
      },
      { "code": "IU", "target": [{ "code": "[iU]", "display": "IU", "equivalence": "equivalent" }] },
      { "code": "J", "target": [{ "code": "J", "display": "J", "equivalence": "equivalent" }] },
      { "code": "K", "target": [{ "code": "K", "display": "K", "equivalence": "equivalent" }] },
      { "code": "L", "target": [{ "code": "L", "display": "L", "equivalence": "equivalent" }] },
      { "code": "L/min", "target": [{ "code": "L/min", "display": "L/min", "equivalence": "equivalent" }] },
      { "code": "L/s", "target": [{ "code": "L/s", "display": "L/s", "equivalence": "equivalent" }] },
      { "code": "Pa", "target": [{ "code": "Pa", "display": "Pa", "equivalence": "equivalent" }] },
      { "code": "S", "target": [{ "code": "S", "display": "S", "equivalence": "equivalent" }] },
      { "code": "W", "target": [{ "code": "W", "display": "W", "equivalence": "equivalent" }] },
      {
        "code": "appleEffortScore",
        "target": [{ "code": "{score}", "display": "effort score", "equivalence": "equivalent" }]
      },
      { "code": "atm", "target": [{ "code": "atm", "display": "atm", "equivalence": "equivalent" }] },
      {
        "code": "cal",
        "target": [{
          "code": "cal",
          "display": "cal",
          "equivalence": "equivalent",
          "comment": "The small calorie, a thousandth of Cal."
        }]
      },
      { "code": "cm", "target": [{ "code": "cm", "display": "cm", "equivalence": "equivalent" }] },
      { "code": "cmAq", "target": [{ "code": "cm[H2O]", "display": "cmH2O", "equivalence": "equivalent" }] },
      {
        "code": "count",
        "target": [
          {
            "code": "1",
            "display": "count",
            "equivalence": "equivalent",
            "comment": "A type that is not listed below."
          },
          {
            "code": "/h",
            "display": "disturbances/hour",
            "equivalence": "equivalent",
            "comment": "Apple writes count for a rate: disturbances in an hour of sleep. Grove, mirobody; plausible, Apple's page does not say.",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances"
            }]
          },
          {
            "code": "kg/m2",
            "display": "kg/m²",
            "equivalence": "equivalent",
            "comment": "Apple writes count.",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierBodyMassIndex"
            }]
          },
          {
            "code": "{flights}",
            "display": "flights",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierFlightsClimbed"
            }]
          },
          {
            "code": "{puff}",
            "display": "puffs",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierInhalerUsage"
            }]
          },
          {
            "code": "{NikeFuel}",
            "display": "NikeFuel",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierNikeFuel"
            }]
          },
          {
            "code": "{drink}",
            "display": "drinks",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierNumberOfAlcoholicBeverages"
            }]
          },
          {
            "code": "{fall}",
            "display": "falls",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierNumberOfTimesFallen"
            }]
          },
          {
            "code": "{pushes}",
            "display": "pushes",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierPushCount"
            }]
          },
          {
            "code": "{steps}",
            "display": "steps",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierStepCount"
            }]
          },
          {
            "code": "{strokes}",
            "display": "strokes",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierSwimmingStrokeCount"
            }]
          },
          {
            "code": "{uv_index}",
            "display": "UV index",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierUVExposure"
            }]
          }
        ]
      },
      {
        "code": "count/hr",
        "target": [
          {
            "code": "/h",
            "display": "per hour",
            "equivalence": "equivalent",
            "comment": "A type that is not listed below."
          },
          {
            "code": "/h",
            "display": "disturbances/hour",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances"
            }]
          }
        ]
      },
      {
        "code": "count/min",
        "target": [
          {
            "code": "/min",
            "display": "per minute",
            "equivalence": "equivalent",
            "comment": "A type that is not listed below."
          },
          {
            "code": "/min",
            "display": "revolutions/minute",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierCyclingCadence"
            }]
          },
          {
            "code": "/min",
            "display": "beats/minute",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierHeartRate"
            }]
          },
          {
            "code": "/min",
            "display": "beats/minute",
            "equivalence": "equivalent",
            "comment": "A difference of two rates.",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierHeartRateRecoveryOneMinute"
            }]
          },
          {
            "code": "/min",
            "display": "breaths/minute",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierRespiratoryRate"
            }]
          },
          {
            "code": "/min",
            "display": "beats/minute",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierRestingHeartRate"
            }]
          },
          {
            "code": "/min",
            "display": "beats/minute",
            "equivalence": "equivalent",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierWalkingHeartRateAverage"
            }]
          }
        ]
      },
      { "code": "count/s", "target": [{ "code": "/s", "display": "per second", "equivalence": "equivalent" }] },
      {
        "code": "cup_imp",
        "target": [{
          "code": "10.[foz_br]",
          "display": "cup (imperial)",
          "equivalence": "equivalent",
          "comment": "UCUM has no imperial cup; it is ten fluid ounces."
        }]
      },
      { "code": "cup_us", "target": [{ "code": "[cup_us]", "display": "cup (US)", "equivalence": "equivalent" }] },
      { "code": "d", "target": [{ "code": "d", "display": "d", "equivalence": "equivalent" }] },
      {
        "code": "dBASPL",
        "target": [
          {
            "code": "dB[SPL]",
            "display": "dB(A) SPL",
            "equivalence": "wider",
            "comment": "UCUM cannot say A-weighted; the label does."
          },
          {
            "code": "dB",
            "display": "dB",
            "equivalence": "equivalent",
            "comment": "A difference of two levels, so no reference level.",
            "dependsOn": [{
              "property": "http://hl7.org/fhir/StructureDefinition/Observation#Observation.code",
              "system": "http://developer.apple.com/documentation/healthkit",
              "value": "HKQuantityTypeIdentifierEnvironmentalSoundReduction"
            }]
          }
        ]
      },
      {
        "code": "dBHL",
        "target": [{
          "code": "dB",
          "display": "dB HL",
          "equivalence": "wider",
          "comment": "Audiograms; UCUM cannot say hearing level, the label does."
        }]
      },
      { "code": "dL", "target": [{ "code": "dL", "display": "dL", "equivalence": "equivalent" }] },
      { "code": "degC", "target": [{ "code": "Cel", "display": "°C", "equivalence": "equivalent" }] },
      { "code": "degF", "target": [{ "code": "[degF]", "display": "°F", "equivalence": "equivalent" }] },
      {
        "code": "fl_oz_imp",
        "target": [{ "code": "[foz_br]", "display": "fl oz (imperial)", "equivalence": "equivalent" }]
      },
      {
        "code": "fl_oz_us",
        "target": [{ "code": "[foz_us]", "display": "fl oz (US)", "equivalence": "equivalent" }]
      },
      { "code": "ft", "target": [{ "code": "[ft_i]", "display": "ft", "equivalence": "equivalent" }] },
      { "code": "ft/s", "target": [{ "code": "[ft_i]/s", "display": "ft/s", "equivalence": "equivalent" }] },
      { "code": "g", "target": [{ "code": "g", "display": "g", "equivalence": "equivalent" }] },
      { "code": "hr", "target": [{ "code": "h", "display": "h", "equivalence": "equivalent" }] },
      { "code": "hPa", "target": [{ "code": "hPa", "display": "hPa", "equivalence": "equivalent" }] },
      { "code": "in", "target": [{ "code": "[in_i]", "display": "in", "equivalence": "equivalent" }] },
      { "code": "inHg", "target": [{ "code": "[in_i'Hg]", "display": "inHg", "equivalence": "equivalent" }] },
      { "code": "kJ", "target": [{ "code": "kJ", "display": "kJ", "equivalence": "equivalent" }] },
      { "code": "kPa", "target": [{ "code": "kPa", "display": "kPa", "equivalence": "equivalent" }] },
      { "code": "kcal", "target": [{ "code": "kcal", "display": "kcal", "equivalence": "equivalent" }] },
      { "code": "kcal/hr", "target": [{ "code": "kcal/h", "display": "kcal/h", "equivalence": "equivalent" }] },
      {
        "code": "kcal/hr·kg",
        "target": [{
          "code": "kcal/(h.kg)",
          "display": "kcal/(h·kg)",
          "equivalence": "equivalent",
          "comment": "a/b·c means a/(b·c) in HealthKit."
        }]
      },
      { "code": "kg", "target": [{ "code": "kg", "display": "kg", "equivalence": "equivalent" }] },
      { "code": "km", "target": [{ "code": "km", "display": "km", "equivalence": "equivalent" }] },
      { "code": "km/hr", "target": [{ "code": "km/h", "display": "km/h", "equivalence": "equivalent" }] },
      { "code": "lb", "target": [{ "code": "[lb_av]", "display": "lb", "equivalence": "equivalent" }] },
      { "code": "lx", "target": [{ "code": "lx", "display": "lx", "equivalence": "equivalent" }] },
      { "code": "m", "target": [{ "code": "m", "display": "m", "equivalence": "equivalent" }] },
      { "code": "m/s", "target": [{ "code": "m/s", "display": "m/s", "equivalence": "equivalent" }] },
      { "code": "mL", "target": [{ "code": "mL", "display": "mL", "equivalence": "equivalent" }] },
      {
        "code": "mL/min·kg",
        "target": [{
          "code": "mL/min/kg",
          "display": "mL/(min·kg)",
          "equivalence": "equivalent",
          "comment": "a/b·c means a/(b·c) in HealthKit."
        }]
      },
      { "code": "mcS", "target": [{ "code": "uS", "display": "µS", "equivalence": "equivalent" }] },
      {
        "code": "mcg",
        "target": [{ "code": "ug", "display": "mcg", "equivalence": "equivalent", "comment": "UCUM has no mcg." }]
      },
      { "code": "mg", "target": [{ "code": "mg", "display": "mg", "equivalence": "equivalent" }] },
      { "code": "mg/dL", "target": [{ "code": "mg/dL", "display": "mg/dL", "equivalence": "equivalent" }] },
      { "code": "mi", "target": [{ "code": "[mi_i]", "display": "mi", "equivalence": "equivalent" }] },
      { "code": "mi/hr", "target": [{ "code": "[mi_i]/h", "display": "mi/h", "equivalence": "equivalent" }] },
      { "code": "min", "target": [{ "code": "min", "display": "min", "equivalence": "equivalent" }] },
      { "code": "mm", "target": [{ "code": "mm", "display": "mm", "equivalence": "equivalent" }] },
      { "code": "mmHg", "target": [{ "code": "mm[Hg]", "display": "mmHg", "equivalence": "equivalent" }] },
      {
        "code": "mmol/L",
        "target": [{
          "code": "mmol/L",
          "display": "mmol/L",
          "equivalence": "equivalent",
          "comment": "Apple writes the molar mass inside: mmol<180.1558800000541>/L."
        }]
      },
      { "code": "ms", "target": [{ "code": "ms", "display": "ms", "equivalence": "equivalent" }] },
      { "code": "oz", "target": [{ "code": "[oz_av]", "display": "oz", "equivalence": "equivalent" }] },
      {
        "code": "pt_imp",
        "target": [{ "code": "[pt_br]", "display": "pt (imperial)", "equivalence": "equivalent" }]
      },
      { "code": "pt_us", "target": [{ "code": "[pt_us]", "display": "pt (US)", "equivalence": "equivalent" }] },
      {
        "code": "rpm",
        "target": [{ "code": "/min", "display": "revolutions/minute", "equivalence": "equivalent" }]
      },
      { "code": "s", "target": [{ "code": "s", "display": "s", "equivalence": "equivalent" }] },
      { "code": "st", "target": [{ "code": "[stone_av]", "display": "st", "equivalence": "equivalent" }] },
      { "code": "yd", "target": [{ "code": "[yd_i]", "display": "yd", "equivalence": "equivalent" }] }
    ]
  }]
}

"""#

private let conceptMapHealthkitWorkouts: StaticString = #"""
{
  "resourceType": "ConceptMap",
  "id": "healthkit-workouts",
  "url": "urn:uuid:2775193d-3187-45cd-9275-4c8cb74e1c00",
  "version": "12",
  "name": "HealthKitWorkoutsToCodes",
  "title": "HealthKit workouts to codes",
  "status": "active",
  "experimental": false,
  "publisher": "pghd",
  "description": "Which codes the activity and the events of a workout get. Export.xml writes the name of a case of HKWorkoutActivityType or HKWorkoutEventType; the code is the raw number in the system of that enumeration, its display the words of the case. Before the activity stands LOINC's answer to 73985-4 (list LL734-5) where there is one.",
  "copyright": "This content includes LOINC (http://loinc.org). LOINC is copyright © Regenstrief Institute, Inc. and the Logical Observation Identifiers Names and Codes (LOINC) Committee and is available at no cost under the license at https://loinc.org/license. LOINC® is a registered United States trademark of Regenstrief Institute, Inc.",
  "group": [
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "http://loinc.org",
      "element": [
        {"code": "HKWorkoutActivityTypeCrossTraining", "target": [{"code": "LA11840-8", "display": "Mixed", "equivalence": "inexact", "comment": "The nearest answer of LL734-5; the list has none of its own."}]},
        {"code": "HKWorkoutActivityTypeCycling", "target": [{"code": "LA11837-4", "display": "Bicycling", "equivalence": "equivalent", "comment": "An answer of LL734-5, the list of 73985-4 in LOINC 2.83, which the PA IG uses; sure."}]},
        {"code": "HKWorkoutActivityTypeFunctionalStrengthTraining", "target": [{"code": "LA11839-0", "display": "Weights", "equivalence": "inexact", "comment": "The nearest answer of LL734-5; the list has none of its own."}]},
        {"code": "HKWorkoutActivityTypeMixedMetabolicCardioTraining", "target": [{"code": "LA11840-8", "display": "Mixed", "equivalence": "inexact", "comment": "The nearest answer of LL734-5; the list has none of its own."}]},
        {"code": "HKWorkoutActivityTypeRunning", "target": [{"code": "LA11836-6", "display": "Running", "equivalence": "equivalent", "comment": "An answer of LL734-5, the list of 73985-4 in LOINC 2.83, which the PA IG uses; sure."}]},
        {"code": "HKWorkoutActivityTypeSwimming", "target": [{"code": "LA11838-2", "display": "Swimming", "equivalence": "equivalent", "comment": "An answer of LL734-5, the list of 73985-4 in LOINC 2.83, which the PA IG uses; sure."}]},
        {"code": "HKWorkoutActivityTypeTraditionalStrengthTraining", "target": [{"code": "LA11839-0", "display": "Weights", "equivalence": "equivalent", "comment": "An answer of LL734-5, the list of 73985-4 in LOINC 2.83, which the PA IG uses; sure."}]},
        {"code": "HKWorkoutActivityTypeWalking", "target": [{"code": "LA11834-1", "display": "Walking", "equivalence": "equivalent", "comment": "An answer of LL734-5, the list of 73985-4 in LOINC 2.83, which the PA IG uses; sure."}]},
        {"code": "HKWorkoutActivityTypeMixedCardio", "target": [{"code": "LA11840-8", "display": "Mixed", "equivalence": "inexact", "comment": "The nearest answer of LL734-5; the list has none of its own."}]},
        {"code": "HKWorkoutActivityTypeSwimBikeRun", "target": [{"code": "LA11840-8", "display": "Mixed", "equivalence": "wider", "comment": "LL734-5 has no triathlon; Mixed is any mix of sports."}]}
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkworkoutactivitytype",
      "element": [
        {"code": "HKWorkoutActivityTypeAmericanFootball", "target": [{"code": "1", "display": "American Football", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeArchery", "target": [{"code": "2", "display": "Archery", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeAustralianFootball", "target": [{"code": "3", "display": "Australian Football", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeBadminton", "target": [{"code": "4", "display": "Badminton", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeBaseball", "target": [{"code": "5", "display": "Baseball", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeBasketball", "target": [{"code": "6", "display": "Basketball", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeBowling", "target": [{"code": "7", "display": "Bowling", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeBoxing", "target": [{"code": "8", "display": "Boxing", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeClimbing", "target": [{"code": "9", "display": "Climbing", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeCricket", "target": [{"code": "10", "display": "Cricket", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeCrossTraining", "target": [{"code": "11", "display": "Cross Training", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeCurling", "target": [{"code": "12", "display": "Curling", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeCycling", "target": [{"code": "13", "display": "Cycling", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeDance", "target": [{"code": "14", "display": "Dance", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeDanceInspiredTraining", "target": [{"code": "15", "display": "Dance Inspired Training", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeElliptical", "target": [{"code": "16", "display": "Elliptical", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeEquestrianSports", "target": [{"code": "17", "display": "Equestrian Sports", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeFencing", "target": [{"code": "18", "display": "Fencing", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeFishing", "target": [{"code": "19", "display": "Fishing", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeFunctionalStrengthTraining", "target": [{"code": "20", "display": "Functional Strength Training", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeGolf", "target": [{"code": "21", "display": "Golf", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeGymnastics", "target": [{"code": "22", "display": "Gymnastics", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeHandball", "target": [{"code": "23", "display": "Handball", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeHiking", "target": [{"code": "24", "display": "Hiking", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeHockey", "target": [{"code": "25", "display": "Hockey", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeHunting", "target": [{"code": "26", "display": "Hunting", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeLacrosse", "target": [{"code": "27", "display": "Lacrosse", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeMartialArts", "target": [{"code": "28", "display": "Martial Arts", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeMindAndBody", "target": [{"code": "29", "display": "Mind And Body", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeMixedMetabolicCardioTraining", "target": [{"code": "30", "display": "Mixed Metabolic Cardio Training", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypePaddleSports", "target": [{"code": "31", "display": "Paddle Sports", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypePlay", "target": [{"code": "32", "display": "Play", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypePreparationAndRecovery", "target": [{"code": "33", "display": "Preparation And Recovery", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeRacquetball", "target": [{"code": "34", "display": "Racquetball", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeRowing", "target": [{"code": "35", "display": "Rowing", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeRugby", "target": [{"code": "36", "display": "Rugby", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeRunning", "target": [{"code": "37", "display": "Running", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeSailing", "target": [{"code": "38", "display": "Sailing", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeSkatingSports", "target": [{"code": "39", "display": "Skating Sports", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeSnowSports", "target": [{"code": "40", "display": "Snow Sports", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeSoccer", "target": [{"code": "41", "display": "Soccer", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeSoftball", "target": [{"code": "42", "display": "Softball", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeSquash", "target": [{"code": "43", "display": "Squash", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeStairClimbing", "target": [{"code": "44", "display": "Stair Climbing", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeSurfingSports", "target": [{"code": "45", "display": "Surfing Sports", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeSwimming", "target": [{"code": "46", "display": "Swimming", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeTableTennis", "target": [{"code": "47", "display": "Table Tennis", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeTennis", "target": [{"code": "48", "display": "Tennis", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeTrackAndField", "target": [{"code": "49", "display": "Track And Field", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeTraditionalStrengthTraining", "target": [{"code": "50", "display": "Traditional Strength Training", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeVolleyball", "target": [{"code": "51", "display": "Volleyball", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeWalking", "target": [{"code": "52", "display": "Walking", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeWaterFitness", "target": [{"code": "53", "display": "Water Fitness", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeWaterPolo", "target": [{"code": "54", "display": "Water Polo", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeWaterSports", "target": [{"code": "55", "display": "Water Sports", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeWrestling", "target": [{"code": "56", "display": "Wrestling", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeYoga", "target": [{"code": "57", "display": "Yoga", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeBarre", "target": [{"code": "58", "display": "Barre", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeCoreTraining", "target": [{"code": "59", "display": "Core Training", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeCrossCountrySkiing", "target": [{"code": "60", "display": "Cross Country Skiing", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeDownhillSkiing", "target": [{"code": "61", "display": "Downhill Skiing", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeFlexibility", "target": [{"code": "62", "display": "Flexibility", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeHighIntensityIntervalTraining", "target": [{"code": "63", "display": "High Intensity Interval Training", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeJumpRope", "target": [{"code": "64", "display": "Jump Rope", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeKickboxing", "target": [{"code": "65", "display": "Kickboxing", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypePilates", "target": [{"code": "66", "display": "Pilates", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeSnowboarding", "target": [{"code": "67", "display": "Snowboarding", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeStairs", "target": [{"code": "68", "display": "Stairs", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeStepTraining", "target": [{"code": "69", "display": "Step Training", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeWheelchairWalkPace", "target": [{"code": "70", "display": "Wheelchair Walk Pace", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeWheelchairRunPace", "target": [{"code": "71", "display": "Wheelchair Run Pace", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeTaiChi", "target": [{"code": "72", "display": "Tai Chi", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeMixedCardio", "target": [{"code": "73", "display": "Mixed Cardio", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeHandCycling", "target": [{"code": "74", "display": "Hand Cycling", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeDiscSports", "target": [{"code": "75", "display": "Disc Sports", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeFitnessGaming", "target": [{"code": "76", "display": "Fitness Gaming", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeCardioDance", "target": [{"code": "77", "display": "Cardio Dance", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeSocialDance", "target": [{"code": "78", "display": "Social Dance", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypePickleball", "target": [{"code": "79", "display": "Pickleball", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeCooldown", "target": [{"code": "80", "display": "Cooldown", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeSwimBikeRun", "target": [{"code": "82", "display": "Swim Bike Run", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeTransition", "target": [{"code": "83", "display": "Transition", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeUnderwaterDiving", "target": [{"code": "84", "display": "Underwater Diving", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutActivityTypeOther", "target": [{"code": "3000", "display": "Other", "equivalence": "equivalent"}]}
      ]
    },
    {
      "source": "http://developer.apple.com/documentation/healthkit",
      "target": "https://developer.apple.com/documentation/healthkit/hkworkouteventtype",
      "element": [
        {"code": "HKWorkoutEventTypePause", "target": [{"code": "1", "display": "pause", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutEventTypeResume", "target": [{"code": "2", "display": "resume", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutEventTypeLap", "target": [{"code": "3", "display": "lap", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutEventTypeMarker", "target": [{"code": "4", "display": "marker", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutEventTypeMotionPaused", "target": [{"code": "5", "display": "motion paused", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutEventTypeMotionResumed", "target": [{"code": "6", "display": "motion resumed", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutEventTypeSegment", "target": [{"code": "7", "display": "segment", "equivalence": "equivalent"}]},
        {"code": "HKWorkoutEventTypePauseOrResumeRequest", "target": [{"code": "8", "display": "pause or resume request", "equivalence": "equivalent"}]}
      ]
    }
  ]
}

"""#
