public import HTTPTransport
internal import OpenSSLCrypto

/// Where Bundles go, and how long a run keeps trying.
public struct DeliveryOptions: Sendable {
    /// The HTTP API that Bundles are posted to.
    public enum API: String, Sendable, CaseIterable {
        /// `POST [base]`: a FHIR transaction.
        case fhir
        /// `POST [base]/api/v1/observations`: a Client-Facing Integration Server, which knows a Bundle by its key
        /// alone.
        case observations

        /// Whether the server knows a Bundle by its `Idempotency-Key` alone, and nothing about what is in it.
        package var isKeyOnly: Bool { self == .observations }
    }

    /// The FHIR base, or the base of the integration server; normalized, however it is spelt.
    public var server: HTTPURL {
        didSet {
            server = server.normalized
            if maximumEntryCount == EntryLimit.known(of: oldValue) { maximumEntryCount = EntryLimit.known(of: server) }
        }
    }
    /// The patient's id on the server.
    public var patientID: String
    /// The folder of ledgers.
    public var ledgerFolder: String
    /// Which API; FHIR by default.
    public var api = API.fhir
    /// What ids and digests are made with; `nil` for Bundles that do not come with that knowledge.
    package var fingerprint: Fingerprint?
    /// The key of ids, which also hides in the ledger whose export it is; `nil` for none.
    ///
    /// It is never printed.
    public var identityKey: [UInt8]? {
        get { hiddenIdentityKey.bytes }
        set { hiddenIdentityKey.bytes = newValue }
    }
    private var hiddenIdentityKey = HiddenBytes()
    /// Whether resources made with another mapping are sent again; if not, the run stops.
    public var remaps = false
    /// Whether the export is taken as the patient's even if birth date or sex differ.
    public var confirmsPatient = false
    /// Whether resources that the export no longer holds are marked as entered in error.
    public var deletes = false
    /// Most deletions at once; `nil` for 1 % of what is live, one at least and 1,000 at most.
    public var maximumDeletionCount: Int? {
        didSet { maximumDeletionCount = maximumDeletionCount.map { max($0, 0) } }
    }
    /// Whether nothing is sent and the ledger stays as it is: the report says what a run would do.
    public var isDryRun = false
    /// The profile of daily summaries, by which one that is read back is told apart from samples.
    package var dailySummaryProfile = ""
    /// The kinds of daily summaries, which say nothing about a person: a day is in everybody's export.
    package var dailySummaryKinds: Set<UInt64> = []
    /// What the server says about itself.
    package var capabilities = ServerCapabilities()
    /// How many posts may be in flight.
    public static let concurrencyRange = 1...64
    /// Posts in flight at most; clamped to `concurrencyRange`.
    public var concurrency = 8 {
        didSet {
            concurrency = min(max(concurrency, Self.concurrencyRange.lowerBound), Self.concurrencyRange.upperBound)
        }
    }
    /// Most entries that the server takes in one Bundle, where that is known, as for some hosted services; `nil` for
    /// any number.
    public var maximumEntryCount: Int?
    /// How long a run tries before it gives up.
    public var retryBudget: Duration = .seconds(600)
    /// How long to look up a host that has no address; at most as long as any request is tried.
    var lookupBudget: Duration = .seconds(30)
    /// How long to try a server that was away before and has taken nothing of this run yet; `nil` for `retryBudget`,
    /// which is also its limit.
    public var contactBudget: Duration?
    /// How long to try a request that the server fails at, for a reason that may be this export's alone, while it has
    /// taken nothing of the export yet; `nil` for `retryBudget`, which is also its limit.
    public var failureBudget: Duration?
    /// Called once each time the server is away or too busy: what it does, and how long the run keeps trying.
    public var noteWaiting: @Sendable (_ what: String, _ patience: Duration) -> Void = { _, _ in }
    /// Called with what the server leaves in doubt, for a person to look at; it stops nothing.
    public var noteDoubt: @Sendable (_ what: String) -> Void = { _ in }
    /// The first delay before another try is at most this; delays double up to a minute.
    public var firstDelay: Duration = .seconds(2)
    /// The longest delay that the server did not ask for.
    var maximumDelay: Duration = .seconds(60)
    /// Asked often: whether the run is to end as soon as posts in flight have their answers.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// Whether bodies are packed with gzip; `nil` packs them for a server whose `/metadata` says that it takes them.
    ///
    /// A server that turns out not to take packed bodies gets them unpacked.
    public var packsBodies: Bool?
    /// The 32-byte key that encrypts bodies in the ledger until their outcome is known; for key-only servers alone.
    ///
    /// It is never printed.
    public var bodyKey: [UInt8]? {
        get { hiddenBodyKey.bytes }
        set { hiddenBodyKey.bytes = newValue }
    }
    private var hiddenBodyKey = HiddenBytes()
    /// How long a key-only server remembers a key.
    public var keyLifetime: Duration = .seconds(24 * 3600)

    /// The defaults for one patient on one server; the ledger is the same however the server's address is spelt.
    public init(server: HTTPURL, patientID: String, ledgerFolder: String) {
        self.server = server.normalized
        self.patientID = patientID
        self.ledgerFolder = ledgerFolder
        maximumEntryCount = EntryLimit.known(of: server)
    }

    /// How many delivered resources are looked for on the server before anything is sent; 0 for none.
    ///
    /// This also notices a server that has resources while the ledger is empty, where an older export could replace a
    /// newer one: ``DeliveryError/unknownResources(server:count:)``.
    public var probeCount = 32

    /// Whether Bundles without a fingerprint create by identifier.
    public var createsByIdentifier = false

    /// Whether the server chooses the ids, so that resources are known by their identifiers alone.
    var isConditional: Bool { fingerprint.map { Fingerprint.isConditional($0.mapping) } ?? createsByIdentifier }

    /// Whether the server knows Bundles by their keys alone.
    var isKeyOnly: Bool { api.isKeyOnly }

    /// Whether the server updates a resource only by its id, not by its identifier.
    var updatesByID: Bool { !isKeyOnly && capabilities.updatesConditionally == false }

    /// The body as it is sent packed; `nil` where it is sent as it is.
    func packed(_ body: [UInt8]) -> [UInt8]? {
        packsBodies ?? capabilities.takesGzip ? ContentCoding.gzip(body) : nil
    }

    /// Where Bundles are posted.
    var target: HTTPURL {
        guard isKeyOnly else { return server }
        guard let url = try? HTTPURL(server.text + "/api/v1/observations") else { return server }
        return url
    }
}
