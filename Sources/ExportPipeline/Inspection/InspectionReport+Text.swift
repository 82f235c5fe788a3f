internal import FHIRR4
internal import HealthExport
internal import HealthKitMapping

extension InspectionReport {
    /// The report as tables for people, at most 100 columns wide, ending with a line feed.
    ///
    /// - Parameters:
    ///   - title: the name of the export, such as its path.
    ///   - style: which characters may be used to draw.
    /// - Returns: sections with headings, without empty ones.
    package func text(title: String, style: TextStyle = .unicode) -> String {
        let sections: [(title: String, lines: [String])] = [
            (title.printable, fileLines),
            ("Types, by number of records; dates are UTC", typeLines),
            ("Sources", sourceLines),
            ("Elements other than Record", elementLines),
            ("Electrocardiograms, by their start in UTC", electrocardiogramLines),
            ("Records by month, by their start in UTC", monthLines(style)),
            ("What has no standard meaning", unmappedLines),
            ("Damage", damage.lines(most: 20).map { "  " + $0 }),
        ]
        let text = sections.filter { !$0.lines.isEmpty }
            .map { ([$0.title] + $0.lines).joined(separator: "\n") + "\n" }
            .joined(separator: "\n")
        return style.applied(to: text)
    }

    private var fileLines: [String] {
        var table = TextTable(columns: [TextTable.Column(title: ""), TextTable.Column(title: "", minimumWidth: 40)])
        table.rows.append(["kind", kindText])
        if kind == .electrocardiogram { return table.lines }
        let ending = damage.isComplete ? "complete" : "not complete: it ends before </HealthData>"
        table.rows.append(["XML", "\(ReportText.counted(bytesRead, "byte")), \(ending)"])
        if let exportDate, let exportOffset {
            let words = exportDate.replacing("T", with: " ").replacing("Z", with: " UTC")
            table.rows.append(["exported", "\(words), on a phone at \(exportOffset)"])
        }
        var content = ReportText.counted(records, "record")
        if records > 0 {
            content += " of \(ReportText.counted(UInt64(types.count), "type"))"
            content += " from \(ReportText.counted(UInt64(sources.count), "source"))"
        }
        table.rows.append(["content", content])
        if nestedRecords > 0 {
            let words = "of these stand inside other elements"
            table.rows.append(["", "\(ReportText.grouped(nestedRecords)) \(words)"])
        }
        let starts = types.compactMap(\.starts)
        if let first = starts.map(\.lowerBound).min(), let last = starts.map(\.upperBound).max() {
            table.rows.append(["dates", "\(Self.day(first)) to \(Self.day(last))"])
        }
        for (index, line) in memberLines.enumerated() { table.rows.append([index == 0 ? "files" : "", line]) }
        return table.lines
    }

    private var kindText: String {
        let words =
            switch kind {
            case .zip: "zip"
            case .folder: "folder"
            case .xml: "XML file"
            case .standardInput: "XML from a pipe"
            case .electrocardiogram: "one electrocardiogram, as CSV"
            }
        return words + (memberName.map { " with \($0)" } ?? "")
    }

    /// `3 electrocardiograms`, `2 clinical documents, not converted`, and so on.
    private var memberLines: [String] {
        let kinds: [(count: Int, noun: String, rest: String)] = [
            (otherMembers[.electrocardiogram], "electrocardiogram", ""),
            (otherMembers[.clinicalRecord], "clinical record", ""),
            (otherMembers[.workoutRoute], "workout route", ", converted with --routes"),
            (otherMembers[.clinicalDocument], "clinical document", ", not converted"),
            (otherMembers[.attachment], "attachment", ", not converted"),
            (otherMembers[.other], "other file", ", not converted"),
        ]
        return kinds.filter { $0.count > 0 }.map { ReportText.counted(UInt64($0.count), $0.noun) + $0.rest }
    }

    private var typeLines: [String] {
        if types.isEmpty { return [] }
        var table = TextTable(columns: [
            TextTable.Column(title: "type", minimumWidth: 20), TextTable.Column(title: "records", isNumeric: true),
            TextTable.Column(title: "first"), TextTable.Column(title: "last"),
            TextTable.Column(title: "units", minimumWidth: 5), TextTable.Column(title: "mapped to", minimumWidth: 15),
        ])
        table.rows = types.map { type in
            let units = type.units.mostFrequentFirst.map(\.key.printable)
            return [
                type.type.isEmpty ? "(no type)" : Self.withoutPrefix(type.type).printable,
                ReportText.grouped(type.records),
                type.starts.map { Self.day($0.lowerBound) } ?? "-",
                type.starts.map { Self.day($0.upperBound) } ?? "-",
                units.isEmpty ? "-" : units.joined(separator: ", "),
                type.mappingText,
            ]
        }
        return table.lines
    }

