public import Delivery
internal import FHIRR4
public import HealthExport
public import HealthKitMapping
internal import Synchronization
public import TransactionBundling

/// Converts an export to FHIR R4, in one pass and flat memory.
///
///     let conversion = try Conversion(ConversionOptions(mapping: MappingOptions(patientID: "p1")))
///     let report = try conversion.run(ExportInput(path: "export.zip"), to: .file("bundles.ndjson"))
///
/// Memory is a chunk of 160 KiB a thread with what is made of them, whatever the input's
/// size. The same export and options give the same bytes with any number of threads.
public struct Conversion: Sendable {
    private let options: ConversionOptions
    private let table: MappingTable

    /// Checks the options and reads the mapping.
    public init(_ options: ConversionOptions) throws(ExportPipelineError) {
        guard MappingOptions.isPatientID(options.mapping.patientID) else { throw .patientID }
        if let zone = options.mapping.timeZone, !isKnownTimeZone(zone) { throw .timeZone(zone) }
        table = try .load(profilesDirectory: options.run.profilesDirectory)
        self.options = options
    }

    /// Converts `input`.
    ///
    /// - Parameters:
    ///   - input: an opened export.
    ///   - target: where the Bundles or resources go.
    ///   - cancellation: makes the run stop; files that are not complete are removed.
    ///   - progress: called some times a second on the calling thread.
    /// - Returns: what was read, written and found wrong.
    /// - Throws: `ExportPipelineError`; damage that the run survives is in the report instead.
    public func run(
        _ input: ExportInput,
        to target: OutputTarget,
        cancellation: Cancellation = Cancellation(),
        progress: (RunProgress) -> Void = { _ in }
    ) throws -> RunReport {
        try run(input, into: options.makeOutput(target, cancellation: cancellation), cancellation, progress)
    }

    /// Converts `input` and puts on a server what it does not have yet; nothing is written to disk but the ledger.
    ///
    /// Blocks: for a thread of one's own. The delivery is finished, whatever happens, and has its own report.
    ///
    /// - Parameters:
    ///   - input: an opened export.
    ///   - delivery: puts the Bundles on the server.
    ///   - cancellation: makes the run stop.
    ///   - progress: called some times a second on the calling thread.
    /// - Returns: what was read and found wrong.
    /// - Throws: `ExportPipelineError`, `DeliveryError`, or the authorizer's error.
    public func run(
        _ input: ExportInput,
        into delivery: Delivery,
        cancellation: Cancellation = Cancellation(),
        progress: (RunProgress) -> Void = { _ in }
    ) throws -> RunReport {
        let output = DeliveryOutput(delivery, of: input, cancellation)
        if options.mapping.isFiltered { delivery.notePart() }
        let result = Result { try run(input, into: output, cancellation, progress) }
        let report = try? result.get()
        let finishing = Result {
            let isComplete = (report?.damage.isEmpty ?? false) && !options.mapping.isFiltered
            try delivery.finish(report?.ending(of: input, options.mapping), isComplete: isComplete)
        }
        // What stopped the delivery is the reason, where both have one, in the words of its end.
        try finishing.get()
        if let fault = output.fault { throw fault }
        return try result.get()
    }

    /// Converts `input` and compares what comes of it with what a server has; nothing is written or sent.
    ///
    /// Blocks: for a thread of one's own. The verification is finished, whatever happens, and has its own report.
    ///
    /// - Parameters:
    ///   - input: an opened export.
    ///   - verification: reads the server.
    ///   - cancellation: makes the run stop.
    ///   - progress: called some times a second on the calling thread.
    /// - Returns: what was read and found wrong.
    /// - Throws: `ExportPipelineError`, `DeliveryError`, or the authorizer's error.
    public func run(
        _ input: ExportInput,
        into verification: Verification,
        cancellation: Cancellation = Cancellation(),
        progress: (RunProgress) -> Void = { _ in }
    ) throws -> RunReport {
        let output = VerificationOutput(verification)
        let result = Result { try run(input, into: output, cancellation, progress) }
        let report = try? result.get()
        let finishing = Result {
            let isComplete = report?.damage.isWhole ?? false
            try verification.finish(report?.ending(of: input, options.mapping), isComplete: isComplete)
        }
        if let fault = output.fault { throw fault }
        try finishing.get()
        return try result.get()
    }

