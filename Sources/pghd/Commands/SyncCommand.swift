import ArgumentParser
import Delivery
import ExportPipeline
import HTTPTransport
import HealthExport
import Threads

/// `pghd sync`: puts on a server what it lacks of an export.
struct SyncCommand: AsyncParsableCommand, ExportDelivery {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Put on a FHIR server what it does not have yet",
        discussion: """
            Converts the export and posts what is new or changed, as one stream. Nothing is written to \
            disk but the ledger, which holds hashes and ids. A second run sends nothing. If the zip was \
            damaged on its way, nothing of it is sent.

              pghd sync export.zip --patient p123 --server https://fhir.example.org/r4

            \(ExitStatus.helpSection(
                ExitStatus.allCases,
                saying: [.done: ExitStatus.doneWithAll, .unreachable: ExitStatus.unreachableOrAgain]
            ))
            """
    )

    @Argument(help: .export, completion: .file())
    var export: String

    @OptionGroup(title: "Whose data (required where the sign-in names no patient)") var subject: PatientOptions
    @OptionGroup(title: "Server") var server: ServerOptions
    @OptionGroup(title: "Delivery") var delivery: DeliveryCommandOptions

    @Flag(help: "Send nothing: show what would be sent, how much, and roughly how long it would take.")
    var dryRun = false

    @Flag(
        help: """
            Send everything once more and overwrite what is there, because this run maps it differently from the last one: \
            after an upgrade, or with other options.
            """
    )
    var remap = false

    @Flag(
        help: """
            Mark what the export no longer holds as entered in error on the server. A run that can't know what is gone, \
            such as one with --types, --since or --until, marks nothing.
            """
    )
    var delete = false

    @Option(
        help: ArgumentHelp(
            "Most deletions in one run; if there are more, none is made. (default: 1 % of what was sent, at most 1,000)",
            valueName: "count"
        )
    )
    var maxDelete: Int?

    @Flag(
        help: """
            Skip five checks: that birth date and sex are those of earlier exports and of the server's Patient; \
            that nobody has deleted that Patient; without a birth date, that something of the export was delivered \
            before; that the sign-in is for this patient; and that the export holds most of what pghd has put \
            there, or the other way round.
            """
    )
    var confirmPatient = false

    @Option(
        help: ArgumentHelp(
            "Read the export that standard input is, and end when this process has ended: for watch.",
            visibility: .hidden
        )
    )
    var watchedBy: Int32?

    @OptionGroup(title: "Keystore") var keystore: KeystoreOptions
    @OptionGroup(title: "Which samples") var selection: SelectionOptions
    @OptionGroup(title: "How they are written") var writing: WritingOptions
    @OptionGroup(title: "How it runs") var running: RunningOptions
    @OptionGroup(title: "What is said") var talk: TalkOptions

    private var isWatched: Bool { watchedBy != nil }

    /// The export's path; in a watch it opens standard input again, since the file may have another name by now.
    var inputPath: String { isWatched ? "/proc/self/fd/0" : export }

    func validate() throws {
        if let maxDelete, maxDelete < 0 {
            throw ValidationError("--max-delete: negative (expected a number of resources): choose 0 or more")
        }
        guard delete || maxDelete == nil else {
            throw ValidationError("--max-delete: nothing is deleted without --delete (expected both): add --delete")
        }
        try checkReport()
    }

    func run() async throws {
        let start = RunStart()
        if let watchedBy { Interruption.end(with: watchedBy) }
        let base = try server.checkedServer()
        let patientID = try await patientID(at: base)
        // Errors in the options are reported before the server is asked.
        let wanted = try conversionOptions(patientID: patientID)
        let client = try server.client(for: base)
        _ = try delivery.ledger.folder
        let authorizer = try await authorizer(
            for: base,
            client: client,
            patientID: patientID,
            remedy: isWatched ? "sign in as a service, which belongs to no patient ('pghd login --backend')" : nil,
            isConfirmed: confirmPatient
        )
        var (conversion, target) = try await conversion(wanted, for: base, client: client, authorizer: authorizer)
        if delivery.api.isKeyOnly { target.bodyKey = try await keystore.bodyKey(isKept: !dryRun) }
        var outcome = await deliver(conversion, to: target, patientID)
        if case .unknownResources(_, let count)? = outcome.error as? DeliveryError, canReadAgain {
            try await fillLedger(count, conversion, from: target, patientID)
            let setAside = outcome.report?.ledgerSetAside
            outcome = await deliver(conversion, to: target, patientID)
            if let setAside { outcome.report?.ledgerSetAside = setAside }
        }
        if outcome.error == nil, let first = outcome.report, first.leftForAnotherRun > 0, canReadAgain {
            outcome = DeliveryOutcome(await deliver(conversion, to: target, patientID), after: first)
        }
        start.note(in: &outcome.report)
        try write {
            try writeResults(of: outcome, patientID, base)
        } thenJudge: {
            do { try judge(outcome, base) } catch {
                let wasServed = outcome.report?.wasServed ?? false
                guard isWatched, let matter = WatchedFailure.matter(of: error, wasServed: wasServed) else {
                    throw error
                }
                throw WatchedFailure(error: error, matter: matter)
            }
        }
    }
}

extension SyncCommand {
    /// Sends what is new, once.
    private func deliver(
        _ conversion: Conversion,
        to target: DeliveryTarget,
        _ patientID: String
    ) async -> DeliveryOutcome {
        await Interruption.explaining(isQuiet: talk.quiet, isChild: isWatched) { [self] in
            await OwnThread.run { outcome(of: conversion, to: target, patientID) }
        }
    }

