import FHIRR4
import TestSupport
import Testing

@testable import HealthKitMapping

/// The traps that converters of Apple's export fall into, each by its name.
struct ConverterTrapTests {
    @Test(arguments: [
        ("BodyFatPercentage", "0.97", "97"), ("OxygenSaturation", "0.97", "97"),
        ("PeripheralPerfusionIndex", "0.097", "9.7"), ("BloodAlcoholContent", "0.00097", "0.097"),
        ("WalkingAsymmetryPercentage", "0.97", "97"), ("WalkingDoubleSupportPercentage", "0.97", "97"),
        ("AtrialFibrillationBurden", "0.97", "97"),
    ])
    func `trap 1: a percentage in a Record is a fraction`(
        _ type: String,
        _ fraction: String,
        _ percentage: String
    ) throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifier" + type, value: fraction, unit: "%"))
        #expect(mapped.json.contains("\"valueQuantity\":{\"value\":\(percentage),\"unit\":\"%\""))
        // An app that wrote 97 meant something else: the number is written, but not as a coded percentage.
        let suspect = try mapOne(record("HKQuantityTypeIdentifier" + type, value: "97", unit: "%"))
        #expect(suspect.json.contains("\"valueQuantity\":{\"value\":97,\"unit\":\"%\"}"))
    }

    /// A small percentage that an app wrote as such would pass for a fraction below the usual ceiling.
    @Test func `trap 1: each type in percent has its own ceiling`() throws {
        let types = try MappingTable.embedded().types.filter { $0.appleUnits.contains("%") }.map(\.identifier)
        #expect(FractionCeiling.types == Set(types))
    }

    @Test(arguments: [("6900 %", "69"), ("56 %", "56")])
    func `trap 2: a percentage in metadata is one, and humidity may be scaled twice`(_ text: String, _ value: String)
        throws
    {
        let mapped = try mapOne(record(metadata: [("HKWeatherHumidity", text)]))
        #expect(mapped.json.contains("\"valueQuantity\":{\"value\":\(value),\"unit\":\"%\""))
    }

    @Test(arguments: [("Cal", "kcal"), ("kcal", "kcal"), ("kJ", "kJ"), ("cal", "cal")])
    func `trap 3: a capital Cal is a kilocalorie`(_ unit: String, _ code: String) throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifierActiveEnergyBurned", value: "10", unit: unit))
        #expect(mapped.json.contains("\"system\":\"http://unitsofmeasure.org\",\"code\":\"\(code)\"}"))
    }

    @Test(arguments: [("mmol&lt;180.1558800000541&gt;/L", "15074-8", "mmol/L"), ("mg/dL", "2339-0", "mg/dL")])
    func `trap 4: glucose has its molar mass in its unit, and a LOINC code for each kind of unit`(
        _ unit: String,
        _ loinc: String,
        _ code: String
    ) throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifierBloodGlucose", value: "5.5", unit: unit))
        #expect(mapped.json.contains("\"code\":\"\(loinc)\""))
        #expect(mapped.json.contains("\"code\":\"\(code)\"}"))
    }

    @Test(arguments: [
        ("VO2Max", "mL/min·kg", "mL/min/kg"), ("PhysicalEffort", "kcal/hr·kg", "kcal/(h.kg)"),
    ])
    func `trap 5: a dot in a unit multiplies below the slash`(_ type: String, _ unit: String, _ code: String) throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifier" + type, value: "4", unit: unit))
        let ucum = mapped.value("valueQuantity") ?? ""
        #expect(
            [code, code.replacing("/(h.kg)", with: "/h/kg"), "kcal/kg/h"].contains {
                ucum.contains("\"code\":\"\($0)\"")
            }
        )
    }

    @Test(arguments: [
        ("BodyMassIndex", "count", "kg/m2"), ("HeartRate", "count/min", "/min"), ("BodyMass", "lb", "[lb_av]"),
        ("DistanceWalkingRunning", "ft", "[ft_i]"), ("DietaryWater", "fl_oz_us", "[foz_us]"),
        ("InsulinDelivery", "IU", "[iU]"), ("DietaryVitaminA", "mcg", "ug"), ("StepCount", "count", "{steps}"),
    ])
    func `trap 6: Apple's units are not UCUM`(_ type: String, _ unit: String, _ code: String) throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifier" + type, value: "20", unit: unit))
        #expect(mapped.json.contains("\"code\":\"\(code)\"}"))
    }

    @Test func `trap 8: a sleep stage has had two names, and is not a duration`() throws {
        let old = try mapOne(category("SleepAnalysis", "HKCategoryValueSleepAnalysisAsleep"))
        let new = try mapOne(category("SleepAnalysis", "HKCategoryValueSleepAnalysisAsleepUnspecified"))
        #expect(old.id == new.id)
        #expect(!new.json.contains("93832-4"))
        #expect(new.json.contains("\"valueCodeableConcept\""))
    }

    @Test func `trap 9: the offset is that of the day of export, so times are written as instants`() throws {
        let winter = try mapOne(record(start: "2024-06-01 07:00:00 +0000"))
        let summer = try mapOne(record(start: "2024-06-01 08:00:00 +0100"))
        #expect(winter.json == summer.json)
        #expect(winter.json.contains("\"effectiveDateTime\":\"2024-06-01T07:00:00Z\""))
    }

    @Test func `trap 10: there is no UUID, and the device's pointer is not one`() throws {
        func device(_ pointer: String) -> String {
            "&lt;&lt;HKDevice: \(pointer)&gt;, name:Watch, hardware:Watch6,2&gt;"
        }
        let one = try mapOne(record(device: device("0x283336ee0")))
        let other = try mapOne(record(device: device("0x1")))
        #expect(one.id == other.id)
        #expect(one.json == other.json)
        #expect(one.id != (try mapOne(record(value: "61", device: device("0x1")))).id)
    }

    @Test(arguments: [
        ("AppleStandHour", "HKCategoryValueAppleStandHourStood", "0", "stood"),
        ("SleepChanges", "HKCategoryValuePresencePresent", "0", "present"),
        ("SleepChanges", "HKCategoryValuePresenceNotPresent", "1", "not present"),
        ("Headache", "HKCategoryValueSeverityNotPresent", "1", "not present"),
        ("MenstrualFlow", "HKCategoryValueVaginalBleedingLight", "2", "light"),
    ])
    func `trap 11: values are names, and their numbers are not what one would guess`(
        _ type: String,
        _ name: String,
        _ number: String,
        _ words: String
    ) throws {
        let mapped = try mapOne(category(type, name))
        #expect(mapped.json.contains("\"code\":\"\(number)\",\"display\":\"\(words)\""))
        // Some programs write the numbers instead.
        #expect(mapped.id == (try mapOne(category(type, number))).id)
    }
}
