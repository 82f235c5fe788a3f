import FoundationEssentials
import GRDB

/// The embedded Client-Facing Integration Server: a FHIR R4 base, an OpenID issuer, and faults on request.
///
/// For demos and tests, in one process and one folder. It shares no code with the client side, so that one mistake
/// can't hide in both.
public struct IntegrationServer: Sendable {
    /// How a server is set up.
    public struct Options: Sendable {
        /// Where to listen, in digits: `127.0.0.1` or `::1`.
        public var address = "127.0.0.1"
        /// 0 lets the system choose.
        public var port: UInt16 = 8080
        /// How clients reach it, such as `https://fhir.example.org`; needed where the address is not loopback.
        public var baseURL: String?
        /// The data folder; `nil` keeps everything in memory.
        public var folder: String?
        /// JSON that names further clients: `[{"client_id":"web","redirect_uris":["https://app.example.org/cb"]}]`.
        public var clientsFile: String?
        /// Signs everybody in without a page; on loopback only, the base URL too.
        public var approvesAutomatically = false
        /// Accepts requests for faults, with the token that is made for them; on loopback only, the base URL too.
        public var isTest = false
        /// Rules for faults to begin with, as JSON.
        public var faultsFile: String?
        /// The patient who is signed in unless the page says otherwise.
        public var patient = "demo"
        /// How long an access token lives, in seconds.
        public var accessTokenSeconds = 3_600
        /// Receives a line about what is wrong while it runs: a full disk, a damaged database; nothing from a resource.
        public var report: @Sendable (String) -> Void = { _ in }

        /// The defaults.
        public init() {}
    }

    /// What to tell the person who started the server.
    public struct Addresses: Sendable, Equatable {
        /// The FHIR base, such as `http://127.0.0.1:8080/fhir`.
        public let fhirBase: String
        /// The OpenID issuer, such as `http://127.0.0.1:8080/auth`.
        public let issuer: String
        /// The password that the sign-in page asks for; `nil` where everybody is signed in.
        public let password: String?
        /// The bearer token of `/test`; `nil` without tests.
        public let testToken: String?
    }

    /// Where everything is.
    public let addresses: Addresses
    private let listener: HTTPListener
    let router: Router

    /// Opens the data and the port; requests are answered once ``run()`` is called.
    ///
    /// - Throws: ``IntegrationServerError``.
    public init(_ options: Options) async throws(IntegrationServerError) {
        try await self.init(options, limits: HTTPLimits(), clock: .system)
    }

    init(_ options: Options, limits: HTTPLimits, clock: ServerClock) async throws(IntegrationServerError) {
        let (isLoopback, isPrivate) = try Self.reach(of: options)
        let faults = try Self.faults(options.faultsFile)
        let clients = try await Self.clients(options.clientsFile)
        let store = try ServerStore(folder: options.folder, report: options.report)
        listener = try HTTPListener(host: options.address, port: options.port, limits: limits)
        let host = options.address.contains(":") ? "[\(options.address)]" : options.address
        let origin = try ServerOrigin(
            options.baseURL ?? "http://\(host):\(listener.port)",
            port: listener.port,
            isLoopback: isLoopback
        )
        let metadata = IssuerMetadata(issuer: "\(origin.url)/auth", fhirBase: "\(origin.url)/fhir")
        var settings = Issuer.Settings()
        settings.approvesAutomatically = options.approvesAutomatically
        settings.patient = options.patient
        settings.accessTokenSeconds = Int64(options.accessTokenSeconds)
        let password = String(Secret.make().prefix(20))
        let issuer: Issuer
        do {
            issuer = try await Issuer(
                metadata: metadata,
                settings: settings,
                clients: clients,
                store: store,
                clock: clock,
                password: password
            )
        } catch let error as DatabaseError {
            let folder = options.folder ?? "memory"
            throw ServerStore.startFault(error, path: store.path, folder: folder)
        } catch {
            throw .store(path: options.folder ?? "memory", what: "the signing key can't be read")
        }
        let testToken = options.isTest ? Secret.make() : nil
        let fhir = FHIRService(
            store: store,
            base: metadata.fhirBase,
            clock: clock,
            issuer: issuer,
            answers: AnswerLimits(limits)
        )
        router = Router(
            origin: origin,
            fhir: fhir,
            issuer: issuer,
            observations: ObservationIntake(fhir),
            steps: isPrivate ? StepIntake(store: store) : nil,
            faults: options.isTest ? faults : nil,
            testToken: testToken
        )
        addresses = Addresses(
            fhirBase: metadata.fhirBase,
            issuer: metadata.issuer,
            password: options.approvesAutomatically ? nil : password,
            testToken: testToken
        )
    }

    /// Answers requests until the task is cancelled.
    public func run() async {
        let router = router
        await listener.run(
            HTTPListener.Handler(
                admit: { head in
                    let admission = await router.admit(head)
                    guard case .refused(let response) = admission else { return admission }
                    return .refused(dated(response))
                },
                answer: { dated(await router.answer($0)) },
                refuse: { dated(Refusal($0).response) }
            )
        )
    }

    /// Adds the time at which the answer was made (RFC 9110, section 6.6.1).
    @Sendable private func dated(_ response: HTTPResponse) -> HTTPResponse {
        guard !response.headers.contains(where: { $0.name.lowercased() == "date" }) else { return response }
        var dated = response
        dated.headers.append(("Date", FHIRInstant.httpDate(router.fhir.clock.now())))
        return dated
    }

    /// Whether the server is on loopback, and whether nobody else can reach it: a public base URL means a proxy that
    /// lets others reach this port.
    private static func reach(
        of options: Options
    ) throws(IntegrationServerError) -> (isLoopback: Bool, isPrivate: Bool) {
        guard HTTPListener.isAddress(options.address) else { throw .notAnAddress(options.address) }
        let isLoopback = options.address == "::1" || options.address.hasPrefix("127.")
        let isPrivate = isLoopback && options.baseURL.map(ServerOrigin.isLoopback) ?? true
        if !isPrivate {
            if options.isTest { throw .loopbackOnly(option: "--test") }
            if options.approvesAutomatically { throw .loopbackOnly(option: "--auto-approve") }
        }
        guard isLoopback || options.baseURL != nil else { throw .baseURLMissing }
        guard ResourceID.isValid(options.patient) else { throw .notAnID }
        return (isLoopback, isPrivate)
    }

    /// The faults to begin with.
    private static func faults(_ path: String?) throws(IntegrationServerError) -> FaultPlan {
        let faults = FaultPlan()
        guard let path else { return faults }
        let bytes = try read(path)
        do {
            try faults.replace(with: try JSONReader.read(bytes))
        } catch let refusal as Refusal {
            throw .file(path: path, what: "\(refusal.expression ?? "rules"): \(refusal.what)")
        } catch {
            throw .file(path: path, what: "\(error)")
        }
        return faults
    }

    /// The clients that the file registers.
    private static func clients(_ path: String?) async throws(IntegrationServerError) -> ClientRegistry {
        let file = try path.map(read)
        do throws(ClientFileFault) {
            return try await ClientRegistry(file: file)
        } catch {
            throw .file(path: path ?? "", what: error.what)
        }
    }

    private static func read(_ path: String) throws(IntegrationServerError) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .file(path: path, what: "the file can't be read (expected JSON): check its name")
        }
    }
}
