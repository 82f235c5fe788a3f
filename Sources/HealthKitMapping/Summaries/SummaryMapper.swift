package import FHIRR4
package import HealthExport

/// Makes one Observation per day and type from the samples of a whole export.
///
/// Keyed by patient, type and day, so that a later export replaces a day's summary instead of adding one. Tagged, so
/// that nobody adds it to the samples. Takes 64 bytes a sample.
package struct SummaryMapper {
    /// The profile that each summary claims.
    package static let profile = ProfileURL.dailySummary
    /// The summaries' kinds, as `EncodedResource.kind(of:)` numbers them.
    package static let kinds = Set(SummarySeries.all.map { EncodedResource.kind(of: kind(of: $0.type)) })

    private static func kind(of type: String) -> String { "DailySummary " + type }

    private let context: MappingContext
    private var samples: [[SummarySample]] = SummarySeries.all.map { _ in [] }

    /// A mapper for one run.
    package init(table: MappingTable, options: MappingOptions, registry: DeviceRegistry) {
        context = MappingContext(table: table, options: options, registry: registry)
    }

    /// Takes the samples of one chunk.
    package mutating func add(_ more: borrowing RawArray<SummarySample>) {
        for index in 0..<more.count { samples[Int(more[index].series)].append(more[index]) }
    }

    /// Writes the summaries, one type after the other, by day.
    ///
    /// - Parameters:
    ///   - exportDate: the instant of the export, in seconds; its day is not over and thus `preliminary`.
    ///   - json: the resources are appended.
    ///   - rows: a row for each is appended.
    package mutating func finish(
        exportDate: Int64?,
        into json: inout JSONBytes,
        rows: inout RawArray<EncodedResource>
    ) {
        for (index, series) in SummarySeries.all.enumerated() where !samples[index].isEmpty {
            let totals = DayTotals(samples[index], series, zone: context.options.timeZone)
            samples[index] = []
            var calendar = SummaryDays(zone: context.options.timeZone, shift: series.rule == .sleep ? 43200 : 0)
            let open = exportDate.map { calendar.day(of: $0) }
            // A day that `--since` or `--until` cuts short has no total.
            let whole = totals.days.filter { day, _ in
                context.isWhole(calendar.end(of: day - 1)..<calendar.end(of: day))
            }
            for (day, total) in whole.sorted(by: { $0.key < $1.key }) {
                draft(series, day, total, isOpen: open.map { day >= $0 } ?? false).write(
                    form: context.options.form,
                    to: &json,
                    rows: &rows
                )
            }
        }
    }

    private func draft(
        _ series: SummarySeries,
        _ day: Int64,
        _ total: DayTotals.Day,
        isOpen: Bool
    ) -> ResourceDraft {
        let date = SummaryDays.text(day)
        let mapping = context.table.type(series.type)
        let draft = ObservationDraft(
            codings: [series.loinc, .apple(series.type, mapping?.display)].compactMap(\.self),
            text: series.display
        )
        draft.profiles = [Self.profile]
        draft.tags = [SummaryTag.summary]
        draft.status = isOpen ? "preliminary" : "final"
        draft.categories = [ObservationDraft.category(mapping?.category ?? "activity")]
        draft.effective = context.day("effectiveDateTime", date)
        // Only in bed or awake: sleep was not measured, and 0 minutes of it would be a finding.
        let isUnknown = series.rule == .sleep && !total.hasSleep
        draft.value =
            isUnknown
            ? .init("dataAbsentReason", .dataAbsent("unknown", "Unknown"))
            : .init("valueQuantity", quantity(total.value, series))
        for stage in SummarySeries.sleepStages {
            guard let seconds = total.stages[stage.number] else { continue }
            let codings = [stage.loinc, .apple("HKCategoryValueSleepAnalysis" + stage.name, stage.text)]
            draft.components.append(
                ObservationDraft.component(
                    codings.compactMap(\.self),
                    text: stage.text,
                    .init("valueQuantity", quantity(DayTotals.minutes(seconds), series))
                )
            )
        }
        let id = context.scheme.id(kind: "DailySummary", type: series.type, source: "", start: date, end: "")
        let content =
            ([draft.status, total.value.text] + total.stages.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })
        return draft.resource(
            id: id,
            digest: context.scheme.digest(ofFields: [series.type, date] + content),
            kind: Self.kind(of: series.type),
            frame: nil,
            in: context
        )
    }

    private func quantity(_ value: ExactDecimal, _ series: SummarySeries) -> JSONValue {
        .quantity(value.text, series.unit.display, code: series.unit.ucumCode)
    }
}
