internal import FHIRR4
internal import Synchronization
internal import TransactionBundling

/// A Bundle that was handed in, while parts of it are on their way.
final class Submission: Sendable {
    let home: LedgerChange.Home
    /// When its posts may begin.
    let turn: Turn
    /// What no other Bundle may hold meanwhile.
    let members: [BundleMember]
    /// What it takes of those that may be on their way at once.
    let slotCount: Int
    /// Those of which the server may have another version.
    let changed: Set<ResourceID>
    /// Those of them that the ledger knew in another version.
    let replaced: Set<ResourceID>
    private let counts: Mutex<Counts>

    private struct Counts {
        /// Parts whose outcome is not known, and those whose outcome the ledger does not know.
        var unanswered = 0
        var unkept = 0
        /// Members that are live.
        var live: Int
    }

    init(
        home: LedgerChange.Home,
        members: [BundleMember],
        liveCount: Int,
        turn: Turn,
        slotCount: Int,
        changed: Set<ResourceID> = [],
        replaced: Set<ResourceID> = []
    ) {
        self.home = home
        self.changed = changed
        self.replaced = replaced
        self.slotCount = slotCount
        self.turn = turn
        self.members = members
        counts = Mutex(Counts(live: liveCount))
    }

    /// One part more is on its way.
    func addPart() {
        counts.withLock { counts in
            counts.unanswered += 1
            counts.unkept += 1
        }
    }

    func addLive(_ count: Int) { counts.withLock { $0.live += count } }

    /// The outcome of one part is known.
    ///
    /// - Returns: whether it was the last.
    func noteAnswered() -> Bool {
        counts.withLock { counts in
            counts.unanswered -= 1
            return counts.unanswered <= 0
        }
    }

    /// The ledger knows the outcome of one part.
    ///
    /// - Returns: whether it was the last.
    func noteKept() -> Bool {
        counts.withLock { counts in
            counts.unkept -= 1
            return counts.unkept <= 0
        }
    }

    /// Whether all members are live.
    var isWhole: Bool { counts.withLock { $0.live == home.memberCount } }
}

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
