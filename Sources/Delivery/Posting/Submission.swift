internal import FHIRR4
internal import Synchronization
internal import TransactionBundling

/// A Bundle that was handed in, while parts of it are on their way.
final class Submission: Sendable {
    let home: LedgerChange.Home
    /// When its posts may begin.
    let turn: Turn
    /// The members that no other Bundle may hold meanwhile.
    let members: [BundleMember]
    /// How many slots it takes.
    let slotCount: Int
    /// The members of which the server may have another version.
    let changed: Set<ResourceID>
    /// Those of `changed` that the ledger knew in another version.
    let replaced: Set<ResourceID>
    private let counts: Mutex<Counts>

    private struct Counts {
        /// The number of parts without a known outcome, and of parts whose outcome the ledger does not have yet.
        var unanswered = 0
        var unkept = 0
        /// How many members are live.
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

    /// Notes that one more part is on its way.
    func addPart() {
        counts.withLock { counts in
            counts.unanswered += 1
            counts.unkept += 1
        }
    }

    func addLive(_ count: Int) { counts.withLock { $0.live += count } }

    /// Notes that the outcome of a part is known.
    ///
    /// - Returns: whether it was the last part.
    func noteAnswered() -> Bool {
        counts.withLock { counts in
            counts.unanswered -= 1
            return counts.unanswered <= 0
        }
    }

    /// Notes that the ledger has the outcome of a part.
    ///
    /// - Returns: whether it was the last part.
    func noteKept() -> Bool {
        counts.withLock { counts in
            counts.unkept -= 1
            return counts.unkept <= 0
        }
    }

    /// Whether all members are live.
    var isWhole: Bool { counts.withLock { $0.live == home.memberCount } }
}
