import FHIRR4
import Testing

@testable import HealthKitMapping

/// The table of docs/formats.md, "Canonical units".
///
/// The expected values were worked out by hand or with Python's fractions.
struct CanonicalUnitTests {
    @Test(arguments: [
        // One value for each unit, so that a changed factor is noticed.
        ("1", "g", "1"), ("1", "kg", "1000"), ("1", "mg", "0.001"), ("1", "mcg", "0.000001"), ("1", "lb", "453.59"),
        ("1", "oz", "28.35"), ("1", "st", "6350.3"), ("1", "m", "1"), ("1", "km", "1000"), ("1", "cm", "0.01"),
        ("1", "mm", "0.001"), ("1", "in", "0.0254"), ("1", "ft", "0.3048"), ("1", "yd", "0.9144"),
        ("1", "mi", "1609.3"), ("1", "L", "1"), ("1", "mL", "0.001"), ("1", "fl_oz_us", "0.029574"),
        ("1", "fl_oz_imp", "0.028413"), ("1", "cup_us", "0.23659"), ("1", "cup_imp", "0.28413"),
        ("1", "pt_us", "0.47318"), ("1", "pt_imp", "0.56826"), ("1", "J", "1"), ("1", "kJ", "1000"),
        ("1", "cal", "4.184"), ("1", "kcal", "4184"), ("1", "Cal", "4184"), ("1", "s", "1"), ("1", "ms", "0.001"),
        ("1", "min", "60"), ("1", "hr", "3600"), ("1", "d", "86400"), ("1", "Pa", "1"), ("1", "hPa", "100"),
        ("1", "kPa", "1000"), ("1", "mmHg", "133.32"), ("1", "cmAq", "98.066"), ("1", "atm", "101320"),
        ("1", "degC", "1"), ("212", "degF", "100"), ("-40", "degF", "-40"), ("0", "degF", "-17.778"),
        ("310.15", "K", "37"), ("0", "K", "-273.15"), ("1", "m/s", "1"), ("36", "km/hr", "10"),
        ("1", "km/hr", "0.27778"), ("1", "mi/hr", "0.44704"), ("1", "ft/s", "0.3048"), ("1", "W", "1"),
        ("1", "kcal/hr", "1.1622"), ("1", "count/min", "1"), ("1", "count/s", "60"), ("1", "count/hr", "0.016667"),
        ("1", "rpm", "1"), ("1", "L/min", "1"), ("1", "L/s", "60"), ("1", "mg/dL", "1"), ("1", "mmol/L", "18.016"),
        ("1", "mmol<180.1558800000541>/L", "18.016"), ("1", "S", "1"), ("1", "mcS", "0.000001"), ("1", "count", "1"),
        ("1", "%", "1"), ("1", "IU", "1"), ("1", "dBASPL", "1"), ("1", "dBHL", "1"), ("1", "mL/min·kg", "1"),
        ("1", "kcal/hr·kg", "1"), ("1", "appleEffortScore", "1"),
    ])
    func `a unit keeps its factor for ever`(_ value: String, _ unit: String, _ canonical: String) throws {
        #expect(try Self.canonical(value, unit) == canonical)
    }

    @Test(arguments: [
        ("81.1875", "kg", "81188"), ("178.98779911134747", "lb", "81188"), ("81.18749999999999", "kg", "81188"),
        ("81.1874", "kg", "81187"), ("65.4375", "kg", "65438"), ("144.26499281722926", "lb", "65438"),
        ("70.3125", "g", "70.312"), ("70.31250000000001", "g", "70.312"), ("70.3125001", "g", "70.313"),
        ("99999.5", "g", "100000"), ("99998.5", "g", "99998"), ("0.000123455", "g", "0.00012346"),
        ("1234567", "g", "1234600"), ("-3.00005", "g", "-3"), ("-3.000051", "g", "-3.0001"),
    ])
    func `values are rounded to 12 digits and then to 5, half to even`(
        _ value: String,
        _ unit: String,
        _ canonical: String
    ) throws {
        #expect(try Self.canonical(value, unit) == canonical)
    }

    @Test(arguments: [
        // Just above and just below a tie at 12 digits, by less than the 18th digit.
        ("178.9855944888358683", "lb", "81187"), ("178.9855944888358682", "lb", "81186"),
        ("81186.50000005000001", "g", "81187"), ("81186.50000005", "g", "81186"),
        // The addend is not lost next to a number of any size, nor the number next to the addend.
        ("1.000149999995e40", "K", "10001" + String(repeating: "0", count: 36)),
        ("1.000149999995e40", "degC", "10002" + String(repeating: "0", count: 36)), ("1e-300", "K", "-273.15"),
        ("0.0000000000000000000000000000000000000001", "degF", "-17.778"),
    ])
    func `canonical values are exact before they are rounded`(
        _ value: String,
        _ unit: String,
        _ canonical: String
    ) throws {
        #expect(try Self.canonical(value, unit) == canonical)
    }

    @Test(arguments: [
        "", "Kg", "KG", "lbs", "furlong", "kg ", "\u{212A}", "mL/min\u{387}kg", "mmol/L ", "<>", "mg/dl", "°C",
    ])
    func `a unit spelled with other bytes has no conversion rule`(_ unit: String) {
        #expect(CanonicalUnit.rule(for: unit) == nil)
    }

    private static func canonical(_ value: String, _ unit: String) throws -> String {
        let bytes = Array(value.utf8)
        let number = try #require(unsafe bytes.withUnsafeBytes { unsafe ExactDecimal($0) })
        return try #require(CanonicalUnit.rule(for: unit)).canonical(number).text
    }
}