    /// What ids, digests and bytes are made with.
    public var fingerprint: Fingerprint {
        Fingerprint(
            scheme: IdentityScheme.name,
            identityKey: options.mapping.identityKey,
            mapping: [table.fingerprint, options.mapping.fingerprint].filter { !$0.isEmpty }.joined(separator: ";")
        )
    }

    private func run(
        _ input: ExportInput,
        into output: any BundleOutput,
        _ cancellation: Cancellation,
        _ progress: (RunProgress) -> Void
    ) throws -> RunReport {
        let clock = ContinuousClock()
        let start = clock.now
        let registry = DeviceRegistry()
        let sink = CommitterSink(
            Committer(options: options, table: table, registry: registry, output: output)
        )
        let hasXML = input.kind != .electrocardiogram
        var outcome = ChunkRing.Outcome(isComplete: true)
        if hasXML {
            outcome = try ChunkRing.read(
                input,
                options.run,
                makeConsumer: { MappingConsumer(table: table, options: options.mapping, registry: registry) },
                sink: sink,
                cancellation: cancellation,
                progress: { consumed in
                    progress(
                        RunProgress(consumed, records: sink.recordCount, seconds: (clock.now - start) / .seconds(1))
                    )
                }
            )
        }
        let mapper = ElementMapper(table: table, options: options.mapping, registry: registry)
        var files = FilePass(input, mapper: mapper, sink: sink, cancellation: cancellation)
        let fileByteCount = try files.run()
        var report = try sink.finish(outcome)
        report.unreadFiles = files.unread
        report.hasXML = hasXML
        report.bytesRead = hasXML ? outcome.byteCount : fileByteCount
        report.bytesWritten = output.byteCount
        report.seconds = (clock.now - start) / .seconds(1)
        report.peakMemoryBytes = ProcessMemory.peakByteCount
        return report
    }
}

extension RunReport {
    /// What a delivery may conclude from this run; `nil` where the export was not read whole and undamaged, or
    /// samples were left out.
    fileprivate func ending(of input: ExportInput, _ options: MappingOptions) -> ExportEnding? {
        guard hasXML, damage.isEmpty, !options.isFiltered, let exportSeconds else { return nil }
        // What a file that is not there would have become is not gone.
        let hasFiles = !lacksFiles(withRoutes: options.includesRoutes)
        let holdsAll = (input.kind == .zip || input.kind == .folder) && hasFiles
        return ExportEnding(exportDate: exportSeconds, holdsAll: holdsAll)
    }
}

extension MappingOptions {
    /// Whether a part of the export is left out.
    fileprivate var isFiltered: Bool { types != nil || since != nil || until != nil }
}

/// What a conversion is asked to do.
public struct ConversionOptions: Sendable {
    /// What Bundles or files are written.
    public enum Format: String, Sendable, CaseIterable {
        /// Transaction Bundles.
        case bundles
        /// FHIR Bulk Data files.
        case resources
    }

    /// Whose data, which samples, how ids and times are written.
    public var mapping: MappingOptions
    /// Bundles or resources.
    public var format = Format.bundles
    /// How large Bundles get.
    public var limits = BundleLimits()
    /// One file per Bundle.
    public var isSplit = false
    /// Compress what is written.
    public var isGzip = false
    /// Replace files that are there.
    public var replacesFiles = false
    /// How the export is read.
    public var run = RunOptions()

    /// The defaults, for one patient.
    public init(mapping: MappingOptions) { self.mapping = mapping }

