import HTTPTransport
import Synchronization
import TestSupport
import Testing

@testable import OpenIDConnect

struct SignOutTests {
    private let client: HTTPClient

    init() throws { client = try HTTPClient() }

    private func signedIn(_ issuer: ScriptedIssuer, revocation: String? = "/revoke") throws -> Credential {
        var credential = Credential(
            server: try issuer.fhir.text,
            method: .authorizationCode,
            clientID: "pghd",
            issuer: issuer.base,
            endpoints: TokenEndpoints(token: issuer.base + "/token", revocation: revocation.map { issuer.base + $0 }),
            requestedScopes: ["openid"]
        )
        credential.subject = Subject(identifier: "alice-1", name: "alice")
        credential.tokens = Tokens(
            accessToken: Secret("a1"),
            expiry: TokenExpiry(lifetimeSeconds: 60),
            refreshToken: Secret("r1"),
            grantedScopes: ["openid"]
        )
        return credential
    }

    private func run(
        _ issuer: ScriptedIssuer,
        _ credential: Credential,
        forget: Bool = false
    ) async throws -> (outcome: SignOut.Outcome, store: MemoryTokenStore) {
        let store = MemoryTokenStore([credential.server: try credential.encoded(), "key \(credential.server)": [1]])
        let outcome = try await SignOut(client: client, store: store).run(server: issuer.fhir, forget: forget)
        return (outcome, store)
    }

    /// Otherwise Ctrl-C would leave tokens here that the server has already revoked.
    @Test func `S25 a process that is told to end waits for a running sign-out`() async throws {
        let wasUnderWay = Mutex<[Bool]>([])
        let issuer = try ScriptedIssuer { request, _ in
            if request.path == "/revoke" { wasUnderWay.withLock { $0.append(TokenRenewal.isUnderWay) } }
            return nil
        }
        _ = try await run(issuer, signedIn(issuer))
        #expect(wasUnderWay.withLock(\.self) == [true, true])
    }

