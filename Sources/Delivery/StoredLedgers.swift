internal import FileOutput
internal import Foundation
internal import GRDB
internal import Glibc
public import HTTPTransport

/// The ledgers of a folder.
///
///     let removal = try StoredLedgers.remove(of: server, in: "/home/anna/.local/state/pghd")
public enum StoredLedgers {
    /// What became of the ledgers of one server; all are paths, in order.
    public struct Removal: Sendable, Equatable {
        /// Ledgers that are gone.
        public internal(set) var ledgers: [String] = []
        /// Everything that is gone: the ledgers and what lay beside them.
        public internal(set) var removed: [String] = []
        /// Ledgers of the server that a run holds; they are as they were.
        public internal(set) var inUse: [String] = []
        /// What does not tell which server it is of, such as a damaged ledger; it is as it was.
        public internal(set) var unreadable: [String] = []
    }

    /// Where the ledgers of a folder lie, in the order of their names.
    ///
    /// - Parameter folder: where they lie; it need not be there.
    /// - Returns: their paths, for ``LedgerSummary/read(_:)``.
    /// - Throws: ``DeliveryError/ledgersUnreadable(path:)``.
    public static func paths(in folder: String) throws(DeliveryError) -> [String] {
        try files(in: folder).keys.sorted().map { LedgerFile(folder: folder, name: $0) }.map(\.path)
            .filter { unsafe access($0, F_OK) == 0 }
    }

    /// Whether a file of this name would be a ledger, or belong to one: its lock, its log, what it refused.
    ///
    /// - Parameter name: such as `3f1c…9a.lock`, without the folder.
    /// - Returns: whether it would.
    public static func isLedgerFile(_ name: String) -> Bool { LedgerFile.name(inFile: name) != nil }

    /// Removes what is kept in mind of `server`, of every patient: ledgers, their locks, what was refused,
    /// and damaged ledgers that were put aside.
    ///
    /// A ledger says itself which server it is of. One that was put aside damaged can't: it goes with the
    /// ledger that took its place.
    ///
    /// - Parameters:
    ///   - server: the base URL that was delivered to.
    ///   - folder: where the ledgers lie; it need not be there.
    /// - Returns: what is gone, and what is not.
    /// - Throws: ``DeliveryError/ledgersUnreadable(path:)``, ``DeliveryError/ledgerUnwritable(path:reason:)``.
    public static func remove(of server: HTTPURL, in folder: String) throws(DeliveryError) -> Removal {
        var removal = Removal()
        let server = server.normalized
        for (name, files) in try files(in: folder).sorted(by: { $0.key < $1.key }) {
            let file = LedgerFile(folder: folder, name: name)
            guard files.contains(file.path) else {
                // A lock alone tells nothing.
                removal.unreadable += files.filter { $0 != file.lockPath && !isLog($0) }
                continue
            }
            let lock: LedgerLock?
            do { lock = try lockUnlessBusy(file) } catch {
                // Another user's, in a folder that many share.
                removal.unreadable += files.filter { $0 != file.lockPath && !isLog($0) }
                continue
            }
            switch Self.server(of: file, isInUse: lock == nil) {
            case .known(server.text):
                if let lock {
                    try remove(files, of: file, under: lock, &removal)
                } else {
                    removal.inUse.append(file.path)
                }
            case .known: break
            case .none: removal.unreadable += files.filter { $0.hasPrefix("\(file.path).damaged") && !isLog($0) }
            case .unreadable: removal.unreadable += files.filter { $0 != file.lockPath && !isLog($0) }
            }
        }
        return removal
    }

