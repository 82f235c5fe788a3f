internal import FHIRR4
internal import TransactionBundling

/// What is posted as one Bundle.
struct Part: Sendable {
    private(set) var bundle: TransactionBundle
    let submission: Submission
    /// Members that go along only because others are linked with them: the server keeps its version of them.
    var companions: Set<ResourceID> = []
    /// How often entries of it were put off.
    var generation = 0
    /// How long to wait before the first request.
    var delay = Duration.zero
    /// Whether an earlier run has posted it without learning the outcome.
    var mayBeThere = false
    /// Until when a key-only server is sure to remember its key, so that posting it again stores nothing twice.
    var keyEnds: ContinuousClock.Instant?
    /// Whether an answer reported faults for its entries: each may be stored all the same, and none is known to be.
    var isDoubtful = false
    /// Those of its members that an answer reported a fault for that the server may have stored all the same.
    var mayBeStored: Set<ResourceID> = []
    /// How many Bundles the server had taken when this part was cut from a larger one that it failed at.
    var takenCount: Int?
    /// How often the larger Bundle that it was cut from was answered with a conflict.
    var conflicts = 0
    /// When the first part with its entries was made.
    var began = ContinuousClock.now

    init(_ bundle: TransactionBundle, _ submission: Submission, generation: Int = 0) {
        self.bundle = bundle
        self.submission = submission
        self.generation = generation
    }

    /// The entries of an earlier part that were put off.
    init(_ bundle: TransactionBundle, continuing earlier: Part, delay: Duration) {
        self.init(bundle, earlier.submission, generation: earlier.generation + 1)
        self.delay = delay
        companions = earlier.companions
        isDoubtful = earlier.isDoubtful
        began = earlier.began
    }

    /// The members that it is for: without the Devices that it carries and without companions.
    var wanted: [BundleMember] { bundle.ownMembers.filter { !companions.contains($0.id) } }

    /// Whether this entry is a companion.
    func isCompanion(_ number: Int) -> Bool {
        guard !companions.isEmpty, let id = bundle.entries[number].member?.id else { return false }
        return companions.contains(id)
    }

    /// Two parts of about the same size; `nil` where all entries are linked with one another.
    func halves() -> [Part]? {
        let links = BundleLinks(bundle)
        guard links.units.count > 1 else { return nil }
        let middle = links.units.count / 2
        return [links.units[..<middle], links.units[middle...]].map { units in
            let half = bundle.part(links.withDevices(units.flatMap { $0 }.sorted()))
            // If the whole may be stored, each half may be.
            var part = self
            part.bundle = half
            part.keyEnds = nil
            // The smallest is to meet as many conflicts as the whole.
            part.conflicts = 0
            return part
        }
    }
}
