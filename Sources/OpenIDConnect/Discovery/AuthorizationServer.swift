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
    /// The ways of PKCE that the document that names the authorization endpoint lists; absent where it lists none.
    let codeChallengeMethods: [String]?
    /// Whether it puts its name into each authorization response (RFC 9207).
    let namesIssInResponse: Bool
    /// The scopes it lists; absent where it lists none.
    let scopes: [String]?
    /// SMART's capabilities, such as `permission-v2`; none for other servers.
    let capabilities: [String]
    /// The algorithms of its ID tokens; absent where it does not say.
    let idTokenAlgorithms: [String]?
    /// The algorithms that services may sign with; absent where it does not say.
    let clientAlgorithms: [String]?
    /// How clients identify themselves to revoke tokens; absent where it does not say.
    let revocationMethods: [String]?
    /// Whether it takes an authorization request only if that was pushed to it (RFC 9126), which is not done here.
    let takesPushedRequestsOnly: Bool

    /// Whether it says that it knows PKCE with S256.
    var offersS256: Bool { codeChallengeMethods?.contains("S256") ?? false }

    /// The endpoints that a sign-in uses later.
    var endpoints: TokenEndpoints {
        TokenEndpoints(
            token: tokenEndpoint.text,
            revocation: revocationEndpoint?.text,
            revocationWantsSecret: revocationMethods.flatMap { $0.contains("none") ? nil : true }
        )
    }
}
