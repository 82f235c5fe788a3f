public import Delivery
public import HealthExport
internal import HealthKitMapping
internal import Synchronization
public import TransactionBundling

/// Converts an export to FHIR R4, in one pass and flat memory.
///
///     import ExportPipeline
///     import HealthExport
///     import HealthKitMapping
///
///     let conversion = try Conversion(ConversionOptions(mapping: MappingOptions(patientID: "p1")))
///     let report = try conversion.run(ExportInput(path: "export.zip"), to: .file("bundles.ndjson"))
///
/// Memory is a chunk of 160 KiB and its output for each thread, whatever the input's size; only daily summaries need
/// more, 64 bytes for each sample that they sum up. The same export and options give the same bytes with any number of
/// threads. More examples are in docs/library.md.
public struct Conversion: Sendable {
    private let options: ConversionOptions
    private let table: MappingTable

    /// Checks the options and reads the mapping.
    ///
    /// - Throws: `ExportPipelineError`, with a case for each option that can't be used, such as `.patientID`.
    public init(_ options: ConversionOptions) throws(ExportPipelineError) {
        try options.check()
        table = try .load(profilesFolder: options.run.profilesFolder)
        try options.checkTypes(table)
        self.options = options
    }

    /// Converts `input`.
    ///
    /// - Parameters:
    ///   - input: an opened export.
    ///   - target: where the Bundles or resources go.
    ///   - cancellation: stops the run; incomplete files are removed.
    ///   - progress: called a few times a second on the calling thread.
    /// - Returns: what was read, written and found wrong.
    /// - Throws: `ExportPipelineError`; damage that the run survives is in the report instead.
    @available(*, noasync, message: "it blocks: call it in OwnThread.run")
    public func run(
        _ input: ExportInput,
        to target: OutputTarget,
        cancellation: Cancellation = Cancellation(),
        progress: (RunProgress) -> Void = { _ in }
    ) throws -> RunReport {
        try run(input, into: options.makeOutput(target, cancellation: cancellation), cancellation, progress)
    }

    /// Converts `input` and hands over each Bundle; nothing is written to disk.
    ///
    /// - Parameters:
    ///   - input: an opened export.
    ///   - cancellation: stops the run.
    ///   - progress: called a few times a second on the calling thread.
    ///   - body: takes the Bundles in order, one at a time, on threads of the run, which wait for it; an error that it
    ///     throws ends the run.
    /// - Returns: what was read and found wrong.
    /// - Throws: `ExportPipelineError`, `.resourcesAlone` if the form makes no Bundles, or the error that `body`
    ///   throws.
    @available(*, noasync, message: "it blocks: call it in OwnThread.run")
    public func run(
        _ input: ExportInput,
        cancellation: Cancellation = Cancellation(),
        progress: (RunProgress) -> Void = { _ in },
        each body: @escaping @Sendable (TransactionBundle) throws -> Void
    ) throws -> RunReport {
        guard options.format == .bundles else { throw ExportPipelineError.resourcesAlone }
        let output = ClosureOutput(cancellation, body)
        defer { output.close() }
        return try run(input, into: output, cancellation, progress)
    }

    /// Converts `input` and puts on a server what it does not have yet; only the ledger is written to disk.
    ///
    /// Blocks, so call it on a thread of your own. The delivery is finished in any case, and has its own report.
    ///
    /// - Parameters:
    ///   - input: an opened export.
    ///   - delivery: puts the Bundles on the server; its options must be for the conversion's patient and set up by
    ///     ``configure(_:)``.
    ///   - cancellation: stops the delivery too: requests in flight are waited for, queued ones are not sent.
    ///   - progress: called a few times a second on the calling thread.
    /// - Returns: what was read and found wrong.
    /// - Throws: `DeliveryError`, `.interrupted` if it was cancelled; `ExportPipelineError`, with `.otherPatient`,
    ///   `.otherConversion` and `.resourcesAlone` before anything is read; `HTTPError` if no retry can help, such as for
    ///   an untrusted certificate; or the authorizer's error.
    @available(*, noasync, message: "it blocks: call it in OwnThread.run")
    public func run(
        _ input: ExportInput,
        into delivery: Delivery,
        cancellation: Cancellation = Cancellation(),
        progress: (RunProgress) -> Void = { _ in }
    ) throws -> RunReport {
        let output = DeliveryOutput(delivery, of: input, cancellation)
        if options.mapping.isFiltered { delivery.notePart() }
        return try run(input, into: output, for: delivery, cancellation, progress) { report in
            if report == nil { delivery.dropHeld() }
            try delivery.finish(
                report?.ending(of: input, options.mapping),
                isComplete: (report?.damage.isMended(in: input.kind) ?? false) && !options.mapping.isFiltered,
                losesElements: report?.damage.hasLostElements ?? true
            )
        }
    }

