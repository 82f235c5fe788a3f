import HealthExport

extension SupportedTypesTable {
    /// Aligned columns for a terminal, ending with a line feed.
    ///
    /// Types are shown without `HKQuantityTypeIdentifier` and the like, which the headings name.
    package static func text(_ table: MappingTable) -> String {
        let quantities = rows(table, of: .quantity).map { row in
            cells(row, prefix: "HKQuantityTypeIdentifier") + [
                row.units.map(\.ucumCode).joined(separator: ", "),
                row.units.map(\.display).joined(separator: ", "),
            ]
        }
        let categories = rows(table, of: .category).map { row in
            let values = row.values.map { "\($0.number) \($0.mapping.text)" }.joined(separator: ", ")
            return cells(row, prefix: "HKCategoryTypeIdentifier") + [row.type.isEvent ? "none: an event" : values]
        }
        let activities = table.workoutActivities.map { activity in
            let codes = codes(of: activity.mapping).map(\.text)
            return [
                shortened(activity.name, prefix: "HKWorkoutActivityType"), String(activity.number),
                codes.isEmpty ? "-" : codes.joined(separator: ", "),
            ]
        }
        let languages = ElectrocardiogramLanguage.allCases.map { language in
            [language.rawValue, labels(in: language).flatMap(\.labels).joined(separator: ", ")]
        }
        return """
            \(counts(table).sentence)

            \(aligned([["HKQuantityTypeIdentifier…", "category", "codes", "UCUM", "label"]] + quantities))

            \(aligned([["HKCategoryTypeIdentifier…", "category", "codes", "values"]] + categories))

            \(aligned([["HKWorkoutActivityType…", "number", "codes"]] + activities))

            \(aligned([["electrocardiograms", "labels"]] + languages))

            """
    }

    private static func cells(_ row: Row, prefix: String) -> [String] {
        let name = shortened(row.type.identifier, prefix: prefix)
        let codes = row.codes.map { $0.text + ($0.ucumCode.map { " (\($0))" } ?? "") }
        return [name, row.type.category, codes.isEmpty ? "-" : codes.joined(separator: ", ")]
    }

    private static func shortened(_ identifier: String, prefix: String) -> String {
        identifier.hasPrefix(prefix) ? String(identifier.dropFirst(prefix.count)) : identifier
    }

    /// Pads each column but the last to its widest cell, with two spaces between columns.
    private static func aligned(_ rows: [[String]]) -> String {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
