package import FHIRR4

/// What one HealthKit type means: its codes, its category, its units or its values.
///
/// A class because it is asked for several times per sample: a structure would be copied each time, with all that it
/// refers to.
package final class TypeMapping: Sendable {
    /// Whether samples are numbers or named values.
    package enum Kind: String, Sendable {
        /// A number with a unit: `HKQuantityTypeIdentifier…`.
        case quantity
        /// A named value, or none: `HKCategoryTypeIdentifier…`.
        case category
    }

    /// The identifier that exports use, such as `HKQuantityTypeIdentifierHeartRate`.
    package let identifier: String
    /// The type in words, such as `Heart rate`.
    package let display: String
    /// Whether samples are numbers or named values.
    package let kind: Kind
    /// The one code of `http://terminology.hl7.org/CodeSystem/observation-category`, such as `vital-signs`.
    package let category: String
    /// Whether a sample says everything by its presence, such as a high heart rate notification.
    ///
    /// Its value is absent or `HKCategoryValueNotApplicable`, and none is written. Pregnancy is not an event: its
    /// samples have no value either, but mean the answer `Pregnant`.
    package let isEvent: Bool

    let standardCodings: [StandardCoding]
    let appleUnits: [String]
    let valueSystems: [String]
    private let units: TypedLookup<UnitMapping>
    /// The codes of `appleUnits`.
    private let ucumCodes: Set<String>
    private let values: ValueLookup

    init(
        entry: TypeCatalog.Entry,
        category: String,
        standardCodings: [StandardCoding],
        units: TypedLookup<UnitMapping>,
        values: ValueLookup
    ) {
        identifier = entry.identifier
        display = entry.display
        kind = entry.kind
        self.category = category
        isEvent = entry.valueSystems == [ValueTable.notApplicableSystem] && values.byName.own.isEmpty
        self.standardCodings = standardCodings
        appleUnits = entry.appleUnits
        valueSystems = entry.valueSystems
        self.units = units
        ucumCodes = Set(entry.appleUnits.compactMap { units[$0]?.ucumCode })
        self.values = values
    }

    /// The standard codes of a sample of this type; many types have none.
    ///
    /// Apple's own code is not among them: the caller adds it after them. Some terms fit some units only: blood glucose
    /// is LOINC 2339-0 in `mg/dL` and 15074-8 in `mmol/L`. No term fits a unit of another kind than the type's:
    /// kilometres are not a body mass.
    ///
    /// - Parameter ucumCode: the UCUM code that the value is written with, or `nil` if there is none.
    /// - Returns: the codings, the preferred one first.
    package func codings(ucumCode: String?) -> [Coding] {
        if let ucumCode, !measures(inUCUM: ucumCode) { return [] }
        return standardCodings.filter { $0.ucumCode == nil || $0.ucumCode == ucumCode }.map(\.coding)
    }

    /// Whether a UCUM unit is of the kind that samples of this type are measured in.
    func measures(inUCUM code: String) -> Bool {
        if ucumCodes.isEmpty || ucumCodes.contains(code) { return true }
        guard let dimension = UnitDimension(ucumCode: code) else { return false }
        return ucumCodes.contains { UnitDimension(ucumCode: $0) == dimension }
    }

    /// What a unit means for values of this type.
    ///
    /// The `count` of steps is `{steps}`, that of a body mass index `kg/m2`.
    ///
    /// - Parameter appleUnit: a `Record`'s `unit`, such as `mmol<180.1558800000541>/L`; the molar mass is ignored.
    /// - Returns: UCUM code and label, or `nil` for a unit that the table doesn't know.
    package func unit(_ appleUnit: String) -> UnitMapping? {
        units[UnitTable.withoutMolarMass(appleUnit)]
    }

    /// What a category sample's value means.
    ///
    /// - Parameter text: a `Record`'s `value`, such as `HKCategoryValueSleepAnalysisAsleepREM`, or the raw number in
    ///   digits, such as `5`, as some other programs write it. An empty text stands for a missing attribute, which
    ///   means `HKCategoryValueNotApplicable` if the type has no other value.
    /// - Returns: codes and words, or `nil` for a value that the table doesn't know.
    package func value(_ text: String) -> ValueMapping? {
        let isAbsent = text.isEmpty && valueSystems == [ValueTable.notApplicableSystem]
        return values[isAbsent ? "0" : text, in: valueSystems]
    }

    /// Every value that the type can have now, for a table of its values.
    var allValues: [(number: Int, name: String, mapping: ValueMapping)] {
        valueSystems.first.map(values.all) ?? []
    }
}

/// A unit in FHIR: UCUM's code for machines and a label for people.
package struct UnitMapping: Sendable, Hashable {
    /// The code of `http://unitsofmeasure.org` for `Quantity.code`, such as `/min`.
    package let ucumCode: String
    /// The text for `Quantity.unit`, such as `beats/minute`; not a UCUM code.
    package let display: String
}

/// A category sample's value in FHIR.
package struct ValueMapping: Sendable, Hashable {
    /// Standard codes, then Apple's: the raw number in the system of its enumeration, such as
    /// `5` of `https://developer.apple.com/documentation/healthkit/hkcategoryvaluesleepanalysis`.
    package let codings: [Coding]
    /// The value in words, such as `asleep, REM`.
    package let text: String
}

/// A standard code, and the unit that it is confined to, if any.
struct StandardCoding: Sendable {
    let coding: Coding
    let ucumCode: String?
}

/// Meanings of names: what one type defines takes precedence over what all share.
struct TypedLookup<Meaning: Sendable>: Sendable {
    let own: [String: Meaning]
    let shared: [String: Meaning]

    subscript(name: String) -> Meaning? { own.value(ofExactly: name) ?? shared.value(ofExactly: name) }
}
