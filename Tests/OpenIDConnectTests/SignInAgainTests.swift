import Glibc
import HTTPTransport
import Synchronization
import TestSupport
import Testing

@testable import OpenIDConnect

/// Signing in when a sign-in is already kept.
struct SignInAgainTests {
    private let client: HTTPClient

    init() throws { client = try HTTPClient() }

    private func signIn(
        _ issuer: ScriptedIssuer,
        store: any TokenStore,
        clientID: String = "pghd",
        scopes: [String] = ["patient/Observation.crus"]
    ) async throws -> SignIn.Outcome {
        var request = SignIn.Request(server: try issuer.fhir, method: .authorizationCode, clientID: clientID)
        request.scopes = scopes
        return try await SignIn(client: client, store: store).run(request, with: ScriptedBrowser())
    }

    private func refreshToken(_ issuer: ScriptedIssuer, in store: MemoryTokenStore) async throws -> Secret? {
        try await StoredSignIns.credential(of: issuer.fhir, in: store)?.tokens?.refreshToken
    }

    @Test func `S25 the old refresh token is revoked by the client that had it, and the new one is kept`() async throws
    {
        let issuer = try ScriptedIssuer()
        let store = MemoryTokenStore()
        #expect(try await signIn(issuer, store: store).replaced == .none)
        #expect(issuer.requests("/revoke").isEmpty)
        #expect(try await signIn(issuer, store: store, clientID: "other").replaced == .revoked)
        #expect(
            issuer.requests("/revoke").map(\.form) == [
                ["token": "refresh-1", "token_type_hint": "refresh_token", "client_id": "pghd"]
            ]
        )
        #expect(try await refreshToken(issuer, in: store) == Secret("refresh-2"))
    }

    /// With any token a server may end all tokens of one person and client (RFC 7009, section 2.1).
    @Test(arguments: [["patient/Observation.crus"], ["openid", "patient/Observation.crus"]])
    func `S25 a sign-in of the same person and client revokes nothing that might end it`(
        _ scopes: [String]
    ) async throws {
        let issuer = try ScriptedIssuer()
        let store = MemoryTokenStore()
        _ = try await signIn(issuer, store: store, scopes: scopes)
        #expect(try await signIn(issuer, store: store, scopes: scopes).replaced == .none)
        #expect(issuer.requests("/revoke").isEmpty)
        #expect(try await refreshToken(issuer, in: store) == Secret("refresh-2"))
    }

    @Test func `S25 a sign-in that is cancelled after the token has come revokes it`() async throws {
        let issuer = try ScriptedIssuer { request, _ in request.path == "/jwks" ? .silence : nil }
        let store = MemoryTokenStore()
        let task = Task { try await signIn(issuer, store: store, scopes: ["openid"]) }
        while issuer.requests("/jwks").isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(TokenRenewal.isUnderWay)
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(issuer.requests("/revoke").map { $0.form["token"] } == ["refresh-1"])
        #expect(try await refreshToken(issuer, in: store) == nil)
    }

    @Test func `S25 a sign-in that is cancelled while its code is exchanged revokes the resulting token`() async throws
    {
        let isReleased = Mutex(false)
        let issuer = try ScriptedIssuer { request, _ in
            if request.path == "/token" { while !isReleased.withLock(\.self) { usleep(1000) } }
            return nil
        }
        let store = MemoryTokenStore()
        let task = Task { try await signIn(issuer, store: store) }
        while issuer.requests("/token").isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(TokenRenewal.isUnderWay)
        task.cancel()
        isReleased.withLock { $0 = true }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(issuer.requests("/revoke").map { $0.form["token"] } == ["refresh-1"])
        #expect(try await refreshToken(issuer, in: store) == nil)
    }

    /// Its tokens are of a type that nobody asked for, so a sign-in fails after they were issued.
    private static func issuerOfUnusableTokens() throws -> ScriptedIssuer {
        try ScriptedIssuer { request, _ in
            guard request.path == "/token" else { return nil }
            return ScriptedIssuer.json(["access_token": "a", "token_type": "DPoP", "refresh_token": "refresh-1"])
        }
    }

    /// The other sign-in is at another FHIR base of the same sign-in server: it ends with the grant.
    @Test(arguments: [("pghd", []), ("other", ["refresh-1"])])
    func `S25 a sign-in that fails revokes nothing that might end another`(
        _ clientID: String,
        _ revoked: [String]
    ) async throws {
        let issuer = try Self.issuerOfUnusableTokens()
        let store = try await store(signedInElsewhere: issuer, clientID: "pghd")
        await #expect(throws: OpenIDConnectError.self) {
            try await signIn(issuer, store: store, clientID: clientID)
        }
        #expect(issuer.requests("/revoke").map { $0.form["token"] } == revoked)
    }

    @Test func `S25 a sign-in that replaces another client's revokes nothing that might end one elsewhere`()
        async throws
    {
        let issuer = try ScriptedIssuer()
        let store = try await store(signedInElsewhere: issuer, clientID: "pghd")
        _ = try await signIn(issuer, store: store)
        #expect(try await signIn(issuer, store: store, clientID: "other").replaced == .none)
        #expect(issuer.requests("/revoke").isEmpty)
    }

    @Test func `S25 if the store can't be read any more, what it held before decides what may be revoked`()
        async throws
    {
        let issuer = try ScriptedIssuer()
        let store = SealedStore()
        await #expect(throws: SealedStore.Sealed.self) { try await signIn(issuer, store: store) }
        #expect(issuer.requests("/revoke").map { $0.form["token"] } == ["refresh-1"])
    }

    /// Whether the sign-in at another FHIR base is of the same issuer, has the same token endpoint and can be renewed,
    /// and what is revoked.
    @Test(
        arguments: [
            (true, false, true, []), (false, true, true, []), (false, false, true, ["refresh-1"]),
            (true, true, false, ["refresh-1"]),
        ] as [(Bool, Bool, Bool, [String])]
    )
    func `S25 a sign-in elsewhere might end if it can be renewed at the same sign-in server`(
        _ isSameIssuer: Bool,
        _ isSameEndpoint: Bool,
        _ isRenewable: Bool,
        _ revoked: [String]
    ) async throws {
        let issuer = try Self.issuerOfUnusableTokens()
        let store = try await store(signedInElsewhere: issuer, clientID: "pghd") { credential in
            if !isSameIssuer { credential.issuer = "https://login.example.org" }
            if !isSameEndpoint { credential.endpoints.token = "https://login.example.org/token" }
            if !isRenewable { credential.tokens?.refreshToken = nil }
        }
        await #expect(throws: OpenIDConnectError.self) { try await signIn(issuer, store: store) }
        #expect(issuer.requests("/revoke").map { $0.form["token"] } == revoked)
    }

    @Test func `S25 a sign-in that fails next to one that can't be read revokes nothing`() async throws {
        let issuer = try Self.issuerOfUnusableTokens()
        let store = MemoryTokenStore(["https://elsewhere.example.org": [1]])
        await #expect(throws: OpenIDConnectError.self) { try await signIn(issuer, store: store) }
        #expect(issuer.requests("/revoke").isEmpty)
    }

    @Test func `S25 a sign-in without a refresh token revokes none of the same person and client`() async throws {
        let isSecond = Mutex(false)
        let issuer = try ScriptedIssuer { request, _ in
            guard request.path == "/token", isSecond.withLock(\.self) else { return nil }
            return ScriptedIssuer.json(["access_token": "a2", "token_type": "Bearer"])
        }
        let store = MemoryTokenStore()
        _ = try await signIn(issuer, store: store)
        isSecond.withLock { $0 = true }
        #expect(try await signIn(issuer, store: store).replaced == .none)
        #expect(issuer.requests("/revoke").isEmpty)
    }

    @Test func `S25 the refresh token of a service is revoked with its key`() async throws {
        let issuer = try ScriptedIssuer()
        let store = MemoryTokenStore()
        try await ClientKey(new: .es384).save(for: issuer.fhir, in: store)
        var last = try await signIn(issuer, store: store).credential
        (last.method, last.clientID) = (.backendService, "service-1")
        await store.overwrite(last.server, try last.encoded())
        #expect(try await signIn(issuer, store: store).replaced == .revoked)
        let form = try #require(issuer.requests("/revoke").first).form
        #expect([form["token"], form["client_id"]] == ["refresh-1", "service-1"])
        #expect(form["client_assertion"] != nil)
    }

    private func store(
        signedInElsewhere issuer: ScriptedIssuer,
        clientID: String,
        _ change: (inout Credential) -> Void = { _ in }
    ) async throws -> MemoryTokenStore {
        var credential = Credential(
            server: issuer.base + "/elsewhere",
            method: .authorizationCode,
            clientID: clientID,
            issuer: issuer.base,
            endpoints: TokenEndpoints(token: issuer.base + "/token", revocation: issuer.base + "/revoke"),
            requestedScopes: ["patient/Observation.crus"]
        )
        credential.tokens = Tokens(
            accessToken: Secret("elsewhere"),
            expiry: nil,
            refreshToken: Secret("elsewhere"),
            grantedScopes: ["patient/Observation.crus"]
        )
        change(&credential)
        return MemoryTokenStore([credential.server: try credential.encoded()])
    }

    @Test func `S25 another person's refresh token is revoked`() async throws {
        let issuer = try ScriptedIssuer()
        let store = MemoryTokenStore()
        let first = try await signIn(issuer, store: store, scopes: ["openid"]).credential
        var others = first
        others.subject?.identifier = "bob-1"
        await store.overwrite(first.server, try others.encoded())
        #expect(try await signIn(issuer, store: store, scopes: ["openid"]).replaced == .revoked)
        #expect(issuer.requests("/revoke").map { $0.form["token"] } == ["refresh-1"])
    }

    @Test func `S25 a failed revocation of a refresh token does not undo the sign-in`() async throws {
        let issuer = try ScriptedIssuer { request, _ in request.path == "/revoke" ? .response(503) : nil }
        let store = MemoryTokenStore()
        _ = try await signIn(issuer, store: store)
        let error = OpenIDConnectError.unexpectedStatus(place: issuer.base + "/revoke", status: 503)
        #expect(try await signIn(issuer, store: store, clientID: "other").replaced == .failed(error))
        #expect(try await refreshToken(issuer, in: store) == Secret("refresh-2"))
    }

    @Test func `S25 the old refresh token stays valid until the new one is kept`() async throws {
        let issuer = try ScriptedIssuer()
        let store = MemoryTokenStore()
        _ = try await signIn(issuer, store: store)
        let server = try issuer.fhir.text
        let full = MemoryTokenStore([server: try #require(await store.entry(server))], writeFault: DiskFull())
        await #expect(throws: DiskFull()) { try await signIn(issuer, store: full) }
        #expect(issuer.requests("/revoke").isEmpty)
    }

    @Test(
        arguments: [
            (["issuer", "token_endpoint", "revocation_endpoint"], "new-1"), (["token_endpoint"], "new-1"),
            (["issuer"], "refresh-2"), (["revocation_endpoint"], "refresh-2"),
        ]
    )
    func `S20 a sign-in server that was replaced never sees a token of the new one`(
        _ changed: [String],
        _ refreshToken: String
    ) async throws {
        let new = try ScriptedIssuer { request, _ in
            guard request.path == "/token" else { return nil }
            return ScriptedIssuer.json([
                "access_token": "new", "token_type": "Bearer", "refresh_token": "new-1",
                "scope": "patient/Observation.crus",
            ])
        }
        let newBase = new.base
        let moved = Mutex(false)
        let old = try ScriptedIssuer { request, base in
            switch request.path {
            case "/revoke": .response(401)
            case "/r4/.well-known/smart-configuration" where moved.withLock(\.self):
                ScriptedIssuer.json(
                    ScriptedIssuer.smartConfiguration(base)
                        .merging(ScriptedIssuer.smartConfiguration(newBase).filter { changed.contains($0.key) }) { $1 }
                )
            default: nil
            }
        }
        let store = MemoryTokenStore()
        _ = try await signIn(old, store: store)
        moved.withLock { $0 = true }
        let error = OpenIDConnectError.refused(code: nil, status: 401)
        #expect(try await signIn(old, store: store, clientID: "other").replaced == .failed(error))
        #expect(try await self.refreshToken(old, in: store) == Secret(refreshToken))
        #expect(old.requests("/revoke").map { $0.headers["authorization"] } == [nil, "Bearer access-1"])
    }

    @Test func `S1 if the issuer has changed, the error says what to ask and which option to give`() async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == "/r4/.well-known/smart-configuration" else { return nil }
            return ScriptedIssuer.json(
                ScriptedIssuer.smartConfiguration(base).merging(["issuer": base + "/new"]) { $1 }
            )
        }
        var request = SignIn.Request(server: try issuer.fhir, method: .authorizationCode, clientID: "pghd")
        request.issuer = issuer.base
        request.isIssuerRemembered = true
        let error = await #expect(throws: OpenIDConnectError.self) {
            try await SignIn(client: client, store: MemoryTokenStore()).run(request, with: ScriptedBrowser())
        }
        #expect(
            error?.description
                == "the sign-in server calls itself '\(issuer.base)/new' (expected '\(issuer.base)', as at the last sign-in): "
                + "ask the server's operator whether it was changed; if so, add --issuer '\(issuer.base)/new'"
        )
    }

    /// Whether the server lists S256, whether the user vouches for PKCE, and what is kept of that.
    @Test(arguments: [(false, true, true), (true, true, nil)] as [(Bool, Bool, Bool?)])
    func `S5 it is kept that the user vouches for PKCE where the server does not list it`(
        _ isListed: Bool,
        _ isAssumed: Bool,
        _ kept: Bool?
    ) async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == "/r4/.well-known/smart-configuration" else { return nil }
            var document = ScriptedIssuer.smartConfiguration(base)
            if !isListed { document["code_challenge_methods_supported"] = nil }
            return ScriptedIssuer.json(document)
        }
        var request = SignIn.Request(server: try issuer.fhir, method: .authorizationCode, clientID: "pghd")
        request.assumesPKCE = isAssumed
        let signIn = SignIn(client: client, store: MemoryTokenStore())
        #expect(try await signIn.run(request, with: ScriptedBrowser()).credential.isPKCEAssumed == kept)
        #expect(issuer.requests("/authorize").first?.query["code_challenge_method"] == "S256")
        #expect(issuer.requests("/token").first?.form["code_verifier"] != nil)
    }

    @Test func `S25 without a revocation endpoint nothing is sent`() async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == "/r4/.well-known/smart-configuration" else { return nil }
            var configuration = ScriptedIssuer.smartConfiguration(base)
            configuration["revocation_endpoint"] = nil
            return ScriptedIssuer.json(configuration)
        }
        let store = MemoryTokenStore()
        _ = try await signIn(issuer, store: store)
        #expect(try await signIn(issuer, store: store, clientID: "other").replaced == .notOffered)
        #expect(issuer.requests("/revoke").isEmpty)
    }
}

/// An empty store whose passphrase is changed during a sign-in.
private actor SealedStore: TokenStore {
    struct Sealed: Error {}
    private var isSealed = false

    func names() throws -> [String] {
        if isSealed { throw Sealed() }
        return []
    }

    func entry(_ name: String) throws -> [UInt8]? {
        if isSealed { throw Sealed() }
        return nil
    }

    func update<Result: Sendable>(
        _ name: String,
        isRemoval: Bool,
        _ body: @Sendable (inout [UInt8]?) async throws -> Result
    ) async throws -> Result {
        isSealed = true
        throw Sealed()
    }
}
