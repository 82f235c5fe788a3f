internal import FHIRR4
internal import GRDB
internal import GRDBSQLite
internal import TransactionBundling

/// Which resources a Bundle holds, in which versions: eight bytes that do not depend on their order.
///
///     var content = BundleContent()
///     content.insert(member.id, digest: member.digest)
///
/// A Bundle's key stands for the versions in an export. Anyone who edits the file that `convert` wrote leaves the key
/// as it is, so the bytes must show whether it is the Bundle that was delivered.
struct BundleContent: Equatable {
    private var sum: UInt64 = 0

    init() {}

    /// The content of `members`.
    init(_ members: [BundleMember]) { for member in members { insert(member.id, digest: member.digest) } }

    /// Adds a resource; `digest` is `nil` if its id covers all of it.
    mutating func insert(_ id: ResourceID, digest: UInt64?) {
        // Two resources that swap their bytes must give another sum.
        var mixed = (id.low ^ (digest ?? 0)) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 32) &* 0xD6E8_FEB8_6659_FD93
        sum &+= mixed ^ mixed >> 32
    }
}

extension Ledger {
    /// The live content of each Bundle by its number, as far as it was read from files.
    ///
    /// One pass over all members: 0.3 s a million.
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