    /// Removes what is kept in mind of one patient at `server`, a damaged ledger too: its name tells whose it is.
    ///
    /// - Parameters:
    ///   - patientID: whose.
    ///   - server: the base URL that was delivered to.
    ///   - folder: where the ledgers lie; it need not be there.
    /// - Returns: what is gone, and what is not.
    /// - Throws: ``DeliveryError/ledgersUnreadable(path:)``, ``DeliveryError/ledgerUnwritable(path:reason:)``.
    public static func remove(
        of patientID: String,
        at server: HTTPURL,
        in folder: String
    ) throws(DeliveryError) -> Removal {
        var removal = Removal()
        let file = LedgerFile(folder: folder, server: server.normalized.text, patientID: patientID)
        guard let files = try files(in: folder)[file.name] else { return removal }
        if let lock = try lockUnlessBusy(file) {
            try remove(files, of: file, under: lock, &removal)
        } else {
            removal.inUse.append(file.path)
        }
        return removal
    }

    /// Removes all that belongs to a ledger.
    private static func remove(
        _ files: [String],
        of file: LedgerFile,
        under _: LedgerLock,
        _ removal: inout Removal
    ) throws(DeliveryError) {
        // The ledger goes last but its lock: whoever is interrupted here can begin again.
        let others = files.filter { $0 != file.path && $0 != file.lockPath }
        for path in others + [file.path, file.lockPath] { try remove(path) }
        removal.removed += files.sorted()
        if files.contains(file.path) { removal.ledgers.append(file.path) }
    }

    /// Whether what was delivered there has ids of the server's; `nil` where nobody knows.
    ///
    /// - Parameters:
    ///   - server: the base URL that was delivered to.
    ///   - patientID: whose resources.
    ///   - folder: where the ledgers lie; it need not be there.
    /// - Returns: whether they are the server's.
    public static func isConditional(at server: HTTPURL, patientID: String, in folder: String) -> Bool? {
        let path = LedgerSummary.path(of: server, patientID: patientID, in: folder)
        return (try? StoredFingerprint.read(path))?.isConditional
    }

    private enum Owner: Equatable {
        case known(String)
        /// No run has begun with it: it holds nothing.
        case none
        case unreadable
    }

    /// What lies in the folder, by the name of the ledger that it belongs to.
    private static func files(in folder: String) throws(DeliveryError) -> [String: [String]] {
        // One that is closed to us may hold any.
        guard unsafe access(folder, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR) else { return [:] }
        guard let found = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw .ledgersUnreadable(path: folder)
        }
        var files: [String: [String]] = [:]
        for file in found.sorted() {
            guard let name = LedgerFile.name(inFile: file) else { continue }
            files[name, default: []].append("\(folder)/\(file)")
        }
        return files
    }

    /// The lock, so that no run begins meanwhile; `nil` where one is at work.
    private static func lockUnlessBusy(_ file: LedgerFile) throws(DeliveryError) -> LedgerLock? {
        do {
            return try file.lock()
        } catch {
            guard case .ledgerBusy = error else { throw error }
            return nil
        }
    }

    /// Which server a ledger is of.
    private static func server(of file: LedgerFile, isInUse: Bool) -> Owner {
        do { return try property(.server, of: file, isInUse: isInUse).map { .known($0) } ?? .none } catch {
            // Where nothing can be written, as it lies.
            return (try? LedgerSummary.read(file.path))?.server.map { .known($0) } ?? .unreadable
        }
    }

    private static func property(_ name: LedgerProperty, of file: LedgerFile, isInUse: Bool) throws -> String? {
        var configuration = Configuration()
        // Beside a run nothing may be written; alone, SQLite tidies up its log as it goes.
        configuration.readonly = isInUse
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { database in
            guard try database.tableExists("properties") else { return nil }
            let sql = "SELECT value FROM properties WHERE name = ?"
            return try String.fetchOne(database, sql: sql, arguments: [name.rawValue])
        }
    }

    /// Whether a file is SQLite's log of another, or the index of it.
    private static func isLog(_ path: String) -> Bool { path.hasSuffix("-wal") || path.hasSuffix("-shm") }

    /// Removes a file, or a folder and all in it.
    private static func remove(_ path: String) throws(DeliveryError) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            // SQLite's own files go when a ledger is closed.
        } catch {
            let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
            throw .ledgerUnwritable(
                path: path,
                reason: code.map { FileFault.system($0).reason } ?? "it can't be removed"
            )
        }
    }
}
