import HTTPTransport
import TestSupport
import Testing

@testable import OpenIDConnect

/// What is shown of a server's own words when it refuses.
struct RefusalTests {
    private let client: HTTPClient

    init() throws { client = try HTTPClient() }

    private func refusal(
        _ words: String,
        _ code: String? = "invalid_grant",
        status: Int = 400,
        grant: TokenEndpoint.Grant = .refreshToken(Secret("refresh-token-of-ours"))
    ) async throws -> String? {
        let body = ["error": code, "error_description": words].compactMapValues(\.self)
        let server = try ScriptedServer { _ in ScriptedIssuer.json(body, status: status) }
        let endpoint = TokenEndpoint(url: try HTTPURL(server.url + "/token"), client: client)
        let error = await #expect(throws: OpenIDConnectError.self) {
            try await endpoint.tokens(for: grant, from: .publicClient(id: "pghd"))
        }
        return error?.description
    }

    @Test(arguments: [
        (
            "invalid_grant",
            "the server refused: invalid_grant (HTTP 400, 'Session not active'): sign in again, or ask the server's operator"
        ),
        (nil, "the server refused (HTTP 400, 'Session not active'): sign in again, or ask the server's operator"),
        (
            "invalid_client",
            "the server does not know this client, or wants a secret (invalid_client, HTTP 400, 'Session not active'): "
                + "check --client-id, and have pghd registered under it as a public client, without a secret"
        ),
        (
            "invalid_scope",
            "the server does not give all that was asked for (invalid_scope, HTTP 400, 'Session not active', expected "
                + "scopes that it knows and lets this client have): name others with --scope; docs/sign-in.md says what "
                + "each is for"
        ),
    ])
    func `a refusal is shown with the server's own words`(_ code: String?, _ message: String) async throws {
        #expect(try await refusal("Session not active", code) == message)
    }

    @Test(arguments: [
        ("one\r\ntwo\tthree  four", "one two three four"), ("it's \u{1B}[2J é", "it\"s ?[2J ??"),
        (String(repeating: "no ", count: 80), String(repeating: "no ", count: 66) + "no…"), (" \n", nil), ("", nil),
    ])
    func `the server's words are shown in one line of at most 200 plain characters`(
        _ words: String,
        _ shown: String?
    ) async throws {
        let details = shown.map { "HTTP 400, '\($0)'" } ?? "HTTP 400"
        #expect(
            try await refusal(words, "x")
                == "the server refused: x (\(details)): sign in again, or ask the server's operator"
        )
    }

    @Test(arguments: [
        TokenEndpoint.Grant.refreshToken(Secret("CANARY-0123456789-token")),
        .deviceCode(Secret("CANARY-0123456789-code")),
        .authorizationCode(
            Secret("CANARY-0123456789"),
            redirectURI: "http://127.0.0.1/callback",
            codeVerifier: Secret("v")
        ),
        .authorizationCode(
            Secret("c"),
            redirectURI: "http://127.0.0.1/callback",
            codeVerifier: Secret("CANARY-0123456789")
        ),
    ])
    func `S21 words that repeat what was sent are not shown`(_ grant: TokenEndpoint.Grant) async throws {
        // Even if they are cut.
        let message = try await refusal("CANARY-012345678… is unknown", "x", grant: grant)
        #expect(message == "the server refused: x (HTTP 400): sign in again, or ask the server's operator")
    }

    @Test(arguments: [
        ("refresh'token of ours 1", "no refresh'token of ours 1 here"),
        ("refresh'token of ours 1", "no refresh%27token%20of%20ours%201 here"),
        ("refresh'token of ours 1", "no refresh'token+of+ours+1 here"), ("refresh%token", "a refresh%token, used"),
    ])
    func `S21 a secret is not shown in another form either`(_ secret: String, _ words: String) async throws {
        #expect(
            try await refusal(words, "x", grant: .refreshToken(Secret(secret)))
                == refusal("", "x", grant: .refreshToken(Secret(secret)))
        )
    }

    @Test func `S21 words with a word as long as a token are not shown`() async throws {
        let long = String(repeating: "a1", count: 20)
        #expect(try await refusal(long, "x")?.contains(long) == true)
        #expect(try await refusal("token \(long)b", "x")?.contains("a1a1") == false)
    }

    @Test func `S21 a revocation's refusal shows neither token`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            guard request.path == "/revoke" else { return nil }
            let words = request.form["token"] == "refresh-1" ? "not access-1" : "come back later"
            return ScriptedIssuer.json(["error": "x", "error_description": words], status: 400)
        }
        var credential = Credential(
            server: try issuer.fhir.text,
            method: .authorizationCode,
            clientID: "pghd",
            issuer: issuer.base,
            endpoints: TokenEndpoints(token: issuer.base + "/token", revocation: issuer.base + "/revoke"),
            requestedScopes: []
        )
        credential.tokens = Tokens(
            accessToken: Secret("access-1"),
            expiry: nil,
            refreshToken: Secret("refresh-1"),
            grantedScopes: []
        )
        let store = MemoryTokenStore([credential.server: try credential.encoded()])
        let outcome = try await SignOut(client: client, store: store).run(server: issuer.fhir, forget: false)
        #expect(outcome.refreshToken == .failed(.refused(code: "x", status: 400)))
        #expect(outcome.accessToken == .failed(.refused(code: "x", status: 400, words: "come back later")))
    }

    @Test func `a device's refusal is shown with the server's own words`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            guard request.path == "/device" else { return nil }
            return ScriptedIssuer.json(
                ["error": "unauthorized_client", "error_description": "Client not allowed"],
                status: 401
            )
        }
        let request = SignIn.Request(server: try issuer.fhir, method: .deviceCode, clientID: "pghd")
        let error = OpenIDConnectError.refused(code: "unauthorized_client", status: 401, words: "Client not allowed")
        await #expect(throws: error) {
            try await SignIn(client: client, store: MemoryTokenStore()).run(request, with: ScriptedBrowser())
        }
    }

    @Test func `S21 the beginning of a service's signature is not shown`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            guard request.path == "/token" else { return nil }
            let words = "bad " + (request.form["client_assertion"] ?? "").prefix(20)
            return ScriptedIssuer.json(["error": "invalid_client", "error_description": words], status: 401)
        }
        let store = MemoryTokenStore()
        try await ClientKey(new: .es384).save(for: issuer.fhir, in: store)
        let request = SignIn.Request(server: try issuer.fhir, method: .backendService, clientID: "pghd")
        await #expect(throws: OpenIDConnectError.keyRefused(status: 401)) {
            try await SignIn(client: client, store: store).run(request, with: ScriptedBrowser())
        }
    }

    /// What the server lists, and what is said of a key of ES384.
    @Test(
        arguments: [
            (["RS384"], "--new-key --force --key-algorithm RS384 makes one of the kind that the server lists"),
            (["ES384", "RS384"], "--new-key --force makes another"), (["RS256"], "--new-key --force makes another"),
            (nil, "--new-key --force makes another"),
        ] as [([String]?, String)]
    )
    func `if the server lists only the other kind of key, the refusal names it`(
        _ listed: [String]?,
        _ way: String
    ) async throws {
        let issuer = try ScriptedIssuer { request, base in
            switch request.path {
            case "/r4/.well-known/smart-configuration":
                var document = ScriptedIssuer.smartConfiguration(base)
                document["token_endpoint_auth_signing_alg_values_supported"] = listed
                return ScriptedIssuer.json(document)
            case "/token":
                return ScriptedIssuer.json(["error": "invalid_client", "error_description": "bad alg"], status: 401)
            default: return nil
            }
        }
        let store = MemoryTokenStore()
        try await ClientKey(new: .es384).save(for: issuer.fhir, in: store)
        let request = SignIn.Request(server: try issuer.fhir, method: .backendService, clientID: "pghd")
        let error = await #expect(throws: OpenIDConnectError.self) {
            try await SignIn(client: client, store: store).run(request, with: ScriptedBrowser())
        }
        #expect(
            error?.description
                == "the server does not know this client or its key (invalid_client, HTTP 401, 'bad alg'): check --client-id, "
                + "and this machine's clock, whose time each signature carries; a key has to be registered there under it "
                + "(\(way), and prints its public half)"
        )
    }
}
