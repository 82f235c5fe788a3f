internal import FHIRR4
internal import HealthExport

extension InspectionReport {
    /// The report as JSON, with keys in a fixed order, indented by two spaces, ending with a line feed.
    ///
    /// Its keys are stable: keys may be added, but none is removed or changes its meaning. Instants are FHIR's, in UTC:
    /// `2024-03-31T00:59:59Z`.
    package var json: String {
        ReportJSON.object(members).text + "\n"
    }

    private var members: [(String, ReportJSON)] {
        [
            ("file", file),
            ("members", files),
            ("records", .count(records)),
            ("nestedRecords", .count(nestedRecords)),
            ("types", .array(types.map(Self.object))),
            (
                "sources",
                .array(sources.map { .object([("name", .string($0.name)), ("records", .count($0.records))]) })
            ),
            ("elements", .counts(elements)),
            ("electrocardiograms", .array(electrocardiograms.map(Self.object))),
            ("months", .object(months.map { ($0.name, .count($0.records)) })),
        ] + damage.faultMembers + [
            (
                "unmapped",
                .object([
                    ("types", .counts(unmappedTypes)), ("units", .counts(unmappedUnits)),
                    ("values", .counts(unmappedValues)), ("elements", .counts(unmappedElements)),
                    ("attributes", .counts(unmappedAttributes > 0 ? ["other": unmappedAttributes] : [:])),
                ])
            )
        ] + ReportJSON.run(seconds: seconds, peakMemoryBytes: peakMemoryBytes, started: started)
    }

    private var file: ReportJSON {
        .object(
            [
                ("kind", .string("\(kind)")),
                ("member", memberName.map { .string($0) } ?? .null),
                ("bytes", .count(bytesRead)),
            ] + damage.endMembers + [
                ("exportDate", exportDate.map { .string($0) } ?? .null),
                ("exportOffset", exportOffset.map { .string($0) } ?? .null),
            ]
        )
    }

    private var files: ReportJSON {
        .object([
            ("electrocardiograms", .count(UInt64(otherMembers[.electrocardiogram]))),
            ("workoutRoutes", .count(UInt64(otherMembers[.workoutRoute]))),
            ("clinicalRecords", .count(UInt64(otherMembers[.clinicalRecord]))),
            ("clinicalDocuments", .count(UInt64(otherMembers[.clinicalDocument]))),
            ("attachments", .count(UInt64(otherMembers[.attachment]))),
            ("other", .count(UInt64(otherMembers[.other]))),
        ])
    }

    private static func object(_ electrocardiogram: ElectrocardiogramSummary) -> ReportJSON {
        .object([
            ("recorded", .string(FHIRDateTime.utcText(electrocardiogram.recorded))),
            ("samples", .count(UInt64(electrocardiogram.sampleCount))),
            ("sampleRate", .string(electrocardiogram.sampleRate)),
        ])
    }

    private static func object(_ type: TypeSummary) -> ReportJSON {
        .object([
            ("type", .string(type.type)),
            ("records", .count(type.records)),
            ("first", type.starts.map { .string(FHIRDateTime.utcText($0.lowerBound)) } ?? .null),
            ("last", type.starts.map { .string(FHIRDateTime.utcText($0.upperBound)) } ?? .null),
            ("units", .counts(type.units)),
            ("known", .bool(type.isKnown)),
            (
                "codings",
                .array(
                    type.codings.map { coding in
                        .object([
                            ("system", .string(coding.system)), ("code", .string(coding.code)),
                            ("display", coding.display.map { .string($0) } ?? .null),
                        ])
                    }
                )
            ),
        ])
    }
}

extension InspectionReport.MonthSummary {
    /// `2024-03`.
    package var name: String {
        let digits = "\(year)"
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + (month < 10 ? "-0" : "-") + "\(month)"
    }
}
