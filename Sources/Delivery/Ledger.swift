internal import FHIRR4
internal import Foundation
internal import GRDB
internal import Synchronization
internal import TransactionBundling

/// What one server has of one patient: hashes and ids, in an SQLite file that outlives any crash.
///
/// A run reads while ``LedgerWriter`` writes. Every call blocks: for threads of one's own.
final class Ledger: Sendable {
    /// A resource as the ledger knows it.
    struct Member: Sendable, Equatable {
        /// What the server has of it.
        enum State: Int, Sendable {
            /// It may have it or not, or an older version: a Bundle's outcome is not known.
            case unknown = 0
            /// This version, acknowledged.
            case live = 1
            /// It was deleted by us: entered in error.
            case gone = 2
            /// It refused it; an older version may be there.
            case refused = 3
            /// It was read and does not have it, though it may still know the key of the Bundle that brought it.
            case absent = 4
        }

        var id: ResourceID
        var type: ResourceType
        /// What tells Apple's types apart; 0 where it was sent by who did not know it.
        var kind: UInt64
        var state: State
        /// The number of the key whose Bundle held it last.
        var home: Int64
        /// `nil` where it was sent by who did not know it.
        var digest: UInt64?
        var rank: UInt64
        /// Digests of twins that lost against it.
        var aliases: [UInt64]

        /// Itself, as a Bundle has it.
        var asMember: BundleMember { BundleMember(id: id, digest: digest, rank: rank, type: type, kind: kind) }
    }

    /// A key as the ledger knows it.
    struct Key: Sendable {
        var number: Int64
        var key: String
        var kind: UInt64
        var memberCount: Int
        /// How many members are live with the digests that the key stands for.
        var liveCount: Int
    }

    let path: String
    let pool: LedgerPool
    /// Who may be in a ledger that was empty when the run began; `nil` where it was not.
    let newcomers = Mutex<MemberFilter?>(nil)
    private let lock: LedgerLock

    /// Opens or makes the ledger, and takes its lock.
    ///
    /// - Parameters:
    ///   - file: where it lies.
    ///   - setsAside: whether a damaged ledger is put aside and a new one begun: not where the server would store
    ///     everything a second time.
    ///   - noteDamage: told where a damaged ledger was put, before a new one is made.
    /// - Throws: ``DeliveryError``.
    init(_ file: LedgerFile, setsAside: Bool, noteDamage: (String) -> Void) throws(DeliveryError) {
        path = file.path
        try file.makeFolder()
        lock = try file.lock()
        // What killed runs have left takes room.
        file.removeRebuild()
        file.removeCopy()
        if file.isCopy { try file.copy() }
        try file.touch(file.path)
        do throws(DeliveryError) {
            pool = try Self.open(file.path, as: file.original)
        } catch .ledgerDamaged {
            guard setsAside else { throw .ledgerLost(path: file.original) }
            noteDamage(try file.setAside())
            try file.touch(file.path)
            pool = try Self.open(file.path)
        } catch {
            file.removeCopy()
            throw error
        }
    }

    /// Opens a ledger that is there, of whoever holds its lock.
    ///
    /// - Throws: ``DeliveryError/ledgerDamaged(path:)`` where it is none any more, which then stays where it is.
    init(_ file: LedgerFile, under lock: LedgerLock) throws(DeliveryError) {
        path = file.path
        self.lock = lock
        pool = try Self.open(file.path)
    }

    /// Makes an empty ledger that is to take the place of the one whose lock this is.
    init(rebuilding file: LedgerFile, under lock: LedgerLock) throws(DeliveryError) {
        path = file.rebuildPath
        self.lock = lock
        file.removeRebuild()
        try file.touch(file.rebuildPath)
        pool = try Self.open(file.rebuildPath)
    }

    /// - Parameter original: whose copy it is, which a version or damage is told of; `nil` for none.
    private static func open(_ path: String, as original: String? = nil) throws(DeliveryError) -> LedgerPool {
        do {
            return try LedgerPool(path: path)
        } catch LedgerFault.newer(let version) {
            throw .ledgerTooNew(path: original ?? path, version: version)
        } catch  where isDamage(error) {
            throw .ledgerDamaged(path: original ?? path)
        } catch {
            throw fault(error, path: path)
        }
    }

