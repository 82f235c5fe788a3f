internal import FileOutput
internal import GRDBSQLite
internal import Glibc

/// A database that is read without changing it or creating a file next to it; GRDB's connections would create SQLite's
/// log again.
///
/// Source: <https://www.sqlite.org/c3ref/open.html>, `immutable`;
/// <https://www.sqlite.org/wal.html>, "Read-Only Databases".
@safe
struct UnchangedDatabase: ~Copyable {
    private let handle: OpaquePointer

    /// Reads from a ledger that a run may be writing to.
    ///
    /// - Parameters:
    ///   - path: the ledger's path.
    ///   - body: reads from the ledger; called again where a run has written meanwhile.
    /// - Returns: what `body` returns; `nil` where there is no ledger, or no run has begun with it.
    /// - Throws: ``LedgerSummary/Fault``.
    static func read<Value>(
        _ path: String,
        _ body: (borrowing UnchangedDatabase) throws(LedgerSummary.Fault) -> Value
    ) throws(LedgerSummary.Fault) -> Value? {
        var triesLeft = 5
        while true {
            triesLeft -= 1
            guard let before = try Stamp(path) else { return nil }
            let result = Result { () throws(LedgerSummary.Fault) in try read(path, hasLog: before.hasLog, body) }
            if before.hasLog, case .success(let value) = result { return value }
            // Without a log nothing keeps a run from writing during the read, and a run that ends removes its log.
            guard triesLeft > 0, try Stamp(path) != before else { return try result.get() }
        }
    }

    private static func read<Value>(
        _ path: String,
        hasLog: Bool,
        _ body: (borrowing UnchangedDatabase) throws(LedgerSummary.Fault) -> Value
    ) throws(LedgerSummary.Fault) -> Value? {
        if hasLog, unsafe access(path + "-shm", F_OK) != 0 { throw .unindexedLog }
        // Of SQLite's two read-only modes that create no file, one ignores the log and the other requires one.
        let database = try UnchangedDatabase(path, option: hasLog ? "readonly_shm=1" : "immutable=1")
        let version = try database.row("PRAGMA user_version", count: 1)[0] ?? 0
        guard version <= LedgerSchema.version else { throw .newer(version: Int(version)) }
        guard version > 0 else {
            guard try database.row("SELECT count(*) FROM sqlite_master", count: 1)[0] == 0 else { throw .damaged }
            return nil
        }
        guard try database.row("PRAGMA application_id", count: 1)[0] == Int64(LedgerSchema.applicationID) else {
            throw .damaged
        }
        return try body(database)
    }

    private init(_ path: String, option: String) throws(LedgerSummary.Fault) {
        var handle: OpaquePointer?
        let address = "file:\(Self.escaped(path))?mode=ro&\(option)"
        let code = unsafe sqlite3_open_v2(address, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
        guard code == SQLITE_OK, let handle = unsafe handle else {
            unsafe sqlite3_close_v2(handle)
            throw Self.fault(code)
        }
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    /// The numbers in the first row.
    func row(_ sql: String, count: Int32) throws(LedgerSummary.Fault) -> [Int64?] {
        let statement = try unsafe prepare(sql)
        defer { unsafe sqlite3_finalize(statement) }
        let found = unsafe sqlite3_step(statement)
        guard found == SQLITE_ROW else { throw Self.fault(found) }
        return (0..<count).map { column in
            unsafe sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
        }
    }

    /// The value of a property; `nil` where there is none.
    func property(_ name: LedgerProperty) throws(LedgerSummary.Fault) -> String? {
        try text("SELECT value FROM properties WHERE name = '\(name.rawValue)'")
    }

    /// The text in the first row; `nil` where there is none.
    private func text(_ sql: String) throws(LedgerSummary.Fault) -> String? {
        let statement = try unsafe prepare(sql)
        defer { unsafe sqlite3_finalize(statement) }
        let found = unsafe sqlite3_step(statement)
        guard found == SQLITE_ROW else {
            guard found == SQLITE_DONE else { throw Self.fault(found) }
            return nil
        }
        return unsafe sqlite3_column_text(statement, 0).map { unsafe String(cString: $0) }
    }

    private func prepare(_ sql: String) throws(LedgerSummary.Fault) -> OpaquePointer? {
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        // The version says that all tables exist, so a missing table means damage.
        guard code == SQLITE_OK else { throw code == SQLITE_ERROR ? .damaged : Self.fault(code) }
        return unsafe statement
    }

    private static func fault(_ code: Int32) -> LedgerSummary.Fault {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged
        default: return .unreadable(reason: unsafe "SQLite: \(String(cString: sqlite3_errstr(code)))")
        }
    }

    /// The path, percent-encoded for a URI.
    private static func escaped(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E: bytes.append(byte)
            default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Properties of the files that change when a run writes.
    private struct Stamp: Equatable {
        var byteCount, seconds, nanoseconds: Int
        var hasLog: Bool

        /// - Returns: `nil` where there is no file, or only an empty one.
        init?(_ path: String) throws(LedgerSummary.Fault) {
            var (file, log) = (stat(), stat())
            guard unsafe stat(path, &file) == 0 else {
                if errno == ENOENT || errno == ENOTDIR { return nil }
                throw .unreadable(reason: FileFault.system(errno).reason)
            }
            guard file.st_mode & S_IFMT == S_IFREG else { throw .damaged }
            guard unsafe access(path, R_OK) == 0 else { throw .unreadable(reason: FileFault.system(errno).reason) }
            hasLog = unsafe stat(path + "-wal", &log) == 0 && log.st_size > 0
            guard file.st_size > 0 || hasLog else { return nil }
            (byteCount, seconds, nanoseconds) = (file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec)
        }
    }
}
