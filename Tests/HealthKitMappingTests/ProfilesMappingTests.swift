import FHIRR4
import HealthKitMapping
import TestSupport
import Testing

struct `Mapping table` {
    let table: MappingTable

    init() throws { table = try .embedded() }

    @Test func `all 120 quantity and 70 category identifiers are known`() {
        #expect(HealthKitIdentifiers.quantity.count == 120)
        #expect(HealthKitIdentifiers.category.count == 70)
        for identifier in HealthKitIdentifiers.quantity {
            #expect(table.type(identifier)?.kind == .quantity, "\(identifier)")
        }
        for identifier in HealthKitIdentifiers.category {
            #expect(table.type(identifier)?.kind == .category, "\(identifier)")
        }
        let known = Set(table.types.map(\.identifier)).union(table.aliases.keys)
        #expect(known == Set(HealthKitIdentifiers.quantity + HealthKitIdentifiers.category))
    }

    @Test func `types are sorted, and an unknown one is not found`() {
        #expect(table.types.map(\.identifier) == table.types.map(\.identifier).sorted())
        #expect(table.type("HKQuantityTypeIdentifierShoeSize") == nil)
        #expect(table.version == "19")
    }

    @Test func `the audio event's constant name is an alias of the name that exports use`() {
        let alias = table.type("HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent")
        #expect(alias?.identifier == "HKCategoryTypeIdentifierAudioExposureEvent")
    }

    @Test(arguments: [
        CodeCase("HeartRate", "vital-signs", "8867-4"),
        CodeCase("OxygenSaturation", "vital-signs", "2708-6", "59408-5"),
        CodeCase("HeartRateVariabilitySDNN", "vital-signs", "112429-6", "80404-7"),
        CodeCase("DistanceWalkingRunning", "activity", "112427-0", "103208-5"),
        CodeCase("BloodPressureSystolic", "vital-signs", "8480-6", "271649006"),
        CodeCase("BloodPressureDiastolic", "vital-signs", "8462-4"),
        CodeCase("DietaryBiotin", "social-history"),
        CodeCase("InsulinDelivery", "therapy"),
        CodeCase("InhalerUsage", "therapy"),
        CodeCase("BloodAlcoholContent", "laboratory"),
        CodeCase("VO2Max", "exam", "94122-9"),
        CodeCase("NikeFuel", "activity"),
    ])
    func `a type has its standard codes in order and one category`(_ expected: CodeCase) throws {
        let type = try #require(table.type("HKQuantityTypeIdentifier" + expected.name))
        #expect(type.codings(ucumCode: nil).map(\.code) == expected.codes)
        #expect(type.category == expected.category)
    }

    @Test func `blood glucose without a unit has no standard code`() {
        #expect(table.type("HKQuantityTypeIdentifierBloodGlucose")?.codings(ucumCode: nil) == [])
    }