    /// Ends the connections; one file is all that counts between runs.
    func close() { pool.close() }

    /// Lets the next run begin; whoever has closed the ledger and is done with its file calls this.
    func unlock() { lock.release() }

    /// Whether the file is no database, or a broken one; SQLite's plain error is a table or a column that is not there.
    static func isDamage(_ error: any Error) -> Bool {
        if error as? LedgerFault == .foreign { return true }
        let code = (error as? DatabaseError)?.resultCode
        return code == .SQLITE_NOTADB || code == .SQLITE_CORRUPT || code == .SQLITE_ERROR
    }

    /// What keeps a ledger that is none to be put aside from being read or written: somebody else who has it for longer than
    /// it is waited for, or the system.
    static func fault(_ error: any Error, path: String) -> DeliveryError {
        (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
            ? .ledgerBusy(path: path) : .ledgerUnwritable(path: path, reason: reason(error))
    }

    /// The reason without SQL and values.
    private static func reason(_ error: any Error) -> String {
        (error as? DatabaseError).map { "SQLite: \($0.resultCode.errorString ?? "error \($0.resultCode.rawValue)")" }
            ?? "not a database"
    }
}

/// Runs `body` and names the ledger in what goes wrong.
func placing<Result>(_ path: String, _ body: () throws -> Result) throws(DeliveryError) -> Result {
    do {
        return try body()
    } catch let error as DeliveryError {
        throw error
    } catch  where Ledger.isDamage(error) {
        throw .ledgerDamaged(path: path)
    } catch {
        throw Ledger.fault(error, path: path)
    }
}

extension ResultCode {
    fileprivate var errorString: String? { "\(self)".split(separator: "(").last.map { String($0.dropLast()) } }
}

// MARK: - Reading

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
                    guard key.number < .max, key.memberCount >= 0, key.liveCount >= 0 else { throw LedgerFault.foreign }
                    take(key)
                }
            }
        }
    }

    /// The members of these ids, in their order; `nil` for one that the ledger does not know.
    ///
    /// A first run, in which nearly everything is new, asks SQLite about almost nobody: a look-up costs as much as
    /// all else that is done with a resource.
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

    /// Keeps in mind whom changes are about; before they are made.
    func noteMembers(_ changes: [LedgerChange]) {
        newcomers.withLock { filter in
            guard filter != nil else { return }
            for members in changes.flatMap(\.members) { for member in members { filter?.insert(member.id) } }
        }
    }

    /// Members that may be on the server and belong to keys of these numbers; Devices and Patients apart.
    func members(at isWanted: (Int64) -> Bool) throws(DeliveryError) -> [Member] {
        try placing(path) {
            try pool.read { database in
                let kept = [ResourceType.device, .patient].map { "\($0.rawValue)" }.joined(separator: ", ")
                let rows = try Row.fetchCursor(
                    database,
                    sql: """
                        SELECT \(Member.columns) FROM members
                        WHERE type NOT IN (\(kept)) AND state NOT IN (2, 4) AND (state <> 3 OR digest IS NOT NULL)
                        """
                )
                var members: [Member] = []
                while let row = try rows.next() {
                    guard isWanted(try row.value(5)) else { continue }
                    members.append(try Member(row))
                }
                return members
            }
        }
    }

    /// Whether it knows of no resource.
    func isEmpty() throws(DeliveryError) -> Bool {
        let sql = "SELECT NOT EXISTS (SELECT 1 FROM members) AND NOT EXISTS (SELECT 1 FROM intents)"
        return try placing(path) { try pool.read { try Bool.fetchOne($0, sql: sql) ?? true } }
    }

    /// What is kept by a name; `nil` for nothing.
    func property(_ name: LedgerProperty) throws(DeliveryError) -> String? {
        try placing(path) {
            try pool.read {
                try String.fetchOne($0, sql: "SELECT value FROM properties WHERE name = ?", arguments: [name.rawValue])
            }
        }
    }

    /// What its ids and digests were made with, as far as it tells.
    func fingerprint() throws(DeliveryError) -> [Fingerprint.Field: String] {
        var known: [Fingerprint.Field: String] = [:]
        for field in Fingerprint.Field.allCases { known[field] = try property(field.property) }
        return known
    }

    /// Sets properties; `nil` removes one.
    func setProperties(_ values: [LedgerProperty: String?]) throws(DeliveryError) {
        try placing(path) {
            try pool.write { database in
                for (name, value) in values {
                    try database.execute(
                        sql: value == nil
                            ? "DELETE FROM properties WHERE name = ?"
                            : Self.setProperty,
                        arguments: value.map { [name.rawValue, $0] } ?? [name.rawValue]
                    )
                }
            }
        }
    }

    /// What stays as it is writes nothing, and waits for no disk.
    private static let setProperty = """
        INSERT INTO properties (name, value) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE value <> excluded.value
        """

    /// How many members were refused while the server has an older version of them: no key counts them.
    func countRefusedOverOlder() throws(DeliveryError) -> Int {
        let sql = "SELECT count(*) FROM members WHERE state = 3 AND digest IS NOT NULL"
        return try placing(path) { try pool.read { try Int.fetchOne($0, sql: sql) ?? 0 } }
    }

    /// Whether the server has taken all of these, or what it had of them was deleted.
    func hasTaken(_ ids: [ResourceID]) throws(DeliveryError) -> Bool {
        try members(ids).allSatisfy { $0?.state == .live || $0?.state == .gone }
    }

    /// How many members are in this state.
    func count(_ state: Member.State) throws(DeliveryError) -> Int {
        let sql = "SELECT count(*) FROM members WHERE state = ?"
        return try placing(path) {
            try pool.read { try Int.fetchOne($0, sql: sql, arguments: [state.rawValue]) ?? 0 }
        }
    }
}

