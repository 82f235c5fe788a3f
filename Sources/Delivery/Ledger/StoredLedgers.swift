internal import FileOutput
internal import Foundation
internal import GRDB
internal import Glibc
package import HTTPTransport

/// The ledgers of a folder.
///
///     let removal = try StoredLedgers.remove(of: server, in: "/home/anna/.local/state/pghd")
package enum StoredLedgers {
    /// The result of removing one server's ledgers; all are paths, in order.
    package struct Removal: Sendable, Equatable {
        /// Ledgers that were removed.
        package internal(set) var ledgers: [String] = []
        /// All files and folders that were removed: the ledgers and what belonged to them.
        package internal(set) var removed: [String] = []
        /// Ledgers of the server that a run is using; they are unchanged.
        package internal(set) var inUse: [String] = []
        /// Files that don't show which server they belong to, such as a damaged ledger; they are unchanged.
        package internal(set) var unreadable: [String] = []
    }

    /// The paths of a folder's ledgers, in the order of their names.
    ///
    /// - Parameter folder: the ledgers' folder; it need not exist.
    /// - Returns: their paths, for ``LedgerSummary/read(_:)``.
    /// - Throws: ``DeliveryError/ledgersUnreadable(path:)``.
    package static func paths(in folder: String) throws(DeliveryError) -> [String] {
        try files(in: folder).keys.sorted().map { LedgerFile(folder: folder, name: $0) }.map(\.path)
            .filter { unsafe access($0, F_OK) == 0 }
    }

    /// Whether a file of this name would be a ledger or belong to one: its lock, its log, its quarantine.
    ///
    /// - Parameter name: the file's name without the folder, such as `3f1c…9a.lock`.
    /// - Returns: whether it would.
    package static func isLedgerFile(_ name: String) -> Bool { LedgerFile.name(inFile: name) != nil }

    /// Removes everything that is stored about `server`, for every patient: ledgers, their locks, quarantines, and
    /// damaged ledgers that were put aside.
    ///
    /// A ledger says which server it belongs to. A damaged one that was put aside can't: it is removed with the ledger
    /// that took its place.
    ///
    /// - Parameters:
    ///   - server: the server's base URL.
    ///   - folder: the ledgers' folder; it need not exist.
    /// - Returns: what was removed, and what was not.
    /// - Throws: ``DeliveryError/ledgersUnreadable(path:)``, ``DeliveryError/ledgerUnwritable(path:reason:)``.
    package static func remove(of server: HTTPURL, in folder: String) throws(DeliveryError) -> Removal {
        var removal = Removal()
        let server = server.normalized
        for (name, files) in try files(in: folder).sorted(by: { $0.key < $1.key }) {
            let file = LedgerFile(folder: folder, name: name)
            // What is named if its server is not known: a lock alone does not show it.
            let shown = files.filter { $0 != file.lockPath && !isLog($0) }
            guard files.contains(file.path) else {
                removal.unreadable += shown
                continue
            }
            let lock: LedgerLock?
            do { lock = try lockUnlessBusy(file) } catch {
                // It is another user's, in a shared folder.
                removal.unreadable += shown
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
            case .none: removal.unreadable += shown.filter { $0.hasPrefix("\(file.path).damaged") }
            case .unreadable: removal.unreadable += shown
            }
        }
        return removal
    }

    /// Removes everything that is stored about one patient at `server`, even a damaged ledger: its name shows whose it
    /// is.
    ///
    /// - Parameters:
    ///   - patientID: the patient's id.
    ///   - server: the server's base URL.
    ///   - folder: the ledgers' folder; it need not exist.
    /// - Returns: what was removed, and what was not.
    /// - Throws: ``DeliveryError/ledgersUnreadable(path:)``, ``DeliveryError/ledgerUnwritable(path:reason:)``.
    package static func remove(
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

    /// Removes all files that belong to a ledger.
    private static func remove(
        _ files: [String],
        of file: LedgerFile,
        under _: LedgerLock,
        _ removal: inout Removal
    ) throws(DeliveryError) {
        // The ledger is removed last, except for its lock: if this is interrupted, it can be repeated.
        let others = files.filter { $0 != file.path && $0 != file.lockPath }
        for path in others + [file.path, file.lockPath] { try remove(path) }
        removal.removed += files.sorted()
        if files.contains(file.path) { removal.ledgers.append(file.path) }
    }

    /// Whether the server chose the ids of what was delivered; `nil` where that is not known.
    ///
    /// - Parameters:
    ///   - server: the server's base URL.
    ///   - patientID: the patient's id.
    ///   - folder: the ledgers' folder; it need not exist.
    /// - Returns: whether the server chose them.
    package static func isConditional(at server: HTTPURL, patientID: String, in folder: String) -> Bool? {
        let path = LedgerSummary.path(of: server, patientID: patientID, in: folder)
        return (try? StoredFingerprint.read(path))?.isConditional
    }

    private enum Owner: Equatable {
        case known(String)
        /// No run has begun with the ledger: it is empty.
        case none
        case unreadable
    }

    /// The folder's files, by the name of the ledger that they belong to.
    private static func files(in folder: String) throws(DeliveryError) -> [String: [String]] {
        // A folder that can't be read may hold ledgers, so it is an error.
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

    /// The ledger's lock, so that no run begins meanwhile; `nil` where one is at work.
    private static func lockUnlessBusy(_ file: LedgerFile) throws(DeliveryError) -> LedgerLock? {
        do {
            return try file.lock()
        } catch {
            guard case .ledgerBusy = error else { throw error }
            return nil
        }
    }

    /// Which server a ledger belongs to.
    private static func server(of file: LedgerFile, isInUse: Bool) -> Owner {
        do { return try notedServer(of: file, isInUse: isInUse).map { .known($0) } ?? .none } catch {
            // Where nothing can be written, the ledger is read without changing it.
            return (try? LedgerSummary.read(file.path))?.server.map { .known($0) } ?? .unreadable
        }
    }

    private static func notedServer(of file: LedgerFile, isInUse: Bool) throws -> String? {
        var configuration = Configuration()
        // While a run is at work nothing may be written; otherwise SQLite removes its log when it closes the file.
        configuration.readonly = isInUse
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { database in
            guard try database.tableExists("properties") else { return nil }
            let sql = "SELECT value FROM properties WHERE name = ?"
            return try String.fetchOne(database, sql: sql, arguments: [LedgerProperty.server.rawValue])
        }
    }

    /// Whether a file is SQLite's log of another file, or that log's index.
    private static func isLog(_ path: String) -> Bool { path.hasSuffix("-wal") || path.hasSuffix("-shm") }

    /// Removes a file, or a folder with everything in it.
    private static func remove(_ path: String) throws(DeliveryError) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            // SQLite removes its own files when a ledger is closed.
        } catch {
            let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
            throw .ledgerUnwritable(
                path: path,
                reason: code.map { FileFault.system($0).reason } ?? "it can't be removed"
            )
        }
    }
}
