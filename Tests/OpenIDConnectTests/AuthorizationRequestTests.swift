import HTTPTransport
import OpenSSLCrypto
import TestSupport
import Testing

@testable import OpenIDConnect

struct AuthorizationRequestTests {
    private let redirectURI = "http://127.0.0.1:41231/callback"

    private func request(scopes: [String] = ["openid", "a/b"]) throws -> AuthorizationRequest {
        try AuthorizationRequest(
            clientID: "pg&hd",
            redirectURI: redirectURI,
            scopes: scopes,
            audience: "https://fhir.example.org/r4"
        )
    }

    private func fields(_ request: AuthorizationRequest, at server: AuthorizationServer) throws -> [String: String] {
        let query = try HTTPURL(request.url(at: server)).query ?? ""
        return try #require(FormEncoding.fields(query))
    }

    // RFC 7636, appendix B.
    @Test func `S6 the challenge equals that of the published example`() {
        let verifier = Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(PKCE.codeChallenge(of: verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `S6 S7 S8 verifier, state and nonce are 32 bytes each, and new for each sign-in`() throws {
        let requests = try (0..<50).map { _ in try request() }
        let secrets = requests.flatMap { [$0.codeVerifier.revealed, $0.state.revealed, $0.nonce.revealed] }
        #expect(Set(secrets).count == 150)
        for secret in secrets { #expect(Base64URL.bytes(secret)?.count == 32) }
        // No byte is always the same.
        for index in 0..<32 { #expect(Set(secrets.compactMap { Base64URL.bytes($0)?[index] }).count > 16) }
    }

    @Test func `S5 S15 S17 the address asks for a code with S256 and names the FHIR base`() throws {
        let request = try request()
        let fields = try fields(request, at: .sample())
        #expect(
            fields == [
                "response_type": "code", "client_id": "pg&hd", "redirect_uri": redirectURI, "scope": "openid a/b",
                "state": request.state.revealed, "aud": "https://fhir.example.org/r4",
                "code_challenge": PKCE.codeChallenge(of: request.codeVerifier), "code_challenge_method": "S256",
                "nonce": request.nonce.revealed,
            ]
        )
    }

    @Test(arguments: ["aud=x", "a=b&state=x", "code_challenge=x", "%73tate=x", "a=b&a=c", "a=%"])
    func `S20 an authorization endpoint must not contain parameters of the request`(_ query: String) throws {
        let isReadable = !query.hasPrefix("a=b&a") && !query.hasSuffix("%")
        let error = OpenIDConnectError.malformedDocument(
            place: "https://login.example.org",
            fault: isReadable
                ? "authorization_endpoint holds a parameter of the request's"
                : "authorization_endpoint's query can't be read"
        )
        let server = try AuthorizationServer.sample(authorization: "https://login.example.org/authorize?\(query)")
        #expect(throws: error) { try request().url(at: server) }
    }

    @Test func `S21 the address does not contain the verifier`() throws {
        let request = try request()
        #expect(try !request.url(at: .sample()).contains(request.codeVerifier.revealed))
    }

    @Test func `without openid there is no nonce`() throws {
        #expect(try fields(request(scopes: ["a/b"]), at: .sample())["nonce"] == nil)
    }

    @Test func `an endpoint's own query is kept`() throws {
        let server = try AuthorizationServer.sample(authorization: "https://login.example.org/authorize?tenant=7")
        let fields = try fields(request(), at: server)
        #expect(fields["tenant"] == "7")
        #expect(fields["response_type"] == "code")
    }

    @Test func `a server without an authorization endpoint is distinguished from one without S256`() throws {
        #expect(throws: OpenIDConnectError.noS256(place: "https://login.example.org")) {
            try request().url(at: .sample(challenges: ["plain"]))
        }
        let error = OpenIDConnectError.noS256(place: "https://login.example.org", offersDevice: true)
        #expect(throws: error) {
            try request().url(at: .sample(challenges: [], device: "https://login.example.org/device"))
        }
        #expect(
            error.description
                == "https://login.example.org: no PKCE with S256 (expected it in code_challenge_methods_supported): signing in "
                + "there by browser would not be safe; sign in with --device, or tell the server's operator"
        )
        #expect(
            throws: OpenIDConnectError.notOffered(what: "authorization_endpoint", place: "https://login.example.org")
        ) { try request().url(at: .sample(authorization: nil)) }
    }

    /// RFC 9700, section 2.1.1: a client may learn of PKCE in another way than from the server's document.
    @Test func `S5 S256 is sent to a server that lists nothing only if the user vouches for it`() throws {
        let error = OpenIDConnectError.noS256(place: "https://login.example.org", listsNothing: true)
        #expect(throws: error) { try request().url(at: .sample(challenges: nil)) }
        #expect(
            error.description
                == "https://login.example.org: does not list PKCE with S256 (expected it in "
                + "code_challenge_methods_supported): if its documentation says that it requires PKCE, add --assume-pkce; if "
                + "not, tell the server's operator"
        )
        let url = try request().url(at: .sample(challenges: nil), assumesPKCE: true)
        #expect(url.contains("code_challenge_method=S256"))
        for others in [[], ["plain"], ["s256"]] {
            #expect(throws: OpenIDConnectError.noS256(place: "https://login.example.org")) {
                try request().url(at: .sample(challenges: others), assumesPKCE: true)
            }
        }
    }

    @Test func `a server that takes only pushed requests is refused before a browser opens`() throws {
        let server = try AuthorizationServer.sample(takesPushedRequestsOnly: true)
        let error = OpenIDConnectError.pushedRequestsOnly(place: "https://login.example.org")
        #expect(throws: error) { try request().url(at: server) }
        #expect(
            error.description
                == "https://login.example.org: takes only pushed authorization requests "
                + "(require_pushed_authorization_requests, expected others too): tell the server's operator"
        )
    }
}

extension AuthorizationServer {
    /// An ordinary issuer, which tests change.
    static func sample(
        issuer: String? = "https://login.example.org",
        authorization: String? = "https://login.example.org/authorize",
        challenges: [String]? = ["S256"],
        namesIss: Bool = false,
        scopes: [String]? = nil,
        capabilities: [String] = [],
        jwks: String? = "https://login.example.org/jwks",
        device: String? = nil,
        takesPushedRequestsOnly: Bool = false
    ) throws -> AuthorizationServer {
        AuthorizationServer(
            issuer: issuer,
            authorizationEndpoint: try authorization.map { try HTTPURL($0) },
            tokenEndpoint: try HTTPURL("https://login.example.org/token"),
            revocationEndpoint: nil,
            deviceAuthorizationEndpoint: try device.map { try HTTPURL($0) },
            jwksURL: try jwks.map { try HTTPURL($0) },
            codeChallengeMethods: challenges,
            namesIssInResponse: namesIss,
            scopes: scopes,
            capabilities: capabilities,
            idTokenAlgorithms: nil,
            clientAlgorithms: nil,
            revocationMethods: nil,
            takesPushedRequestsOnly: takesPushedRequestsOnly
        )
    }
}