    private func outcome(
        of conversion: Conversion,
        to target: DeliveryTarget,
        _ patientID: String
    ) -> DeliveryOutcome {
        DeliveryOutcome { delivery in
            let input = try ExportInput.open(inputPath, named: export)
            var options = try self.delivery.options(for: target, patientID: patientID, isDryRun: dryRun, talk)
            conversion.configure(&options)
            options.remaps = remap
            options.deletes = delete
            options.maximumDeletionCount = maxDelete
            options.confirmsPatient = confirmPatient
            let run = try Delivery(options, client: target.client, authorizer: target.authorizer)
            delivery = run
            Program.forgetStart()
            let progress = ProgressLine(isQuiet: talk.quiet)
            defer { progress.clear() }
            let cancellation = Interruption.beginRun()
            return try conversion.run(input, into: run, cancellation: cancellation, progress: progress.show)
        }
    }

    /// Fills an empty ledger with what the server has of this patient.
    private func fillLedger(
        _ count: Int,
        _ conversion: Conversion,
        from target: DeliveryTarget,
        _ patientID: String
    ) async throws {
        let base = target.server
        if !talk.quiet {
            say("pghd: \(base): has \(count) resources of this patient that the ledger does not know: reads them first")
        }
        let (_, found) = try await verification(
            conversion,
            rebuilds: true,
            ownCount: count,
            confirmsPatient: confirmPatient,
            at: target,
            patientID: patientID
        )
        if !talk.quiet, found.extraUnknown == .pages {
            say(
                "pghd: \(base): its list of what pghd has put there breaks off (expected all of it): what is not listed and "
                    + "has left the export is not known, and no --delete marks it; ask its operator"
            )
        }
        guard !talk.quiet, let count = found.counts[.different], count > 0 else { return }
        say(
            "pghd: \(base): \(count) of them differ from the export; what was changed there after the export was made "
                + "stays as it is"
        )
    }

    private func writeResults(of outcome: DeliveryOutcome, _ patientID: String, _ base: HTTPURL) throws {
        guard let report = outcome.report, !outcome.toldNothing else { return }
        let name = isWatched ? (patientID, String(export.split(separator: "/").last ?? "")) : nil
        let json = outcome.read?.json(with: report, of: name) ?? report.json(of: name)
        try writeReport(json, to: delivery.report, replace: delivery.force, talk) {
            let address = base.description
            let read = talk.verbose ? outcome.read : nil
            let reading = read?.summary(input: export, output: address, isVerbose: true, style: Terminal.style)
            return (reading ?? "")
                + report.summary(input: export, server: address, read: outcome.read, style: Terminal.style)
        }
    }

    private func judge(_ outcome: DeliveryOutcome, _ base: HTTPURL) throws {
        if let error = outcome.error {
            if case .tooManyDeletions? = error as? DeliveryError { sayKept(outcome.report) }
            throw error
        }
        if delete, outcome.report?.deletionsOffered == nil { say(undeletedSentence(outcome.read)) }
        if delete, !dryRun { sayKept(outcome.report) }
        try outcome.report?.checkUncertain(at: base)
        if let report = outcome.report, report.deletionsRefused > 0 {
            say(
                "pghd: \(base): \(report.deletionsRefused) of \(report.deletionsOffered ?? 0) deletions were refused "
                    + "(expected none): the resource was changed in the meantime, or can't be found or written; the next run "
                    + "tries again"
            )
            throw ExitStatus.refused
        }
        try outcome.report?.checkRefused(by: base)
        if let read = outcome.read, !read.damage.isEmpty {
            say("pghd: \(export): \(read.damage.sentence(isReported: isReported))")
            throw ExitStatus.damaged
        }
        try outcome.report?.checkLeft(at: base, of: "sample")
    }

    /// Says what `--delete` leaves as it is.
    private func sayKept(_ report: DeliveryReport?) {
        guard let report, report.deletionsKept > 0 else { return }
        say(
            "pghd: --delete: \(report.deletionsKept) of \(report.deletionsOffered ?? 0) are left as they are (the export has "
                + "nothing of their type, or the type is not known, so it may have been left out; a folder may "
                + "lack an electrocardiogram; or somebody has amended them, or given them to another patient): "
                + "give the options of the runs before, such as --summaries, or mark them on the server by hand and run "
                + "'pghd verify --rebuild'"
        )
    }

    /// Whether an empty ledger can be filled from the server: that takes all of the export, more than once.
    private var canReadAgain: Bool {
        guard !dryRun, !selection.isFilter, [.file, .folder].contains(FileKind(of: inputPath)) else { return false }
        // A single electrocardiogram is only a part: all else would never be compared.
        return (try? ExportInput.open(inputPath, named: export))?.kind != .electrocardiogram
    }

    /// Why `--delete` could not be done: what is not in the export may have been left out.
    private func undeletedSentence(_ report: RunReport?) -> String {
        let (reason, next) =
            if selection.isFilter {
                ("the samples were chosen by --types, --since or --until", "leave those out")
            } else if report?.lacksFiles(withRoutes: selection.routes) ?? false {
                ("files that the XML refers to are not in the export, or can't be read", "use one that has them")
            } else if let report, report.damage.isComplete, report.exportDate == nil {
                ("the export does not say when it was made, in an ExportDate", "use a new export")
            } else {
                (
                    "only a zip or folder in which nothing may be lost, no older than the last one, shows what is gone",
                    "use a new export"
                )
            }
        return "pghd: --delete: nothing was deleted (\(reason)): \(next)"
    }
}
