internal import FoundationEssentials

/// A successful answer of a token endpoint.
///
/// Source: RFC 6749, section 5.1; OpenID Connect Core 1.0, section 3.1.3.3; SMART App Launch 2.2, section "Obtain
/// access token".
///
/// A field that is odd is left out and named: a refresh token that came with it must not be lost, whether it is kept or
/// revoked.
struct TokenResponse: Decodable, Sendable {
    /// Absent where it can't be used as a bearer token in a header.
    let accessToken: Secret?
    let lifetimeSeconds: Int?
    let refreshToken: Secret?
    /// Under either of the names that servers use for it; no standard has one.
    let refreshLifetimeSeconds: Int?
    let scopes: [String]?
    let idToken: Secret?
    let patient: String?
    /// What is wrong with the first field that is not as it must be.
    let oddity: String?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case refreshExpiresIn = "refresh_expires_in"
        case refreshTokenExpiresIn = "refresh_token_expires_in"
        case scope
        case idToken = "id_token"
        case patient
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        var oddity: String?
        func note(_ key: CodingKeys) {
            oddity = oddity ?? "\(key.stringValue) has another type than it must have"
        }
        func noteAbsence(_ key: CodingKeys) {
            let what = fields.contains(key) ? "is null" : "is missing"
            oddity = oddity ?? "\(key.stringValue) \(what) (expected a value)"
        }
        /// The field's value; `nil` where it is odd too.
        func text(_ key: CodingKeys, _ isRight: (String) -> Bool = { _ in true }) -> String? {
            guard fields.contains(key), (try? fields.decodeNil(forKey: key)) != true else { return nil }
            if let text = try? fields.decode(String.self, forKey: key), isRight(text) { return text }
            note(key)
            return nil
        }
        let token = text(.accessToken, Self.isToken)
        if token == nil { noteAbsence(.accessToken) }
        // Some servers write "bearer", some nothing; a token of another kind is not for us.
        let type = text(.tokenType)?.lowercased()
        switch type {
        case "bearer": break
        case nil: noteAbsence(.tokenType)
        case "dpop": oddity = oddity ?? "the server wants DPoP of this client (token_type, expected Bearer)"
        default: note(.tokenType)
        }
        let isAnotherType = type != "bearer" && (try? fields.decodeNil(forKey: .tokenType)) == false
        accessToken = isAnotherType ? nil : token.map { Secret($0) }
        let lifetime = try? fields.decodeIfPresent(Seconds.self, forKey: .expiresIn)
        lifetimeSeconds = lifetime?.life
        let saysLifetime = fields.contains(.expiresIn) && (try? fields.decodeNil(forKey: .expiresIn)) != true
        if saysLifetime, lifetime == nil { note(.expiresIn) }
        // Some servers write an empty text where there is none.
        refreshToken = text(.refreshToken) { $0.isEmpty || Self.isToken($0) }.flatMap(Self.secret)
        refreshLifetimeSeconds =
            [CodingKeys.refreshExpiresIn, .refreshTokenExpiresIn].lazy
            .compactMap { (try? fields.decodeIfPresent(Seconds.self, forKey: $0))?.life }.first
        scopes = text(.scope)?.split(separator: " ").map(String.init)
        idToken = text(.idToken).flatMap(Self.secret)
        patient = text(.patient, Self.isResourceID)
        self.oddity = oddity
    }

    private static func secret(_ text: String) -> Secret? { text.isEmpty ? nil : Secret(text) }

    /// RFC 6749, appendix A: printable ASCII without spaces, so that it fits into a header.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// FHIR's `id`, which becomes part of a URL: `.` and `..` would lead elsewhere.
    private static func isResourceID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text != "." && text != ".."
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

/// A number of seconds, possibly in quotes or with decimals, as some servers write it.
struct Seconds: Decodable {
    let count: Int

    /// Ten years.
    private static let longestLife = 315_360_000

    /// The life of a token; `nil` where it is over as it begins, which says nothing: Keycloak writes 0 where it is
    /// unlimited, and a token can be used until it is refused.
    var life: Int? { count > 0 ? min(count, Self.longestLife) : nil }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let number = try (try? value.decode(Double.self)) ?? Double(value.decode(String.self))
        guard let number, !number.isNaN else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "no number")
        }
        count = Int(max(min(number, 1e15), -1e15))
    }
}

extension TokenResponse {
    /// The tokens to keep; `nil` without an access token.
    ///
    /// Where the response says nothing, the former scopes, or those that were asked for, and the former refresh token
    /// with its end still hold.
    func tokens(requestedScopes: [String], previous: Tokens?, at instant: ClockReading) -> Tokens? {
        accessToken.map { accessToken in
            Tokens(
                accessToken: accessToken,
                expiry: lifetimeSeconds.map { TokenExpiry(lifetimeSeconds: $0, at: instant) },
                refreshToken: refreshToken ?? previous?.refreshToken,
                refreshExpiry: refreshLifetimeSeconds.map { TokenExpiry(lifetimeSeconds: $0, at: instant) }
                    ?? (refreshToken == nil ? previous?.refreshExpiry : nil),
                grantedScopes: scopes ?? previous?.grantedScopes ?? requestedScopes
            )
        }
    }
}
