public import HTTPTransport
internal import OpenSSLCrypto

/// Where Bundles go, and how hard it is tried.
public struct DeliveryOptions: Sendable {
    /// The HTTP API that Bundles are posted to.
    public enum API: String, Sendable, CaseIterable {
        /// `POST [base]`: a FHIR transaction.
        case fhir
        /// `POST [base]/api/v1/observations`: a Client-Facing Integration Server, which knows a Bundle by its key alone.
        case observations

        /// Whether the server knows a Bundle by its `Idempotency-Key`, and nothing else of what is in it.
        public var isKeyOnly: Bool { self == .observations }
    }

    /// The FHIR base, or that of the integration server, in its normal form however it is spelt.
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
    /// Which API; FHIR unless told otherwise.
    public var api = API.fhir
    /// What ids and digests are made with; `nil` where the Bundles come without that knowledge.
    public var fingerprint: Fingerprint?
    /// The key of ids, which hides whose export it is in the ledger too; `nil` for none.
    ///
    /// It never prints itself.
    public var identityKey: [UInt8]? {
        get { hiddenIdentityKey.bytes }
        set { hiddenIdentityKey.bytes = newValue }
    }
    private var hiddenIdentityKey = HiddenBytes()
    /// Whether resources of another mapping are sent once more, instead of stopping.
    public var remaps = false
    /// Whether the export is taken for the patient's although birth date or sex differ.
    public var confirmsPatient = false
    /// Whether what the export no longer holds is marked as entered in error.
    public var deletes = false
    /// Most deletions at once; `nil` for a hundredth of what is live, at most 1,000.
    public var maximumDeletionCount: Int? {
        didSet { maximumDeletionCount = maximumDeletionCount.map { max($0, 0) } }
    }
    /// Whether nothing is sent and the ledger stays as it is: the report tells what a run would do.
    public var isDryRun = false
    /// The profile of daily summaries, by which one that is read back is told from its samples.
    package var dailySummaryProfile = ""
    /// Their kinds: a day is in everybody's export.
    package var dailySummaryKinds: Set<UInt64> = []
    /// What the server says of itself.
    public var capabilities = ServerCapabilities()
    /// How many posts may be in flight.
    public static let concurrencyRange = 1...64
    /// Posts in flight, brought into `concurrencyRange`.
    public var concurrency = 8 {
        didSet {
            concurrency = min(max(concurrency, Self.concurrencyRange.lowerBound), Self.concurrencyRange.upperBound)
        }
    }
    /// Most entries of one Bundle that the server is known to take, as some hosted services are; `nil` for any number.
    public var maximumEntryCount: Int?
    /// How long it is tried before the run gives up.
    public var retryBudget: Duration = .seconds(600)
    /// How long a host is looked up that has no address; at most as long as any request is tried.
    var lookupBudget: Duration = .seconds(30)
    /// How long a server is tried that was away before and has taken nothing of this run yet; `nil` for
    /// `retryBudget`, which bounds it too.
    public var contactBudget: Duration?
    /// How long a request is tried that the server fails at for a reason that may be this export's alone, while it has taken
    /// nothing of it yet; `nil` for `retryBudget`, which bounds it too.
    public var failureBudget: Duration?
    /// Told once for each time that the server is away or too busy: what it does, and how long it is tried.
    public var noteWaiting: @Sendable (_ what: String, _ patience: Duration) -> Void = { _, _ in }
    /// Told what the server can't tell, so that a person looks: nothing is stopped by it.
    public var noteDoubt: @Sendable (_ what: String) -> Void = { _ in }
    /// The first delay before another try is at most this; it doubles up to a minute.
    public var firstDelay: Duration = .seconds(2)
    /// The longest delay that nobody asked for.
    var maximumDelay: Duration = .seconds(60)
    /// Asked often: whether the run is to end as soon as posts in flight have their answers.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// Packs bodies with gzip; `nil` sends them as they are.
    ///
    /// A server that turns out not to take packed ones gets them plain.
    public var gzip: (@Sendable ([UInt8]) -> [UInt8])?
    /// 32 bytes that hide bodies in the ledger until their outcome is known; for key-only servers alone.
    ///
    /// They never print themselves.
    public var bodyKey: [UInt8]? {
        get { hiddenBodyKey.bytes }
        set { hiddenBodyKey.bytes = newValue }
    }
    private var hiddenBodyKey = HiddenBytes()
    /// How long a key-only server keeps a key in mind.
    public var keyLifetime: Duration = .seconds(24 * 3600)

    /// The defaults for one patient on one server, whose ledger is the same however its address is spelt.
    public init(server: HTTPURL, patientID: String, ledgerFolder: String) {
        self.server = server.normalized
        self.patientID = patientID
        self.ledgerFolder = ledgerFolder
        maximumEntryCount = EntryLimit.known(of: server)
    }

    /// Delivered resources that are looked for on the server before anything is sent; 0 looks for none.
    ///
    /// It also finds out that the ledger is empty and the server is not, where an older export could take a newer one's
    /// place: ``DeliveryError/unknownResources(server:count:)``.
    public var probeCount = 32

    /// Whether Bundles that come without a fingerprint create by identifier.
    public var createsByIdentifier = false

    /// Whether the server chooses the ids, so that resources are known by their identifiers alone.
    var isConditional: Bool { fingerprint.map { Fingerprint.isConditional($0.mapping) } ?? createsByIdentifier }

    /// Whether the server knows nothing but keys of Bundles, and what was sent can't be asked for.
    var isKeyOnly: Bool { api.isKeyOnly }

    /// Whether the server updates what has an identifier only under its id.
    var updatesByID: Bool { !isKeyOnly && capabilities.updatesConditionally == false }

    /// Where Bundles are posted.
    var target: HTTPURL {
        guard isKeyOnly else { return server }
        guard let url = try? HTTPURL(server.text + "/api/v1/observations") else { return server }
        return url
    }
}
