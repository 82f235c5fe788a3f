package import HealthExport
internal import HealthKitMapping
internal import Synchronization

/// Reads an export in one pass and flat memory, and counts what is in it.
///
///     let report = try Inspection().run(ExportInput(path: "export.zip"))
///     print(report.text(title: "export.zip"))
///
/// Reads in the same way as `Conversion`, so both count the same records and find the same damage in the XML and in
/// records. Other elements are only counted, so only a conversion finds, for example, a workout without an end. Of the
/// files next to the XML it reads all that any conversion would, whatever its options. Nothing is written anywhere.
/// Memory is a chunk of 160 KiB for each thread and the names found, of which at most
/// `InspectionReport.maximumNameCount` of a kind are kept apart.
package struct Inspection: Sendable {
    private let options: RunOptions
    private let table: MappingTable

    /// Reads the mapping, from which the report takes what has a standard code.
    ///
    /// - Throws: `ExportPipelineError.profile` if the options name a folder that can't be used.
    package init(_ options: RunOptions = RunOptions()) throws(ExportPipelineError) {
        self.options = options
        table = try .load(profilesFolder: options.profilesFolder)
    }

    /// Inspects `input`.
    ///
    /// - Parameters:
    ///   - input: an opened export.
    ///   - cancellation: stops the run.
    ///   - progress: called a few times a second on the calling thread.
    /// - Returns: what is in the export, including its damage.
    /// - Throws: `ExportPipelineError` if the input is not an export or can't be read.
    package func run(
        _ input: ExportInput,
        cancellation: Cancellation = Cancellation(),
        progress: (RunProgress) -> Void = { _ in }
    ) throws -> InspectionReport {
        let start = RunStart()
        let sink = InspectionSink()
        let hasXML = input.kind != .electrocardiogram
        var outcome = ChunkRing.Outcome(isComplete: true)
        if hasXML {
            outcome = try ChunkRing.read(
                input,
                options,
                makeConsumer: { InspectionConsumer(table: table) },
                sink: sink,
                cancellation: cancellation,
                progress: { consumed in
                    progress(RunProgress(consumed, records: sink.recordCount, seconds: start.seconds))
                }
            )
        }
        var report = sink.report(table: table)
        report.kind = input.kind
        report.memberName = input.mainMemberName
        report.otherMembers = input.otherMembers
        let files = try FileCheck(input, cancellation)
        report.electrocardiograms = files.electrocardiograms.sorted { $0.recorded < $1.recorded }
        for fault in files.faults { report.damage.add(fault) }
        report.damage.noteEnd(outcome)
        report.bytesRead = hasXML ? outcome.byteCount : files.byteCount
        report.seconds = start.seconds
        report.peakMemoryBytes = ProcessMemory.peakByteCount
        report.started = start.time
        return report
    }
}

/// The totals as the ring's sink.
private final class InspectionSink: ChunkSink {
    private var totals = InspectionTotals()
    private let records = Atomic<UInt64>(0)

    /// Records counted so far; may be read from any thread.
    var recordCount: UInt64 { records.load(ordering: .relaxed) }

    func commit(_ slot: ChunkSlot) {
        totals.add(slot)
        records.store(totals.records, ordering: .relaxed)
    }

    func report(table: MappingTable) -> InspectionReport { totals.report(table: table) }
}
