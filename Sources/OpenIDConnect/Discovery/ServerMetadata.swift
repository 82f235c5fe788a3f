/// What SMART's and OpenID's discovery documents have in common, as they write it.
///
/// Source: SMART App Launch 2.2, section "Using .well-known"; RFC 8414, section 2;
/// RFC 9207, section 3; RFC 8628, section 4; RFC 9126, section 5.
struct ServerMetadata: Decodable {
    let issuer: String?
    let authorizationEndpoint: String?
    let tokenEndpoint: String?
    var revocationEndpoint: String?
    var deviceAuthorizationEndpoint: String?
    let jwksURI: String?
    let codeChallengeMethods: [String]?
    let scopes: [String]?
    let capabilities: [String]?
    let idTokenAlgorithms: [String]?
    let clientAlgorithms: [String]?
    let revocationMethods: [String]?
    let namesIssInResponse: Bool?
    let takesPushedRequestsOnly: Bool?

    private enum CodingKeys: String, CodingKey {
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case revocationEndpoint = "revocation_endpoint"
        case deviceAuthorizationEndpoint = "device_authorization_endpoint"
        case jwksURI = "jwks_uri"
        case codeChallengeMethods = "code_challenge_methods_supported"
        case scopes = "scopes_supported"
        case capabilities
        case idTokenAlgorithms = "id_token_signing_alg_values_supported"
        case clientAlgorithms = "token_endpoint_auth_signing_alg_values_supported"
        case revocationMethods = "revocation_endpoint_auth_methods_supported"
        case namesIssInResponse = "authorization_response_iss_parameter_supported"
        case takesPushedRequestsOnly = "require_pushed_authorization_requests"
    }
}
