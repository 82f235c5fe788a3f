internal import FHIRR4
internal import GRDB
internal import GRDBSQLite
internal import TransactionBundling

/// Which resources a Bundle holds, in which versions: eight bytes, whatever their order.
///
///     var content = BundleContent()
///     content.insert(member.id, digest: member.digest)
///
/// A Bundle's key tells its versions as an export has them. Whoever edits the file that `convert` wrote leaves the key as
/// it is, so that the bytes must tell whether it is the one that was delivered.
struct BundleContent: Equatable {
    private var sum: UInt64 = 0

    init() {}

    /// What `members` come to.
    init(_ members: [BundleMember]) { for member in members { insert(member.id, digest: member.digest) } }

    /// Takes a resource in; `digest` is `nil` where its id tells all of it.
    mutating func insert(_ id: ResourceID, digest: UInt64?) {
        // Two that have exchanged their bytes are others than before.
        var mixed = (id.low ^ (digest ?? 0)) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 32) &* 0xD6E8_FEB8_6659_FD93
        sum &+= mixed ^ mixed >> 32
    }
}

extension Ledger {
    /// What stands of each Bundle by its number, as far as it was read from files: one pass over all members, 0.3 s a
    /// million.
    ///
    /// - Throws: ``DeliveryError`` where the ledger can't be read.
    func readContents() throws(DeliveryError) -> [Int64: BundleContent] {
        try placing(path) {
            try pool.read { database in
                let statement = try database.cachedStatement(
                    sql: """
                        SELECT home, high, low, digest FROM members
                        WHERE state = \(Member.State.live.rawValue) AND (digest IS NULL OR rank = \(Int64(bitPattern: BundleMember.rankOfBytes)))
                        """
                )
                var contents: [Int64: BundleContent] = [:]
                let handle = unsafe statement.sqliteStatement
                defer { unsafe sqlite3_reset(handle) }
                var code = unsafe sqlite3_step(handle)
                while code == SQLITE_ROW {
                    let home = unsafe sqlite3_column_int64(handle, 0)
                    let high = unsafe UInt64(bitPattern: sqlite3_column_int64(handle, 1))
                    let low = unsafe UInt64(bitPattern: sqlite3_column_int64(handle, 2))
                    let isBare = unsafe sqlite3_column_type(handle, 3) == SQLITE_NULL
                    let digest = unsafe isBare ? nil : UInt64(bitPattern: sqlite3_column_int64(handle, 3))
                    contents[home, default: BundleContent()].insert(ResourceID(high: high, low: low), digest: digest)
                    code = unsafe sqlite3_step(handle)
                }
                guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
                return contents
            }
        }
    }
}
