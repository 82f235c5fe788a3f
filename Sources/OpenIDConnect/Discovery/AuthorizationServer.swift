internal import HTTPTransport

/// The server that signs people in, as its checked documents describe it.
struct AuthorizationServer: Sendable, Equatable {
    /// Its identifier; absent where a SMART server names none.
    let issuer: String?
    /// Where the browser goes.
    let authorizationEndpoint: HTTPURL?
    /// Where tokens are issued.
    let tokenEndpoint: HTTPURL
    /// Where tokens are revoked.
    let revocationEndpoint: HTTPURL?
    /// Where a code for another device comes from.
    let deviceAuthorizationEndpoint: HTTPURL?
    /// The keys of its ID tokens.
    let jwksURL: HTTPURL?
    /// Whether the document that names the authorization endpoint lists S256.
    let offersS256: Bool
    /// Whether it puts its name into each authorization response (RFC 9207).
    let namesIssInResponse: Bool
    /// The scopes it lists; absent where it lists none.
    let scopes: [String]?
    /// SMART's capabilities, such as `permission-v2`; none for other servers.
    let capabilities: [String]
    /// The algorithms of its ID tokens; absent where it does not say.
    let idTokenAlgorithms: [String]?

    /// The endpoints that a sign-in uses later.
    var endpoints: TokenEndpoints { TokenEndpoints(token: tokenEndpoint.text, revocation: revocationEndpoint?.text) }
}
