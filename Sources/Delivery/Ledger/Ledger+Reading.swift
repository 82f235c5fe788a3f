internal import FHIRR4
internal import GRDB
internal import Synchronization
internal import TransactionBundling

/// What the ledger knows of keys and resources.
extension Ledger {
    /// Hands out all keys, one by one: some tens of thousands at most.
    func readKeys(_ take: (Key) -> Void) throws(DeliveryError) {
        try placing(path) {
            try pool.read { database in
                let rows = try Row.fetchCursor(
                    database,
                    sql: "SELECT number, key, kind, memberCount, liveCount FROM keys"
                )
                while let row = try rows.next() {
                    let key = Key(
                        number: try row.value(0),
                        key: try row.value(1),
                        kind: UInt64(bitPattern: try row.value(2)),
                        memberCount: try row.value(3),
                        liveCount: try row.value(4)
                    )
                    guard key.number < .max / 2, key.memberCount >= 0, key.liveCount >= 0 else {
                        throw LedgerFault.foreign
                    }
                    take(key)
                }
            }
        }
    }

    /// The members with these ids, in their order; `nil` for one that the ledger does not know.
    ///
    /// A first run, in which nearly everything is new, asks SQLite about almost none: a look-up costs as much as
    /// everything else that is done with a resource.
    func members(_ ids: [ResourceID]) throws(DeliveryError) -> [Member?] {
        let mayBeKnown = newcomers.withLock { filter in
            filter.map { filter in ids.map { filter.mayHold($0) } }
        }
        if let mayBeKnown, !mayBeKnown.contains(true) { return ids.map { _ in nil } }
        return try placing(path) {
            try pool.read { database in
                try ids.enumerated().map { number, id in
                    mayBeKnown?[number] == false ? nil : try Member.fetch(id, database)
                }
            }
        }
    }

    /// Notes the members that changes are about; to be called before they are made.
    func noteMembers(_ changes: [LedgerChange]) {
        newcomers.withLock { filter in
            guard filter != nil else { return }
            for members in changes.flatMap(\.members) { for member in members { filter?.insert(member.id) } }
        }
    }

    /// Members that may be on the server and belong to keys with these numbers, except Devices and Patients.
    func members(at isWanted: (Int64) -> Bool) throws(DeliveryError) -> [Member] {
        try placing(path) {
            try pool.read { database in
                let types = ResourceType.ofSamples.map { "\($0.rawValue)" }.joined(separator: ", ")
                let settled = [Member.State.gone, .absent].map { "\($0.rawValue)" }.joined(separator: ", ")
                let rows = try Row.fetchCursor(
                    database,
                    sql: """
                        SELECT \(Member.columns) FROM members
                        WHERE type IN (\(types)) AND state NOT IN (\(settled))
                            AND (state <> \(Member.State.refused.rawValue) OR digest IS NOT NULL)
                        """
                )
                var members: [Member] = []
                while let row = try rows.next() {
                    let member = try Member(row)
                    if isWanted(member.home) { members.append(member) }
                }
                return members
            }
        }
    }

    /// Whether it knows no resource.
    func isEmpty() throws(DeliveryError) -> Bool {
        try isTrue("SELECT NOT EXISTS (SELECT 1 FROM members) AND NOT EXISTS (SELECT 1 FROM intents)")
    }

    /// Whether it knows nothing that the server may have: nothing at all, or only refusals without an older version.
    func hasOnlyRefusals() throws(DeliveryError) -> Bool { try isTrue(Self.onlyRefusals) }

    /// The same as a question, for a ledger that is read without being opened.
    static let onlyRefusals = """
        SELECT NOT EXISTS (SELECT 1 FROM members WHERE state != \(Member.State.refused.rawValue) OR digest IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM intents)
        """

    /// How many members were refused while the server has an older version of them: no key counts these.
    func countRefusedOverOlder() throws(DeliveryError) -> Int {
        try number(
            "SELECT count(*) FROM members WHERE state = ? AND digest IS NOT NULL",
            [Member.State.refused.rawValue]
        )
    }

    /// Whether nothing of these is left to be sent: the server has taken them, what it had of them was deleted, or it
    /// has nothing of them and they have left the export.
    func areSettled(_ ids: [ResourceID]) throws(DeliveryError) -> Bool {
        try members(ids).allSatisfy { $0.map { [.live, .gone, .absent].contains($0.state) } ?? false }
    }

    /// Whether any Bundle was posted whose outcome is not known.
    func hasIntents() throws(DeliveryError) -> Bool { try isTrue("SELECT EXISTS (SELECT 1 FROM intents)") }

    /// How many of a type the server is known to have, including those marked as entered in error.
    func countHeld(_ type: ResourceType) throws(DeliveryError) -> Int {
        try number(
            "SELECT count(*) FROM members WHERE type = ? AND state IN (?, ?)",
            [type.rawValue, Member.State.live.rawValue, Member.State.gone.rawValue]
        )
    }

    /// How many members are in this state.
    func count(_ state: Member.State) throws(DeliveryError) -> Int {
        try number("SELECT count(*) FROM members WHERE state = ?", [state.rawValue])
    }

    /// Whether it knows nothing, not even that the server was compared with an export.
    func isBlank() throws(DeliveryError) -> Bool {
        guard try property(.rebuilt) == nil else { return false }
        return try isEmpty()
    }

    /// Whether the server has taken at least so many members.
    func hasTaken(_ count: Int) throws(DeliveryError) -> Bool {
        try number("SELECT count(*) FROM (SELECT 1 FROM members WHERE \(Self.isThere) LIMIT ?)", [count]) >= count
    }

    /// How many members were delivered with another mapping, and not since.
    func countFormer() throws(DeliveryError) -> Int {
        try number("SELECT count(*) FROM members WHERE \(Self.isFormer)")
    }

    /// The number that a query gives.
    func number(_ sql: String, _ arguments: StatementArguments = []) throws(DeliveryError) -> Int {
        try placing(path) { try pool.read { try Int.fetchOne($0, sql: sql, arguments: arguments) ?? 0 } }
    }

    /// Whether a query gives 1 and not 0.
    private func isTrue(_ sql: String) throws(DeliveryError) -> Bool { try number(sql) != 0 }

    private static let isFormer = "(state = \(Member.State.unknown.rawValue) AND digest IS NOT NULL)"

    /// Live, or delivered in another version or with another mapping, which stays if the new one was refused.
    static let isThere = """
        (state = \(Member.State.live.rawValue) OR \(isFormer)
            OR (state = \(Member.State.refused.rawValue) AND digest IS NOT NULL))
        """
}