extension Ledger.Member {
    static let columns = "high, low, type, kind, state, home, digest, rank, aliases"

    static func fetch(_ id: ResourceID, _ database: Database) throws -> Self? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(columns) FROM members WHERE high = ? AND low = ?"
        )
        return try Row.fetchOne(statement, arguments: id.arguments).map { try Self($0) }
    }

    /// Reads `columns`.
    init(_ row: Row) throws {
        let digest: Int64? = try row.optional(6)
        let aliases: Data? = try row.optional(8)
        self.init(
            id: ResourceID(high: UInt64(bitPattern: try row.value(0)), low: UInt64(bitPattern: try row.value(1))),
            type: ResourceType(rawValue: try row.value(2)) ?? .observation,
            kind: UInt64(bitPattern: try row.value(3)),
            state: State(rawValue: try row.value(4)) ?? .unknown,
            home: try row.value(5),
            digest: digest.map { UInt64(bitPattern: $0) },
            rank: UInt64(bitPattern: try row.value(7)),
            aliases: aliases.map { PackedNumbers.read(Array($0)) } ?? []
        )
    }
}

extension Row {
    /// A column's value.
    ///
    /// GRDB's own subscript ends the process where it is of another kind, and prints the row.
    ///
    /// - Throws: ``LedgerFault/foreign`` for a value of another kind or out of range: the ledger is damaged.
    func value<Value: DatabaseValueConvertible>(_ column: Int) throws -> Value {
        guard let value: Value = try optional(column) else { throw LedgerFault.foreign }
        return value
    }

    /// The same of one that may be `NULL`.
    func optional<Value: DatabaseValueConvertible>(_ column: Int) throws -> Value? {
        let value: DatabaseValue = self[column]
        guard !value.isNull else { return nil }
        guard let found = Value.fromDatabaseValue(value) else { throw LedgerFault.foreign }
        return found
    }
}

extension ResourceID {
    var arguments: StatementArguments { [Int64(bitPattern: high), Int64(bitPattern: low)] }
}

/// Numbers of eight bytes each, big-endian, one behind the other.
enum PackedNumbers {
    static func read(_ bytes: [UInt8]) -> [UInt64] {
        stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
            bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    static func bytes(_ numbers: [UInt64]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * numbers.count)
        for number in numbers {
            for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * place))) }
        }
        return bytes
    }
}
