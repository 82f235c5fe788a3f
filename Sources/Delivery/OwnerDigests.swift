internal import OpenSSLCrypto

/// What a ledger keeps in mind of whose exports it was given: enough to know the person again, nothing to read.
///
///     ownerBirthDate = HMAC-SHA-256( identity key ‖ salt, "ownerBirthDate" ␟ 1980-02-03 )
///
/// The salt lies in the ledger: without an identity key whoever has the ledger finds a birth date by trying all.
struct OwnerDigests {
    static let birthDateName = "ownerBirthDate"
    static let genderName = "ownerGender"
    /// Kept for as long as the server's Patient could not be compared with either.
    static let uncomparedName = "ownerUncompared"
    /// The digest of both together, with the salt alone, of ledgers that were begun before.
    static let formerName = "owner"

    /// All that tells of the owner, beside the salt.
    static let names = [birthDateName, genderName, uncomparedName, formerName]

    private let key: [UInt8]
    private let salt: [UInt8]

    /// - Parameters:
    ///   - key: the key of `--id-key`; `nil` without one.
    ///   - salt: the ledger's own.
    init(key: [UInt8]?, salt: String) {
        self.salt = Array(salt.utf8)
        self.key = (key ?? []) + self.salt
    }

    /// The digest of a value under the name that it is kept by.
    func digest(_ value: String, name: String) -> String { Self.keyedHash([name, value], key: key) }

    /// Whether a digest of both is this person's, who may have told only one of them then.
    func isFormer(_ digest: String, birthDate: String?, gender: String?) -> Bool {
        [(birthDate, gender), (birthDate, nil), (nil, gender)].contains { birthDate, gender in
            guard birthDate != nil || gender != nil else { return false }
            return Self.keyedHash([birthDate ?? "", gender ?? ""], key: salt) == digest
        }
    }

    private static func keyedHash(_ texts: [String], key: [UInt8]) -> String {
        let hash = KeyedSHA256(key: key)
        let head = hash.head(paddedWithZeros: [])
        let message = Array(texts.joined(separator: "\u{1F}").utf8)
        return unsafe message.withUnsafeBytes { unsafe hash.digest(head, tail: $0) }.hex
    }
}
