internal import FoundationEssentials
internal import HTTPTransport
internal import JWTKit

/// The signed statement by which a backend service identifies itself.
///
/// Source: RFC 7523, section 3; SMART App Launch 2.2, "Client authentication: asymmetric": `iss` and `sub` are the
/// client, `aud` is the token URL, and it lives five minutes at most.
enum ClientAssertion {
    static let lifetimeSeconds = 240

    /// A new assertion for one request.
    static func make(
        clientID: String,
        key: ClientKey,
        tokenEndpoint: HTTPURL,
        at instant: ClockReading = .now()
    ) async throws(OpenIDConnectError) -> Secret {
        let claims = Claims(
            iss: clientID,
            sub: clientID,
            aud: tokenEndpoint.text,
            exp: instant.wallSeconds + lifetimeSeconds,
            iat: instant.wallSeconds,
            jti: try Secret.random().revealed
        )
        do {
            let keys = JWTKeyCollection()
            let keyID = JWKIdentifier(string: key.keyID)
            switch key.algorithm {
            case .es384: await keys.add(ecdsa: try ES384PrivateKey(pem: key.privateKeyPEM.revealed), kid: keyID)
            case .rs384:
                let privateKey = try Insecure.RSA.PrivateKey(pem: key.privateKeyPEM.revealed)
                await keys.add(rsa: privateKey, digestAlgorithm: .sha384, kid: keyID)
            }
            return Secret(try await keys.sign(claims, kid: keyID))
        } catch {
            throw .unusableClientKey
        }
    }

    /// Times as whole seconds; jwt-kit would write fractions of a `Date`.
    private struct Claims: JWTPayload {
        let iss, sub, aud: String
        let exp, iat: Int
        let jti: String

        func verify(using algorithm: some JWTAlgorithm) {}
    }
}
