internal import OpenSSLCrypto

/// What a ledger stores about the person whose exports it was given: enough to recognise them, and nothing readable.
///
///     ownerBirthDate = HMAC-SHA-256( identity key ‖ salt, "ownerBirthDate" ␟ 1980-02-03 )
///
/// The salt is in the ledger: without an identity key, anyone who has the ledger can find a birth date by trying them
/// all.
struct OwnerDigests {
    private let hash: KeyedSHA256
    /// The hash with the salt alone, as earlier ledgers used it.
    private let formerHash: KeyedSHA256

    /// - Parameters:
    ///   - key: the key of `--id-key`; `nil` without one.
    ///   - salt: the ledger's own.
    init(key: [UInt8]?, salt: String) {
        hash = KeyedSHA256(key: (key ?? []) + Array(salt.utf8))
        formerHash = KeyedSHA256(key: Array(salt.utf8))
    }

    /// The digest of a value under the name of its property.
    func digest(_ value: String, name: LedgerProperty) -> String { Self.digest([name.rawValue, value], hash) }

    /// Whether an earlier ledger's digest of both is this person's; only one of them may have been known then.
    func isFormer(_ digest: String, birthDate: String?, gender: String?) -> Bool {
        [(birthDate, gender), (birthDate, nil), (nil, gender)].contains { birthDate, gender in
            guard birthDate != nil || gender != nil else { return false }
            return Self.digest([birthDate ?? "", gender ?? ""], formerHash) == digest
        }
    }

    private static func digest(_ texts: [String], _ hash: KeyedSHA256) -> String {
        hash.digest(of: Array(texts.joined(separator: "\u{1F}").utf8)).hex
    }
}
