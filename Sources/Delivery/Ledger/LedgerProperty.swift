internal import GRDB

/// What a ledger keeps by name, in addition to Bundles and members; the names are in its file and never change.
///
/// `docs/formats.md`, "The ledger", says how each is written.
enum LedgerProperty: String {
    /// The base URL that is delivered to.
    case server
    /// The patient's id there.
    case patient
    /// What ids and digests were made with: ``Fingerprint``.
    case scheme, identityKey, mapping
    /// `conditional`, if `send` has filled it with resources under the server's ids.
    case form
    /// When the latest export that was sent to its end was made; and when that was noted, if it was in the future.
    case exportDate, exportNoted
    /// The same for the latest export of which anything was sent.
    case exportBegun, exportBegunNoted
    /// The resources that the server has created last: ``RecentCreations``.
    case recent
    /// By how many seconds the server's clock was ahead when the last run noted times: ``ServerTime``.
    case serverOffset
    /// Set if the ledger was made from what the server has.
    case rebuilt
    /// Set while members may belong to no Bundle.
    case loose
    /// Entries a second in the last run.
    case pace
    /// The salt for what is known about the owner, and the digests of that: ``OwnerDigests``.
    case salt, ownerBirthDate, ownerGender
    /// Set as long as the server's Patient could not be compared with either.
    case ownerUncompared
    /// The digest of both together, made with the salt alone, in older ledgers.
    case owner
}

extension Ledger {
    /// What is kept under a name; `nil` for nothing.
    func property(_ name: LedgerProperty) throws(DeliveryError) -> String? {
        try placing(path) {
            try pool.read {
                try String.fetchOne($0, sql: "SELECT value FROM properties WHERE name = ?", arguments: [name.rawValue])
            }
        }
    }

    /// What its ids and digests were made with, as far as it says.
    func fingerprint() throws(DeliveryError) -> [Fingerprint.Field: String] {
        var known: [Fingerprint.Field: String] = [:]
        for field in Fingerprint.Field.allCases { known[field] = try property(field.property) }
        // No run has written such values. To obey them would bind the ledger to what nobody can give.
        let isScheme = known[.scheme].map { $0.hasPrefix("pghd") && $0.dropFirst(4).allSatisfy(\.isNumber) }
        let isKey = known[.identityKey].map { [0, 16].contains($0.utf8.count) && $0.allSatisfy(\.isHexDigit) }
        guard isScheme ?? true, isKey ?? true, try ["conditional", nil].contains(property(.form)) else {
            throw .ledgerDamaged(path: path)
        }
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

    /// An unchanged value writes nothing, and waits for no disk.
    private static let setProperty = """
        INSERT INTO properties (name, value) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE value <> excluded.value
        """
}

extension Fingerprint.Field {
    /// The property that it is kept as.
    var property: LedgerProperty {
        switch self {
        case .scheme: .scheme
        case .identityKey: .identityKey
        case .mapping: .mapping
        }
    }
}
