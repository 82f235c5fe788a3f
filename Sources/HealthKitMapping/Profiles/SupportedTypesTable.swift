import FHIRR4
import HealthExport

/// The mapping as a table for people: what `pghd types` prints and `docs/supported-types.md` holds.
package enum SupportedTypesTable {
    /// The columns of one type.
    struct Row {
        let type: TypeMapping
        /// `LOINC 8867-4`, with the unit after it if the code is confined to one.
        let codes: [Code]
        /// Each unit that is written, once: Apple may have several spellings for it, and some are converted.
        let units: [UnitMapping]
        let values: [(number: Int, name: String, mapping: ValueMapping)]
    }

    /// A standard code in a short form.
    struct Code {
        let text: String
        let display: String?
        let ucumCode: String?
    }

    /// What the table holds, in numbers.
    struct Counts {
        let quantityTypes: Int
        let categoryTypes: Int
        let aliases: Int
        let withLOINC: Int
        let withSNOMEDCT: Int
        let workoutActivities: Int
        let electrocardiogramLanguages = ElectrocardiogramLanguage.allCases.count

        /// `120 quantity types, 70 category types (1 of them another name of a type), 84 workout activities; …`.
        var sentence: String {
            "\(quantityTypes) quantity types, \(categoryTypes) category types "
                + "(\(aliases) of them another name of one), \(workoutActivities) workout activities; "
                + "\(withLOINC) types with a LOINC code, \(withSNOMEDCT) with a SNOMED CT code; "
                + "electrocardiogram labels in \(electrocardiogramLanguages) languages"
        }
    }

    static func rows(_ table: MappingTable, of kind: TypeMapping.Kind) -> [Row] {
        table.types.filter { $0.kind == kind }.map(row)
    }

    static func counts(_ table: MappingTable) -> Counts {
        func number(with system: String) -> Int {
            table.types.count { $0.standardCodings.contains { $0.coding.system == system } }
        }
        func number(of kind: TypeMapping.Kind) -> Int {
            table.types.count { $0.kind == kind } + table.aliases.values.count { table.type($0)?.kind == kind }
        }
        return Counts(
            quantityTypes: number(of: .quantity),
            categoryTypes: number(of: .category),
            aliases: table.aliases.count,
            withLOINC: number(with: CodeSystem.loinc),
            withSNOMEDCT: number(with: CodeSystem.snomedCT),
            workoutActivities: table.workoutActivities.count
        )
    }

    static func row(_ type: TypeMapping) -> Row {
        var units: [UnitMapping] = []
        for unit in type.appleUnits.compactMap({ writtenUnit($0, of: type) }) where !units.contains(unit) {
            units.append(unit)
        }
        let values = type.isEvent ? [] : type.allValues
        return Row(type: type, codes: type.standardCodings.map(code), units: units, values: values)
    }

    /// The unit that a value is written in: one that the vital-signs profile does not allow is converted.
    static func writtenUnit(_ appleUnit: String, of type: TypeMapping) -> UnitMapping? {
        guard let unit = type.unit(appleUnit) else { return nil }
        let codes = type.codings(ucumCode: unit.ucumCode).filter { $0.system == CodeSystem.loinc }.map(\.code)
        let profile = codes.lazy.compactMap { VitalSignsProfile.profile(loinc: $0) }.first
        return profile?.conversions[unit.ucumCode]?.unit ?? unit
    }

    /// The standard codes of an activity, in their short form.
    static func codes(of activity: ValueMapping) -> [Code] {
        activity.codings.filter { $0.system != ValueTable.workoutActivitySystem }
            .map { Code(text: text($0), display: $0.display, ucumCode: nil) }
    }

    /// The labels of an electrocardiogram's rows in one language, in the order of the file.
    static func labels(in language: ElectrocardiogramLanguage) -> [(row: ElectrocardiogramRow, labels: [String])] {
        ElectrocardiogramRow.allCases.map { ($0, language.labels(of: $0)) }
    }

    private static func code(_ standard: StandardCoding) -> Code {
        Code(text: text(standard.coding), display: standard.coding.display, ucumCode: standard.ucumCode)
    }

    /// `LOINC 8867-4`, or system and code for a system without a common short name.
    static func text(_ coding: Coding) -> String {
        switch coding.system {
        case CodeSystem.loinc: "LOINC \(coding.code)"
        case CodeSystem.snomedCT: "SNOMED CT \(coding.code)"
        default: "\(coding.system) \(coding.code)"
        }
    }
}
