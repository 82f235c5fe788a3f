import FoundationEssentials
import JWTKit

/// A client's proof of who it is: `private_key_jwt` (RFC 7523; SMART App Launch 2.2, section 5).
struct ClientAssertion: JWTPayload {
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    private static let algorithms = ["ES256", "ES384", "RS256", "RS384"]
    /// Clocks may differ by this much.
    private static let toleratedSkewSeconds = 30.0

    let iss: String
    let sub: String
    /// jwt-kit's own type for it ends the process on an empty list, before a signature is checked.
    let aud: Audience
    /// Seconds since 1970, possibly with a fraction.
    let exp: Double
    let nbf: Double?
    let jti: String

    /// Time and the rest are checked where the clock and the metadata are at hand.
    func verify(using algorithm: some JWTAlgorithm) {}

    /// The client that signed `text`, and the assertion.
    static func verified(
        _ text: String,
        clients: ClientRegistry,
        metadata: IssuerMetadata,
        now: Int64
    ) async throws(OAuthFault) -> (client: ClientRegistry.Client, assertion: ClientAssertion) {
        guard let (header, unverified) = parts(text) else {
            throw OAuthFault(.invalidClient, "the assertion is not a JWT with iss, sub, aud, exp and jti")
        }
        guard let name = header["alg"]?.string, algorithms.contains(name), let algorithm = JWK.Algorithm(rawValue: name)
        else {
            throw OAuthFault(.invalidClient, "the assertion's alg is none of \(algorithms.joined(separator: ", "))")
        }
        guard header["crit"] == nil else {
            throw OAuthFault(.invalidClient, "the assertion's crit names an extension (expected none)")
        }
        guard unverified.iss == unverified.sub, let client = clients[unverified.iss], client.keys != nil else {
            throw OAuthFault(.invalidClient, "the assertion's iss and sub name no client with keys here")
        }
        // SMART requires the `kid` (App Launch 2.2, section 5.1.3).
        let keys = client.keys(id: header["kid"]?.string ?? "", algorithm: algorithm)
        guard !keys.isEmpty else {
            throw OAuthFault(.invalidClient, "the assertion's kid is of none of the client's keys for that alg")
        }
        guard let assertion = await claims(of: text, signedBy: keys) else {
            throw OAuthFault(.invalidClient, "the assertion's signature is not by one of the client's keys")
        }
        try assertion.check(metadata, now: Double(now) / 1_000)
        return (client, assertion)
    }

    /// Header and claims, read strictly: no name twice, and no number that a library may fail on.
    private static func parts(_ text: String) -> (header: JSONValue, claims: ClientAssertion)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(Base64URL.decode)
        guard parts.count == 3, let first = parts[0], let second = parts[1], parts[2]?.isEmpty == false,
            let header = try? JSONReader.read(first), header.isObject, header.fitsIntegers,
            (try? JSONReader.read(second)) != nil,
            let claims = try? JSONDecoder().decode(ClientAssertion.self, from: Data(second))
        else { return nil }
        return (header, claims)
    }

    /// Tries collections of one key each: jwt-kit would use any other key for an unknown `kid`.
    private static func claims(of text: String, signedBy keys: [JWK]) async -> ClientAssertion? {
        for key in keys {
            let collection = JWTKeyCollection()
            guard (try? await collection.add(jwk: key, isDefault: true)) != nil else { continue }
            if let claims = try? await collection.verify(text, as: ClientAssertion.self) { return claims }
        }
        return nil
    }

    private func check(_ metadata: IssuerMetadata, now: Double) throws(OAuthFault) {
        guard aud.names.contains(where: { $0 == metadata.url("token") || $0 == metadata.issuer }) else {
            throw OAuthFault(.invalidClient, "the assertion's aud is not the token endpoint's URL")
        }
        guard exp > now, exp <= now + 300 + Self.toleratedSkewSeconds else {
            throw OAuthFault(.invalidClient, "the assertion's exp is past, or more than five minutes away")
        }
        guard nbf ?? now <= now + Self.toleratedSkewSeconds else {
            throw OAuthFault(.invalidClient, "the assertion's nbf is not there yet")
        }
        guard !jti.isEmpty else { throw OAuthFault(.invalidClient, "the assertion's jti is empty") }
    }
}

/// Whom a JWT is for: one name, or a list of them (RFC 7519, section 4.1.3).
struct Audience: Codable, Sendable {
    let names: [String]

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        names = try (try? value.decode([String].self)) ?? [value.decode(String.self)]
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(names)
    }
}

extension JSONValue {
    /// Whether every whole number in it fits an `Int`: jwt-kit ends the process on any other in a header.
    fileprivate var fitsIntegers: Bool {
        switch content {
        case .object(let members): return members.allSatisfy(\.value.fitsIntegers)
        case .array(let elements): return elements.allSatisfy(\.fitsIntegers)
        case .number:
            guard let number = Double(String(decoding: bytes, as: UTF8.self)) else { return false }
            return number.truncatingRemainder(dividingBy: 1) != 0 || Int(exactly: number) != nil
        case .string, .boolean, .null: return true
        }
    }
}
