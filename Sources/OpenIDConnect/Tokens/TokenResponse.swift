internal import FoundationEssentials

/// A successful answer of a token endpoint.
///
/// Source: RFC 6749, section 5.1; OpenID Connect Core 1.0, section 3.1.3.3; SMART App Launch 2.2,
/// section "Obtain access token".
struct TokenResponse: Decodable, Sendable {
    let accessToken: Secret
    let lifetimeSeconds: Int?
    let refreshToken: Secret?
    let scopes: [String]?
    let idToken: Secret?
    let patient: String?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case scope
        case idToken = "id_token"
        case patient
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func fault(_ key: CodingKeys) -> DecodingError {
            .typeMismatch(String.self, DecodingError.Context(codingPath: [key], debugDescription: ""))
        }
        let token = try fields.decode(String.self, forKey: .accessToken)
        guard Self.isToken(token) else { throw fault(.accessToken) }
        accessToken = Secret(token)
        // Some servers write "bearer".
        guard try fields.decode(String.self, forKey: .tokenType).lowercased() == "bearer" else {
            throw fault(.tokenType)
        }
        lifetimeSeconds = try Self.seconds(fields, fault: fault(.expiresIn))
        let refresh = try fields.decodeIfPresent(String.self, forKey: .refreshToken)
        if let refresh, !Self.isToken(refresh) { throw fault(.refreshToken) }
        refreshToken = refresh.map { Secret($0) }
        scopes = try fields.decodeIfPresent(String.self, forKey: .scope)?.split(separator: " ").map(String.init)
        idToken = try fields.decodeIfPresent(Secret.self, forKey: .idToken)
        let patient = try fields.decodeIfPresent(String.self, forKey: .patient)
        if let patient, !Self.isResourceID(patient) { throw fault(.patient) }
        self.patient = patient
    }

    /// A whole number, or one in quotes as some servers write it; ten years at most.
    private static func seconds(
        _ fields: KeyedDecodingContainer<CodingKeys>,
        fault: DecodingError
    ) throws -> Int? {
        guard fields.contains(.expiresIn), try !fields.decodeNil(forKey: .expiresIn) else { return nil }
        let seconds =
            (try? fields.decode(Int.self, forKey: .expiresIn))
            ?? (try? fields.decode(String.self, forKey: .expiresIn)).flatMap { Int($0) }
        guard let seconds, (1...315_360_000).contains(seconds) else { throw fault }
        return seconds
    }

    /// RFC 6749, appendix A: printable ASCII without spaces, so that it fits into a header.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// FHIR's `id`: what stands here becomes part of a URL.
    private static func isResourceID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
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

extension TokenResponse {
    /// The tokens to keep; where the response says nothing, the scopes that were asked for and the
    /// refresh token that was there before go on.
    func tokens(requestedScopes: [String], previous: Tokens?, at instant: ClockReading) -> Tokens {
        Tokens(
            accessToken: accessToken,
            expiry: lifetimeSeconds.map { TokenExpiry(lifetimeSeconds: $0, at: instant) },
            refreshToken: refreshToken ?? previous?.refreshToken,
            grantedScopes: scopes ?? previous?.grantedScopes ?? requestedScopes
        )
    }
}
