internal import FHIRR4
internal import GRDB
internal import GRDBSQLite
internal import TransactionBundling

/// Puts a member into the ledger that is not there yet.
///
/// Of all that the ledger does, this is done most: SQLite's own functions take the numbers as they are, while
/// GRDB's lists of arguments cost as much as the insertion.
struct MemberInsertion {
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

    /// Inserts `member` unless it is there.
    ///
    /// - Returns: whether it was not.
    func run(_ member: BundleMember, state: Ledger.Member.State, home: Int64, digest: Int64?) throws -> Bool {
        let handle = unsafe statement.sqliteStatement
        unsafe sqlite3_bind_int64(handle, 1, Int64(bitPattern: member.id.high))
        unsafe sqlite3_bind_int64(handle, 2, Int64(bitPattern: member.id.low))
        unsafe sqlite3_bind_int64(handle, 3, Int64(member.type.rawValue))
        unsafe sqlite3_bind_int64(handle, 4, Int64(bitPattern: member.group))
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