    @Test func `a coding carries system and display`() {
        let pregnancy = table.type("HKCategoryTypeIdentifierPregnancy")
        #expect(
            pregnancy?.codings(ucumCode: nil) == [
                Coding(system: "http://loinc.org", code: "82810-3", display: "Pregnancy status")
            ]
        )
    }

    @Test(arguments: [
        ValueCase("Headache", "HKCategoryValueSeverityMild", "mild", "255604002", "hkcategoryvalueseverity|2"),
        ValueCase("Headache", "0", "present, severity unspecified", "52101004", "hkcategoryvalueseverity|0"),
        ValueCase("Headache", "1", "not present", "2667000", "hkcategoryvalueseverity|1"),
        ValueCase(
            "SleepAnalysis",
            "HKCategoryValueSleepAnalysisAsleepREM",
            "asleep, REM",
            "hkcategoryvaluesleepanalysis|5"
        ),
        ValueCase("SleepAnalysis", "5", "asleep, REM", "hkcategoryvaluesleepanalysis|5"),
        ValueCase(
            "SleepAnalysis",
            "HKCategoryValueSleepAnalysisAsleep",
            "asleep, stage unspecified",
            "hkcategoryvaluesleepanalysis|1"
        ),
        ValueCase("MoodChanges", "0", "present", "52101004", "hkcategoryvaluepresence|0"),
        ValueCase("SleepChanges", "1", "not present", "2667000", "hkcategoryvaluepresence|1"),
        ValueCase("PregnancyTestResult", "2", "positive", "10828004", "hkcategoryvaluepregnancytestresult|2"),
        ValueCase("ProgesteroneTestResult", "1", "negative", "260385009", "hkcategoryvalueprogesteronetestresult|1"),
        ValueCase("OvulationTestResult", "3", "indeterminate", "82334004", "hkcategoryvalueovulationtestresult|3"),
        ValueCase("AppleStandHour", "0", "stood", "hkcategoryvalueapplestandhour|0"),
        ValueCase(
            "MenstrualFlow",
            "HKCategoryValueVaginalBleedingHeavy",
            "heavy",
            "hkcategoryvaluevaginalbleeding|4"
        ),
        ValueCase("MenstrualFlow", "HKCategoryValueMenstrualFlowHeavy", "heavy", "hkcategoryvaluevaginalbleeding|4"),
        ValueCase("MenstrualFlow", "4", "heavy", "hkcategoryvaluevaginalbleeding|4"),
        ValueCase(
            "AudioExposureEvent",
            "HKCategoryValueAudioExposureEventLoudEnvironment",
            "loud environment",
            "hkcategoryvalueaudioexposureevent|1"
        ),
        ValueCase("AudioExposureEvent", "1", "momentary limit", "hkcategoryvalueenvironmentalaudioexposureevent|1"),
        ValueCase(
            "OvulationTestResult",
            "HKCategoryValueOvulationTestResultPositive",
            "luteinizing hormone surge",
            "hkcategoryvalueovulationtestresult|2"
        ),
        ValueCase("Pregnancy", "HKCategoryValueNotApplicable", "Pregnant", "LA15173-0"),
        ValueCase("Pregnancy", "", "Pregnant", "LA15173-0"),
        ValueCase("Lactation", "HKCategoryValueNotApplicable", "Currently breastfeeding", "LA29252-6"),
        ValueCase("HighHeartRateEvent", "", "not applicable", "hkcategoryvalue|0"),
    ])
    func `a category value is read by name and by number`(_ expected: ValueCase) throws {
        let type = try #require(table.type("HKCategoryTypeIdentifier" + expected.type))
        let value = try #require(type.value(expected.value))
        #expect(value.text == expected.text)
        let enumerations = "https://developer.apple.com/documentation/healthkit/"
        let codes = value.codings.map { coding in
            coding.system.hasPrefix(enumerations)
                ? "\(coding.system.dropFirst(enumerations.count))|\(coding.code)" : coding.code
        }
        #expect(codes == expected.codes)
    }

    @Test func `an unknown value or number has no meaning`() {
        let sleep = table.type("HKCategoryTypeIdentifierSleepAnalysis")
        #expect(sleep?.value("HKCategoryValueSleepAnalysisDreaming") == nil)
        #expect(sleep?.value("6") == nil)
        #expect(sleep?.value("") == nil)
    }

    @Test func `events are the types without a value, except pregnancy and lactation`() {
        let events = table.types.filter(\.isEvent).map { $0.identifier.dropFirst("HKCategoryTypeIdentifier".count) }
        #expect(
            events == [
                "HandwashingEvent", "HighHeartRateEvent", "HypertensionEvent", "InfrequentMenstrualCycles",
                "IntermenstrualBleeding", "IrregularHeartRhythmEvent", "IrregularMenstrualCycles", "LowHeartRateEvent",
                "MindfulSession", "PersistentIntermenstrualBleeding", "ProlongedMenstrualPeriods",
                "SexualActivity", "SleepApneaEvent", "ToothbrushingEvent",
            ]
        )
    }

    @Test func `every category type that is not an event has a known value`() {
        for type in table.types where type.kind == .category && !type.isEvent {
            // Each of Apple's enumerations has a case 1, and Pregnancy has a meaning without a value.
            #expect(type.value("1") ?? type.value("") != nil, "\(type.identifier)")
        }
    }
}

/// A quantity type's expected category and standard codes.
struct CodeCase: CustomTestStringConvertible {
    let name: String
    let category: String
    let codes: [String]

    init(_ name: String, _ category: String, _ codes: String...) {
        (self.name, self.category, self.codes) = (name, category, codes)
    }

    var testDescription: String { "\(name) → \(codes)" }
}

/// A category type's value with its expected words and codes.
struct ValueCase: CustomTestStringConvertible {
    let type: String
    let value: String
    let text: String
    let codes: [String]

    init(_ type: String, _ value: String, _ text: String, _ codes: String...) {
        (self.type, self.value, self.text, self.codes) = (type, value, text, codes)
    }

    var testDescription: String { "\(type) \(value) → \(text)" }
}
