internal import FHIRR4
internal import HealthExport

/// What had no meaning in one element, name by name.
struct Unmapped: Sendable, Equatable {
    /// Types inside it that the table does not know, written with Apple's code alone.
    var types: [String] = []
    /// Values of an enumeration that the table does not know.
    var values: [String] = []
    /// Units that the table does not know; blank for a number without the unit that it needs.
    var units: [String] = []
    /// Apple's types of numbers in `%` above what such a number can be, which are written without a UCUM code.
    var suspectPercents: [String] = []
    /// Elements from which nothing is made.
    var elements: [ElementName] = []

    var isEmpty: Bool {
        types.isEmpty && values.isEmpty && units.isEmpty && suspectPercents.isEmpty && elements.isEmpty
    }

    static func += (left: inout Unmapped, right: Unmapped) {
        guard !right.isEmpty else { return }
        left.types += right.types
        left.values += right.values
        left.units += right.units
        left.suspectPercents += right.suspectPercents
        left.elements += right.elements
    }
}

/// What had no meaning, counted by name: names are Apple's own, all others are counted as `other`.
public struct UnmappedCounts: Sendable, Equatable {
    /// Types that the table doesn't know, and those in a unit of another kind, which their standard codes do not fit;
    /// both are written with Apple's code.
    public var types: [String: UInt64] = [:]
    /// Units that the table doesn't know, written without a UCUM code; `MappingTally.noUnit` counts quantities that
    /// have no unit, written as a number alone.
    public var units: [String: UInt64] = [:]
    /// Values that the table doesn't know, and quantities that are not a number; written as text.
    ///
    /// Those of metadata are counted by their key.
    public var values: [String: UInt64] = [:]
    /// Numbers in Apple's `%` that are too large for a fraction, by type; written as they are, without a UCUM code.
    public var suspectPercents: [String: UInt64] = [:]
    /// Elements from which nothing was made.
    public var elements: [String: UInt64] = [:]

    /// Nothing yet.
    public init() {}

    init(_ unmapped: Unmapped) {
        for type in unmapped.types { types[MappingTally.reportable(type), default: 0] += 1 }
        for unit in unmapped.units { units[FHIRText.isBlank(unit) ? MappingTally.noUnit : "other", default: 0] += 1 }
        for value in unmapped.values { values[MappingTally.reportable(value), default: 0] += 1 }
        for type in unmapped.suspectPercents { suspectPercents[MappingTally.reportable(type), default: 0] += 1 }
        for name in unmapped.elements { elements[name.text, default: 0] += 1 }
    }

    /// Adds what was counted elsewhere.
    package mutating func add(_ other: UnmappedCounts) {
        types.merge(other.types, uniquingKeysWith: +)
        units.merge(other.units, uniquingKeysWith: +)
        values.merge(other.values, uniquingKeysWith: +)
        suspectPercents.merge(other.suspectPercents, uniquingKeysWith: +)
        elements.merge(other.elements, uniquingKeysWith: +)
    }
}
