internal import FHIRR4

/// One of FHIR R4's vital-signs profiles: its code, and the units that it allows.
///
/// An Observation with one of these LOINC codes must satisfy the profile, so a value whose unit can't be converted to
/// an allowed one is written without the LOINC code.
///
/// Source: <https://hl7.org/fhir/R4/observation-vitalsigns.html>. Blood pressure is a panel and head circumference is
/// not a HealthKit type, so neither is here.
struct VitalSignsProfile {
    /// The profile's canonical URL.
    let url: String
    /// UCUM codes that its value may have.
    let allowedUnits: Set<String>
    /// Other UCUM codes, and how their values are converted to an allowed one.
    let conversions: [String: (unit: UnitMapping, conversion: ValueConversion)]

    /// The profile that an Observation with this LOINC code must satisfy.
    static func profile(loinc: String) -> VitalSignsProfile? { profiles[loinc] }

    private init(
        _ name: String,
        _ allowedUnits: Set<String>,
        _ conversions: [String: (unit: UnitMapping, conversion: ValueConversion)] = [:]
    ) {
        url = "http://hl7.org/fhir/StructureDefinition/\(name)"
        self.allowedUnits = allowedUnits
        self.conversions = conversions
    }

    private static func times(_ digits: UInt64, _ exponent: Int) -> ValueConversion {
        .multiplied(by: ExactDecimal(digits: UInt128(digits), exponent: exponent))
    }

    private static let centimetre = UnitMapping(ucumCode: "cm", display: "cm")
    private static let kilogram = UnitMapping(ucumCode: "kg", display: "kg")
    private static let celsius = UnitMapping(ucumCode: "Cel", display: "°C")

    private static let profiles: [String: VitalSignsProfile] = [
        "8867-4": VitalSignsProfile("heartrate", ["/min"]),
        "9279-1": VitalSignsProfile("resprate", ["/min"]),
        "2708-6": VitalSignsProfile("oxygensat", ["%"]),
        "8310-5": VitalSignsProfile(
            "bodytemp",
            ["Cel", "[degF]"],
            ["K": (celsius, .added(ExactDecimal(isNegative: true, digits: 27315, exponent: -2)))]
        ),
        "8302-2": VitalSignsProfile(
            "bodyheight",
            ["cm", "[in_i]"],
            ["m": (centimetre, .shifted(by: 2)), "[ft_i]": (centimetre, times(3048, -2))]
        ),
        "29463-7": VitalSignsProfile(
            "bodyweight",
            ["g", "kg", "[lb_av]"],
            ["[stone_av]": (kilogram, times(635_029_318, -8)), "[oz_av]": (kilogram, times(28_349_523_125, -12))]
        ),
        "39156-5": VitalSignsProfile("bmi", ["kg/m2"]),
    ]
}

extension TypeMapping {
    /// Whether no standard code of this type fits a number in `unit`, as none of a height's fits milligrams.
    package func losesCodes(in unit: UnitMapping) -> Bool {
        let codings = codings(ucumCode: unit.ucumCode)
        guard let profile = codings.lazy.compactMap({ VitalSignsProfile.profile(loinc: $0.code) }).first else {
            return codings.isEmpty && !standardCodings.isEmpty
        }
        return !profile.allowedUnits.contains(unit.ucumCode) && profile.conversions[unit.ucumCode] == nil
            && codings.allSatisfy { $0.system == CodeSystem.loinc }
    }
}

/// How the number that Apple wrote becomes the number in FHIR.
enum ValueConversion: Sendable, BitwiseCopyable {
    /// Byte for byte: `72` stays `72` and `72.50` stays `72.50`.
    case asWritten
    /// The decimal point moves: `0.97` of `%` by 2 is `97`.
    case shifted(by: Int)
    /// Multiplied in decimal, to the digits of what was written.
    case multiplied(by: ExactDecimal)
    /// Added in decimal.
    case added(ExactDecimal)

    /// The converted number; `.asWritten` returns it unchanged.
    func apply(to value: ExactDecimal) -> ExactDecimal {
        switch self {
        case .asWritten: value
        case .shifted(let places): value.shifted(by: places)
        case .multiplied(let factor):
            value.multiplied(by: factor).digits(of: value)
        case .added(let addend): value.adding(addend)
        }
    }
}

extension ExactDecimal {
    /// The number rounded half-even to as many significant digits as the one that it was converted from has, but at
    /// least 6 and at most 12; without trailing zeros.
    ///
    /// Exports give a value with six digits, so 170 cm are `5.57743` in an export in feet, which are 170.0000664 cm:
    /// six digits give back the 170. Where more are given, those beyond the twelfth are noise of binary numbers.
    func digits(of written: ExactDecimal) -> ExactDecimal {
        roundedHalfEven(toSignificantDigits: min(max(written.significantDigitCount, 6), 12)).withoutTrailingZeros()
    }
}
