internal import OpenSSLCrypto

/// What a ledger's ids and digests were made with: those of another fingerprint are about other resources.
public struct Fingerprint: Sendable, Equatable {
    /// What two fingerprints can differ in.
    public enum Field: String, Sendable, CaseIterable {
        /// The identity scheme.
        case scheme
        /// The key of `--id-key`, or that there is none.
        case identityKey
        /// The mapping, and the options that change a resource's bytes.
        case mapping
    }

    /// The name of the identity scheme, `pghd1`.
    package var scheme: String
    /// A check value of the identity key; empty without one.
    package var identityKey: String
    /// The mapping's version and the options that change bytes, such as `1;time-zone=Europe/Paris`.
    package var mapping: String

    /// The fingerprint that a run's options give.
    ///
    /// - Parameters:
    ///   - scheme: the identity scheme.
    ///   - identityKey: the key of ids; `nil` for none.
    ///   - mapping: the mapping's version and the options that change bytes.
    package init(scheme: String, identityKey: [UInt8]?, mapping: String) {
        self.scheme = scheme
        self.mapping = mapping
        guard let identityKey else {
            self.identityKey = ""
            return
        }
        let digest = KeyedSHA256(key: identityKey).digest(of: Array("identity key".utf8))
        self.identityKey = String(digest.hex.prefix(16))
    }

    /// Whether a mapping's text is about resources under the server's ids.
    static func isConditional(_ mapping: String) -> Bool { mapping.split(separator: ";").contains("conditional") }

    subscript(field: Field) -> String {
        switch field {
        case .scheme: scheme
        case .identityKey: identityKey
        case .mapping: mapping
        }
    }
}

extension [Fingerprint.Field: String] {
    /// The first field that it has with another value than `other`; `nil` for none.
    func difference(from other: Fingerprint) -> Fingerprint.Field? {
        Fingerprint.Field.allCases.first { field in self[field].map { $0 != other[field] } ?? false }
    }
}

extension Fingerprint.Field {
    func sentence(found: String, expected: String) -> String {
        switch self {
        case .scheme:
            "the ledger's ids are of scheme \(expected) (expected \(found)): choose another folder with --ledger"
        case .identityKey:
            "--id-key: another key than the one that the ledger's ids were made with (expected the same): "
                + "every resource would be stored a second time; give the key that was used first"
        case .mapping where Fingerprint.isConditional(expected) && !Fingerprint.isConditional(found):
            "the ledger's resources have ids of the server's (expected --conditional): add --conditional; without it "
                + "every resource would be stored a second time"
        case .mapping where Fingerprint.isConditional(found) && !Fingerprint.isConditional(expected):
            "the ledger's resources have ids chosen by pghd (expected neither --conditional nor --api observations): leave those "
                + "out, or add --remap to send everything once more, in place of what is there"
        case .mapping:
            "this run would write resources otherwise than the last one did (mapping \(found), expected \(expected)): "
                + "give the options of the runs before, or add --remap to send everything once more, in place of what is there"
        }
    }
}
