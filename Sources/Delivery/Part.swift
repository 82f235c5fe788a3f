internal import FHIRR4
internal import TransactionBundling

/// What is posted as one Bundle.
struct Part: Sendable {
    let bundle: TransactionBundle
    let submission: Submission
    /// Members that go along with those they are linked with: the server keeps what it has of them.
    var companions: Set<ResourceID> = []
    /// How often entries of it were answered with "later".
    var generation = 0
    /// What to wait for before the first request.
    var delay = Duration.zero
    /// Whether an earlier run has posted it, and nobody knows what became of it.
    var mayBeThere = false
    /// Until when a server that knows keys surely has this one, so that posting it again doubles nothing.
    var keyEnds: ContinuousClock.Instant?
    /// Whether an answer told of faults of its entries: each may be stored all the same, and none is known to be.
    var isDoubtful = false
    /// How many Bundles the server had taken when it was cut off a larger one that the server failed at with 500.
    var takenCount: Int?
    /// How often a larger one, which it was cut off, was told that it conflicts.
    var conflicts = 0
    /// When the first of those was made whose entries it holds.
    var began = ContinuousClock.now

    init(_ bundle: TransactionBundle, _ submission: Submission, generation: Int = 0) {
        self.bundle = bundle
        self.submission = submission
        self.generation = generation
    }

    /// What was answered with "later" of an earlier part.
    init(_ bundle: TransactionBundle, continuing earlier: Part, delay: Duration) {
        self.init(bundle, earlier.submission, generation: earlier.generation + 1)
        self.delay = delay
        companions = earlier.companions
        isDoubtful = earlier.isDoubtful
        began = earlier.began
    }

    /// What it is for: without the Devices that it carries, and without those that only go along.
    var wanted: [BundleMember] { bundle.ownMembers.filter { !companions.contains($0.id) } }

    /// Whether this entry only goes along with others.
    func isCompanion(_ number: Int) -> Bool {
        guard !companions.isEmpty, let id = bundle.entries[number].member?.id else { return false }
        return companions.contains(id)
    }

    /// Two parts of about the same number of entries; `nil` where nothing can be separated.
    func halves() -> [Part]? {
        let links = BundleLinks(bundle)
        guard links.units.count > 1 else { return nil }
        let middle = links.units.count / 2
        return [links.units[..<middle], links.units[middle...]].map { units in
            let half = bundle.part(links.withDevices(units.flatMap { $0 }.sorted()))
            var part = Part(half, submission, generation: generation)
            // Of what may be stored as a whole, each half may be.
            part.mayBeThere = mayBeThere
            part.isDoubtful = isDoubtful
            part.companions = companions
            return part
        }
    }
}