    @Test func `S25 the refresh token is revoked first, then the access token, and then both are removed`() async throws
    {
        let issuer = try ScriptedIssuer()
        let credential = try signedIn(issuer)
        let (outcome, store) = try await run(issuer, credential)
        #expect(
            outcome
                == SignOut.Outcome(refreshToken: .revoked, accessToken: .revoked, expiry: credential.tokens?.expiry)
        )
        #expect(
            issuer.requests("/revoke").map(\.form) == [
                ["token": "r1", "token_type_hint": "refresh_token", "client_id": "pghd"],
                ["token": "a1", "token_type_hint": "access_token", "client_id": "pghd"],
            ]
        )
        var kept = credential
        kept.tokens = nil
        kept.subject = nil
        #expect(try await StoredSignIns.credential(of: HTTPURL(credential.server), in: store) == kept)
        #expect(await store.names() == [credential.server, "key \(credential.server)"])
    }

    @Test(arguments: [
        (ScriptedServer.Reply.response(503), "status"), (.hangUp, "lost"),
        (.response(400, body: "{\"error\":\"x\"}"), "refused"),
    ])
    func `S25 a failed revocation is reported, and the tokens are removed all the same`(
        _ reply: ScriptedServer.Reply,
        _ kind: String
    ) async throws {
        let issuer = try ScriptedIssuer { request, _ in request.path == "/revoke" ? reply : nil }
        let (outcome, store) = try await run(issuer, signedIn(issuer))
        let error: OpenIDConnectError =
            switch kind {
            case "status": .unexpectedStatus(place: issuer.base + "/revoke", status: 503)
            case "lost": .transport(.connectionLost(origin: issuer.base))
            default: .refused(code: "x", status: 400)
            }
        #expect(outcome.refreshToken == .failed(error))
        #expect(outcome.accessToken == .failed(error))
        #expect(try await StoredSignIns.credential(of: issuer.fhir, in: store)?.tokens == nil)
    }

    @Test func `S25 a server that requires the access token for a revocation gets it`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            guard request.path == "/revoke" else { return nil }
            return .response(request.headers["authorization"] == "Bearer a1" ? 200 : 401)
        }
        let (outcome, _) = try await run(issuer, signedIn(issuer))
        #expect(outcome.refreshToken == .revoked)
        #expect(outcome.accessToken == .revoked)
    }

    /// RFC 7009, section 2.2.1.
    @Test func `S25 a server that revokes no access tokens leaves nothing uncertain`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            guard request.form["token_type_hint"] == "access_token" else { return nil }
            return ScriptedIssuer.json(["error": "unsupported_token_type"], status: 400)
        }
        let credential = try signedIn(issuer)
        let (outcome, _) = try await run(issuer, credential)
        let expiry = credential.tokens?.expiry
        #expect(outcome == SignOut.Outcome(refreshToken: .revoked, accessToken: .notOffered, expiry: expiry))
    }

    /// Keycloak lists only clients with secrets, and revokes the tokens of others all the same.
    @Test(arguments: [(200, .revoked), (401, .notOffered), (503, nil)] as [(Int, SignOut.Revocation?)])
    func `S25 a server that lists no client without a secret is asked, and may refuse`(
        _ status: Int,
        _ expected: SignOut.Revocation?
    ) async throws {
        let issuer = try ScriptedIssuer { request, _ in request.path == "/revoke" ? .response(status) : nil }
        var credential = try signedIn(issuer)
        credential.endpoints.revocationWantsSecret = true
        let failure = OpenIDConnectError.unexpectedStatus(place: issuer.base + "/revoke", status: status)
        let (outcome, _) = try await run(issuer, credential)
        #expect(outcome.refreshToken == expected ?? .failed(failure))
        #expect(outcome.accessToken == expected ?? .failed(failure))
    }

    @Test(
        arguments: [(nil, nil), (["none", "private_key_jwt"], nil), (["client_secret_basic"], true)]
            as [([String]?, Bool?)]
    )
    func `S25 a sign-in keeps whether the server lists clients without a secret for revocations`(
        _ methods: [String]?,
        _ wantsSecret: Bool?
    ) async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == "/r4/.well-known/smart-configuration" else { return nil }
            var document = ScriptedIssuer.smartConfiguration(base)
            document["revocation_endpoint_auth_methods_supported"] = methods
            return ScriptedIssuer.json(document)
        }
        let request = SignIn.Request(server: try issuer.fhir, method: .deviceCode, clientID: "pghd")
        let signIn = SignIn(client: client, store: MemoryTokenStore()) { _ in }
        let credential = try await signIn.run(request, with: ScriptedBrowser()).credential
        #expect(credential.endpoints.revocationWantsSecret == wantsSecret)
    }

    @Test func `S25 a service revokes its tokens with a new signature each time`() async throws {
        let issuer = try ScriptedIssuer()
        var credential = try signedIn(issuer)
        credential.method = .backendService
        let store = MemoryTokenStore([credential.server: try credential.encoded()])
        try await ClientKey(new: .es384).save(for: HTTPURL(credential.server), in: store)
        let outcome = try await SignOut(client: client, store: store).run(server: issuer.fhir, forget: false)
        #expect(outcome.refreshToken == .revoked)
        #expect(outcome.accessToken == .revoked)
        let forms = issuer.requests("/revoke").map(\.form)
        #expect(forms.map { $0["token"] } == ["r1", "a1"])
        #expect(
            forms.map { $0["client_assertion_type"] }
                == Array(repeating: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", count: 2)
        )
        #expect(Set(forms.compactMap { $0["client_assertion"] }).count == 2)
    }

    @Test func `S25 a service that is refused does not show its access token`() async throws {
        let issuer = try ScriptedIssuer { request, _ in request.path == "/revoke" ? .response(401) : nil }
        var credential = try signedIn(issuer)
        credential.method = .backendService
        let store = MemoryTokenStore([credential.server: try credential.encoded()])
        try await ClientKey(new: .es384).save(for: HTTPURL(credential.server), in: store)
        let outcome = try await SignOut(client: client, store: store).run(server: issuer.fhir, forget: false)
        #expect(outcome.accessToken == .failed(.refused(code: nil, status: 401)))
        #expect(issuer.requests("/revoke").map { $0.headers["authorization"] } == [nil, nil])
    }

    @Test func `S25 a service without its key gets an error, and its tokens are removed all the same`() async throws {
        let issuer = try ScriptedIssuer()
        var credential = try signedIn(issuer)
        credential.method = .backendService
        let store = MemoryTokenStore([credential.server: try credential.encoded()])
        let outcome = try await SignOut(client: client, store: store).run(server: issuer.fhir, forget: false)
        #expect(outcome.accessToken == .failed(.noClientKey(server: credential.server)))
        #expect(issuer.requests("/revoke").isEmpty)
        #expect(try await StoredSignIns.credential(of: HTTPURL(credential.server), in: store)?.tokens == nil)
    }

    @Test func `S25 without a revocation endpoint the token's expiry is reported`() async throws {
        let issuer = try ScriptedIssuer()
        let (outcome, store) = try await run(issuer, signedIn(issuer, revocation: nil))
        #expect(outcome.refreshToken == .notOffered)
        #expect(outcome.accessToken == .notOffered)
        #expect(outcome.expiry?.lifetimeSeconds == 60)
        #expect(try await StoredSignIns.credential(of: issuer.fhir, in: store)?.tokens == nil)
    }

    /// Of a server that lists no client without a secret: whether it is a service's sign-in, and what it then answers.
    @Test(
        arguments: [
            (false, 400, .notOffered), (false, 401, .notOffered),
            (true, 400, .failed(.keyRefused(status: 400))), (true, 401, .failed(.keyRefused(status: 401))),
        ] as [(Bool, Int, SignOut.Revocation)]
    )
    func `S25 a client that a server does not know may be one without a secret, but not a service`(
        _ isService: Bool,
        _ status: Int,
        _ expected: SignOut.Revocation
    ) async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/revoke" ? ScriptedIssuer.json(["error": "invalid_client"], status: status) : nil
        }
        var credential = try signedIn(issuer)
        credential.endpoints.revocationWantsSecret = true
        if isService { credential.method = .backendService }
        let store = MemoryTokenStore([credential.server: try credential.encoded()])
        try await ClientKey(new: .es384).save(for: issuer.fhir, in: store)
        let outcome = try await SignOut(client: client, store: store).run(server: issuer.fhir, forget: false)
        #expect([outcome.refreshToken, outcome.accessToken] == [expected, expected])
    }

    @Test func `S2 a revocation endpoint in the store that is not safe is sent nothing`() async throws {
        let issuer = try ScriptedIssuer()
        var credential = try signedIn(issuer)
        credential.endpoints.revocation = "http://login.invalid/revoke"
        let (outcome, _) = try await run(issuer, credential)
        #expect(outcome.refreshToken == .failed(.insecureURL(what: "revocation_endpoint")))
    }

    @Test func `S25 a key without a sign-in is forgotten`() async throws {
        let issuer = try ScriptedIssuer()
        let store = MemoryTokenStore(["key \(try issuer.fhir.text)": [1]])
        _ = try await SignOut(client: client, store: store).run(server: issuer.fhir, forget: true)
        #expect(await store.names().isEmpty)
    }

    @Test func `S25 forgetting also removes the settings and the key`() async throws {
        let issuer = try ScriptedIssuer()
        let (outcome, store) = try await run(issuer, signedIn(issuer), forget: true)
        #expect(outcome.refreshToken == .revoked)
        #expect(await store.names().isEmpty)
    }

    @Test func `an unreadable entry can be forgotten`() async throws {
        let server = "https://fhir.example.org"
        let store = MemoryTokenStore([server: [1, 2]])
        let signOut = SignOut(client: client, store: store)
        let base = try HTTPURL(server)
        await #expect(throws: OpenIDConnectError.unreadableEntry) { try await signOut.run(server: base, forget: false) }
        let outcome = try await signOut.run(server: base, forget: true)
        #expect(outcome == SignOut.Outcome(refreshToken: .none, accessToken: .none, expiry: nil))
        #expect(await store.names().isEmpty)
    }

    @Test func `signing out of an unknown server does nothing`() async throws {
        let store = MemoryTokenStore()
        let outcome = try await SignOut(client: client, store: store)
            .run(server: HTTPURL("https://fhir.example.org"), forget: false)
        #expect(outcome == SignOut.Outcome(refreshToken: .none, accessToken: .none, expiry: nil))
    }
}
