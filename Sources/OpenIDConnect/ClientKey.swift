/// The key pair of a backend service, made here and registered by its public half.
public struct ClientKey: Sendable, Equatable, Codable {
    /// How assertions are signed; SMART asks servers for both.
    public enum Algorithm: String, Sendable, Codable, CaseIterable {
        /// ECDSA on P-384 with SHA-384.
        case es384 = "ES384"
        /// RSASSA-PKCS1-v1_5 with SHA-384 and 3072 bits.
        case rs384 = "RS384"
    }

    /// How assertions are signed.
    public let algorithm: Algorithm
    /// The key's name in the JWK set, `kid`.
    public let keyID: String
    /// The private key as PKCS #8 PEM.
    public let privateKeyPEM: Secret

    /// A key as given.
    public init(algorithm: Algorithm, keyID: String, privateKeyPEM: Secret) {
        self.algorithm = algorithm
        self.keyID = keyID
        self.privateKeyPEM = privateKeyPEM
    }
}
