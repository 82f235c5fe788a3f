public import ArgumentParser
public import Delivery
import HTTPTransport
import OpenIDConnect

/// How Bundles are put on a server.
struct DeliveryCommandOptions: ParsableArguments {
    @OptionGroup var ledger: LedgerOptions

    @Option(
        name: .customLong("api"),
        help: """
            fhir: transactions at the server's base; observations: an integration server's \
            /api/v1/observations, which knows a Bundle by its Idempotency-Key and chooses ids itself.
            """
    )
    var api = DeliveryOptions.API.fhir

    @Flag(
        help: """
            The server needs no sign-in: leave the keystore closed, even if you are signed in elsewhere. sync and send \
            still open it with --api observations: Bundles whose outcome is open are kept encrypted with a key in it.
            """
    )
    var noSignIn = false

    @Option(
        help: ArgumentHelp(
            "With --api observations: how long the server remembers keys. After that what an interrupted run left open is "
                + "looked up on the server instead of sent again. (default: \(defaultKeyLifetime))",
            valueName: "hours"
        )
    )
    var keyLifetime: Int?

    @Flag(help: "Compress requests with gzip, even where the server's /metadata does not say that it takes them.")
    var gzipBodies = false

    /// No authorization, and what to say about that if the server wants one.
    private static func withoutSignIn() -> (any RequestAuthorizer)? {
        KeystoreOptions.noteMissing(
            "--no-sign-in: given (expected only where the server wants no sign-in): leave it out"
        )
        return nil
    }

    /// What authorizes requests: the header of `--header-file`, or the sign-in.
    ///
    /// - Parameters:
    ///   - server: which header and which certificates.
    ///   - keystore: where the sign-in is kept.
    ///   - base: the FHIR base.
    ///   - client: sends requests.
    ///   - check: looks at the sign-in before it is used.
    /// - Returns: what adds the token; `nil` where nobody is signed in.
    /// - Throws: what `check` throws, or what keeps the file or the keystore from being read.
    func authorizer(
        _ server: ServerOptions,
        _ keystore: KeystoreOptions,
        for base: HTTPURL,
        client: HTTPClient,
        check: @escaping @Sendable (Credential) throws -> Void
    ) async throws -> (any RequestAuthorizer)? {
        if let own = try server.fileAuthorizer(for: base) { return own }
        guard !noSignIn else { return Self.withoutSignIn() }
        return try await keystore.authorizer(for: base, client: client, needsKeystore: api.isKeyOnly, check: check)
    }

    private static let defaultKeyLifetime = 24
    /// A year at most.
    private static let keyLifetimeRange = 0...8760
    private static let concurrencyRange = DeliveryOptions.concurrencyRange

    @Option(help: "Requests in flight, \(concurrencyRange.words).")
    var concurrency = 8

    @Option(
        help: ArgumentHelp("How long to try a server that is away or too busy; 0 tries once.", valueName: "seconds")
    )
    var retryFor = 600

    @Option(help: ArgumentHelp("How long to try a server that was away, for watch.", visibility: .hidden))
    var contactFor: Int?

    @Option(help: ArgumentHelp("How long to try what the server fails at, for watch.", visibility: .hidden))
    var failureFor: Int?

    @Option(help: ArgumentHelp("The first delay before another try, for tests.", visibility: .hidden))
    var retryDelayMilliseconds = 2000

    @Option(help: ArgumentHelp("Write the run's report as JSON.", valueName: "file"), completion: .file())
    var report: String?

    @Flag(name: [.short, .long], help: "Replace a report that is there.")
    var force = false

    func validate() throws {
        guard Self.concurrencyRange.contains(concurrency) else {
            throw ValidationError.outOfRange("--concurrency", concurrency, Self.concurrencyRange)
        }
        guard retryFor >= 0 else {
            throw ValidationError("--retry-for: negative (expected seconds): choose 0 or more")
        }
        if let keyLifetime, !Self.keyLifetimeRange.contains(keyLifetime) {
            throw ValidationError.outOfRange("--key-lifetime", keyLifetime, Self.keyLifetimeRange, unit: " hours")
        }
        guard keyLifetime == nil || api.isKeyOnly else {
            throw ValidationError(
                "--key-lifetime: no keys are remembered without --api observations (expected both): add --api observations"
            )
        }
        guard retryDelayMilliseconds >= 0 else {
            throw ValidationError("--retry-delay-milliseconds: negative (expected milliseconds): choose 0 or more")
        }
        try reportFile?.checkName()
        try reportFile?.checkFree()
    }

    var reportFile: ReportFile? { report.map { ReportFile(path: $0, replaces: force) } }

    /// Refuses a report that would replace what a run reads or keeps.
    ///
    /// - Parameters:
    ///   - input: the export, or the Bundles.
    ///   - keystore: where the keystore and its passphrase are.
    ///   - server: which certificates are trusted.
    ///   - idKey: the file of `--id-key`.
    ///   - profiles: the folder of another mapping.
    /// - Throws: `ValidationError`.
    func checkReport(
        besides input: String,
        _ keystore: KeystoreOptions,
        _ server: ServerOptions,
        idKey: String? = nil,
        profiles: String? = nil
    ) throws {
        guard let report else { return }
        var used = UsedFiles()
        used.add(profiles: profiles)
        used.add(input: input)
        used.add(idKey)
        if let path = try? keystore.keystorePath { for name in ["", ".lock", ".next"] { used.add(path + name) } }
        used.add(try? Setting.passphraseFile.value(keystore.passphraseFile))
        used.add(try? Setting.caFile.value(server.caFile))
        used.add(try? Setting.headerFile.value(server.headerFile))
        used.add(try? ledger.file(named: report))
        try used.check(report, of: "--report")
    }

    /// The options of a delivery.
    func options(server: HTTPURL, patientID: String, _ talk: TalkOptions) throws -> DeliveryOptions {
        var options = DeliveryOptions(server: server, patientID: patientID, ledgerFolder: try ledger.folder)
        options.api = api
        options.keyLifetime = .seconds((keyLifetime ?? Self.defaultKeyLifetime) * 3600)
        options.concurrency = OpenFiles.connections(wanted: concurrency)
        prepare(&options, for: server, talk)
        _ = Interruption.beginRun()
        return options
    }

    /// What the server says about itself; nothing for one that is not a FHIR server.
    func capabilities(
        of server: HTTPURL,
        client: HTTPClient,
        authorizer: (any RequestAuthorizer)?,
        _ talk: TalkOptions
    ) async throws -> ServerCapabilities {
        guard !api.isKeyOnly else { return ServerCapabilities() }
        var options = DeliveryOptions(server: server, patientID: "", ledgerFolder: "")
        prepare(&options, for: server, talk)
        return try await ServerCapabilities.read(options, client: client, authorizer: authorizer)
    }

    /// Sets how long the server is waited for, what ends that, and what is said meanwhile.
    private func prepare(_ options: inout DeliveryOptions, for server: HTTPURL, _ talk: TalkOptions) {
        options.retryBudget = .seconds(retryFor)
        options.contactBudget = contactFor.map { .seconds($0) }
        options.failureBudget = failureFor.map { .seconds($0) }
        options.firstDelay = .milliseconds(retryDelayMilliseconds)
        options.isCancelled = { Interruption.isRequested }
        guard !talk.quiet else { return }
        let budget = Duration.seconds(retryFor)
        options.noteWaiting = { what, patience in
            WaitingNotice.say(server, what, patience, isOption: patience == budget)
        }
        options.noteDoubt = { say("pghd: \(server): \($0)") }
    }
}

extension DeliveryOptions.API: ExpressibleByArgument {}
