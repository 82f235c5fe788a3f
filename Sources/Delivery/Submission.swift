internal import FHIRR4
internal import Synchronization
internal import TransactionBundling

/// A Bundle that was handed in, while parts of it are on their way.
final class Submission: Sendable {
    let home: LedgerChange.Home
    /// Its posts wait for those of all stages before.
    let stage: Int
    /// What no other Bundle may hold meanwhile.
    let ids: [ResourceID]
    /// What it takes of those that may be on their way at once.
    let slotCount: Int
    private let counts: Mutex<(open: Int, live: Int)>

    init(home: LedgerChange.Home, ids: [ResourceID], liveCount: Int, stage: Int, slotCount: Int) {
        self.home = home
        self.stage = stage
        self.ids = ids
        self.slotCount = slotCount
        counts = Mutex((0, liveCount))
    }

    func open() { counts.withLock { $0.open += 1 } }

    func addLive(_ count: Int) { counts.withLock { $0.live += count } }

    /// Ends one part.
    ///
    /// - Returns: whether it was the last.
    func close() -> Bool {
        counts.withLock { counts in
            counts.open -= 1
            return counts.open <= 0
        }
    }

    /// Whether all members are live.
    var isWhole: Bool { counts.withLock { $0.live == home.memberCount } }
}

/// What is posted as one Bundle.
struct Part: Sendable {
    let bundle: TransactionBundle
    let submission: Submission
    /// How often entries of it were answered with "later".
    var generation = 0
    /// What to wait for before the first request.
    var delay = Duration.zero
    /// Whether an earlier run has posted it, and nobody knows what became of it.
    var mayBeThere = false

    init(_ bundle: TransactionBundle, _ submission: Submission, generation: Int = 0, delay: Duration = .zero) {
        self.bundle = bundle
        self.submission = submission
        self.generation = generation
        self.delay = delay
    }

    /// Two parts of about the same number of entries; `nil` where nothing can be separated.
    func halves() -> [Part]? {
        let links = BundleLinks(bundle)
        guard links.units.count > 1 else { return nil }
        let middle = links.units.count / 2
        return [links.units[..<middle], links.units[middle...]].map { units in
            Part(bundle.part(links.withDevices(units.flatMap { $0 }.sorted())), submission, generation: generation)
        }
    }
}
