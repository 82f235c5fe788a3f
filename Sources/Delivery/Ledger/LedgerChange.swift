internal import FHIRR4
internal import Foundation
internal import GRDB
internal import TransactionBundling

/// One step of a delivery, as the ledger keeps it; several make one commit.
enum LedgerChange: Sendable {
    /// A Bundle is about to be posted.
    case intend(Intent)
    /// A Bundle is no longer on its way: it never was, or what it holds goes under other keys.
    case drop(key: String)
    /// The outcome of a Bundle is known: these are live, these were refused, at these the server has failed, and these
    /// Devices it carried are live.
    case settle(
        key: String,
        home: Home,
        live: [BundleMember],
        refused: [BundleMember] = [],
        doubtful: [BundleMember] = [],
        carried: [BundleMember] = []
    )
    /// Members that are live already are now part of another Bundle.
    case adopt(home: Home, live: [BundleMember])
    /// Nobody knows what the server has of these.
    case forget([BundleMember])
    /// The server has none of these: it was read, or has refused them.
    case miss([BundleMember])
    /// This resource was marked as entered in error.
    case bury(ResourceID)
    /// A member stays what it was before it was marked unknown.
    case keep(Ledger.Member)
    /// A twin has lost: its digest is as good as the live one's.
    case alias(ResourceID, digest: UInt64)
    /// A resource has no twins any more: another version is on its way.
    case dropAliases(ResourceID)

    /// A Bundle on its way.
    struct Intent: Sendable {
        var key: String
        var home: Home
        /// Seconds since 1970.
        var began: Int64
        var members: [BundleMember]
        /// The encrypted body, for key-only servers.
        var body: [UInt8]?
    }

    /// The Bundle of the export that members belong to.
    struct Home: Sendable, Equatable {
        var number: Int64
        var key: String
        var kind: UInt64 = 0
        var memberCount: Int

        /// For members that belong to no Bundle that a run could meet.
        static let none = Home(number: 0, key: "", memberCount: 0)
    }
}

extension LedgerChange {
    /// The members that it says something about.
    var members: [[BundleMember]] {
        switch self {
        case .settle(_, _, let live, let refused, let doubtful, let carried): [live, refused, doubtful, carried]
        case .adopt(_, let live): [live]
        case .forget(let members), .miss(let members): [members]
        case .intend, .drop, .bury, .keep, .alias, .dropAliases: []
        }
    }

    /// How many members that is.
    var memberCount: Int { members.reduce(0) { $0 + $1.count } }

    /// Makes the change within the writer's transaction.
    func apply(to database: Database) throws {
        switch self {
        case .intend(let intent): try intent.insert(database)
        case .drop(let key):
            try database.cachedStatement(sql: "DELETE FROM intents WHERE key = ?").execute(arguments: [key])
        case .settle:
            let settled = SettledMembers([self])
            for slice in 0..<settled.sliceCount { try settled.apply(slice, to: database) }
        case .adopt(let home, let live):
            try home.insert(database)
            try LedgerChange.put(live, .live, home: home.number, database)
        case .forget(let members): try LedgerChange.forget(members, database)
        case .miss(let members): try LedgerChange.put(members, .absent, home: 0, database)
        case .bury(let id):
            guard let member = try Ledger.Member.fetch(id, database) else { return }
            try LedgerChange.leave(member, database)
            let gone = Ledger.Member.State.gone.rawValue
            try database.cachedStatement(sql: "UPDATE members SET state = \(gone), home = 0 WHERE high = ? AND low = ?")
                .execute(arguments: id.arguments)
        case .keep(let member):
            var placement = try MemberPlacement(database)
            try placement.put(member.asMember, member.state, home: member.home)
            try placement.finish()
        case .alias(let id, let digest):
            guard var member = try Ledger.Member.fetch(id, database), !member.aliases.contains(digest) else { return }
            member.aliases.append(digest)
            try database.cachedStatement(sql: "UPDATE members SET aliases = ? WHERE high = ? AND low = ?")
                .execute(arguments: [Data(PackedNumbers.bytes(member.aliases))] + id.arguments)
        case .dropAliases(let id):
            try database.cachedStatement(sql: "UPDATE members SET aliases = NULL WHERE high = ? AND low = ?")
                .execute(arguments: id.arguments)
        }
    }
}

extension LedgerChange {
    /// The Bundle that held a live member last no longer stands.
    private static func leave(_ member: Ledger.Member, _ database: Database) throws {
        guard member.state == .live else { return }
        try database.cachedStatement(sql: "UPDATE keys SET liveCount = liveCount - 1 WHERE number = ?")
            .execute(arguments: [member.home])
    }

    /// Makes members unknown: nobody knows what the server has of them.
    static func forget(_ members: [BundleMember], _ database: Database) throws {
        guard !members.isEmpty else { return }
        try Ledger.noteLoose(database)
        try put(members, .unknown, home: 0, database)
    }

    private static func put(
        _ members: [BundleMember],
        _ state: Ledger.Member.State,
        home: Int64,
        _ database: Database
    ) throws {
        var placement = try MemberPlacement(database)
        for member in members { try placement.put(member, state, home: home) }
        try placement.finish()
    }
}

extension LedgerChange.Intent {
    fileprivate func insert(_ database: Database) throws {
        var packed: [UInt64] = []
        packed.reserveCapacity(6 * members.count)
        for member in members {
            packed.append(member.id.high)
            packed.append(member.id.low)
            packed.append(member.digest ?? 0)
            packed.append(member.rank)
            packed.append(member.kind)
            packed.append(UInt64(member.type.rawValue) << 1 | (member.digest == nil ? 0 : 1))
        }
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO intents (key, home, began, members, body) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [key, home.number, began, Data(PackedNumbers.bytes(packed)), body.map { Data($0) }])
    }

    /// The open ones, without their homes.
    static func all(_ database: Database) throws -> [Self] {
        try Row.fetchAll(database, sql: "SELECT key, began, members, body FROM intents").map { row in
            let members: Data = try row.value(2)
            let body: Data? = try row.optional(3)
            return LedgerChange.Intent(
                key: try row.value(0),
                home: .none,
                began: max(try row.value(1), 0),
                members: Self.members(Array(members)),
                body: body.map { Array($0) }
            )
        }
    }

    static func members(_ bytes: [UInt8]) -> [BundleMember] {
        let numbers = PackedNumbers.read(bytes)
        return stride(from: 0, to: numbers.count - numbers.count % 6, by: 6).map { start in
            BundleMember(
                id: ResourceID(high: numbers[start], low: numbers[start + 1]),
                digest: numbers[start + 5] & 1 == 1 ? numbers[start + 2] : nil,
                rank: numbers[start + 3],
                type: ResourceType(rawValue: UInt8(truncatingIfNeeded: numbers[start + 5] >> 1)) ?? .observation,
                kind: numbers[start + 4]
            )
        }
    }
}

extension LedgerChange.Home {
    /// Adds the key, or gives it this kind and number of members.
    ///
    /// If `send` has delivered some of it, its kind is unknown again: the next `sync` then looks into it for the
    /// export's digests, without which a version that lost would count as a new one.
    func insert(_ database: Database) throws {
        guard number > 0 else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO keys (number, key, kind, memberCount, liveCount) VALUES (?, ?, ?, ?, 0)
                ON CONFLICT (number) DO UPDATE SET kind = excluded.kind, memberCount = excluded.memberCount
                """
        ).execute(arguments: [number, key, Int64(bitPattern: kind), memberCount])
    }
}