    private var sourceLines: [String] {
        var table = TextTable(columns: [
            TextTable.Column(title: "", minimumWidth: 20), TextTable.Column(title: "", isNumeric: true),
        ])
        table.rows = sources.map {
            [$0.name.isEmpty ? "(no name)" : $0.name.printable, ReportText.grouped($0.records)]
        }
        return table.rows.isEmpty ? [] : table.lines
    }

    private var elementLines: [String] {
        var table = TextTable(columns: [
            TextTable.Column(title: ""), TextTable.Column(title: "", isNumeric: true), TextTable.Column(title: ""),
        ])
        table.rows = elements.mostFrequentFirst
            .map { [$0.key, ReportText.grouped($0.value), unmappedElements[$0.key] == nil ? "" : "not converted"] }
        return table.rows.isEmpty ? [] : table.lines
    }

    private var electrocardiogramLines: [String] {
        var table = TextTable(columns: [TextTable.Column(title: ""), TextTable.Column(title: "")])
        table.rows = electrocardiograms.map {
            let samples = ReportText.counted(UInt64($0.sampleCount), "sample")
            return [Self.second($0.recorded), "\(samples) at \($0.sampleRate) Hz"]
        }
        return table.rows.isEmpty ? [] : table.lines
    }

    private func monthLines(_ style: TextStyle) -> [String] {
        guard let most = months.map(\.records).max() else { return [] }
        var table = TextTable(columns: [
            TextTable.Column(title: ""), TextTable.Column(title: "", isNumeric: true), TextTable.Column(title: ""),
        ])
        var next: Int?
        for month in months {
            let number = month.year * 12 + month.month
            if let next, number > next {
                table.rows.append(["…", "", "\(ReportText.counted(UInt64(number - next), "month")) without records"])
            }
            // Rounded up, so that every month with a record has a bar.
            let length = Int((month.records * 60 + most - 1) / most)
            table.rows.append([month.name, ReportText.grouped(month.records), style.bar(length)])
            next = number + 1
        }
        return table.lines
    }

    private var unmappedLines: [String] {
        func names(_ counts: [String: UInt64], _ noun: String, _ rest: String) -> [String] {
            counts.mostFrequentFirst.map { name, count in
                "  \(noun) \(name.isEmpty ? "(none)" : name.printable): \(ReportText.counted(count, "record")), \(rest)"
            }
        }
        var lines = names(unmappedTypes, "type", "written with Apple's code alone")
        var units = unmappedUnits
        let without = units.removeValue(forKey: MappingTally.noUnit)
        lines += names(units, "unit", "written without a UCUM code")
        lines += without.map { ["  no unit: \(ReportText.counted($0, "record")), written as a number alone"] } ?? []
        lines += names(unmappedValues, "value", "written as text without a code")
        if unmappedAttributes > 0 {
            lines.append("  \(ReportText.counted(unmappedAttributes, "attribute")) that Apple's DTD does not declare")
        }
        return lines
    }

    /// `2024-06-16 08:31:02`.
    private static func second(_ seconds: Int64) -> String {
        String(FHIRDateTime.utcText(seconds).prefix(19)).replacing("T", with: " ")
    }

    private static func day(_ seconds: Int64) -> String { String(FHIRDateTime.utcText(seconds).prefix(10)) }

    private static func withoutPrefix(_ type: String) -> String {
        for prefix in ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataTypeIdentifier", "HKDataType"]
        where type.hasPrefix(prefix) && type.utf8.count > prefix.utf8.count {
            return String(type.dropFirst(prefix.count))
        }
        return type
    }
}

extension InspectionReport.TypeSummary {
    /// `LOINC 8867-4`, `SNOMED CT 248263006`, `Apple code only` or `unknown`.
    package var mappingText: String {
        let known = [("LOINC", CodeSystem.loinc), ("SNOMED CT", CodeSystem.snomedCT)]
        for (name, system) in known {
            if let coding = codings.first(where: { $0.system == system }) { return "\(name) \(coding.code)" }
        }
        return isKnown ? "Apple code only" : "unknown"
    }
}
