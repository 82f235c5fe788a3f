internal import FHIRR4

/// The number above which a value in Apple's `%`, a fraction of one, is suspect: some apps write `97` for 97 %.
///
/// HealthKit's headers give most of these types as 0 to 1; the room above 1 is for binary rounding. Where usual
/// percentages are small numbers, one ceiling for all would miss them: `0.08` of blood alcohol is not 8 %, which nobody
/// survives, and `1.2` of a perfusion index is not 120 %.
enum FractionCeiling {
    /// For types that the table doesn't know, and where no type is given.
    static let usual = ExactDecimal(digits: 15, exponent: -1)

    /// For a type, such as `HKQuantityTypeIdentifierOxygenSaturation`.
    static func of(_ type: String?) -> ExactDecimal { type.flatMap { ceilings.value(ofExactly: $0) } ?? usual }

    /// The types that have a ceiling of their own.
    static var types: Set<String> { Set(ceilings.keys) }

    private static let whole = ExactDecimal(digits: 1005, exponent: -3)

    private static let ceilings = [
        "HKQuantityTypeIdentifierAppleWalkingSteadiness": whole,
        "HKQuantityTypeIdentifierAtrialFibrillationBurden": whole,
        "HKQuantityTypeIdentifierBloodAlcoholContent": ExactDecimal(digits: 1, exponent: -2),
        "HKQuantityTypeIdentifierBodyFatPercentage": whole,
        "HKQuantityTypeIdentifierOxygenSaturation": whole,
        "HKQuantityTypeIdentifierPeripheralPerfusionIndex": ExactDecimal(digits: 3, exponent: -1),
        "HKQuantityTypeIdentifierWalkingAsymmetryPercentage": whole,
        "HKQuantityTypeIdentifierWalkingDoubleSupportPercentage": whole,
    ]
}
