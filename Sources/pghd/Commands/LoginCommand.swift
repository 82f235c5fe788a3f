public import ArgumentParser
import CredentialStore
import ExportPipeline
import HTTPTransport
public import OpenIDConnect

/// `pghd login`: signs in and keeps the tokens.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in to a FHIR server",
        discussion: """
            Opens your browser, waits for it on this machine, and keeps what comes back in the \
            keystore. Without a browser, --device shows a code to type in on another device, and \
            --no-browser takes the last address of a browser on another machine. A pipeline signs in with \
            a key: --new-key makes one and prints its public half for registration, --backend uses it.

              pghd login --server https://fhir.example.org/r4 --client-id pghd

            The next sign-in to the same server needs no option but --server. If it is another person's \
            or client's, it revokes the refresh token of the last one.

            \(ExitStatus.helpSection([.done, .unreadable, .unreachable, .signIn, .keystore, .usage, .interrupted, .outputClosed]))
            """
    )

    @OptionGroup(title: "Server") var server: ServerOptions

    @Option(help: ArgumentHelp("The name that this client is registered under, or PGHD_CLIENT_ID.", valueName: "id"))
    var clientID: String?

    @Option(
        help: ArgumentHelp(
            "The sign-in server's issuer, where the FHIR server has no SMART configuration, or PGHD_ISSUER.",
            valueName: "url"
        )
    )
    var issuer: String?

    @Option(
        help: ArgumentHelp(
            "What to ask for, such as 'openid offline_access patient/Observation.crus patient/Device.crus': without "
                + "offline_access the sign-in ends with its first token, and each sync writes Devices (default: what "
                + "delivering needs).",
            valueName: "scopes"
        )
    )
    var scope: String?

    @Flag(help: "Sign in on another device, with a short code.")
    var device = false

    @Flag(help: "Sign in with a key instead of a person.")
    var backend = false

    @Flag(help: "Open no browser; the address it ends at can be pasted.")
    var noBrowser = false

    @Flag(help: "Send PKCE to a server that does not list it, but whose documentation says that it requires it.")
    var assumePKCE = false

    @Option(help: ArgumentHelp("The port of the redirect, where the registration fixes it.", valueName: "port"))
    var redirectPort: UInt16?

    @Flag(help: "Make a key for --backend, keep it, and print its public half as a JWK set.")
    var newKey = false

    @Option(help: "What --new-key makes: ES384 or RS384. (default: ES384)")
    var keyAlgorithm: ClientKey.Algorithm?

    @Flag(help: "Let --new-key replace the key that is there.")
    var force = false

    @Flag(help: "Print what came of it as JSON on standard output.")
    var json = false

    @OptionGroup(title: "Keystore") var keystore: KeystoreOptions

    func validate() throws {
        if device, backend {
            throw ValidationError("--device: contradicts --backend (expected one of them): leave one out")
        }
        for (option, isGiven) in [("--no-browser", noBrowser), ("--assume-pkce", assumePKCE)]
        where isGiven && (device || backend) {
            throw ValidationError("\(option): there is no browser with --device or --backend: leave it out")
        }
        for (option, isGiven) in [("--key-algorithm", keyAlgorithm != nil), ("--force", force)] where isGiven && !newKey
        {
            throw ValidationError(
                "\(option): no key is made without --new-key (expected both): add it, or leave this out"
            )
        }
        for (option, isGiven) in signInOptions where isGiven && newKey {
            throw ValidationError("\(option): contradicts --new-key (expected one of them): leave one out")
        }
        if clientID?.isEmpty == true {
            throw ValidationError(
                "--client-id: empty (expected the name of the registration): give it, or leave it out"
            )
        }
        // RFC 6749, section 3.3.
        let isScope = { (text: String) in
            text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
                && text.contains { $0 != " " }
        }
        if let scope, !isScope(scope) {
            throw ValidationError(
                "--scope: no scopes (expected words with spaces between, such as 'openid offline_access'): correct it"
            )
        }
        if redirectPort == 0 {
            throw ValidationError("--redirect-port: 0 is out of range (expected 1 to 65535): choose a number inside")
        }
    }

    /// The options that only a sign-in uses, and whether each was given.
    private var signInOptions: [(String, Bool)] {
        [
            ("--device", device), ("--backend", backend), ("--no-browser", noBrowser), ("--client-id", clientID != nil),
            ("--issuer", issuer != nil), ("--scope", scope != nil), ("--assume-pkce", assumePKCE),
            ("--redirect-port", redirectPort != nil),
        ]
    }

    func run() async throws {
        let base = try server.checkedServer()
        if let issuer = try Setting.issuer.value(issuer) { _ = try HTTPURL(trusted: issuer, what: "--issuer") }
        let store = try keystore.open()
        // A passphrase is asked for before the browser opens, not after.
        try await store.unlock()
        if newKey { return try await makeKey(for: base, in: store) }

        let request = try await request(for: base, in: store)
        let signIn = SignIn(client: try server.client(for: base, signsIn: true), store: store)
        let interaction = TerminalSignIn(opensBrowser: !noBrowser)
        let outcome = try await Interruption.explaining(isQuiet: false, remark: " (once more ends at once)") {
            try await Interruption.cancelling { try await signIn.run(request, with: interaction) }
        }
        let report = SignInReport(outcome.credential, clockSkewSeconds: outcome.clockSkewSeconds)
        try write {
            try StandardOutput.write(json ? report.json : report.text, isReport: true)
        } thenJudge: {
            if outcome.credential.isPKCEAssumed == true {
                say(
                    "pghd: \(base.text): its sign-in server does not list PKCE, and --assume-pkce says that it "
                        + "requires it: if it does not, anyone who intercepts the browser's answer can use it"
                )
            }
            guard let fault = outcome.replaced.fault else { return }
            say(
                "pghd: \(base.text): the last sign-in's refresh token could not be given back (\(fault.printable)): "
                    + "it may still be good; the server's operator can end it"
            )
        }
    }

    /// What to sign in with; what the options leave out comes from the last sign-in to that server.
    private func request(for base: HTTPURL, in store: any TokenStore) async throws -> SignIn.Request {
        let last = try await StoredSignIns.credential(of: base, in: store)
        guard let clientID = try Setting.clientID.value(clientID) ?? last?.clientID else {
            throw ValidationError(
                "--client-id is missing (expected the name that this client is registered under): "
                    + "ask the server's operator"
            )
        }
        var request = SignIn.Request(
            server: base,
            method: method ?? last?.method ?? .authorizationCode,
            clientID: clientID
        )
        request.takeIssuer(named: try Setting.issuer.value(issuer), last: last)
        request.redirectPort = redirectPort ?? last?.redirectPort
        request.scopes = scope.map(Scopes.list)
        if scope == nil, let last, last.method == request.method, last.areScopesNamed == true {
            request.scopes = last.requestedScopes
        }
        request.assumesPKCE = assumePKCE || last?.isPKCEAssumed == true
        return request
    }

    private var method: SignInMethod? {
        if device { return .deviceCode }
        if backend { return .backendService }
        return noBrowser || assumePKCE || redirectPort != nil ? .authorizationCode : nil
    }

    private func makeKey(for base: HTTPURL, in store: any TokenStore) async throws {
        let key = try ClientKey(new: keyAlgorithm ?? .es384)
        let publicKeySet = try key.publicKeySet()
        let isKept = try await key.save(for: base, in: store, replaces: force) {
            // Printed first, since it is never shown again: a key that nobody can register must not replace one that
            // works.
            try StandardOutput.write(publicKeySet + "\n")
        }
        guard isKept else {
            throw ValidationError(
                "--new-key: there is a key for this server (expected none): add --force to replace it, "
                    + "then register the new one"
            )
        }
        let same = keystore.path == nil ? "" : ", with the same --keystore"
        say(
            "Register this JWK set with the server, then run 'pghd login --server \(base.text) --backend --client-id ID'\(same)."
        )
    }
}

extension ClientKey.Algorithm: ExpressibleByArgument {}
