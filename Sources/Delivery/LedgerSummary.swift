internal import GRDBSQLite
internal import Glibc
public import HTTPTransport

/// What the ledger of one patient at one server tells, for who asks no server.
///
///     try LedgerSummary.read(LedgerSummary.path(of: server, patientID: "p123", in: folder))
///
/// It is read as it lies there: without the lock that a run holds, and without a file made or changed.
public struct LedgerSummary: Sendable, Equatable {
    /// The base URL of the server that it is of, and the patient's id there; `nil` only in what no run of ours wrote.
    public var server, patientID: String?
    /// When the latest export was made that was sent to its end, in seconds since 1970; `nil` for none.
    public var exportDate: Int64?
    /// Resources that the server has acknowledged in the version that was sent last.
    public var liveCount: UInt64 = 0
    /// Resources that it refused.
    public var refusedCount: UInt64 = 0
    /// Resources of which nobody knows which version it has, but those in open Bundles: the next run sends them again.
    public var uncertainCount: UInt64 = 0
    /// Resources that were marked as entered in error.
    public var withdrawnCount: UInt64 = 0
    /// Bundles that a run has noted before it posted them, and whose outcome is not kept: it is at work or was interrupted.
    public var openBundleCount: UInt64 = 0
    /// Whether what was delivered has ids of the server's; `nil` where nobody knows.
    var isConditional: Bool?
    /// What its ids and digests were made with, as far as it tells.
    var fingerprint: [Fingerprint.Field: String] = [:]

    /// Why a ledger tells nothing.
    public enum Fault: Error, Sendable, Equatable {
        /// It is no database, or a broken one.
        case damaged
        /// It is a later version's.
        case newer(version: Int)
        /// What was written last stands in a log whose index is missing, as in a copy: who may write makes it anew.
        case unindexedLog
        /// It can't be read; the reason is the system's.
        case unreadable(reason: String)
    }

    /// Where a ledger lies, or would lie.
    ///
    /// - Parameters:
    ///   - server: the base URL that is delivered to.
    ///   - patientID: whose resources.
    ///   - folder: where the ledgers lie.
    /// - Returns: its path.
    public static func path(of server: HTTPURL, patientID: String, in folder: String) -> String {
        LedgerFile(folder: folder, server: server.normalized.text, patientID: patientID).path
    }

    /// Reads a ledger.
    ///
    /// - Parameter path: where it lies.
    /// - Returns: what it tells; `nil` where there is none, or no run has begun with it.
    /// - Throws: ``Fault``.
    public static func read(_ path: String) throws(Fault) -> LedgerSummary? {
        var triesLeft = 5
        while true {
            triesLeft -= 1
            guard let before = try Stamp(path) else { return nil }
            let result = Result { () throws(Fault) in try read(path, hasLog: before.hasLog) }
            if before.hasLog, case .success(let summary) = result { return summary }
            // Beside a file without a log nobody is kept from writing, and a run that ends takes its log along.
            guard triesLeft > 0, try Stamp(path) != before else { return try result.get() }
        }
    }

    /// What changes when a run writes.
    private struct Stamp: Equatable {
        var byteCount, seconds, nanoseconds: Int
        var hasLog: Bool

        /// - Returns: `nil` where there is no file, or an empty one.
        init?(_ path: String) throws(Fault) {
            var (file, log) = (stat(), stat())
            guard unsafe stat(path, &file) == 0 else {
                if errno == ENOENT || errno == ENOTDIR { return nil }
                throw .unreadable(reason: reason(errno))
            }
            guard file.st_mode & S_IFMT == S_IFREG else { throw .damaged }
            guard unsafe access(path, R_OK) == 0 else { throw .unreadable(reason: reason(errno)) }
            hasLog = unsafe stat(path + "-wal", &log) == 0 && log.st_size > 0
            guard file.st_size > 0 || hasLog else { return nil }
            (byteCount, seconds, nanoseconds) = (file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec)
        }
    }

