internal import FoundationEssentials
internal import JWTKit

/// Checks an ID token, signature first.
///
/// Source: OpenID Connect Core 1.0, section 3.1.3.7; RFC 8725, section 3.
struct IDTokenVerifier {
    /// Clocks may differ by this much.
    static let toleratedSkewSeconds = 300

    let issuer: String
    let clientID: String
    let keys: SigningKeys
    /// The algorithms that the server announced; `nil`, which means all allowed ones, where it announced none.
    let announcedAlgorithms: [String]?

    /// Reads a token.
    ///
    /// - Parameters:
    ///   - token: the compact JWT.
    ///   - nonce: what the authorization request carried; `nil` where there was none.
    ///   - instant: the time to judge by.
    /// - Returns: the claims, once they can be trusted.
    /// - Throws: ``IDTokenError`` inside ``OpenIDConnectError/idToken(_:)``, or why the keys can't be fetched.
    func claims(
        of token: Secret,
        nonce: Secret?,
        at instant: ClockReading = .now()
    ) async throws(OpenIDConnectError) -> IDTokenClaims {
        let token = token.revealed
        let header = try header(of: token)
        guard let algorithm = JWK.Algorithm(rawValue: header.alg), SigningKeys.algorithms.contains(header.alg) else {
            throw .idToken(.algorithm)
        }
        guard announcedAlgorithms?.contains(header.alg) ?? true else {
            throw .idToken(.unannouncedAlgorithm(header.alg))
        }
        guard header.crit == nil else { throw .idToken(.criticalExtension) }
        let candidates = try await keys.keys(id: header.kid, algorithm: algorithm)
        guard !candidates.isEmpty else { throw .idToken(.unknownKey) }
        for key in candidates {
            guard let claims = try await Self.claims(of: token, signedBy: key) else { continue }
            try check(claims, nonce: nonce, at: instant)
            return claims
        }
        throw .idToken(.signature)
    }

    private struct Header: Decodable {
        let alg: String
        let kid: String?
        let crit: [String]?
    }

    private func header(of token: String) throws(OpenIDConnectError) -> Header {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.bytes(parts[0]), Base64URL.bytes(parts[1]) != nil,
            Base64URL.bytes(parts[2])?.isEmpty == false
        else { throw .idToken(.malformed) }
        do {
            _ = try JSONDecoder().decode(ReadableValue.self, from: Data(header))
            return try JSONDecoder().decode(Header.self, from: Data(header))
        } catch {
            throw .idToken(.malformed)
        }
    }

    /// Uses a collection of one key: jwt-kit would use any other for an unknown `kid`.
    ///
    /// - Throws: ``IDTokenError/claim(name:)`` for a claim that is missing or of another type, once the signature is
    ///   right.
    private static func claims(
        of token: String,
        signedBy key: JWK
    ) async throws(OpenIDConnectError) -> IDTokenClaims? {
        let keys = JWTKeyCollection()
        guard (try? await keys.add(jwk: key, isDefault: true)) != nil,
            (try? await keys.verify(token, as: UnreadClaims.self)) != nil
        else { return nil }
        let payload = token.split(separator: ".").dropFirst().first.flatMap { Base64URL.bytes($0) } ?? []
        do {
            return try JSONDecoder().decode(IDTokenClaims.self, from: Data(payload))
        } catch {
            let name = (error as? DecodingError).flatMap(IDTokenClaims.faulty)
            throw .idToken(name.map { .claim(name: $0) } ?? .malformed)
        }
    }

    /// Accepts any claims: jwt-kit does not distinguish one that it can't read from a signature that is wrong.
    private struct UnreadClaims: JWTPayload {
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    private func check(_ claims: IDTokenClaims, nonce: Secret?, at instant: ClockReading) throws(OpenIDConnectError) {
        func require(_ isRight: Bool, _ name: String) throws(OpenIDConnectError) {
            guard isRight else { throw .idToken(.claim(name: name)) }
        }
        try require(claims.iss.isByteForByte(issuer), "iss")
        guard claims.aud.contains(where: { $0.isByteForByte(clientID) }) else {
            throw .idToken(.audience(clientID: clientID))
        }
        // With several audiences, the token must name the one that it was made for.
        try require(claims.azp.map { $0.isByteForByte(clientID) } ?? (claims.aud.count == 1), "azp")
        try require(!claims.sub.isEmpty, "sub")
        if let nonce {
            try require(claims.nonce.map(nonce.matches) ?? false, "nonce")
        }
        let skew = Double(Self.toleratedSkewSeconds)
        let now = Double(instant.wallSeconds)
        guard claims.exp > now - skew else { throw .idToken(.expired) }
        guard claims.iat < now + skew, claims.nbf ?? now < now + skew else { throw .idToken(.notYetValid) }
    }
}

/// What an ID token says (OpenID Connect Core 1.0, sections 2 and 5.1; SMART's `fhirUser`).
struct IDTokenClaims: Decodable {
    let iss: String
    let sub: String
    let aud: [String]
    let azp: String?
    /// Seconds since 1970, possibly with a fraction.
    let exp: Double
    let iat: Double
    let nbf: Double?
    let nonce: String?
    let preferredUsername: String?
    let email: String?
    let name: String?
    let fhirUser: String?

    private enum CodingKeys: String, CodingKey {
        case iss, sub, aud, azp, exp, iat, nbf, nonce
        case preferredUsername = "preferred_username"
        case email, name, fhirUser
    }

    init(from decoder: any Decoder) throws {
        let claims = try decoder.container(keyedBy: CodingKeys.self)
        iss = try claims.decode(String.self, forKey: .iss)
        sub = try claims.decode(String.self, forKey: .sub)
        // A single audience may come without a list around it.
        aud = try (try? claims.decode([String].self, forKey: .aud)) ?? [claims.decode(String.self, forKey: .aud)]
        azp = try claims.decodeIfPresent(String.self, forKey: .azp)
        exp = try claims.decode(Double.self, forKey: .exp)
        iat = try claims.decode(Double.self, forKey: .iat)
        nbf = try claims.decodeIfPresent(Double.self, forKey: .nbf)
        nonce = try claims.decodeIfPresent(String.self, forKey: .nonce)
        preferredUsername = try? claims.decodeIfPresent(String.self, forKey: .preferredUsername)
        email = try? claims.decodeIfPresent(String.self, forKey: .email)
        name = try? claims.decodeIfPresent(String.self, forKey: .name)
        fhirUser = try? claims.decodeIfPresent(String.self, forKey: .fhirUser)
    }

    /// The name of the claim that is missing or of another type; `nil` where the whole is not an object.
    fileprivate static func faulty(_ error: DecodingError) -> String? {
        switch error {
        case .keyNotFound(let key, _): key.stringValue
        case .typeMismatch(_, let context), .valueNotFound(_, let context): context.codingPath.first?.stringValue
        default: nil
        }
    }
}
