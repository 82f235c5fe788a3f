import ArgumentParser
import Delivery
import ExportPipeline
import HTTPTransport
import OpenIDConnect

/// `pghd send`: puts Bundles that were converted before on a server.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Put converted Bundles on a FHIR server, each once",
        discussion: """
            Posts what 'pghd convert' wrote, a Bundle a line. A ledger keeps in mind what the server \
            has acknowledged: what was sent is not sent again, also not after a crash. With an empty \
            ledger all is sent, and takes the place of what the server has, also of something newer.

              pghd convert export.zip --patient p123
              pghd send bundles.ndjson --server https://fhir.example.org/r4

            \(ExitStatus.helpSection(
                [
                    .done, .unreadable, .unreachable, .signIn, .keystore, .refused, .usage, .interrupted, .outputClosed,
                ]
            ))
            """
    )

    @Argument(help: "bundles.ndjson, not gzipped, or - for standard input.", completion: .file())
    var bundles: String

    @OptionGroup(title: "Server") var server: ServerOptions
    @OptionGroup(title: "Delivery") var delivery: DeliveryCommandOptions
    @Flag(help: "Send nothing: tell what would be sent, how much, and about how long it would take.")
    var dryRun = false

    @OptionGroup(title: "Keystore") var keystore: KeystoreOptions
    @OptionGroup(title: "What is said") var talk: TalkOptions

    func validate() throws { try delivery.checkReport(besides: bundles, keystore, server) }

    func run() async throws {
        try delivery.checkReportIsWritable()
        let base = try server.checkedServer()
        let client = try server.client
        try delivery.removeOldReport()
        try await checkBundles()
        var signedIn: String?
        let authorizer =
            delivery.noSignIn
            ? nil : try await keystore.authorizer(for: base, client: client) { signedIn = $0.subject?.patient }
        let target = DeliveryTarget(
            server: base,
            client: client,
            authorizer: authorizer,
            capabilities: try await delivery.capabilities(of: base, client: client, authorizer: authorizer, talk),
            bodyKey: delivery.interface.isKeyOnly ? try await keystore.bodyKey() : nil
        )
        let progress = ReadingProgress()
        let deliver: @Sendable () -> DeliveryOutcome = { [bundles, delivery, signedIn, dryRun, talk] in
            DeliveryOutcome {
                let file = try BundleFile(path: bundles)
                guard !delivery.interface.isKeyOnly || file.isConditional else {
                    throw ValidationError(
                        "--api observations: the Bundles give ids, and this server gives its own (expected Bundles that create "
                            + "by identifier): convert the export with --conditional"
                    )
                }
                if let signedIn, signedIn != file.patientID {
                    throw ValidationError(
                        "--server: the sign-in is for \(signedIn), the Bundles are \(file.patientID)'s (expected the "
                            + "same patient): sign in as \(file.patientID), or, if it is \(signedIn)'s export, convert it "
                            + "with --patient \(signedIn)"
                    )
                }
                try target.capabilities.check(base, isConditional: file.isConditional)
                var options = try delivery.options(for: target, patientID: file.patientID, isDryRun: dryRun, talk)
                options.createsByIdentifier = file.isConditional
                let run = try Delivery(options, client: target.client, authorizer: target.authorizer)
                Program.forgetStart()
                let send: () throws -> RunReport? = {
                    try file.send(to: run) { progress.note($0, of: $1) }
                    return nil
                }
                return (run, send)
            }
        }
        var outcome = await showing(progress, deliver)
        if outcome.error == nil, let first = outcome.report, first.leftForAnotherRun > 0 {
            if OutputPlace.isRegularFile(bundles) {
                outcome = DeliveryOutcome(await showing(progress, deliver), after: first)
            } else {
                say(
                    "pghd: \(base): has \(first.leftForAnotherRun) resources in versions that are in none of these Bundles "
                        + "(expected those that are): send them once more"
                )
            }
        }
        // Of nothing that is new convert makes an empty file; an empty pipe may come from one that failed.
        if case .noBundle? = outcome.error as? DeliveryError, OutputPlace.isRegularFile(bundles) {
            if !talk.quiet { say("pghd: \(bundles): holds no Bundle: there is nothing to send") }
            outcome.error = nil
            outcome.report = DeliveryReport()
            outcome.report?.isDryRun = dryRun
        }
        try write {
            guard let report = outcome.report else { return }
            try delivery.writeReport(report.json, talk) {
                report.summary(input: bundles, server: base.description, style: Terminal.style)
            }
        } thenJudge: {
            if let error = outcome.error { throw error }
            try outcome.report?.checkUncertain(at: base)
            try outcome.report?.checkRefused(by: base)
        }
    }

    /// Finds out that the file can't be read before a server is waited for; a pipe can be opened once.
    private func checkBundles() async throws {
        guard bundles != "-", !OutputPlace.isPipe(bundles) else { return }
        let bundles = bundles
        try await OwnThread.run {
            // An empty file is said later, with a report.
            do { _ = try BundleFile(path: bundles) } catch DeliveryError.noBundle {}
        }
    }

    private func showing(
        _ progress: ReadingProgress,
        _ deliver: @escaping @Sendable () -> DeliveryOutcome
    ) async -> DeliveryOutcome {
        let isQuiet = talk.quiet || talk.json
        let line = Task { await progress.show(isQuiet: isQuiet) }
        let outcome = await Interruption.explaining(isQuiet: talk.quiet) { await OwnThread.run(deliver) }
        line.cancel()
        await line.value
        return outcome
    }
}
