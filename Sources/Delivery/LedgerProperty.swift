internal import GRDB

/// What a ledger keeps by name, beside Bundles and members; the names stand in its file and never change.
///
/// `docs/formats.md`, "The ledger", says how each is written.
enum LedgerProperty: String {
    /// The base URL that is delivered to.
    case server
    /// The patient's id there.
    case patient
    /// What ids and digests were made with: ``Fingerprint``.
    case scheme, identityKey, mapping
    /// `conditional`, where `send` has filled it with resources under ids of the server's.
    case form
    /// When the latest export was made that was sent to its end, and when that was noted if it had not come yet.
    case exportDate, exportNoted
    /// The same of the latest of which anything was sent.
    case exportBegun, exportBegunNoted
    /// The resources that the server has made anew last: ``RecentCreations``.
    case recent
    /// By how many seconds the server's clock was ahead when the last run noted when things were: ``ServerTime``.
    case serverOffset
    /// There where the ledger was made from what the server has.
    case rebuilt
    /// There while members may belong to no Bundle.
    case loose
    /// Entries a second of the last run.
    case pace
    /// The key of what is known of the owner, and that: ``OwnerDigests``.
    case salt, ownerBirthDate, ownerGender
    /// There for as long as the server's Patient could not be compared with either.
    case ownerUncompared
    /// The digest of both together, with the salt alone, of ledgers that were begun before.
    case owner
}

extension Ledger {
    /// What is kept by a name; `nil` for nothing.
    func property(_ name: LedgerProperty) throws(DeliveryError) -> String? {
        try placing(path) {
            try pool.read {
                try String.fetchOne($0, sql: "SELECT value FROM properties WHERE name = ?", arguments: [name.rawValue])
            }
        }
    }

    /// What its ids and digests were made with, as far as it tells.
    func fingerprint() throws(DeliveryError) -> [Fingerprint.Field: String] {
        var known: [Fingerprint.Field: String] = [:]
        for field in Fingerprint.Field.allCases { known[field] = try property(field.property) }
        return known
    }

    /// Sets properties; `nil` removes one.
    func setProperties(_ values: [LedgerProperty: String?]) throws(DeliveryError) {
        try placing(path) {
            try pool.write { database in
                for (name, value) in values {
                    try database.execute(
                        sql: value == nil
                            ? "DELETE FROM properties WHERE name = ?"
                            : Self.setProperty,
                        arguments: value.map { [name.rawValue, $0] } ?? [name.rawValue]
                    )
                }
            }
        }
    }

    /// What stays as it is writes nothing, and waits for no disk.
    private static let setProperty = """
        INSERT INTO properties (name, value) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE value <> excluded.value
        """
}

extension Fingerprint.Field {
    /// What it is kept as.
    var property: LedgerProperty {
        switch self {
        case .scheme: .scheme
        case .identityKey: .identityKey
        case .mapping: .mapping
        }
    }
}
