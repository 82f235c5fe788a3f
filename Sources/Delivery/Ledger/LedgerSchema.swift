internal import GRDB

/// The ledger's tables, version by version (docs/formats.md, "The ledger").
enum LedgerSchema {
    /// `PRAGMA user_version` of what this version writes.
    static let version = 1
    /// `PRAGMA application_id`: "PGHD".
    static let applicationID = 0x5047_4844

    /// The version of a database; 0 for an empty one.
    ///
    /// - Throws: ``LedgerFault/foreign`` for a database that is not a ledger, ``LedgerFault/newer(_:)`` for one
    ///   of a later version.
    static func check(_ database: Database) throws -> Int {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found <= version else { throw LedgerFault.newer(found) }
        let isOurs =
            try found == 0
            ? Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
            : Int.fetchOne(database, sql: "PRAGMA application_id") == applicationID
        guard isOurs else { throw LedgerFault.foreign }
        // What is broken is found before anything is sent, as far as the start of each table shows it.
        if found > 0 {
            for table in ["properties", "keys", "members", "intents"] {
                try database.execute(sql: "SELECT * FROM \(table) LIMIT 1")
            }
        }
        return found
    }

    /// Brings a database of an older version to the newest, within a transaction.
    static func migrate(_ database: Database, from found: Int) throws {
        if found == 0 { try database.execute(sql: first) }
    }

    /// Ids are two columns, since a blob of 16 bytes would be allocated for each of millions of rows.
    private static let first = """
        CREATE TABLE properties (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE keys (
            number INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            kind INTEGER NOT NULL,
            memberCount INTEGER NOT NULL,
            liveCount INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE members (
            high INTEGER NOT NULL,
            low INTEGER NOT NULL,
            type INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            state INTEGER NOT NULL,
            home INTEGER NOT NULL,
            digest INTEGER,
            rank INTEGER NOT NULL,
            aliases BLOB,
            PRIMARY KEY (high, low)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE intents (
            key TEXT PRIMARY KEY,
            home INTEGER NOT NULL,
            began INTEGER NOT NULL,
            members BLOB NOT NULL,
            body BLOB
        ) STRICT, WITHOUT ROWID;

        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = 1;
        """
}

/// Why a file is not a ledger that this version can use.
enum LedgerFault: Error, Equatable {
    case foreign
    case newer(Int)
}
