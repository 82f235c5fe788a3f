import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// What reference bounds in the metadata become: docs/metadata.md.
struct ReferenceRangeTests {
    static func low(_ value: String, _ unit: String, code: String) -> String {
        "\"referenceRange\":[{\"low\":{\"value\":\(value),\"unit\":\"\(unit)\",\"system\":\"http://unitsofmeasure.org\","
            + "\"code\":\"\(code)\"}}]"
    }

    @Test(arguments: [
        // A bound without a unit has the value's unit, so Apple's fractions become percentages there too.
        ("OxygenSaturation", "0.97", "%", "0.95", low("95", "%", code: "%")),
        ("OxygenSaturation", "0.97", "%", "0.950", low("95.0", "%", code: "%")),
        ("BodyFatPercentage", "0.21", "%", "0.12", low("12", "%", code: "%")),
        ("BloodGlucose", "90", "mg/dL", "70.50", low("70.50", "mg/dL", code: "mg/dL")),
        // Percentages in metadata are percentages, but no oxygen saturation is below 1.5 %.
        ("OxygenSaturation", "0.97", "%", "95 %", low("95", "%", code: "%")),
        ("OxygenSaturation", "0.97", "%", "0.95 %", low("95", "%", code: "%")),
        ("BloodAlcoholContent", "0.0004", "%", "0.05 %", low("0.05", "%", code: "%")),
        ("BloodAlcoholContent", "0.0004", "%", "0.0008", low("0.08", "%", code: "%")),
        // A bound above its type's ceiling is not a fraction either.
        ("BloodAlcoholContent", "0.0004", "%", "0.08", low("0.08", "%", code: "%")),
        ("PeripheralPerfusionIndex", "0.02", "%", "1.2", low("1.2", "%", code: "%")),
        // If the value is converted, so is its range.
        ("Height", "5.577427821522309", "ft", "5 ft", low("152.4", "cm", code: "cm")),
        ("Height", "1.70", "m", "1.6 m", low("160", "cm", code: "cm")),
        ("Height", "1.70", "m", "1.5", low("150", "cm", code: "cm")),
        ("BodyTemperature", "310.15", "K", "309.15 K", low("36.00", "°C", code: "Cel")),
        ("BodyMass", "11", "st", "10 st", low("63.5029", "kg", code: "kg")),
        // A bound that has the unit in which the value is written stays as it is.
        ("Height", "1.70", "m", "150 cm", low("150", "cm", code: "cm")),
        ("HeartRate", "60", "count/min", "50 count/min", low("50", "beats/minute", code: "/min")),
    ])
    func `a reference range is converted with its value`(
        _ type: String,
        _ value: String,
        _ unit: String,
        _ bound: String,
        _ wanted: String
    ) throws {
        let plain = record("HKQuantityTypeIdentifier" + type, value: value, unit: unit)
        let ranged = record(
            "HKQuantityTypeIdentifier" + type,
            value: value,
            unit: unit,
            metadata: [("HKReferenceRangeLowerLimit", bound)]
        )
        // The same entry for another value must not be used for this one.
        let other = record(value: "60", unit: "count/min", metadata: [("HKReferenceRangeLowerLimit", bound)])
        let mapped = try map(other + plain + ranged)
        #expect(mapped[2].json.contains(wanted), "\(mapped[2].json)")
        #expect(mapped[2].id == mapped[1].id)
    }

    /// 105 mg/dL next to an upper limit of 7.8 looks high if only the numbers are compared.
    @Test(arguments: [
        ("BloodGlucose", "105", "mg/dL", "7.8 mmol<180.1558800000541>/L"),
        ("BloodGlucose", "105", "mg/dL", "7.8 mmol/L"),
        ("BodyTemperature", "37", "degC", "99.5 degF"), ("HeartRate", "60", "count/min", "50 Hz"),
        ("HeartRate", "60", "count/min", "50 furlong"), ("EnvironmentalSoundReduction", "20", "dBASPL", "10 dBHL"),
    ])
    func `a bound in another unit than the value's is not a reference range`(
        _ type: String,
        _ value: String,
        _ unit: String,
        _ bound: String
    ) throws {
        let entry = ("HKReferenceRangeUpperLimit", bound.replacing("<", with: "&lt;").replacing(">", with: "&gt;"))
        let mapped = try mapOne(
            record("HKQuantityTypeIdentifier" + type, value: value, unit: unit, metadata: [entry])
        )
        #expect(!mapped.json.contains("referenceRange"))
        #expect(mapped.json.contains("\"HKReferenceRangeUpperLimit\""))
    }

    /// Some apps have written 97 for 0.97, and their bounds in either form.
    @Test(arguments: [
        ("OxygenSaturation", "97", "100", "100"), ("OxygenSaturation", "97", "0.95", "95"),
        ("OxygenSaturation", "97", "0.95 %", "95"), ("OxygenSaturation", "97", "95 %", "95"),
        ("BodyFatPercentage", "25", "0.3", "30"), ("BodyFatPercentage", "25", "0.3 %", "0.3"),
    ])
    func `next to a value that is not a fraction a bound is still a percentage`(
        _ type: String,
        _ value: String,
        _ bound: String,
        _ wanted: String
    ) throws {
        let ranged = record(
            "HKQuantityTypeIdentifier" + type,
            value: value,
            unit: "%",
            metadata: [("HKReferenceRangeUpperLimit", bound)]
        )
        let json = try mapOne(ranged).json
        #expect(json.contains("\"referenceRange\":[{\"high\":{\"value\":\(wanted),\"unit\":\"%\"}}]"))
    }
}
