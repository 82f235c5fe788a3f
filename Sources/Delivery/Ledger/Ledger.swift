internal import FHIRR4
internal import GRDB
internal import Synchronization
internal import TransactionBundling

/// What one server has of one patient: hashes and ids, in an SQLite file that survives any crash.
///
/// A run reads while ``LedgerWriter`` writes. Every call blocks, so call it on a thread of your own.
final class Ledger: Sendable {
    /// A resource as the ledger knows it.
    struct Member: Sendable, Equatable {
        /// What the server has of it.
        enum State: Int, Sendable {
            /// The server may have it or not, or an older version: the outcome of a Bundle is not known.
            case unknown = 0
            /// This version, acknowledged.
            case live = 1
            /// We deleted it: it is marked as entered in error.
            case gone = 2
            /// The server refused it; an older version may be there, or, with a digest of 0, one that nobody knows.
            case refused = 3
            /// The server was read and does not have it, or refused what has left the export since; it may still know
            /// the key of the Bundle that brought it.
            case absent = 4
        }

        var id: ResourceID
        var type: ResourceType
        /// What tells Apple's types apart; 0 if its sender did not know it.
        var kind: UInt64
        var state: State
        /// The number of the key whose Bundle held it last.
        var home: Int64
        /// `nil` if its sender did not know it.
        var digest: UInt64?
        var rank: UInt64
        /// Digests of twins that lost to it.
        var aliases: [UInt64]

        /// Whether the server has refused it, and has no older version of it.
        var isRefusedAlone: Bool { state == .refused && digest == nil }

        /// Itself, as a member of a Bundle.
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
    /// The members that may be in a ledger that was empty when the run began; `nil` if it was not.
    let newcomers = Mutex<MemberFilter?>(nil)
    /// The mapping that this run has replaced; `nil` if it is the same.
    let formerMapping = Mutex<String?>(nil)
    private let lock: LedgerLock
    /// Which file it is.
    private let identity: [UInt]?

    /// Opens or makes the ledger, and takes its lock.
    ///
    /// - Parameters:
    ///   - file: where it lies.
    ///   - setsAside: whether a damaged ledger is put aside and a new one begun: not if the server would store
    ///     everything a second time.
    ///   - noteDamage: called with where a damaged ledger was put, before a new one is made.
    /// - Throws: ``DeliveryError``.
    init(_ file: LedgerFile, setsAside: Bool, noteDamage: (String) -> Void) throws(DeliveryError) {
        path = file.path
        try file.makeFolder()
        lock = try file.lock()
        // What killed runs left behind takes room.
        file.removeRebuild()
        file.removeCopy()
        if file.isCopy { try file.copy() }
        try file.touch(file.path)
        do throws(DeliveryError) {
            pool = try Self.open(file.path, as: file.original)
        } catch .ledgerDamaged {
            guard setsAside else {
                try file.checkReadable()
                throw .ledgerLost(path: file.original)
            }
            noteDamage(try file.setAside())
            try file.touch(file.path)
            pool = try Self.open(file.path)
        } catch {
            file.removeCopy()
            throw error
        }
        identity = file.identity
    }

    /// Opens a ledger that is there, for the holder of its lock.
    ///
    /// - Throws: ``DeliveryError/ledgerDamaged(path:)`` if it is not a ledger any more; it then stays where it is.
    init(_ file: LedgerFile, under lock: LedgerLock) throws(DeliveryError) {
        path = file.path
        self.lock = lock
        pool = try Self.open(file.path)
        identity = file.identity
    }

    /// Makes an empty ledger that is to take the place of the one whose lock this is.
    init(rebuilding file: LedgerFile, under lock: LedgerLock) throws(DeliveryError) {
        path = file.rebuildPath
        self.lock = lock
        file.removeRebuild()
        try file.touch(file.rebuildPath)
        pool = try Self.open(file.rebuildPath)
        identity = nil
    }

    /// Opens the file at `path`; errors about a later version or damage name the original that it is a copy of.
    private static func open(_ path: String, as original: String? = nil) throws(DeliveryError) -> LedgerPool {
        do {
            return try LedgerPool(path: path)
        } catch LedgerFault.newer(let version) {
            throw .ledgerTooNew(path: original ?? path, version: version)
        } catch  where isDamage(error, of: path) {
            throw .ledgerDamaged(path: original ?? path)
        } catch {
            throw fault(error, path: path)
        }
    }

    /// Ends the connections; between runs, one file is all that counts.
    func close() { pool.close() }

    /// Whether it and its lock are still where they were opened: otherwise the next run would know nothing of this one.
    func isInPlace(_ file: LedgerFile) -> Bool { file.holds(lock) && file.identity == identity }

    /// Lets the next run begin; to be called once the ledger is closed and its file no longer needed.
    func unlock() { lock.release() }

    /// Whether the file is not a database, or a broken one; SQLite's plain error means a missing table or column.
    ///
    /// SQLite may also report a read that failed as corruption: then the file is checked again.
    fileprivate static func isDamage(_ error: any Error, of path: String) -> Bool {
        if error as? LedgerFault == .foreign { return true }
        switch (error as? DatabaseError)?.resultCode {
        // No run breaks a rule of the tables, unless an index says otherwise than its table.
        case .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_CONSTRAINT: return true
        case .SQLITE_READONLY: return LedgerPool.isOfLaterSQLite(path)
        case .SQLITE_CORRUPT: return !LedgerPool.isWhole(path)
        default: return false
        }
    }

    /// The error for a ledger that is not damaged and can't be read or written: somebody else has held it for too long,
    /// or the system refuses.
    static func fault(_ error: any Error, path: String) -> DeliveryError {
        (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
            ? .ledgerBusy(path: path) : .ledgerUnwritable(path: path, reason: reason(error))
    }

    /// The reason without SQL and values.
    private static func reason(_ error: any Error) -> String {
        guard let code = (error as? DatabaseError)?.resultCode else { return "not a database" }
        // Real corruption is reported as damage.
        if code == .SQLITE_CORRUPT { return "a read failed, and works again" }
        return "SQLite: \(code.errorString ?? "error \(code.rawValue)")"
    }
}

/// Runs `body` and names the ledger in what goes wrong.
func placing<Result>(_ path: String, _ body: () throws -> Result) throws(DeliveryError) -> Result {
    do {
        return try body()
    } catch let error as DeliveryError {
        throw error
    } catch  where Ledger.isDamage(error, of: path) {
        throw .ledgerDamaged(path: path)
    } catch {
        throw Ledger.fault(error, path: path)
    }
}

extension ResultCode {
    fileprivate var errorString: String? { "\(self)".split(separator: "(").last.map { String($0.dropLast()) } }
}
