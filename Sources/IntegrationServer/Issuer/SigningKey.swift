import GRDB
import JWTKit

/// The key that signs ID tokens (ES256), made at the first start and kept in the store.
struct SigningKey: Sendable {
    private let keys: JWTKeyCollection
    private let identifier: JWKIdentifier
    /// The JWK Set at `jwks_uri` (RFC 7517).
    let publicKeys: String

    init(_ store: ServerStore) async throws {
        let made = ES256PrivateKey()
        let pem = try await store.commits.write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO setting VALUES ('signing-key', ?)",
                arguments: [made.pemRepresentation]
            )
            let row = try Row.fetchOne(database, sql: "SELECT value FROM setting WHERE name = 'signing-key'")
            return try row?.value(0) ?? ""
        }
        let key = try ES256PrivateKey(pem: pem)
        let id = String(Base64URL.encode(Secret.hash(key.publicKey.pemRepresentation)).prefix(16))
        identifier = JWKIdentifier(string: id)
        keys = await JWTKeyCollection().add(ecdsa: key, kid: identifier)
        let parameters = key.publicKey.parameters
        let point = (Self.urlSafe(parameters?.x ?? ""), Self.urlSafe(parameters?.y ?? ""))
        publicKeys = """
            {"keys":[{"kty":"EC","use":"sig","alg":"ES256","kid":"\(id)","crv":"P-256",\
            "x":"\(point.0)","y":"\(point.1)"}]}
            """
    }

    func sign(_ token: IDToken) async throws -> String {
        try await keys.sign(token, kid: identifier)
    }

    private static func urlSafe(_ text: String) -> String {
        String(text.compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
    }
}

/// The claims of an ID token (OpenID Connect Core 1.0, section 2).
struct IDToken: JWTPayload {
    let iss: String
    let sub: String
    let aud: String
    let exp: Int
    let iat: Int
    /// Required if the client sends `max_age`.
    let authTime: Int?
    let nonce: String?
    let fhirUser: String?

    private enum CodingKeys: String, CodingKey {
        case iss, sub, aud, exp, iat, nonce, fhirUser
        case authTime = "auth_time"
    }

    func verify(using algorithm: some JWTAlgorithm) {}
}
