internal import FHIRR4
internal import GRDB
internal import TransactionBundling

/// Gathered outcomes, as the ledger takes them: in the order of its pages, in slices of which each is a commit.
///
///     let settled = SettledMembers(changes)
///     for slice in 0..<settled.sliceCount { try pool.write { try settled.apply(slice, to: $0) } }
///
/// Ids are hashes: in the order in which Bundles come, nearly each touches a page of its own, and each page that a
/// commit touches is written whole, twice. Sorted, many share a page, and a slice stays among few of them.
///
/// After each slice the ledger is true: keys are there before their members and count those that are in already,
/// and intents end with the last slice. Whoever is killed in between settles the rest again.
struct SettledMembers {
    /// As many as one commit takes: what is to be posted meanwhile waits no longer than for one.
    static let sliceSize = 1024

    private let changes: [LedgerChange]
    private var homes: [LedgerChange.Home] = []
    private var settled: [Settled] = []
    private var places: [Place] = []

    /// One key's members of one state.
    private struct Settled {
        var members: [BundleMember]
        var state: Ledger.Member.State
        var home: Int64
    }

    /// Where a member is found: sorting these moves fewer bytes.
    private struct Place {
        var high: Int64
        var list: Int32
        var number: Int32
    }

    /// - Parameter changes: in their order; no resource is in two of them, Devices apart.
    init(_ changes: [LedgerChange]) {
        self.changes = changes
        for case .settle(_, let home, let live, let refused, let carried) in changes {
            homes.append(home)
            take(live, as: .live, home.number)
            take(refused, as: .refused, home.number)
            // Devices that many Bundles carry belong to none.
            take(carried, as: .live, 0)
        }
        places.sort { ($0.high, $0.list, $0.number) < ($1.high, $1.list, $1.number) }
    }

    private mutating func take(_ members: [BundleMember], as state: Ledger.Member.State, _ home: Int64) {
        guard !members.isEmpty else { return }
        for (number, member) in members.enumerated() {
            places.append(
                Place(high: Int64(bitPattern: member.id.high), list: Int32(settled.count), number: Int32(number))
            )
        }
        settled.append(Settled(members: members, state: state, home: home))
    }

    /// How many commits they take, at least one.
    var sliceCount: Int { max((places.count + Self.sliceSize - 1) / Self.sliceSize, 1) }

    /// Makes the changes of one slice within the writer's transaction; one after the other.
    func apply(_ slice: Int, to database: Database) throws {
        if slice == 0 { for home in homes { try home.insert(database) } }
        var placement = try MemberPlacement(database)
        for place in places.dropFirst(slice * Self.sliceSize).prefix(Self.sliceSize) {
            let list = settled[Int(place.list)]
            try placement.put(list.members[Int(place.number)], list.state, home: list.home)
        }
        try placement.finish()
        guard slice == sliceCount - 1 else { return }
        for change in changes {
            if case .settle(let key, _, _, _, _) = change {
                try LedgerChange.drop(key: key).apply(to: database)
            } else {
                try change.apply(to: database)
            }
        }
    }
}
