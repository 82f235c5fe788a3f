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
