/// What kind of quantity a UCUM unit measures, where several units measure the same.
///
/// A unit that is not listed here measures what no other does: nothing converts to `{steps}`, `%` or `[iU]`, and
/// `mg/dL` converts to `mmol/L` only for one substance.
enum UnitDimension {
    case mass, length, volume, energy, time, pressure, temperature, speed, power, rate, flow, conductance

    /// The dimension of a UCUM code such as `[lb_av]`; `nil` for a unit that is not listed.
    init?(ucumCode: String) {
        guard let dimension = Self.ofUnits.value(ofExactly: ucumCode) else { return nil }
        self = dimension
    }

    private static let ofUnits: [String: UnitDimension] = {
        let units: [(UnitDimension, String)] = [
            (.mass, "g kg mg ug [lb_av] [oz_av] [stone_av]"),
            (.length, "m km cm mm [in_i] [ft_i] [yd_i] [mi_i]"),
            (.volume, "L dL mL [foz_us] [foz_br] [cup_us] 10.[foz_br] [pt_us] [pt_br]"),
            (.energy, "J kJ cal kcal"),
            (.time, "s ms min h d"),
            (.pressure, "Pa hPa kPa mm[Hg] cm[H2O] atm [in_i'Hg]"),
            (.temperature, "Cel [degF] K"),
            (.speed, "m/s km/h [mi_i]/h [ft_i]/s"),
            (.power, "W kcal/h"),
            (.rate, "/min /s /h Hz"),
            (.flow, "L/min L/s"),
            (.conductance, "S uS"),
        ]
        var all: [String: UnitDimension] = [:]
        for (dimension, codes) in units {
            for code in codes.split(separator: " ") { all[String(code)] = dimension }
        }
        return all
    }()
}
