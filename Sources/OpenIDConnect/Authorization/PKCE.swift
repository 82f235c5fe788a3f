internal import OpenSSLCrypto

/// Proof Key for Code Exchange (RFC 7636), with S256 only.
enum PKCE {
    /// The unpadded base64url of the verifier's SHA-256 (section 4.2).
    static func codeChallenge(of verifier: Secret) -> String {
        var hash = SHA256()
        hash.update(verifier.revealed)
        return Base64URL.text(hash.digest().bytes)
    }
}
