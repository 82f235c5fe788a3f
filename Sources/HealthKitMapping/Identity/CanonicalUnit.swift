internal import FHIRR4

/// How values in a unit get their dimension's canonical unit under identity scheme `pghd1`.
///
/// `lb` is 453.59237 of `g`: the same sample has the same canonical value in an export in kilograms and in one in
/// pounds. The table is frozen with the scheme and separate from the mapping: a unit's UCUM code may be corrected, a
/// factor here never. A unit that is not in it is its own canonical unit, and its name becomes part of the value.
struct CanonicalUnit: Sendable, BitwiseCopyable {
    /// Added before multiplying: -32 for degrees Fahrenheit.
    let addend: ExactDecimal?
    let factor: ExactDecimal
    let divisor: UInt64

    private init(_ factor: ExactDecimal, divisor: UInt64 = 1, addend: ExactDecimal? = nil) {
        self.addend = addend
        self.factor = factor
        self.divisor = divisor
    }

    /// Whether values in it are in their canonical unit already.
    var changesNothing: Bool { addend == nil && factor.digits == 1 && factor.exponent == 0 && divisor == 1 }

    /// The value in the canonical unit, rounded half-even to 5 and then to 3 significant digits.
    ///
    /// Exact up to the first rounding: 19 digits of a value times 16 of a factor are 35. Exports have six digits of a
    /// value, so 81.25 kg comes back from pounds (`179.126`) as 81.2502; the first rounding removes what the sixth
    /// digit can't say, which could otherwise put the second on the other side of a half.
    func canonical(_ value: ExactDecimal) -> ExactDecimal {
        inCanonicalUnit(value).roundedHalfEven(toSignificantDigits: 5).roundedHalfEven(toSignificantDigits: 3)
            .withoutTrailingZeros()
    }

    /// The value in the canonical unit divided by `divisor`, to 18 significant digits: for calculating.
    func exact(_ value: ExactDecimal, over divisor: UInt64) -> ExactDecimal {
        var result = inCanonicalUnit(value)
        if divisor != 1 { result = result.divided(by: divisor) }
        return result.roundedHalfEven(toSignificantDigits: 18).withoutTrailingZeros()
    }

    /// The value in the canonical unit, not rounded.
    @inline(__always)
    private func inCanonicalUnit(_ value: ExactDecimal) -> ExactDecimal {
        var result = value
        // A sum may have 38 digits; no sum in the table is multiplied by more than 5.
        if let addend { result = result.adding(addend).cut(toSignificantDigits: 30) }
        if factor.digits != 1 { result.digits &*= factor.digits }
        result.exponent += factor.exponent
        return divisor == 1 ? result : result.divided(by: divisor)
    }

    /// The unit that changes nothing, for units that stand for themselves.
    static let itself = CanonicalUnit(ExactDecimal(digits: 1, exponent: 0))

    /// The rule for Apple's `unit` without a molar mass; `nil` for units that the table doesn't know.
    ///
    /// Cut out to the last `>`, where `UnitTable.withoutMolarMass` stops at the first: this is frozen with the scheme
    /// too.
    static func rule(for unit: String) -> CanonicalUnit? {
        let bytes = unit.utf8
        guard let open = bytes.firstIndex(of: UInt8(ascii: "<")), let close = bytes.lastIndex(of: UInt8(ascii: ">")),
            open < close
        else { return rules.value(ofExactly: unit) }
        return rules.value(ofExactly: String(unit[..<open]) + unit[bytes.index(after: close)...])
    }

    /// Times `digits` × 10^`exponent`, divided by `divisor`.
    private static func times(_ digits: UInt64, _ exponent: Int = 0, over divisor: UInt64 = 1) -> CanonicalUnit {
        CanonicalUnit(ExactDecimal(digits: UInt128(digits), exponent: exponent), divisor: divisor)
    }

    private static func plus(_ digits: UInt64, _ exponent: Int, times factor: UInt64, over divisor: UInt64)
        -> CanonicalUnit
    {
        CanonicalUnit(
            ExactDecimal(digits: UInt128(factor), exponent: 0),
            divisor: divisor,
            addend: ExactDecimal(isNegative: true, digits: UInt128(digits), exponent: exponent)
        )
    }

    /// The same table as in docs/formats.md, "Canonical units".
    private static let rules: [String: CanonicalUnit] = [
        // Mass, in g
        "g": itself, "kg": times(1, 3), "mg": times(1, -3), "mcg": times(1, -6), "lb": times(45_359_237, -5),
        "oz": times(28_349_523_125, -9), "st": times(635_029_318, -5),
        // Length, in m
        "m": itself, "km": times(1, 3), "cm": times(1, -2), "mm": times(1, -3), "in": times(254, -4),
        "ft": times(3048, -4), "yd": times(9144, -4), "mi": times(1_609_344, -3),
        // Volume, in L
        "L": itself, "dL": times(1, -1), "cL": times(1, -2), "mL": times(1, -3),
        "fl_oz_us": times(295_735_295_625, -13), "fl_oz_imp": times(284_130_625, -10),
        "cup_us": times(2_365_882_365, -10), "cup_imp": times(284_130_625, -9), "pt_us": times(473_176_473, -9),
        "pt_imp": times(56_826_125, -8),
        // Energy, in J
        "J": itself, "kJ": times(1, 3), "cal": times(4184, -3), "kcal": times(4184), "Cal": times(4184),
        // Time, in s
        "s": itself, "ms": times(1, -3), "min": times(60), "hr": times(3600), "d": times(86400),
        // Pressure, in Pa
        "Pa": itself, "hPa": times(1, 2), "mbar": times(1, 2), "kPa": times(1, 3), "mmHg": times(133_322_387_415, -9),
        "inHg": times(3_386_389, -3), "cmAq": times(980_665, -4), "atm": times(101_325),
        // Temperature, in degC
        "degC": itself, "degF": plus(32, 0, times: 5, over: 9), "K": plus(27315, -2, times: 1, over: 1),
        // Speed, in m/s
        "m/s": itself, "km/hr": times(5, 0, over: 18), "mi/hr": times(44704, -5), "ft/s": times(3048, -4),
        // Power, in W
        "W": itself, "kcal/hr": times(4184, 0, over: 3600), "kJ/hr": times(1000, 0, over: 3600),
        // Rate, in count/min
        "count/min": itself, "count/s": times(60), "count/hr": times(1, 0, over: 60), "rpm": itself,
        "Hz": times(60),
        // Flow, in L/min
        "L/min": itself, "L/s": times(60),
        // Blood glucose, in mg/dL, by Apple's molar mass of 180.1558800000541 g/mol
        "mg/dL": itself, "mmol/L": times(1_801_558_800_000_541, -14),
        // Conductance, in S
        "S": itself, "mcS": times(1, -6),
        // Physical effort, in kcal/hr·kg
        "kcal/hr·kg": itself, "kJ/hr·kg": times(1000, 0, over: 4184),
        // Each its own
        "count": itself, "%": itself, "IU": itself, "dBASPL": itself, "dBHL": itself, "mL/min·kg": itself,
        "appleEffortScore": itself,
    ]
}
