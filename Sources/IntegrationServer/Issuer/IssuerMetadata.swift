/// Where the issuer's endpoints are and what it can do: OpenID Connect Discovery 1.0, section 3; RFC 8414;
/// SMART App Launch 2.2, section 6.
struct IssuerMetadata: Sendable {
    /// `http://127.0.0.1:8080/auth`.
    let issuer: String
    let fhirBase: String

    func url(_ endpoint: String) -> String { "\(issuer)/\(endpoint)" }

    static let scopes = GrantedScope.words + ["patient/*.cruds", "user/*.cruds", "system/*.cruds"]

    var openIDConfiguration: String {
        object(
            common + [
                ("subject_types_supported", list(["public"])),
                ("id_token_signing_alg_values_supported", list(["ES256"])),
                ("claims_supported", list(["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "fhirUser"])),
                ("authorization_response_iss_parameter_supported", "true"),
                // Without this, clients would take it to be supported.
                ("request_uri_parameter_supported", "false"),
            ]
        )
    }

    var smartConfiguration: String {
        let capabilities = [
            "launch-standalone", "client-public", "client-confidential-asymmetric", "context-standalone-patient",
            "permission-offline", "permission-patient", "permission-user", "permission-v1", "permission-v2",
            "sso-openid-connect",
        ]
        return object(common + [("capabilities", list(capabilities))])
    }

    private var common: [(String, String)] {
        [
            ("issuer", JSONEscapes.quoted(issuer)),
            ("jwks_uri", JSONEscapes.quoted(url("jwks"))),
            ("authorization_endpoint", JSONEscapes.quoted(url("authorize"))),
            ("token_endpoint", JSONEscapes.quoted(url("token"))),
            ("revocation_endpoint", JSONEscapes.quoted(url("revoke"))),
            ("device_authorization_endpoint", JSONEscapes.quoted(url("device_authorization"))),
            ("grant_types_supported", list(GrantType.allCases.map(\.rawValue))),
            ("response_types_supported", list(["code"])),
            ("response_modes_supported", list(["query"])),
            ("code_challenge_methods_supported", list(["S256"])),
            ("scopes_supported", list(Self.scopes)),
        ] + ["token", "revocation"].flatMap(authentication)
    }

    /// How a client says who it is; without these, clients would assume a secret (RFC 8414, section 2).
    private func authentication(at endpoint: String) -> [(String, String)] {
        [
            ("\(endpoint)_endpoint_auth_methods_supported", list(["none", "private_key_jwt"])),
            (
                "\(endpoint)_endpoint_auth_signing_alg_values_supported",
                list(["ES384", "RS384", "ES256", "RS256"])
            ),
        ]
    }

    private func list(_ texts: [String]) -> String {
        "[\(texts.map(JSONEscapes.quoted).joined(separator: ","))]"
    }

    private func object(_ members: [(String, String)]) -> String {
        "{\(members.map { "\(JSONEscapes.quoted($0)):\($1)" }.joined(separator: ","))}"
    }
}

/// The grants that the token endpoint takes.
enum GrantType: String, CaseIterable {
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"
    case clientCredentials = "client_credentials"
    case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
}
