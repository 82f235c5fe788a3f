internal import FHIRR4
internal import HealthExport

/// The unit of a sample's number, and how the number, and so the bounds of its range, are written.
struct ValueUnit: Sendable {
    /// As in the export.
    var appleUnit: String?
    /// As it is written; `nil` if the table doesn't know it.
    var unit: UnitMapping?
    var conversion = ValueConversion.asWritten
    /// Whether the number is an oxygen saturation: no percentage of that is as low as the ceiling of fractions.
    var isSaturation = false
    /// The number above which a value in Apple's `%` is not a fraction.
    var fractionCeiling = FractionCeiling.usual

    /// What follows a text that is not a number, so that it can be understood all the same: ` mmol/L` after `5,4`.
    ///
    /// Nothing follows for Apple's `%`, which is for fractions: `0,97 %` would be wrong.
    ///
    /// - Parameters:
    ///   - appleUnit: as in the export.
    ///   - display: how the table writes a unit; `nil` if it doesn't know it.
    /// - Returns: a space and the unit; nothing if there is none.
    static func afterText(_ appleUnit: String?, display: (String) -> String?) -> String {
        guard let unit = appleUnit?.unlessBlank, unit != "%" else { return "" }
        return " " + (display(unit) ?? unit)
    }

    /// A bound such as `0.95` or `5 ft` in the value's unit; `nil` if it is not a number or has a unit of its own.
    ///
    /// Percentages in metadata are percentages. A bound is a fraction, as Apple's values are, only if it has no unit or
    /// is of an oxygen saturation, and is not above the ceiling; it may be one even if the value is not.
    func bound(_ text: String) -> JSONValue? {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let number = parts.first.flatMap({ ExactDecimal(String($0)) }) else { return nil }
        if parts.count > 1 {
            guard let appleUnit, appleUnit.isExactly(String(parts[1])) else { return nil }
        }
        var conversion = conversion
        if appleUnit == "%" {
            let isFraction = (parts.count == 1 || isSaturation) && !number.isAbove(fractionCeiling)
            conversion = isFraction ? .shifted(by: 2) : .asWritten
        }
        let shown = appleUnit.flatMap(\.unlessBlank)
        return .quantity(
            conversion.text(of: number, asWritten: String(parts[0])),
            unit?.display ?? shown,
            code: unit?.ucumCode
        )
    }
}

extension ValueConversion {
    /// The converted number as text; one that is not converted stays as written, with at most 18 digits.
    func text(of number: ExactDecimal, asWritten text: String) -> String {
        if case .asWritten = self { return number.isShort ? text : number.shortText }
        let converted = apply(to: number)
        return converted.isShort ? converted.text : converted.shortText
    }
}
