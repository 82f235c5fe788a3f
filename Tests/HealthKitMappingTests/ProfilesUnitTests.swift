import HealthKitMapping
import Testing

struct `Unit mapping` {
    let table: MappingTable

    init() throws { table = try .embedded() }

    @Test(arguments: [
        UnitCase("HeartRate", "count/min", "/min", "beats/minute"),
        UnitCase("RespiratoryRate", "count/min", "/min", "breaths/minute"),
        UnitCase("CyclingCadence", "count/min", "/min", "revolutions/minute"),
        UnitCase("CyclingCadence", "rpm", "/min", "revolutions/minute"),
        UnitCase("StepCount", "count", "{steps}", "steps"),
        UnitCase("FlightsClimbed", "count", "{flights}", "flights"),
        UnitCase("BodyMassIndex", "count", "kg/m2", "kg/m²"),
        UnitCase("BodyMass", "lb", "[lb_av]", "lb"),
        UnitCase("BodyMass", "kg", "kg", "kg"),
        UnitCase("Height", "ft", "[ft_i]", "ft"),
        UnitCase("BodyTemperature", "degF", "[degF]", "°F"),
        UnitCase("BodyTemperature", "degC", "Cel", "°C"),
        UnitCase("OxygenSaturation", "%", "%", "%"),
        UnitCase("BloodPressureSystolic", "mmHg", "mm[Hg]", "mmHg"),
        UnitCase("BloodGlucose", "mg/dL", "mg/dL", "mg/dL"),
        UnitCase("BloodGlucose", "mmol<180.1558800000541>/L", "mmol/L", "mmol/L"),
        UnitCase("VO2Max", "mL/min·kg", "mL/min/kg", "mL/(min·kg)"),
        UnitCase("PhysicalEffort", "kcal/hr·kg", "kcal/(h.kg)", "kcal/(h·kg)"),
        UnitCase("ActiveEnergyBurned", "Cal", "kcal", "kcal"),
        UnitCase("ActiveEnergyBurned", "cal", "cal", "cal"),
        UnitCase("WalkingSpeed", "mi/hr", "[mi_i]/h", "mi/h"),
        UnitCase("InsulinDelivery", "IU", "[iU]", "IU"),
        UnitCase("DietaryBiotin", "mcg", "ug", "mcg"),
        UnitCase("DietaryWater", "fl_oz_us", "[foz_us]", "fl oz (US)"),
        UnitCase("EnvironmentalAudioExposure", "dBASPL", "dB[SPL]", "dB(A) SPL"),
        UnitCase("EnvironmentalSoundReduction", "dBASPL", "dB", "dB"),
        UnitCase("WorkoutEffortScore", "appleEffortScore", "{score}", "effort score"),
    ])
    func `an export unit becomes its UCUM code and a label`(_ expected: UnitCase) throws {
        let type = try #require(table.type("HKQuantityTypeIdentifier" + expected.type))
        let unit = try #require(type.unit(expected.appleUnit))
        #expect(unit.ucumCode == expected.ucumCode)
        #expect(unit.display == expected.display)
    }

    @Test func `a unit without a type has its general meaning`() {
        #expect(table.unit("count")?.ucumCode == "1")
        #expect(table.unit("count/min")?.ucumCode == "/min")
        #expect(table.unit("mmol<180.1558800000541>/L")?.ucumCode == "mmol/L")
        for (unit, code) in [
            ("lx", "lx"), ("Pa", "Pa"), ("hPa", "hPa"), ("inHg", "[in_i'Hg]"), ("cmAq", "cm[H2O]"), ("mm", "mm"),
            ("dL", "dL"),
        ] {
            #expect(table.unit(unit)?.ucumCode == code)
        }
        #expect(table.unit("furlong") == nil)
        #expect(table.type("HKQuantityTypeIdentifierHeartRate")?.unit("count/min<") == nil)
    }

    /// Checked with UCUM's grammar, section 2.2 of <https://ucum.org/ucum>, and the units that this mapping needs.
    @Test func `every UCUM code is valid`() throws {
        var seen: Set<String> = []
        for appleUnit in try Self.appleUnits(in: ProfilesFolder.text(of: "ConceptMap-healthkit-units.json")) {
            for unit in table.types.compactMap({ $0.unit(appleUnit) }) + [table.unit(appleUnit)].compactMap({ $0 }) {
                seen.insert(unit.ucumCode)
            }
        }
        #expect(seen.count > 50)
        for code in seen {
            #expect(UCUMSyntax.isValid(code), "\(code)")
        }
    }

    @Test(arguments: [
        "mmHg", "in", "IU", "dB(SPL)", "lux", "kcal/hr/kg", "kg//m", "(m", "{a", "m2x", "", "hertz", "0", "010.m",
        "10.hertz", "10m",
    ])
    func `the check of UCUM codes refuses invalid codes`(_ code: String) {
        #expect(!UCUMSyntax.isValid(code))
    }

    private static func appleUnits(in map: String) throws -> [String] {
        let pattern = try Regex(#""code": "([^"]*)",? ?\n? *"target""#)
        return map.matches(of: pattern).compactMap { $0.output[1].substring.map(String.init) }
    }
}

/// A type's unit with its expected code and label.
struct UnitCase: CustomTestStringConvertible {
    let type: String
    let appleUnit: String
    let ucumCode: String
    let display: String

    init(_ type: String, _ appleUnit: String, _ ucumCode: String, _ display: String) {
        (self.type, self.appleUnit, self.ucumCode, self.display) = (type, appleUnit, ucumCode, display)
    }

    var testDescription: String { "\(type): \(appleUnit) → \(ucumCode)" }
}