    private static func read(_ path: String, hasLog: Bool) throws(Fault) -> LedgerSummary? {
        if hasLog, unsafe access(path + "-shm", F_OK) != 0 { throw .unindexedLog }
        // Of the two forms of reading alone that make no file, one passes the log over and the other wants one.
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
        let states = [Ledger.Member.State.live, .refused, .unknown, .gone]
        let counts = try database.row(
            """
            SELECT (SELECT CAST(value AS INTEGER) FROM properties WHERE name = '\(LedgerProperty.exportDate.rawValue)'),
                (SELECT CAST(value AS INTEGER) FROM properties WHERE name = '\(LedgerProperty.exportNoted.rawValue)'),
                (SELECT count(*) FROM intents),
                \(states.map { "count(*) FILTER (WHERE state = \($0.rawValue))" }.joined(separator: ", "))
            FROM members
            """,
            count: 7
        )
        func property(_ name: LedgerProperty) throws(Fault) -> String? {
            try database.text("SELECT value FROM properties WHERE name = '\(name.rawValue)'")
        }
        var fingerprint: [Fingerprint.Field: String] = [:]
        for field in Fingerprint.Field.allCases {
            fingerprint[field] = try property(field.property)
        }
        let form = try property(.form)
        func count(_ place: Int) -> UInt64 { counts[place].flatMap { UInt64(exactly: $0) } ?? 0 }
        return LedgerSummary(
            server: try property(.server),
            patientID: try property(.patient),
            exportDate: Ledger.counted(counts[0], noted: counts[1]).flatMap { $0 < 0 ? nil : $0 },
            liveCount: count(3),
            refusedCount: count(4),
            uncertainCount: count(5),
            withdrawnCount: count(6),
            openBundleCount: count(2),
            isConditional: fingerprint[.mapping].map(Fingerprint.isConditional) ?? form.map { $0 == "conditional" },
            fingerprint: fingerprint
        )
    }
}

extension DeliveryOptions {
    /// Says that what differs on the server may have been sent with other options, where the ledger tells that it was.
    func noteOtherOptions() {
        let path = LedgerSummary.path(of: server, patientID: patientID, in: ledgerFolder)
        guard let fingerprint, let known = try? LedgerSummary.read(path)?.fingerprint,
            let field = known.difference(from: fingerprint)
        else { return }
        let reason =
            switch field {
            case .mapping:
                "(the ledger tells of mapping \(known[field] ?? ""), this is \(fingerprint.mapping))"
            case .identityKey, .scheme: "(the ledger's ids were made with another --id-key, or with none)"
            }
        noteDoubt("what differs may come of other options than sync was given \(reason): give the same")
    }
}

/// A database that is read and stays as it is, with no file beside it: GRDB's connections make SQLite's log anew.
///
/// Source: <https://www.sqlite.org/c3ref/open.html>, `immutable`; <https://www.sqlite.org/wal.html>, "Read-Only Databases".
@safe
private struct UnchangedDatabase: ~Copyable {
    private let handle: OpaquePointer

    init(_ path: String, option: String) throws(LedgerSummary.Fault) {
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

    /// The numbers of the first row.
    func row(_ sql: String, count: Int32) throws(LedgerSummary.Fault) -> [Int64?] {
        let statement = try unsafe prepare(sql)
        defer { unsafe sqlite3_finalize(statement) }
        let found = unsafe sqlite3_step(statement)
        guard found == SQLITE_ROW else { throw Self.fault(found) }
        return (0..<count).map { column in
            unsafe sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
        }
    }

    /// The text of the first row; `nil` where there is none.
    func text(_ sql: String) throws(LedgerSummary.Fault) -> String? {
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
        // A table that is not there is a broken ledger, as its version tells that it is.
        guard code == SQLITE_OK else { throw code == SQLITE_ERROR ? .damaged : Self.fault(code) }
        return unsafe statement
    }

    private static func fault(_ code: Int32) -> LedgerSummary.Fault {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged
        default: return .unreadable(reason: unsafe "SQLite: \(String(cString: sqlite3_errstr(code)))")
        }
    }

    /// The path as a URI has it.
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
}
