internal import FoundationEssentials
internal import HTTPTransport
internal import JWTKit

/// The public keys that an issuer signs ID tokens with.
///
/// Fetched when first needed, and once more for a `kid` that is not among them, since the issuer may have changed its
/// keys. Further unknown ones are refused without a request, so that forged tokens can't make this client flood the
/// issuer.
///
/// Source: OpenID Connect Core 1.0, section 10.1.1; RFC 7517, section 4.
actor SigningKeys {
    /// The signatures that are allowed: no `none`, and no HMAC, whose key would be the public one.
    static let algorithms: Set<String> = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512",
    ]

    private let url: HTTPURL
    private let client: HTTPClient
    private var keys: [Key] = []
    private var fetchesLeft = 2

    init(url: HTTPURL, client: HTTPClient) {
        self.url = url
        self.client = client
    }

    /// The keys that may have signed a token with this header; all of the right kind where it names none.
    func keys(id: String?, algorithm: JWK.Algorithm) async throws(OpenIDConnectError) -> [JWK] {
        while true {
            let found = keys.compactMap { $0.jwk(id: id, algorithm: algorithm) }
            guard found.isEmpty, fetchesLeft > 0 else { return found }
            fetchesLeft -= 1
            keys = try await fetched()
        }
    }

    private func fetched() async throws(OpenIDConnectError) -> [Key] {
        let set = try await JSONDocument.get(url, with: client).decoded(as: KeySet.self)
        return set.keys.compactMap(\.key)
    }

    private struct KeySet: Decodable {
        let keys: [MaybeKey]
    }

    /// A key of an unknown kind must not make the others unusable (RFC 7517, section 5).
    private struct MaybeKey: Decodable {
        let key: Key?
        init(from decoder: any Decoder) throws { key = try? Key(from: decoder) }
    }
}

/// A public key of an issuer, and what it may be used for.
private struct Key: Decodable {
    let jwk: JWK
    let use: String?

    private enum CodingKeys: String, CodingKey { case use }

    init(from decoder: any Decoder) throws {
        jwk = try JWK(from: decoder)
        use = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .use)
    }

    /// The key pinned to one algorithm, if it fits.
    func jwk(id: String?, algorithm: JWK.Algorithm) -> JWK? {
        guard id == nil || id == jwk.keyIdentifier?.string else { return nil }
        guard use == nil || use == "sig", jwk.algorithm == nil || jwk.algorithm == algorithm else { return nil }
        let isEllipticCurve = algorithm.rawValue.hasPrefix("ES")
        guard jwk.keyType == (isEllipticCurve ? .ecdsa : .rsa) else { return nil }
        var key = jwk
        key.algorithm = algorithm
        // jwt-kit requires an identifier.
        key.keyIdentifier = jwk.keyIdentifier ?? JWKIdentifier(string: "unnamed")
        return key
    }
}
