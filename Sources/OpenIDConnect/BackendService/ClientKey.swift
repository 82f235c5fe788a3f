internal import FoundationEssentials
internal import JWTKit
internal import OpenSSLCrypto

/// The key pair of a backend service, made here and registered by its public half.
public struct ClientKey: Sendable, Equatable, Codable {
    /// How assertions are signed; SMART asks servers to take both.
    public enum Algorithm: String, Sendable, Codable, CaseIterable {
        /// ECDSA on P-384 with SHA-384.
        case es384 = "ES384"
        /// RSASSA-PKCS1-v1_5 with SHA-384 and 3072 bits.
        case rs384 = "RS384"
    }

    /// How assertions are signed.
    public let algorithm: Algorithm
    /// The key's name in the JWK set, `kid`: the thumbprint of its public half (RFC 7638).
    let keyID: String
    /// The private key as PKCS #8 PEM.
    let privateKeyPEM: Secret

    /// Makes a new key, which takes half a second for RS384.
    ///
    /// - Throws: ``OpenIDConnectError/unusableClientKey`` when none can be made.
    public init(new algorithm: Algorithm) throws(OpenIDConnectError) {
        do {
            let pem =
                switch algorithm {
                case .es384: ES384PrivateKey().pemRepresentation
                case .rs384: try RSAPrivateKey.newPEM(bitCount: 3072)
                }
            let publicHalf = try PublicHalf(algorithm, pem: pem)
            self.init(algorithm: algorithm, keyID: publicHalf.thumbprint, privateKeyPEM: Secret(pem))
        } catch {
            throw .unusableClientKey
        }
    }

    private init(algorithm: Algorithm, keyID: String, privateKeyPEM: Secret) {
        self.algorithm = algorithm
        self.keyID = keyID
        self.privateKeyPEM = privateKeyPEM
    }

    /// The public half as a JWK set, to be registered with the server: `{"keys":[{…}]}`.
    ///
    /// Source: RFC 7517, section 5; RFC 7518, section 6.
    ///
    /// - Throws: ``OpenIDConnectError/unusableClientKey`` when the PEM can't be read.
    public func publicKeySet() throws(OpenIDConnectError) -> String {
        do {
            let publicHalf = try PublicHalf(algorithm, pem: privateKeyPEM.revealed)
            let members = publicHalf.members + [("alg", algorithm.rawValue), ("kid", keyID), ("use", "sig")]
            let text = members.map { "\"\($0.0)\":\"\($0.1)\"" }.sorted().joined(separator: ",")
            // SMART asks for `key_ops` too.
            return "{\"keys\":[{\(text),\"key_ops\":[\"verify\"]}]}"
        } catch {
            throw .unusableClientKey
        }
    }
}

/// The members of a JWK that make a public key; their values need no escape in JSON.
private struct PublicHalf {
    let members: [(String, String)]

    init(_ algorithm: ClientKey.Algorithm, pem: String) throws {
        switch algorithm {
        case .es384:
            guard let point = try ES384PrivateKey(pem: pem).publicKey.parameters else { throw JWTError.noKeyProvided }
            // jwt-kit writes the coordinates in plain base64.
            func plain(_ text: String) -> [UInt8] { Data(base64Encoded: text).map(Array.init) ?? [] }
            members = [
                ("crv", "P-384"), ("kty", "EC"), ("x", Base64URL.text(plain(point.x))),
                ("y", Base64URL.text(plain(point.y))),
            ]
        case .rs384:
            let numbers = try Insecure.RSA.PrivateKey(pem: pem).publicKey.getKeyPrimitives()
            members = [
                ("e", Base64URL.text(Array(numbers.publicExponent))), ("kty", "RSA"),
                ("n", Base64URL.text(Array(numbers.modulus))),
            ]
        }
    }

    /// SHA-256 of the required members in the order of their names (RFC 7638, section 3).
    var thumbprint: String {
        let text = members.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",")
        var hash = SHA256()
        hash.update("{\(text)}")
        return Base64URL.text(hash.digest().bytes)
    }
}
