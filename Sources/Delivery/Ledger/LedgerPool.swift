internal import GRDB
internal import Glibc
internal import Synchronization

/// A ledger's two connections: one reads what is committed while the other writes.
///
/// GRDB's own pool writes and removes a table whenever it opens a file, so a run that changes nothing would wait for
/// the disk four times. Each connection keeps pages in memory up to a limit; everything else stays in the file.
final class LedgerPool: Sendable {
    private let writer: DatabaseQueue
    private let reader: DatabaseQueue
    private let isClosed = Atomic(false)

    /// Opens a ledger, or makes one of an empty file.
    ///
    /// - Throws: ``LedgerFault`` for a file that is not a ledger, which is left as it is; `DatabaseError`.
    init(path: String) throws {
        var configuration = Configuration()
        // Somebody may be looking into the file.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -\(Self.writingCacheKilobytes)")
            // Ids are spread over the whole table, so each checkpoint touches most of its pages: there should be few.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            // NORMAL would lose the last commits in a power cut.
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        writer = try DatabaseQueue(path: path, configuration: configuration)
        try writer.writeWithoutTransaction { database in
            let version = try LedgerSchema.check(database)
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            guard version < LedgerSchema.version else { return }
            try database.inTransaction {
                try LedgerSchema.migrate(database, from: version)
                return .commit
            }
        }
        configuration = Configuration()
        configuration.readonly = true
        // The other connection may lock the file for a moment when it opens or closes.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -\(Self.readingCacheKilobytes)")
        }
        reader = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Enough for what one commit touches.
    private static let writingCacheKilobytes = 3000
    private static let readingCacheKilobytes = 2000

    /// Whether SQLite finds nothing wrong with a file; it reads all of it, through a connection of its own.
    static func isWhole(_ path: String) -> Bool {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try? DatabaseQueue(path: path, configuration: configuration)
        // The short form would pass over an index that does not match its table, which would break a run.
        return (try? queue?.read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") }) == "ok"
    }

    /// Whether the file says that only a later SQLite may write it, or read it: no such one has.
    ///
    /// Source: <https://www.sqlite.org/fileformat2.html>, section 1.3.3.
    static func isOfLaterSQLite(_ path: String) -> Bool {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        var header = [UInt8](repeating: 0, count: 20)
        guard unsafe pread(descriptor, &header, header.count, 0) == header.count else { return false }
        return header[18] > 2 || header[19] > 2
    }

    /// Reads what is committed.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try reader.read(body) }

    /// Makes changes, in one transaction.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value { try writer.write(body) }

    /// Moves SQLite's log into the file.
    func checkpoint() throws { try writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } }

    /// Moves SQLite's log into the file and ends both connections: between runs, one file is all that counts.
    ///
    /// The last connection to end removes the log, which a read-only one could not do. What is committed is in the log
    /// already: a failure here loses nothing. SQLite would crash at a connection that was ended before.
    func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        try? reader.close()
        try? checkpoint()
        try? writer.close()
    }
}
