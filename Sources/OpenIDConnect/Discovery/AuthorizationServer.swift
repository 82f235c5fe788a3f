public import HTTPTransport

/// The server that signs people in, as its checked documents describe it.
public struct AuthorizationServer: Sendable, Equatable {
    /// Its identifier; absent where a SMART server names none.
    public let issuer: String?
    /// Where the browser goes.
    public let authorizationEndpoint: HTTPURL?
    /// Where tokens come from.
    public let tokenEndpoint: HTTPURL
    /// Where they are given back.
    public let revocationEndpoint: HTTPURL?
    /// Where a code for another device comes from.
    public let deviceAuthorizationEndpoint: HTTPURL?
    /// The keys of its ID tokens.
    public let jwksURL: HTTPURL?
    /// Whether the document that names the authorization endpoint lists S256.
    public let offersS256: Bool
    /// Whether it puts its name into each authorization response (RFC 9207).
    public let namesIssInResponse: Bool
    /// The scopes it lists; absent where it lists none.
    public let scopes: [String]?
    /// SMART's capabilities, such as `permission-v2`; none for other servers.
    public let capabilities: [String]
    /// The algorithms of its ID tokens; absent where it does not say.
    public let idTokenAlgorithms: [String]?

    /// The endpoints that a sign-in is used with later.
    var endpoints: TokenEndpoints { TokenEndpoints(token: tokenEndpoint.text, revocation: revocationEndpoint?.text) }
}
