import FHIRR4
import Testing

@testable import HealthKitMapping

/// The table of docs/formats.md, "Canonical units".
///
/// The expected values were worked out by hand or with Python's fractions.
struct CanonicalUnitTests {
    @Test(arguments: [
        // One value for each unit, so that a changed factor is noticed.
        ("1", "g", "1"), ("1", "kg", "1000"), ("1", "mg", "0.001"), ("1", "mcg", "0.000001"), ("1", "lb", "453.59237"),
        ("1", "oz", "28.349523125"), ("1", "st", "6350.29318"), ("1", "m", "1"), ("1", "km", "1000"),
        ("1", "cm", "0.01"), ("1", "mm", "0.001"), ("1", "in", "0.0254"), ("1", "ft", "0.3048"), ("1", "yd", "0.9144"),
        ("1", "mi", "1609.344"), ("1", "L", "1"), ("1", "mL", "0.001"), ("1", "fl_oz_us", "0.0295735295625"),
        ("1", "fl_oz_imp", "0.0284130625"), ("1", "cup_us", "0.2365882365"), ("1", "cup_imp", "0.284130625"),
        ("1", "pt_us", "0.473176473"), ("1", "pt_imp", "0.56826125"), ("1", "J", "1"), ("1", "kJ", "1000"),
        ("1", "cal", "4.184"), ("1", "kcal", "4184"), ("1", "Cal", "4184"), ("1", "s", "1"), ("1", "ms", "0.001"),
        ("1", "min", "60"), ("1", "hr", "3600"), ("1", "d", "86400"), ("1", "Pa", "1"), ("1", "hPa", "100"),
        ("1", "kPa", "1000"), ("1", "mmHg", "133.322387415"), ("1", "cmAq", "98.0665"), ("1", "atm", "101325"),
        ("1", "degC", "1"), ("212", "degF", "100"), ("-40", "degF", "-40"), ("0", "degF", "-17.7777777777777778"),
        ("310.15", "K", "37"), ("0", "K", "-273.15"), ("1", "m/s", "1"), ("36", "km/hr", "10"),
        ("1", "km/hr", "0.277777777777777778"), ("1", "mi/hr", "0.44704"), ("1", "ft/s", "0.3048"), ("1", "W", "1"),
        ("1", "kcal/hr", "1.16222222222222222"), ("1", "count/min", "1"), ("1", "count/s", "60"),
        ("1", "count/hr", "0.0166666666666666667"), ("1", "rpm", "1"), ("1", "L/min", "1"), ("1", "L/s", "60"),
        ("1", "mg/dL", "1"), ("1", "mmol/L", "18.01558800000541"),
        ("1", "mmol<180.1558800000541>/L", "18.01558800000541"), ("1", "S", "1"), ("1", "mcS", "0.000001"),
        ("1", "count", "1"), ("1", "%", "1"), ("1", "IU", "1"), ("1", "dBASPL", "1"), ("1", "dBHL", "1"),
        ("1", "mL/min·kg", "1"), ("1", "kcal/hr·kg", "1"), ("1", "appleEffortScore", "1"), ("1", "dL", "0.1"),
        ("1", "cL", "0.01"), ("1", "mbar", "100"), ("1", "inHg", "3386.389"), ("1", "kJ/hr", "0.277777777777777778"),
        ("1", "Hz", "60"), ("1", "kJ/hr·kg", "0.239005736137667304"),
    ])
    func `a unit keeps its factor for ever`(_ value: String, _ unit: String, _ exact: String) throws {
        let number = try #require(ExactDecimal(value))
        #expect(try #require(CanonicalUnit.rule(for: unit)).exact(number, over: 1).text == exact)
    }

    @Test(arguments: [
        ("81.25", "kg", "81200"), ("179.126", "lb", "81200"), ("81.2502", "kg", "81200"), ("81.26", "kg", "81300"),
        ("65.45", "kg", "65400"), ("144.293", "lb", "65400"), ("70.35", "g", "70.4"), ("70.2504", "g", "70.2"),
        ("70.2506", "g", "70.3"), ("999.5", "g", "1000"), ("998.5", "g", "998"), ("0.00012355", "g", "0.000124"),
        ("1234567", "g", "1230000"), ("-3.005", "g", "-3"), ("-3.0051", "g", "-3.01"),
    ])
    func `values are rounded to 5 digits and then to 3, half to even`(
        _ value: String,
        _ unit: String,
        _ canonical: String
    ) throws {
        #expect(try Self.canonical(value, unit) == canonical)
    }

    @Test(arguments: [
        // Just above and just below a tie at 5 digits that leads to a tie at 3, by less than the 18th digit.
        ("179.1266903365239588", "lb", "81300"), ("179.1266903365239587", "lb", "81200"),
        ("81250.50000000000001", "g", "81300"), ("81250.50000000000000", "g", "81200"),
        // The addend is not lost next to a number of any size, nor the number next to the addend.
        ("1.01495e40", "K", "101" + String(repeating: "0", count: 38)),
        ("1.01495e40", "degC", "102" + String(repeating: "0", count: 38)), ("1e-300", "K", "-273"),
        ("0.0000000000000000000000000000000000000001", "degF", "-17.8"),
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
        let number = try #require(ExactDecimal(value))
        return try #require(CanonicalUnit.rule(for: unit)).canonical(number).text
    }
}
