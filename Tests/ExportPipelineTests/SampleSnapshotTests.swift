import ExportPipeline
import FHIRR4
import Foundation
import HealthKitMapping
import TransactionBundling
import Testing

/// Each sample's output is committed next to it; `samples/README.md` says what each is for.
struct SampleSnapshotTests {
    private static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"

    @Test(arguments: SampleVariant.all)
    func `a sample gives the committed Bundles`(_ variant: SampleVariant) throws {
        let run = try Run(Samples.path(variant.sample), options: variant.options)
        try compare(run.text, with: variant.snapshot + ".ndjson")
        try compare(counts(run.report), with: variant.snapshot + ".counts.json")
    }

    @Test func `every committed Bundle belongs to a sample`() throws {
        let expected = Set(SampleVariant.all.flatMap { [$0.snapshot + ".ndjson", $0.snapshot + ".counts.json"] })
        let files = try FileManager.default.contentsOfDirectory(atPath: Samples.folder.appending(path: "bundles").path)
        #expect(Set(files) == expected)
    }

    @Test func `samples are small`() throws {
        for name in Samples.names + Samples.electrocardiograms + [Samples.kitchenSink + "/export"] {
            let size = try Data(contentsOf: URL(filePath: Samples.path(name))).count
            #expect(size <= 100_000, "\(name) has \(size) bytes")
        }
    }

    private func compare(_ text: String, with file: String) throws {
        let url = Samples.folder.appending(path: "bundles/\(file)")
        if Self.isRecording {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: url)
            return
        }
        let committed = try String(decoding: Data(contentsOf: url), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let wanted = committed.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == wanted.count, "\(file): other number of lines")
        for (number, pair) in zip(lines, wanted).enumerated() {
            #expect(pair.0 == pair.1, "\(file):\(number + 1)")
        }
    }

    /// The report without the fields that differ from run to run.
    private func counts(_ report: RunReport) -> String {
        report.json.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { line in
                !["seconds", "peakMemoryBytes", "started", "version", "mappingVersion"]
                    .contains { line.hasPrefix("  \"\($0)\": ") }
            }
            .joined(separator: "\n").replacingOccurrences(of: "},\n}", with: "}\n}")
    }
}

/// A sample with its own options.
struct SampleVariant: CustomTestStringConvertible {
    var sample: String
    var variant: String?

    static let all =
        (Samples.names + Samples.electrocardiograms).map { SampleVariant(sample: $0) } + [
            SampleVariant(sample: "bundle-cuts", variant: "conditional"),
            SampleVariant(sample: "bundle-cuts", variant: "small"),
            SampleVariant(sample: "characteristics", variant: "patient"),
            SampleVariant(sample: "duplicates", variant: "conditional"),
            SampleVariant(sample: "duplicates", variant: "small-conditional"),
            SampleVariant(sample: "identifiers", variant: "keyed"),
            SampleVariant(sample: Samples.kitchenSink, variant: "patient-routes-summed"),
            SampleVariant(sample: "damaged-cut-panels", variant: "summed"),
            SampleVariant(sample: "devices", variant: "keyed"),
            SampleVariant(sample: "devices", variant: "small-conditional"),
            SampleVariant(sample: "summaries", variant: "summed"),
            SampleVariant(sample: "summaries", variant: "summed-zoned"),
            SampleVariant(sample: "time-zones", variant: "zoned"),
            SampleVariant(sample: "two-sources", variant: "conditional"),
            SampleVariant(sample: "workouts", variant: "routes"),
            SampleVariant(sample: "workouts", variant: "routes-small-conditional"),
        ]

    /// The snapshot's name, such as `duplicates.conditional`.
    var snapshot: String { variant.map { "\(sample).\($0)" } ?? sample }
    var testDescription: String { snapshot }

    var options: ConversionOptions {
        .sample.with { options in
            let words = variant?.split(separator: "-").map(String.init) ?? []
            if words.contains("conditional") { options.mapping.form = .conditionalCreate }
            if words.contains("keyed") { options.mapping.identityKey = Array(0..<32) }
            if words.contains("patient") { options.mapping.includesPatient = true }
            if words.contains("routes") { options.mapping.includesRoutes = true }
            if words.contains("zoned") { options.mapping.timeZone = "Asia/Kathmandu" }
            if words.contains("summed") { options.mapping.summarizes = true }
            if words.contains("small") {
                options.limits.maximumEntryCount = 40
                options.limits.maximumByteCount = 30000
            }
        }
    }
}
