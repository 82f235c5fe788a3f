import HealthExport

extension SupportedTypesTable {
    /// The page `docs/supported-types.md`, ending with a line feed.
    package static func markdown(_ table: MappingTable) -> String {
        """
        # Supported types

        <!-- Made from profiles/; edit the files there, not this page. -->

        \(counts(table).sentence). Version \(table.version) of the mapping.

        Every Observation also carries Apple's own code, the type's identifier in
        `http://developer.apple.com/documentation/healthkit`; a type that is not listed here
        gets that code alone. Codes with their sources, and why a type has none, are in
        `profiles/ConceptMap-healthkit-types.json`.

        ## Quantity types

        The UCUM code is for machines, the label for people; both stand in the order of the units that
        exports use, the usual one first. Values in a unit that a vital-signs profile does not allow are
        converted to one that stands here ([formats](formats.md#json)), and a blood pressure's panel is
        in `mm[Hg]`.

        HealthKit has one type for the glucose of a meter and of a sensor below the skin, so both have the codes of glucose
        in blood; the `device` and the app that wrote it tell which it is.

        | type | meaning | category | standard codes | UCUM codes | unit labels |
        | --- | --- | --- | --- | --- | --- |
        \(lines(rows(table, of: .quantity).map(quantityCells)))

        ## Category types

        The number before a value is Apple's raw number, which is its code. A pregnancy and a lactation are answers that hold
        for their `effectivePeriod` and say nothing of today.

        | type | meaning | category | standard codes | values |
        | --- | --- | --- | --- | --- |
        \(lines(rows(table, of: .category).map(categoryCells)))

        ## Other elements

        What an export holds in addition to records of a type; every other element is counted as left out.

        | element | becomes | page |
        | --- | --- | --- |
        \(lines(otherElements))

        ## Workout activities

        The number is Apple's, which is the code; a LOINC code is an answer to 73985-4, "Exercise activity".

        | activity | meaning | number | standard codes |
        | --- | --- | --- | --- |
        \(lines(table.workoutActivities.map(activityCells)))

        ## Electrocardiogram labels

        A file in another language is read by the order of its rows; labels decide where a row is missing or new.

        | language | \(ElectrocardiogramRow.allCases.map(title).joined(separator: " | ")) |
        | --- |\(String(repeating: " --- |", count: ElectrocardiogramRow.allCases.count))
        \(lines(ElectrocardiogramLanguage.allCases.map(labelCells)))

        ## Other names

        | name | type |
        | --- | --- |
        \(lines(table.aliases.sorted { $0.key < $1.key }.map { ["`\($0.key)`", "`\($0.value)`"] }))

        ## Units

        A line for one type wins over the line for any type. What stands between `<` and `>` in an
        export is passed over: `mmol<180.1558800000541>/L` is `mmol/L`.

        | unit in the export | UCUM code | label | for |
        | --- | --- | --- | --- |
        \(lines(unitCells(table)))

        """
    }

    private static let otherElements = [
        ["`Workout` with `WorkoutStatistics`, `WorkoutEvent`, `WorkoutActivity`", "Observations", page("workouts")],
        ["`WorkoutRoute`, with `--routes`", "DocumentReference", page("workouts")],
        ["`Correlation` of blood pressure and of food", "Observation", page("panels")],
        ["`ActivitySummary`", "Observation", page("activity-rings")],
        ["`Audiogram`", "Observation", page("audiograms")],
        ["`VisionPrescription` of glasses and of contacts", "VisionPrescription", page("vision-prescriptions")],
        ["`ClinicalRecord`", "DocumentReference", page("clinical-records")],
        ["`Me`: blood type, skin type, medications", "Observation", page("characteristics")],
        ["`Me`: birth date and sex, with `--include-patient`", "Patient", page("characteristics")],
        ["electrocardiograms, files next to the XML", "Observation", page("electrocardiograms")],
        ["`HeartRateVariabilityMetadataList`", "components of its record", page("heart-beats")],
        ["`MetadataEntry`", "elements, components and extensions", page("metadata")],
        ["`HKDataTypeSleepDurationGoal`, a record", "Observation", page("decisions/0008-sleep-goals")],
        ["days of records, with `--summaries`", "Observation", page("daily-summaries")],
    ]

    private static func page(_ name: String) -> String { "[\(name)](\(name).md)" }

    private static func lines(_ rows: [[String]]) -> String {
        rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    private static func quantityCells(_ row: Row) -> [String] {
        sharedCells(row) + [
            row.units.map { "`\($0.ucumCode)`" }.joined(separator: ", "),
            row.units.map(\.display).joined(separator: ", "),
        ]
    }

    private static func categoryCells(_ row: Row) -> [String] {
        let values = row.values.map { "\($0.number) \($0.mapping.text)" }.joined(separator: ", ")
        return sharedCells(row) + [row.type.isEvent ? "none: an event" : values]
    }

    private static func sharedCells(_ row: Row) -> [String] {
        ["`\(row.type.identifier)`", row.type.display, row.type.category, text(row.codes)]
    }

    private static func activityCells(number: Int, name: String, mapping: ValueMapping) -> [String] {
        ["`\(name)`", mapping.text, String(number), text(codes(of: mapping))]
    }

    private static func labelCells(_ language: ElectrocardiogramLanguage) -> [String] {
        ["`\(language.rawValue)`"] + labels(in: language).map { $0.labels.joined(separator: "<br>") }
    }

    /// The name of a row in words: `software version`.
    private static func title(_ row: ElectrocardiogramRow) -> String {
        row.rawValue.map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
    }

    private static func text(_ codes: [Code]) -> String {
        codes.map { code in
            code.text + (code.display.map { " \($0)" } ?? "") + (code.ucumCode.map { " (`\($0)`)" } ?? "")
        }.joined(separator: "<br>")
    }

    /// A line for each unit's general meaning, then one for each type that gives it another.
    private static func unitCells(_ table: MappingTable) -> [[String]] {
        table.units.all.map { entry in
            let scope = entry.identifier.map { "`\($0)`" } ?? "any type"
            return ["`\(entry.appleUnit)`", "`\(entry.unit.ucumCode)`", entry.unit.display, scope]
        }
    }
}
