internal import HTTPTransport
internal import OpenSSLCrypto

/// One sign-in in a browser: what is sent there, and what must come back.
///
/// Verifier, state and nonce are 32 random bytes each, made for this sign-in alone.
///
/// Source: RFC 6749, section 4.1.1; RFC 7636, section 4; SMART App Launch 2.2, section
/// "Obtain authorization code"; OpenID Connect Core 1.0, section 3.1.2.1.
struct AuthorizationRequest: Sendable {
    let clientID: String
    let redirectURI: String
    let scopes: [String]
    /// The FHIR base, which SMART servers want to see.
    let audience: String
    let codeVerifier: Secret
    let state: Secret
    let nonce: Secret

    /// A sign-in with new secrets.
    ///
    /// - Throws: ``OpenIDConnectError/noRandomBytes``.
    init(clientID: String, redirectURI: String, scopes: [String], audience: String) throws(OpenIDConnectError) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.audience = audience
        codeVerifier = try .random()
        state = try .random()
        nonce = try .random()
    }

    /// Where the browser is sent; holds the state, the nonce and the verifier's digest, but no token.
    ///
    /// With `assumesPKCE` the user vouches for PKCE at a server that lists no way of it.
    func url(at server: AuthorizationServer, assumesPKCE: Bool = false) throws(OpenIDConnectError) -> String {
        let place = server.issuer ?? server.tokenEndpoint.origin
        guard let endpoint = server.authorizationEndpoint else {
            throw .notOffered(what: "authorization_endpoint", place: place)
        }
        let offersDevice = server.deviceAuthorizationEndpoint != nil
        guard !server.takesPushedRequestsOnly else {
            throw .pushedRequestsOnly(place: place, offersDevice: offersDevice)
        }
        let listsNothing = server.codeChallengeMethods == nil
        guard server.offersS256 || (listsNothing && assumesPKCE) else {
            throw .noS256(place: place, offersDevice: offersDevice, listsNothing: listsNothing)
        }
        var fields = [
            ("response_type", "code"),
            ("client_id", clientID),
            ("redirect_uri", redirectURI),
            ("scope", scopes.joined(separator: " ")),
            ("state", state.revealed),
            ("aud", audience),
            ("code_challenge", PKCE.codeChallenge(of: codeVerifier)),
            ("code_challenge_method", "S256"),
        ]
        if scopes.contains("openid") { fields.append(("nonce", nonce.revealed)) }
        // A server that takes the first of two would take somebody else's value for ours.
        guard let others = FormEncoding.fields(endpoint.query ?? "") else {
            throw .malformedDocument(place: place, fault: "authorization_endpoint's query can't be read")
        }
        guard !fields.contains(where: { others[$0.0] != nil }) else {
            throw .malformedDocument(place: place, fault: "authorization_endpoint holds a parameter of the request's")
        }
        return endpoint.text + (endpoint.query == nil ? "?" : "&") + FormEncoding.text(fields)
    }
}
