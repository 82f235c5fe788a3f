internal import FHIRR4
internal import HealthExport
internal import HealthKitMapping

/// Adds the workers' tallies up, in file order, and makes the report from them.
struct InspectionTotals {
    private struct TypeTotal {
        var records: UInt64 = 0
        var starts: ClosedRange<Int64>?
        var units: [String: UInt64] = [:]
    }

    /// Records so far.
    private(set) var records: UInt64 = 0
    private var types: [String: TypeTotal] = [:]
    private var sources: [String: UInt64] = [:]
    private var months: [Int32: UInt64] = [:]
    private var unknownTypes: [String: UInt64] = [:]
    private var unknownUnits: [String: UInt64] = [:]
    private var unknownValues: [String: UInt64] = [:]
    /// Elements and damage, counted as a conversion counts them.
    private var run = RunReport()

    /// Adds one chunk.
    mutating func add(_ slot: ChunkSlot) {
        records += slot.batch.elementCounts[Int(ElementName.record.rawValue)]
        run.add(slot.batch, converted: Committer.convertedElements)
        for fault in slot.faults { run.damage.add(fault) }
        if let date = slot.batch.text(slot.batch.exportDate) { run.noteExportDate(date) }
        for row in slot.inspection.rows { add(row) }
        for month in slot.inspection.months { months[month.month, default: 0] += month.records }
    }

    private mutating func add(_ row: InspectionTally.Row) {
        let name = row.name
        types.changeBounded(name.type, default: TypeTotal()) { total in
            total.records += row.records
            if let starts = row.starts {
                total.starts = total.starts.map { $0.union(starts) } ?? starts
            }
            if let unit = name.unit {
                total.units.countBounded(unit, row.records, most: InspectionReport.maximumUnitCount)
            }
        }
        sources.countBounded(name.source, row.records)
        guard row.written > 0 else { return }
        if name.lacksCodes { unknownTypes.countBounded(name.type, row.written) }
        if !name.isKnownUnit { unknownUnits.countBounded(name.unit?.unlessBlank ?? MappingTally.noUnit, row.written) }
        if let value = name.unknownValue { unknownValues.countBounded(value, row.written) }
    }

    /// The report, without the values that only the input and the ring know.
    func report(table: MappingTable) -> InspectionReport {
        var report = InspectionReport()
        report.exportDate = run.exportDate
        report.exportOffset = run.exportOffset
        report.records = records
        report.nestedRecords = run.nestedRecords
        report.types = types.map { name, total in
            let mapping = table.type(name)
            let usualUnit = total.units.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
            return InspectionReport.TypeSummary(
                type: name,
                records: total.records,
                starts: total.starts,
                units: total.units,
                codings: mapping?.codings(ucumCode: usualUnit.flatMap { mapping?.unit($0)?.ucumCode }) ?? [],
                isKnown: mapping != nil
            )
        }.sorted { ($1.records, $0.type) < ($0.records, $1.type) }
        report.sources = sources.map { InspectionReport.SourceSummary(name: $0.key, records: $0.value) }
            .sorted { ($1.records, $0.name) < ($0.records, $1.name) }
        report.months = months.map { month, records in
            InspectionReport.MonthSummary(year: Int(month) / 12, month: Int(month) % 12 + 1, records: records)
        }.sorted { ($0.year, $0.month) < ($1.year, $1.month) }
        report.elements = run.elements
        report.damage = run.damage
        report.unmappedTypes = unknownTypes
        report.unmappedUnits = unknownUnits
        report.unmappedValues = unknownValues
        report.unmappedElements = run.tally.unmapped.elements
        report.unmappedAttributes = run.unmappedAttributes
        return report
    }
}

extension ClosedRange<Int64> {
    fileprivate func union(_ other: Self) -> Self {
        Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }
}

extension Dictionary where Key == String {
    /// Changes the value of `name`, or of the rest if there are too many names.
    fileprivate mutating func changeBounded(
        _ name: String,
        most: Int = InspectionReport.maximumNameCount,
        default value: Value,
        _ change: (inout Value) -> Void
    ) {
        let isRoom = count < most || keys.contains(name)
        change(&self[isRoom ? name : InspectionReport.nameOfTheRest, default: value])
    }
}

extension [String: UInt64] {
    fileprivate mutating func countBounded(
        _ name: String,
        _ count: UInt64,
        most: Int = InspectionReport.maximumNameCount
    ) {
        changeBounded(name, most: most, default: 0) { $0 += count }
    }
}
