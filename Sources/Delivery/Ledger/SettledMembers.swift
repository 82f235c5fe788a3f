internal import FHIRR4
internal import GRDB
internal import TransactionBundling

/// Collected outcomes in the order in which the ledger takes them: that of its pages, in slices of one commit each.
///
///     let settled = SettledMembers(changes)
///     for slice in 0..<settled.sliceCount { try pool.write { try settled.apply(slice, to: $0) } }
///
/// Ids are hashes: in the order of the Bundles nearly every id touches a page of its own, and each page that a commit
/// touches is written whole, twice. Sorted, many ids share a page, and a slice touches only a few.
///
/// After each slice the ledger is consistent: keys are there before their members and count those that are in already,
/// and intents are removed with the last slice. If a run is killed in between, the next one settles the rest.
struct SettledMembers {
    /// How many members one commit takes: new intents wait for one such commit at most.
    static let sliceSize = 1024

    private let changes: [LedgerChange]
    private var homes: [LedgerChange.Home] = []
    private var settled: [Settled] = []
    private var places: [Place] = []

    /// The members of one key in one state.
    private struct Settled {
        var members: [BundleMember]
        var state: Ledger.Member.State
        var home: Int64
        /// Whether the server may have it although it was refused.
        var isDoubtful = false
    }

    /// Where a member is found: sorting these moves fewer bytes than sorting members.
    private struct Place {
        var high: Int64
        var list: Int32
        var number: Int32
    }

    /// - Parameter changes: in their order; except for Devices, no resource is in two of them.
    init(_ changes: [LedgerChange]) {
        self.changes = changes
        for case .settle(_, let home, let live, let refused, let doubtful, let carried) in changes {
            homes.append(home)
            take(live, as: .live, home.number)
            take(refused, as: .refused, home.number)
            take(doubtful, as: .refused, home.number, isDoubtful: true)
            // Carried Devices belong to no Bundle.
            take(carried, as: .live, 0)
        }
        places.sort { ($0.high, $0.list, $0.number) < ($1.high, $1.list, $1.number) }
    }

    private mutating func take(
        _ members: [BundleMember],
        as state: Ledger.Member.State,
        _ home: Int64,
        isDoubtful: Bool = false
    ) {
        guard !members.isEmpty else { return }
        for (number, member) in members.enumerated() {
            places.append(
                Place(high: Int64(bitPattern: member.id.high), list: Int32(settled.count), number: Int32(number))
            )
        }
        settled.append(Settled(members: members, state: state, home: home, isDoubtful: isDoubtful))
    }

    /// How many commits the changes take, at least one.
    var sliceCount: Int { max((places.count + Self.sliceSize - 1) / Self.sliceSize, 1) }

    /// Makes the changes of one slice, within the writer's transaction; slices must be applied in order.
    func apply(_ slice: Int, to database: Database) throws {
        if slice == 0 { for home in homes { try home.insert(database) } }
        var placement = try MemberPlacement(database)
        for place in places.dropFirst(slice * Self.sliceSize).prefix(Self.sliceSize) {
            let list = settled[Int(place.list)]
            let member = list.members[Int(place.number)]
            try placement.put(member, list.state, home: list.home, isDoubtful: list.isDoubtful)
        }
        try placement.finish()
        guard slice == sliceCount - 1 else { return }
        for change in changes {
            if case .settle(let key, _, _, _, _, _) = change {
                try LedgerChange.drop(key: key).apply(to: database)
            } else {
                try change.apply(to: database)
            }
        }
    }
}
