internal import HealthExport
internal import HealthKitMapping

extension RunReport {
    /// The run in a few lines for people, ending with a line feed.
    ///
    /// Holds counts, Apple's names and places of damage; no value, name or date of any person.
    ///
    /// - Parameters:
    ///   - input: the name of the export, such as its path.
    ///   - output: where the Bundles or resources went.
    ///   - hasBundles: whether Bundles were written, not just resources.
    ///   - isVerbose: adds the records of each type, everything unmapped, and up to 1,000 places of damage.
    ///   - style: which characters may be used to draw.
    /// - Returns: a line that names input and output, then one or more for each number.
    package func summary(
        input: String,
        output: String,
        hasBundles: Bool = true,
        isVerbose: Bool = false,
        style: TextStyle = .unicode
    ) -> String {
        var table = SummaryTable()
        table.add("records", recordLines)
        if isVerbose { table.add("types", counted(tally.records)) }
        table.add("resources", resources.isEmpty ? "none" : counted(resources).joined(separator: ", "))
        if hasBundles { table.add("bundles", ReportText.grouped(bundles)) }
        table.add("duplicates", duplicateLines)
        table.add("summaries", dailySummaryLines)
        table.add("panels", panelLines)
        table.add("files", fileLines)
        table.add("unmapped", unmappedLines(isVerbose: isVerbose))
        table.add("damage", damage.lines(most: isVerbose ? Damage.maximumPlaceCount : 5))
        let read = ReportText.counted(bytesRead, "byte") + (hasXML ? " of XML" : "")
        table.add("read", "\(read), \(damage.isComplete ? "complete" : "not complete")")
        table.add("written", ReportText.counted(bytesWritten, "byte"))
        table.add("took", "\(ReportText.seconds(seconds)), \(ReportText.megabytes(peakMemoryBytes)) of memory at most")
        return table.text(input.printable, output.printable, style)
    }

    private var duplicateLines: [String] {
        guard duplicates > 0 else { return [] }
        var lines = [
            "\(ReportText.grouped(duplicates)) collapsed: a sample, or two versions of it, twice in one Bundle"
        ]
        if conflictingDuplicates > 0 { lines.append(conflictLine) }
        return lines
    }

    /// How many samples were left out in favour of another with the same id.
    var conflictLine: String {
        "\(ReportText.counted(conflictingDuplicates, "sample")) left out: another has the same id and says something else, and no "
            + "version tells which is newer"
    }

    private var dailySummaryLines: [String] {
        if leavesOutSummaries {
            return ["none: elements of the export were lost, and a total without them would be too small"]
        }
        return sumsUTCDays ? ["of days and nights in UTC: --time-zone names the zone of the person"] : []
    }

    private var panelLines: [String] {
        var lines = inPanels > 0 ? ["\(ReportText.counted(inPanels, "record")) in panels, not on their own"] : []
        if withoutPanel > 0 {
            let reason =
                damage.isComplete
                ? "a correlation that could not be read may be their panel" : "the export is cut before their panels"
            lines.append("\(ReportText.counted(withoutPanel, "value")) left out: \(reason)")
        }
        return lines
    }

    private var recordLines: [String] {
        let all = tally.records.values.reduce(0, +)
        var lines = [ReportText.grouped(all) + " read"]
        if nestedRecords > 0 {
            lines.append("\(ReportText.grouped(nestedRecords)) of them inside other elements")
        }
        if tally.filteredRecords > 0 {
            lines.append("\(ReportText.grouped(tally.filteredRecords)) left out by --types, --since or --until")
        }
        return lines
    }

    /// `3 electrocardiograms read`, `1 clinical record not in the export`.
    private var fileLines: [String] {
        func lines(_ counts: [String: UInt64], _ rest: String) -> [String] {
            ExportMember.Kind.allCases.compactMap { kind in
                counts[kind.rawValue].map { ReportText.counted($0, kind.words) + rest }
            }
        }
        let unlisted = Set(damage.places.compactMap(\.file).filter { $0.fault == .unlistedFolder }.map(\.kind.rawValue))
        return lines(files, " read") + lines(missingFiles, " that the XML refers to, not in the export")
            + lines(
                unreadFiles.filter { !unlisted.contains($0.key) },
                " not read: not asked for, not named by the XML, or not converted"
            )
    }

    /// How many names are listed without `--verbose`; an export may hold any number of them.
    private static let maximumNameCount = 20

    private func unmappedLines(isVerbose: Bool) -> [String] {
        var lines: [String] = []
        func list(_ counts: [String: UInt64], _ noun: String, _ line: (String, UInt64) -> String) {
            let told = counts.mostFrequentFirst.prefix(isVerbose ? .max : Self.maximumNameCount)
            lines += told.map { line($0.key, $0.value) }
            guard told.count < counts.count else { return }
            let rest = ReportText.counted(UInt64(counts.count - told.count), "more \(noun)")
            lines.append("and \(rest): --verbose or --report FILE has them all")
        }
        list(tally.unmapped.elements, "element") { name, count in
            let what = ReportText.counted(count, "\(name) element")
            return switch name {
            case "WorkoutRoute": "\(what) left out: --routes writes those whose file is there"
            case "MetadataEntry": "\(what) left out: --routes writes those that tell a place"
            case "Me": "birth date and sex of \(what) left out: --include-patient writes them"
            default: "\(what) \(count == 1 ? "is" : "are") not converted"
            }
        }
        list(tally.unmapped.types, "type") { name, count in
            let what = name == "other" ? "an unknown type" : "type \(name)"
            return "\(ReportText.counted(count, "record")) of \(what): written with Apple's code alone"
        }
        // Includes units of metadata and of other elements.
        for (name, count) in tally.unmapped.units.mostFrequentFirst {
            let what = name == MappingTally.noUnit ? "without a unit" : "in an unknown unit"
            let rest = name == MappingTally.noUnit ? "written as a number alone" : "written without a UCUM code"
            lines.append("\(ReportText.counted(count, "number")) \(what): \(rest)")
        }
        // Includes values of events, files and the like, which belong to no record.
        list(tally.unmapped.values, "value") { name, count in
            let what = ReportText.counted(count, name == "other" ? "unknown value" : "value")
            return "\(what)\(name == "other" ? "" : " \(name)"): written as text without a code, or left out"
        }
        list(tally.unmapped.suspectPercents, "type") { name, count in
            let what = ReportText.counted(count, "record") + (name == "other" ? "" : " of type \(name)")
            return "\(what) with too much for a fraction (97 for 0.97?): written unchanged, without a UCUM code"
        }
        if unmappedAttributes > 0 {
            lines.append("\(ReportText.counted(unmappedAttributes, "attribute")) that Apple's DTD does not declare")
        }
        return lines.isEmpty ? ["none"] : lines
    }

    /// `1,204 Observation`, the most frequent first.
    private func counted(_ counts: [String: UInt64]) -> [String] {
        counts.mostFrequentFirst.map { "\(ReportText.grouped($0.value)) \($0.key)" }
    }
}
