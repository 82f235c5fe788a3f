/// Why a cryptographic operation could not be done; it never holds a byte of what went in.
public enum CryptoError: Error, Equatable, Sendable {
    /// The key, the nonce, the associated data or the bytes are not those that were sealed.
    case notAuthentic
    /// The system has no memory left, or less than the key derivation needs.
    case outOfMemory
    /// The system's random generator gives nothing.
    case noRandomness
    /// OpenSSL refuses `operation`, such as `AES-256-GCM` where a policy forbids it, or has no memory for it.
    case refused(operation: String)
}

extension CryptoError: CustomStringConvertible {
    /// `what is wrong (what was expected): what to do next`.
    public var description: String {
        switch self {
        case .notAuthentic: "the bytes are not authentic (expected what was sealed with this key): use another copy"
        case .outOfMemory: "no memory left (expected some for a secret or a key): end other programs and try again"
        case .noRandomness:
            "no random bytes (expected the system's, of getrandom): allow that call where a sandbox forbids it, and try "
                + "again"
        case .refused(let operation):
            "OpenSSL refuses \(operation) (expected it in the default provider): check openssl.cnf"
        }
    }
}
