import FoundationEssentials
import GRDB

/// The server's database: resources, answers by idempotency key, steps, sign-ins.
///
/// Writes are durable before the answer: write-ahead log, `synchronous=FULL`. Only their owner may access the files,
/// and the folder where it is made here; one server uses it at a time.
struct ServerStore: Sendable {
    let database: any DatabaseWriter
    let commits: CommitQueue
    /// The database's file, or `memory` without one.
    let path: String
    let faults: StoreFaults
    private let lock: FolderLock?

    /// Opens `server.db` in `folder`, which is made where it is missing; in memory without a folder.
    ///
    /// `report` receives a line for the person who runs the server, if the database can't be used later.
    init(
        folder: String?,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(IntegrationServerError) {
        path = folder.map { "\($0)/server.db" } ?? "memory"
        faults = StoreFaults(path: path, say: report)
        do {
            if let folder {
                try FileManager.default.createDirectory(
                    atPath: folder,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
                lock = try FolderLock(folder)
                var configuration = Configuration()
                configuration.busyMode = .timeout(10)
                configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
                // Before SQLite does: its log and the log's index get the same permissions.
                if !FileManager.default.fileExists(atPath: path) {
                    _ = FileManager.default.createFile(
                        atPath: path,
                        contents: nil,
                        attributes: [.posixPermissions: 0o600]
                    )
                }
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
                database = try DatabasePool(path: path, configuration: configuration)
            } else {
                lock = nil
                database = try DatabaseQueue()
            }
            // What a later version has changed is not known here: requests would fail, or undo it.
            guard try !database.read(Self.migrator.hasBeenSuperseded) else {
                throw IntegrationServerError.database(
                    path: path,
                    what: "written by a later pghd (expected this one or an earlier one): use that one, or choose "
                        + "another folder"
                )
            }
            try Self.migrator.migrate(database)
        } catch let error as IntegrationServerError {
            throw error
        } catch let error as DatabaseError {
            throw Self.startFault(error, path: path, folder: folder ?? "memory")
        } catch {
            throw .store(path: folder ?? "memory", what: "it can't be made")
        }
        commits = CommitQueue(database)
    }

    /// A fault of what is in the folder, or of the folder itself.
    static func startFault(_ error: DatabaseError, path: String, folder: String) -> IntegrationServerError {
        switch error.resultCode {
        case .SQLITE_FULL, .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_IOERR:
            .database(path: path, what: StoreFaults.sentence(error.resultCode))
        default: .store(path: folder, what: "SQLite says \(error.resultCode)")
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(
                sql: """
                    CREATE TABLE resource (
                      number INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, id TEXT NOT NULL,
                      version INTEGER NOT NULL, updated INTEGER NOT NULL, patient TEXT,
                      low INTEGER, high INTEGER, body BLOB, UNIQUE (type, id));
                    CREATE INDEX resource_patient ON resource (patient, type, low);
                    CREATE INDEX resource_updated ON resource (updated);
                    CREATE TABLE token (
                      parameter TEXT NOT NULL, value TEXT NOT NULL, system TEXT NOT NULL, resource INTEGER NOT NULL,
                      PRIMARY KEY (parameter, value, system, resource)) WITHOUT ROWID;
                    CREATE TABLE answer (
                      client TEXT NOT NULL, key TEXT NOT NULL, request BLOB NOT NULL, body BLOB NOT NULL,
                      created INTEGER NOT NULL, PRIMARY KEY (client, key)) WITHOUT ROWID;
                    CREATE INDEX answer_created ON answer (created);
                    CREATE TABLE step (id TEXT PRIMARY KEY, sample BLOB NOT NULL) WITHOUT ROWID;
                    CREATE TABLE authorization (
                      number INTEGER PRIMARY KEY AUTOINCREMENT, client TEXT NOT NULL, scope TEXT NOT NULL,
                      patient TEXT, redirect TEXT, challenge TEXT, nonce TEXT, usercode TEXT UNIQUE,
                      state TEXT NOT NULL, polled INTEGER NOT NULL DEFAULT 0, interval INTEGER NOT NULL DEFAULT 0,
                      created INTEGER NOT NULL);
                    CREATE TABLE credential (
                      hash BLOB PRIMARY KEY, kind TEXT NOT NULL, authorization INTEGER NOT NULL, scope TEXT NOT NULL,
                      expires INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
                    CREATE TABLE assertion (client TEXT NOT NULL, jti TEXT NOT NULL, expires INTEGER NOT NULL,
                      PRIMARY KEY (client, jti)) WITHOUT ROWID;
                    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
                    """
            )
        }
        // A key belongs to one patient. Whose the former ones are is known where a client had only one patient.
        migrator.registerMigration("2") { database in
            try database.execute(
                sql: """
                    ALTER TABLE answer RENAME TO former;
                    DROP INDEX answer_created;
                    CREATE TABLE answer (
                      client TEXT NOT NULL, patient TEXT NOT NULL, key TEXT NOT NULL, request BLOB NOT NULL,
                      body BLOB NOT NULL, created INTEGER NOT NULL, PRIMARY KEY (client, patient, key)) WITHOUT ROWID;
                    CREATE INDEX answer_created ON answer (created);
                    INSERT INTO answer SELECT client, coalesce((
                        SELECT max(coalesce(patient, '')) FROM authorization
                        WHERE authorization.client = former.client AND state IN ('approved', 'revoked')
                        GROUP BY client HAVING count(DISTINCT coalesce(patient, '')) = 1), '\(AnswerTable.unknownPatient)'),
                      key, request, body, created FROM former;
                    DROP TABLE former;
                    """
            )
        }
        // Each sign-in, and each token that is issued, looks for what has expired.
        migrator.registerMigration("3") { database in
            try database.execute(
                sql: """
                    CREATE INDEX authorization_created ON authorization (created);
                    CREATE INDEX credential_expires ON credential (expires);
                    CREATE INDEX credential_authorization ON credential (authorization);
                    CREATE INDEX assertion_expires ON assertion (expires);
                    """
            )
        }
        // What the bearer of an answered request could reach. Former answers are given again as before, for a day.
        migrator.registerMigration("4") { database in
            try database.execute(sql: "ALTER TABLE answer ADD COLUMN reach TEXT NOT NULL DEFAULT ''")
        }
        return migrator
    }
}
