internal import FHIRR4
internal import HealthExport

/// The unit of a sample's number, and how the number is written: the bounds of its range are written alike.
struct ValueUnit: Sendable {
    /// As in the export.
    var appleUnit: String?
    /// As it is written; `nil` where the table doesn't know it.
    var unit: UnitMapping?
    var conversion = ValueConversion.asWritten
    /// Whether the number is a saturation of oxygen, of which none is as low as its ceiling is in percent.
    var isSaturation = false
    /// Above which a number in Apple's `%` is no fraction.
    var fractionCeiling = FractionCeiling.usual

    /// What stands behind a text that is no number, so that it can be read all the same: ` mmol/L` behind `5,4`.
    ///
    /// Apple's `%` holds fractions, so that `0,97 %` would be a lie.
    ///
    /// - Parameters:
    ///   - appleUnit: as in the export.
    ///   - display: how the table writes a unit; `nil` where it doesn't know it.
    /// - Returns: a space and the unit; nothing where there is none.
    static func behindText(_ appleUnit: String?, display: (String) -> String?) -> String {
        guard let unit = appleUnit?.unlessBlank, unit != "%" else { return "" }
        return " " + (display(unit) ?? unit)
    }

    /// A bound such as `0.95` or `5 ft` in the value's unit; `nil` where it is no number or in a unit of its own.
    ///
    /// Percentages in metadata are percentages. Only a bound without a unit is a fraction as Apple's values are, and one
    /// of a saturation of oxygen; that of a value which is no fraction too.
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
    /// The converted number as text; one that is not converted stands as written, in 18 digits at most.
    func text(of number: ExactDecimal, asWritten text: String) -> String {
        if case .asWritten = self { return number.isShort ? text : number.shortText }
        let converted = apply(to: number)
        return converted.isShort ? converted.text : converted.shortText
    }
}
