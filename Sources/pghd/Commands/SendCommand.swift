import ArgumentParser
import Delivery
import ExportPipeline
import HTTPTransport
import OpenIDConnect
import Synchronization
import Threads

/// `pghd send`: puts Bundles that were converted earlier on a server.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Put converted Bundles on a FHIR server, each once",
        discussion: """
            Posts what 'pghd convert' wrote: a Bundle a line, or a folder of them. A ledger records what the server \
            has acknowledged, so that nothing is sent twice, not even after a crash. With an empty ledger \
            everything is sent, and replaces what the server has, even if that is newer.

              pghd convert export.zip --patient p123
              pghd send bundles.ndjson --server https://fhir.example.org/r4

            \(ExitStatus.helpSection(
                [
                    .done, .unreadable, .unreachable, .signIn, .keystore, .refused, .usage, .interrupted, .outputClosed,
                ],
                saying: [
                    .unreachable: ExitStatus.unreachableOrAgain,
                    .refused: "the server refused entries, or can't do what is needed",
                ]
            ))
            """
    )

    @Argument(
        help: "bundles.ndjson, gzipped or not, the folder of --split, or - for standard input.",
        completion: .file()
    )
    var bundles: String

    @OptionGroup(title: "Server") var server: ServerOptions
    @OptionGroup(title: "Delivery") var delivery: DeliveryCommandOptions
    @Flag(help: "Send nothing: show what would be sent, how much, and roughly how long it would take.")
    var dryRun = false

    @OptionGroup(title: "Keystore") var keystore: KeystoreOptions
    @OptionGroup(title: "What is said") var talk: TalkOptions

    func validate() throws { try delivery.checkReport(besides: bundles, keystore, server) }

    func run() async throws {
        let start = RunStart()
        try delivery.reportFile?.checkWritable()
        let base = try server.checkedServer()
        try delivery.reportFile?.removeOld()
        let client = try server.client(for: base)
        try await checkBundles()
        let (target, signedIn) = try await target(at: base, client: client)
        let first = await send(to: target, signedIn)
        var outcome = await sendAgain(after: first, to: target, signedIn)
        // `convert` writes an empty file if nothing is new; an empty pipe may come from one that failed.
        if case .noBundle? = outcome.error as? DeliveryError, canReadAgain {
            if !talk.quiet { say("pghd: \(bundles): holds no Bundle: there is nothing to send") }
            outcome.error = nil
            outcome.report = DeliveryReport()
            outcome.report?.isDryRun = dryRun
        }
        start.note(in: &outcome.report)
        try write {
            guard let report = outcome.report, !outcome.toldNothing else { return }
            try writeReport(report.json, to: delivery.report, replace: delivery.force, talk) {
                report.summary(input: bundles, server: base.description, style: Terminal.style)
            }
        } thenJudge: {
            if let error = outcome.error { throw error }
            try outcome.report?.checkUncertain(at: base)
            try outcome.report?.checkRefused(by: base)
            try outcome.report?.checkLeft(at: base, of: "resource")
        }
    }

    /// The server, and the patient that the sign-in is for; `nil` where it names none.
    private func target(at base: HTTPURL, client: HTTPClient) async throws -> (DeliveryTarget, signedIn: String?) {
        let signedIn = Mutex<String?>(nil)
        let authorizer = try await delivery.authorizer(server, keystore, for: base, client: client) { credential in
            signedIn.withLock { $0 = credential.subject?.patient }
        }
        let target = DeliveryTarget(
            server: base,
            client: client,
            authorizer: authorizer,
            capabilities: try await delivery.capabilities(of: base, client: client, authorizer: authorizer, talk),
            bodyKey: delivery.api.isKeyOnly ? try await keystore.bodyKey(isKept: !dryRun) : nil
        )
        return (target, signedIn.withLock(\.self))
    }

    /// Sends the Bundles, once.
    private func send(to target: DeliveryTarget, _ signedIn: String?) async -> DeliveryOutcome {
        let progress = ReadingProgress()
        let line = Task { [isQuiet = talk.quiet || talk.json] in await progress.show(isQuiet: isQuiet) }
        let outcome = await Interruption.explaining(isQuiet: talk.quiet) { [self] in
            await OwnThread.run {
                DeliveryOutcome { delivery in
                    let file = try BundleFile(path: bundles)
                    try check(file, for: target, signedIn)
                    var options = try self.delivery.options(
                        for: target,
                        patientID: file.patientID,
                        isDryRun: dryRun,
                        talk
                    )
                    options.createsByIdentifier = file.isConditional
                    // Bundles replace what the server has, as the help says.
                    options.probeCount = 0
                    let run = try Delivery(options, client: target.client, authorizer: target.authorizer)
                    delivery = run
                    Program.forgetStart()
                    try file.send(to: run) { progress.note($0, of: $1) }
                    return nil
                }
            }
        }
        line.cancel()
        await line.value
        return outcome
    }

    /// Refuses Bundles that must not go to this server, or not with this sign-in.
    private func check(_ file: BundleFile, for target: DeliveryTarget, _ signedIn: String?) throws {
        guard !delivery.api.isKeyOnly || file.isConditional else {
            throw DeliveryError.givenIDs
        }
        if let signedIn, signedIn != file.patientID {
            throw ValidationError(
                "--server: the sign-in is for \(signedIn), the Bundles are \(file.patientID)'s (expected the "
                    + "same patient): sign in as \(file.patientID), or, if it is \(signedIn)'s export, convert it "
                    + "with --patient \(signedIn)"
            )
        }
        try target.capabilities.check(target.server, isConditional: file.isConditional)
    }

    /// Sends again, for entries that only another run over the same Bundles can send.
    private func sendAgain(
        after first: DeliveryOutcome,
        to target: DeliveryTarget,
        _ signedIn: String?
    ) async -> DeliveryOutcome {
        guard first.error == nil, let report = first.report, report.leftForAnotherRun > 0, canReadAgain else {
            return first
        }
        return DeliveryOutcome(await send(to: target, signedIn), after: report)
    }

    /// Whether the Bundles are in files: a pipe can be read only once.
    private var canReadAgain: Bool { bundles != "-" && [.file, .folder].contains(FileKind(of: bundles)) }

    /// Checks before waiting for a server that the file can be read; not a pipe, which can be opened only once.
    private func checkBundles() async throws {
        guard bundles != "-", FileKind(of: bundles) != .stream else { return }
        let bundles = bundles
        try await OwnThread.run {
            // An empty file is mentioned later, with a report.
            do { _ = try BundleFile(path: bundles) } catch DeliveryError.noBundle {}
        }
    }
}
