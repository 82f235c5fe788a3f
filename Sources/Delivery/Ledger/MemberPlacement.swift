internal import FHIRR4
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import TransactionBundling

/// Puts members into the ledger, and no longer counts them in the Bundles that held them before.
///
///     var placement = try MemberPlacement(database)
///     try placement.put(member, .live, home: 7)
///     try placement.finish()
///
/// All calls must be within one transaction; ``finish()`` writes the keys' counts.
struct MemberPlacement {
    private let database: Database
    private let insertion: MemberInsertion
    private let update: Statement
    /// By how much the number of live members has changed, by the number of the key.
    private var gains: [Int64: Int] = [:]
    /// Whether the server may have an older version of a member that was refused.
    private var isLoose = false

    init(_ database: Database) throws {
        self.database = database
        insertion = try MemberInsertion(database)
        update = try database.cachedStatement(
            sql: """
                UPDATE members SET kind = ?, state = ?, home = ?, digest = ?, rank = ?, aliases = ?
                WHERE high = ? AND low = ?
                """
        )
    }

    /// Writes a member with its new state and home.
    ///
    /// - Parameters:
    ///   - member: the member.
    ///   - state: what the server has of it.
    ///   - home: the number of the Bundle's key that it is counted in; 0 for none.
    ///   - isDoubtful: whether the server may have it although it was refused, in a version that nobody knows.
    /// - Throws: `DatabaseError`.
    mutating func put(
        _ member: BundleMember,
        _ state: Ledger.Member.State,
        home: Int64,
        isDoubtful: Bool = false
    ) throws {
        let digest = member.digest.map { Int64(bitPattern: $0) }
        let isLive = state == .live
        let stored = isLive ? digest : isDoubtful ? Self.unknownDigest : nil
        let isNew = try insertion.run(member, state: state, home: home, digest: stored)
        if isLive { gains[home, default: 0] += 1 }
        if isDoubtful { isLoose = true }
        guard !isNew, let old = try Ledger.Member.fetch(member.id, database) else { return }
        if old.state == .live { gains[old.home, default: 0] -= 1 }
        if state == .refused, old.digest != nil || old.state == .live { isLoose = true }
        // The winning twin has the loser's digest as an alias already.
        let isTwin = old.digest.map { old.aliases.contains($0) } ?? false
        // The version whose answer was lost may be stored, and may be the later one.
        let rank = isLive ? member.rank : state == .unknown ? Self.later(old.rank, member.rank) : old.rank
        let isSame = old.digest == member.digest || !isLive || isTwin
        // Where the new version is refused, the live one stays on the server, whichever version that is.
        let older = old.digest ?? (old.state == .live && state == .refused ? member.digest : nil)
        try update.execute(
            arguments: [
                Int64(bitPattern: member.kind == 0 ? old.kind : member.kind), state.rawValue, home,
                isLive ? digest : older.map { Int64(bitPattern: $0) } ?? stored,
                Int64(bitPattern: rank),
                isSame && !old.aliases.isEmpty ? Data(PackedNumbers.bytes(old.aliases)) : nil,
            ] + member.id.arguments
        )
    }

    /// The digest of a version that nobody knows.
    private static let unknownDigest: Int64 = 0

    /// The later of two `SyncVersion`s.
    ///
    /// 0 and the rank of bytes read from a file name no version: where neither rank names one, it is `one`.
    private static func later(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let told = [one, other].filter { $0 > 0 && $0 != BundleMember.rankOfBytes }.max()
        return told ?? one
    }

    /// Adds to the keys' counts what they have gained and lost.
    func finish() throws {
        if isLoose { try Ledger.noteLoose(database) }
        let statement = try database.cachedStatement(
            sql: "UPDATE keys SET liveCount = liveCount + ? WHERE number = ?"
        )
        for (home, gain) in gains where home != 0 && gain != 0 { try statement.execute(arguments: [gain, home]) }
    }
}

/// Inserts members that the ledger does not have yet.
///
/// This is the ledger's most frequent operation, so it calls SQLite's own functions: GRDB's lists of arguments cost as
/// much as the insertion.
private struct MemberInsertion {
    private let database: Database
    private let statement: Statement

    init(_ database: Database) throws {
        self.database = database
        statement = try database.cachedStatement(
            sql: """
                INSERT INTO members (high, low, type, kind, state, home, digest, rank)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """
        )
    }

    /// Inserts `member` unless the ledger has it.
    ///
    /// - Returns: whether it was inserted.
    func run(_ member: BundleMember, state: Ledger.Member.State, home: Int64, digest: Int64?) throws -> Bool {
        let handle = unsafe statement.sqliteStatement
        unsafe sqlite3_bind_int64(handle, 1, Int64(bitPattern: member.id.high))
        unsafe sqlite3_bind_int64(handle, 2, Int64(bitPattern: member.id.low))
        unsafe sqlite3_bind_int64(handle, 3, Int64(member.type.rawValue))
        unsafe sqlite3_bind_int64(handle, 4, Int64(bitPattern: member.kind))
        unsafe sqlite3_bind_int64(handle, 5, Int64(state.rawValue))
        unsafe sqlite3_bind_int64(handle, 6, home)
        if let digest { unsafe sqlite3_bind_int64(handle, 7, digest) } else { unsafe sqlite3_bind_null(handle, 7) }
        unsafe sqlite3_bind_int64(handle, 8, Int64(bitPattern: member.rank))
        let code = unsafe sqlite3_step(handle)
        unsafe sqlite3_reset(handle)
        guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return database.changesCount > 0
    }
}
