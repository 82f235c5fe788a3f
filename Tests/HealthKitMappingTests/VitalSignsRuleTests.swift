import Foundation
@testable import HealthKitMapping
import TestSupport
import Testing

/// R4's vital signs profiles, <https://hl7.org/fhir/R4/observation-vitalsigns.html>: their codes and units.
struct VitalSignsRuleTests {
    @Test(arguments: [
        VitalSign("HeartRate", "72", "count/min", "heartrate", "8867-4", "72", "/min"),
        VitalSign("RespiratoryRate", "14.50", "count/min", "resprate", "9279-1", "14.50", "/min"),
        VitalSign("OxygenSaturation", "0.97", "%", "oxygensat", "2708-6", "97", "%"),
        VitalSign("BodyTemperature", "36.60", "degC", "bodytemp", "8310-5", "36.60", "Cel"),
        VitalSign("BodyTemperature", "98.2", "degF", "bodytemp", "8310-5", "98.2", "[degF]"),
        VitalSign("BodyTemperature", "310.15", "K", "bodytemp", "8310-5", "37.00", "Cel"),
        VitalSign("Height", "171.0", "cm", "bodyheight", "8302-2", "171.0", "cm"),
        VitalSign("Height", "1.71", "m", "bodyheight", "8302-2", "171", "cm"),
        VitalSign("Height", "67.3", "in", "bodyheight", "8302-2", "67.3", "[in_i]"),
        VitalSign("Height", "5.75", "ft", "bodyheight", "8302-2", "175.26", "cm"),
        VitalSign("BodyMass", "70.30", "kg", "bodyweight", "29463-7", "70.30", "kg"),
        VitalSign("BodyMass", "70300", "g", "bodyweight", "29463-7", "70300", "g"),
        VitalSign("BodyMass", "155", "lb", "bodyweight", "29463-7", "155", "[lb_av]"),
        VitalSign("Height", "5.57743", "ft", "bodyheight", "8302-2", "170", "cm"),
        VitalSign("Height", "5.33333", "ft", "bodyheight", "8302-2", "162.56", "cm"),
        VitalSign("Height", "5.577427821522309", "ft", "bodyheight", "8302-2", "170", "cm"),
        VitalSign("Height", "5.1234567", "ft", "bodyheight", "8302-2", "156.16296", "cm"),
        VitalSign("BodyMass", "11", "st", "bodyweight", "29463-7", "69.8532", "kg"),
        VitalSign("BodyMass", "16", "oz", "bodyweight", "29463-7", "0.453592", "kg"),
        VitalSign("BodyMassIndex", "24.04", "count", "bmi", "39156-5", "24.04", "kg/m2"),
    ])
    func `a vital sign claims its profile, with its code and an allowed unit`(_ sign: VitalSign) throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifier" + sign.type, value: sign.value, unit: sign.unit))
        let profile = "http://hl7.org/fhir/StructureDefinition/\(sign.profile)"
        #expect(mapped.json.contains("\"meta\":{\"profile\":[\"\(profile)\",\"\(ProfileURL.quantity)\"]}"))
        #expect(mapped.json.contains("{\"system\":\"http://loinc.org\",\"code\":\"\(sign.loinc)\""))
        #expect(mapped.json.contains("\"valueQuantity\":{\"value\":\(sign.number),"))
        #expect(mapped.json.contains("\"system\":\"http://unitsofmeasure.org\",\"code\":\"\(sign.ucum)\"}"))
        #expect(mapped.json.contains("observation-category\",\"code\":\"vital-signs\""))
    }

    @Test(arguments: [
        Reading("HeartRate", "1.2", "count/s"), Reading("HeartRate", "72", "Hz"), Reading("HeartRate", "72", nil),
        Reading("HeartRate", "72", ""), Reading("RespiratoryRate", "14", "count/hr"),
        Reading("BodyTemperature", "36.6", "°C"), Reading("Height", "1710", "mm"), Reading("BodyMass", "5", "slug"),
        Reading("OxygenSaturation", "97", "count"), Reading("BodyMassIndex", "24", "kg"),
        Reading("HeartRate", "fast", "count/min"), Reading("HeartRate", "", "count/min"),
        Reading("BodyMass", nil, "kg"),
    ])
    func `without a number in an allowed unit neither profile nor LOINC code is claimed`(_ reading: Reading) throws {
        let type = "HKQuantityTypeIdentifier" + reading.type
        let mapped = try mapOne(record(type, value: reading.value, unit: reading.unit))
        #expect(mapped.json.contains("\"meta\":{\"profile\":[\"\(ProfileURL.quantity)\"]}"))
        #expect(!mapped.json.contains("http://loinc.org"))
        #expect(mapped.json.contains("\"code\":\"\(type)\""))
    }

    @Test func `oxygen saturation has the pulse oximeter's code after the profile's`() throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifierOxygenSaturation", value: "0.97", unit: "%"))
        let first = try #require(mapped.json.range(of: "2708-6"))
        let second = try #require(mapped.json.range(of: "59408-5"))
        #expect(first.lowerBound < second.lowerBound)
    }

    @Test(arguments: [
        ("mg/dL", "2339-0", "mg/dL"), ("mmol&lt;180.1558800000541&gt;/L", "15074-8", "mmol/L"),
        ("mmol/L", "15074-8", "mmol/L"),
    ])
    func `glucose has the LOINC code for its kind of unit`(_ unit: String, _ loinc: String, _ ucum: String) throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifierBloodGlucose", value: "5.3", unit: unit))
        #expect(mapped.json.contains("\"code\":\"\(loinc)\""))
        #expect(mapped.json.contains("\"code\":\"\(ucum)\"}"))
        #expect(mapped.json.components(separatedBy: "http://loinc.org").count == 2)
    }

    @Test func `glucose in another unit has no LOINC code`() throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifierBloodGlucose", value: "0.95", unit: "g/L"))
        #expect(!mapped.json.contains("http://loinc.org"))
        #expect(mapped.json.contains("\"valueQuantity\":{\"value\":0.95,\"unit\":\"g/L\"}"))
    }
}

/// A vital sign as Apple writes it, and what R4's profile requires of it.
struct VitalSign: CustomTestStringConvertible {
    var type, value, unit, profile, loinc, number, ucum: String

    init(
        _ type: String,
        _ value: String,
        _ unit: String,
        _ profile: String,
        _ loinc: String,
        _ number: String,
        _ ucum: String
    ) {
        (self.type, self.value, self.unit) = (type, value, unit)
        (self.profile, self.loinc, self.number, self.ucum) = (profile, loinc, number, ucum)
    }

    var testDescription: String { "\(type) \(value) \(unit) → \(number) \(ucum)" }
}

/// A value that satisfies no vital-signs profile.
struct Reading: CustomTestStringConvertible {
    var type: String
    var value: String?
    var unit: String?

    init(_ type: String, _ value: String?, _ unit: String?) { (self.type, self.value, self.unit) = (type, value, unit) }

    var testDescription: String { "\(type) \(value ?? "without value") \(unit ?? "without unit")" }
}
