internal import OpenSSLCrypto

/// Encrypts the body of a Bundle that is on its way to a key-only server.
///
///     nonce (12 bytes) ‖ AES-256-GCM( body ), with the Bundle's key as associated data
final class BodyCipher: Sendable {
    private let key: SecretBytes

    /// A cipher with these 32 bytes; `nil` if there are more or fewer, or no memory for them.
    init?(key: [UInt8]) {
        guard key.count == AES256GCM.keyByteCount, let key = try? SecretBytes(copying: key) else { return nil }
        self.key = key
    }

    func seal(_ body: [UInt8], bundleKey: String) throws -> [UInt8] {
        let nonce = try SecureRandom.bytes(AES256GCM.nonceByteCount)
        let plaintext = try SecretBytes(copying: body)
        return nonce
            + (try AES256GCM.seal(plaintext, key: key, nonce: nonce, associatedData: Array(bundleKey.utf8)))
    }

    func open(_ sealed: [UInt8], bundleKey: String) throws -> [UInt8] {
        let nonce = Array(sealed.prefix(AES256GCM.nonceByteCount))
        let rest = sealed.dropFirst(AES256GCM.nonceByteCount)
        let plaintext = try AES256GCM.open(rest, key: key, nonce: nonce, associatedData: Array(bundleKey.utf8))
        return unsafe plaintext.withBytes { unsafe Array($0) }
    }
}