    /// Converts `input` and compares the result with what a server has; nothing is sent or written, except the ledger
    /// in a rebuild.
    ///
    /// Blocks, so call it on a thread of your own. The verification is finished in any case, and has its own report.
    ///
    /// - Parameters:
    ///   - input: an opened export.
    ///   - verification: reads the server; its options must be for the conversion's patient and set up by
    ///     ``configure(_:)``.
    ///   - cancellation: stops the verification too: what is queued is not asked for.
    ///   - progress: called a few times a second on the calling thread.
    /// - Returns: what was read and found wrong.
    /// - Throws: the same errors as for a delivery. A rebuild from a part of an export leaves the ledger as it was, and
    ///   its report says so.
    @available(*, noasync, message: "it blocks: call it in OwnThread.run")
    public func run(
        _ input: ExportInput,
        into verification: Verification,
        cancellation: Cancellation = Cancellation(),
        progress: (RunProgress) -> Void = { _ in }
    ) throws -> RunReport {
        try run(input, into: VerificationOutput(verification), for: verification, cancellation, progress) { report in
            try verification.finish(
                report?.ending(of: input, options.mapping),
                isComplete: (report?.damage.isWhole ?? false) && !options.mapping.isFiltered
            )
        }
    }

    /// Tells a delivery or a verification how this conversion makes its Bundles; without that, neither takes them.
    ///
    ///     var options = DeliveryOptions(server: base, patientID: "p1", ledgerFolder: folder)
    ///     conversion.configure(&options)
    ///
    /// - Parameter delivery: gets what ids and bytes are made with, such as `identityKey`, and what distinguishes daily
    ///   summaries from samples.
    public func configure(_ delivery: inout DeliveryOptions) {
        delivery.fingerprint = fingerprint
        delivery.identityKey = options.mapping.identityKey
        delivery.dailySummaryProfile = SummaryMapper.profile
        delivery.dailySummaryKinds = SummaryMapper.kinds
    }

    /// Converts `input` for a receiver, and finishes that in any case; `finish` gets no report where the run failed.
    private func run(
        _ input: ExportInput,
        into output: any BundleOutput,
        for receiver: any BundleReceiver,
        _ cancellation: Cancellation,
        _ progress: (RunProgress) -> Void,
        finish: (RunReport?) throws -> Void
    ) throws -> RunReport {
        let result = Result {
            try prepare(receiver, cancellation)
            return try run(input, into: output, cancellation, progress)
        }
        // If both fail, the reason is what stopped the receiver, as `finish` reports it.
        try finish(try? result.get())
        return try result.get()
    }

    /// Refuses a receiver that this conversion's Bundles are not for, and lets `cancellation` stop it.
    private func prepare(_ receiver: any BundleReceiver, _ cancellation: Cancellation) throws(ExportPipelineError) {
        do throws(ExportPipelineError) {
            guard options.format == .bundles else { throw .resourcesAlone }
            guard receiver.patientID == options.mapping.patientID else { throw .otherPatient }
            guard receiver.fingerprint == fingerprint else { throw .otherConversion }
        } catch {
            // A stopped receiver asks the server for nothing more when it is finished.
            receiver.stop(error)
            throw error
        }
        receiver.stop { cancellation.isCancelled }
    }

    /// The scheme, identity key and mapping that ids, digests and bytes are made with.
    private var fingerprint: Fingerprint {
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
        let signals = BlockedWriteSignals()
        defer { signals.end() }
        let start = RunStart()
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
                    progress(RunProgress(consumed, records: sink.recordCount, seconds: start.seconds))
                }
            )
        }
        let mapper = ElementMapper(table: table, options: options.mapping, registry: registry)
        var files = FilePass(input, mapper: mapper, sink: sink, cancellation: cancellation)
        let fileByteCount = try files.run()
        // Another person's export may have replaced the folder, or it may hold only a part of this one now.
        if outcome.inputFault == nil {
            do throws(HealthExportError) { outcome.inputFault = try input.changeFault() } catch {
                throw ExportPipelineError.input(error)
            }
        }
        var report = try sink.finish(outcome)
        report.mayHaveLost = !report.damage.isEmpty && !report.damage.isMended(in: input.kind)
        report.unreadFiles = files.unread
        report.hasXML = hasXML
        report.bytesRead = hasXML ? outcome.byteCount : fileByteCount
        report.bytesWritten = output.byteCount
        report.peakMemoryBytes = ProcessMemory.peakByteCount
        report.mappingVersion = table.fingerprint
        return start.whole(report)
    }
}

extension RunReport {
    /// What a delivery may conclude from this run.
    ///
    /// `nil` if the export was not read whole, if its damage may have cost something, or if samples were left out.
    fileprivate func ending(of input: ExportInput, _ options: MappingOptions) -> ExportEnding? {
        guard hasXML, damage.isMended(in: input.kind), !options.isFiltered, let exportSeconds else { return nil }
        // A resource does not count as gone because its file is missing.
        let hasFiles = !lacksFiles(withRoutes: options.includesRoutes)
        let holdsAll = (input.kind == .zip || input.kind == .folder) && hasFiles
        return ExportEnding(exportDate: exportSeconds, holdsAll: holdsAll, mayLackFiles: input.kind == .folder)
    }
}
