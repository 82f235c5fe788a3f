public import HealthExport
internal import HealthKitMapping
internal import Synchronization

/// Looks through an export in one pass and flat memory, and counts what is in it.
///
///     let report = try Inspection().run(ExportInput(path: "export.zip"))
///     print(report.text())
///
/// Reads as `Conversion` reads, so both count the same records and find the same damage; of files beside the
/// XML it also reads those that a conversion with other options, or none, would. Nothing is written anywhere.
/// Memory is a chunk of 160 KiB a thread and the names that were met, of which at most
/// `InspectionReport.mostNames` of a kind are kept apart.
public struct Inspection: Sendable {
    private let options: InspectionOptions
    private let table: MappingTable

    /// Reads the mapping, by which the report says what has a standard code.
    ///
    /// - Throws: `ExportPipelineError.profile` where the options name a folder that can't be used.
    public init(_ options: InspectionOptions = InspectionOptions()) throws(ExportPipelineError) {
        self.options = options
        table = try .load(profilesDirectory: options.profilesDirectory)
    }

    /// Inspects `input`.
    ///
    /// - Parameters:
    ///   - input: an opened export.
    ///   - cancellation: makes the run stop.
    ///   - progress: called some times a second on the calling thread.
    /// - Returns: what is in the export, its damage too.
    /// - Throws: `ExportPipelineError` where the input is no export or can't be read.
    public func run(
        _ input: ExportInput,
        cancellation: Cancellation = Cancellation(),
        progress: (RunProgress) -> Void = { _ in }
    ) throws -> InspectionReport {
        let clock = ContinuousClock()
        let start = clock.now
        if input.kind == .electrocardiogram { return try Self.electrocardiogram(input, cancellation) }
        let source: any ByteSource
        do throws(HealthExportError) {
            source = try input.openMainXML()
        } catch {
            throw ExportPipelineError.input(error)
        }
        let ring = ChunkRing(
            threads: options.threads,
            scansCanonicalRecords: options.scansCanonicalRecords,
            cancellation: cancellation
        )
        let sink = InspectionSink()
        let outcome = try ring.run(
            ChunkCutter(source: source, input: input.displayName, chunkByteCount: options.chunkByteCount),
            makeConsumer: { InspectionConsumer(table: table) },
            sink: sink,
            progress: { consumed in
                progress(RunProgress(consumed, records: sink.recordCount, seconds: (clock.now - start) / .seconds(1)))
            }
        )
        var report = sink.report(table: table)
        report.kind = input.kind
        report.memberName = input.mainMemberName
        report.otherMembers = input.otherMembers
        try report.add(FileCheck(input, cancellation))
        report.isComplete = outcome.isComplete
        report.inputFault = outcome.inputFault.map { "\($0)" }
        report.bytesRead = outcome.byteCount
        report.seconds = (clock.now - start) / .seconds(1)
        report.peakMemoryBytes = ProcessMemory.peakByteCount
        return report
    }
}

/// The totals as the ring's sink.
private final class InspectionSink: ChunkSink {
    private var totals = InspectionTotals()
    private let records = Atomic<UInt64>(0)

    /// Records counted so far; may be asked from any thread.
    var recordCount: UInt64 { records.load(ordering: .relaxed) }

    func commit(_ slot: ChunkSlot) {
        totals.add(slot)
        records.store(totals.records, ordering: .relaxed)
    }

    func report(table: MappingTable) -> InspectionReport { totals.report(table: table) }
}

/// How an inspection reads.
public struct InspectionOptions: Sendable {
    /// Threads that work; the calling one only waits.
    public var threads = 1
    /// Bytes of XML that a worker takes at a time.
    public var chunkByteCount = ChunkCutter.defaultChunkByteCount
    /// Whether canonical records are read without libxml2, which is faster; the report is the same.
    public var scansCanonicalRecords = true
    /// A folder with the mapping's files instead of the program's own.
    public var profilesDirectory: String?

    /// One thread, the program's own mapping.
    public init() {}
}