    func makeOutput(
        _ target: OutputTarget,
        cancellation: Cancellation
    ) throws(ExportPipelineError) -> any BundleOutput {
        func single(
            _ path: String?,
            in directory: OutputDirectory? = nil
        ) throws(ExportPipelineError) -> SingleFileOutput {
            let replace = path == nil || replacesFiles
            let file = try OutputFile(path: path, isGzip: isGzip, replace: replace, cancellation: cancellation)
            return SingleFileOutput(file, in: directory)
        }
        switch (target, format, isSplit) {
        case (.standardOutput, _, _): return try single(nil)
        case (.directory(let path), .bundles, true):
            return try SplitOutput(directory: OutputDirectory(path), isGzip: isGzip, replace: replacesFiles)
        case (.directory(let path), .resources, _):
            return try BulkDataOutput(directory: OutputDirectory(path), isGzip: isGzip, replace: replacesFiles)
        case (.directory(let path), .bundles, false):
            let name = path + "/bundles.ndjson" + (isGzip ? ".gz" : "")
            return try single(name, in: OutputDirectory(path))
        case (.file(let path), _, _): return try single(path)
        }
    }
}

/// The committer as the ring's sink.
final class CommitterSink: ChunkSink {
    private var committer: Committer
    private let records = Atomic<UInt64>(0)

    init(_ committer: consuming Committer) { self.committer = committer }

    /// Records committed so far; may be asked from any thread.
    var recordCount: UInt64 { records.load(ordering: .relaxed) }

    /// Files that the committed elements refer to; asked once the ring is done.
    var files: [ReferencedFile] { committer.files }

    func commit(_ slot: ChunkSlot) throws {
        try committer.commit(slot)
        records.store(committer.recordCount, ordering: .relaxed)
    }

    func finish(_ outcome: ChunkRing.Outcome) throws(ExportPipelineError) -> RunReport {
        try committer.finish(outcome)
    }
}

/// Makes one unit of the Observations from row `first` on; what stands behind them refers to them by name.
private func join(_ rows: inout RawArray<EncodedResource>, from first: Int) {
    unsafe rows.withMutableElements { rows in
        var end = first
        while unsafe end < rows.count && rows[end].type == .observation { end += 1 }
        for index in first..<end { unsafe rows[index].followers = UInt32(end - 1 - index) }
    }
}

/// Maps a chunk's records on its worker's thread.
final class MappingConsumer: ChunkConsumer {
    private var mapper: RecordMapper
    private var elements: ElementMapper

    init(table: MappingTable, options: MappingOptions, registry: DeviceRegistry) {
        mapper = RecordMapper(table: table, options: options, registry: registry)
        elements = ElementMapper(table: table, options: options, registry: registry)
    }

    func consume(_ slot: ChunkSlot) {
        elements.exportDay = slot.exportDay
        var faults: [(Malformation.Kind, UInt64)] = []
        var next = 0
        func records(to end: Int, in element: HealthElement? = nil) {
            guard end > next else { return }
            mapper.map(
                slot.batch,
                next..<end,
                nestedRole: element.flatMap { elements.roleOfRecords(in: $0) },
                nutrientsAlone: element?.name == .correlation,
                of: slot.chunk.bytes,
                into: &slot.json,
                rows: &slot.rows
            ) { faults.append(($0, $1)) }
            next = end
        }
        // Both in the order of the file: an element stands behind what is in it.
        for index in 0..<slot.batch.trees.count where !slot.batch.trees[index].isBeatList {
            let tree = slot.batch.trees[index]
            let element = slot.batch.element(tree)
            records(to: Int(tree.firstRecord))
            let firstRow = slot.rows.count
            records(to: Int(tree.recordCount), in: element)
            let tally = elements.map(element, into: &slot.json, rows: &slot.rows) {
                slot.addFault($0, in: element.name, at: element.byteOffset)
            }
            slot.elements.add(tally)
            if elements.joinsRecords(in: element) { join(&slot.rows, from: firstRow) }
        }
        records(to: slot.batch.records.count)
        slot.counts = mapper.takeCounts()
        slot.elements.addLeftOut(.metadataEntry, mapper.takeLeftOutPlaces())
        mapper.takeSamples(into: &slot.samples)
        for (kind, byte) in faults { slot.addFault(kind, in: .record, at: byte) }
    }
}
