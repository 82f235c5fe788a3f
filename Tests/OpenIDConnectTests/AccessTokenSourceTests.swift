import Glibc
import HTTPTransport
import Synchronization
import TestSupport
import Testing

@testable import OpenIDConnect

struct AccessTokenSourceTests {
    let client: HTTPClient

    init() throws { client = try HTTPClient() }

    /// A sign-in that is `age` seconds old.
    func credential(
        _ issuer: ScriptedIssuer,
        age: Int = 0,
        life: Int? = 3600,
        access: String = "access-0",
        refresh: String? = "refresh-0",
        method: SignInMethod = .authorizationCode
    ) throws -> Credential {
        var now = ClockReading.now()
        now.bootSeconds -= age
        now.wallSeconds -= age
        var credential = Credential(
            server: try issuer.fhir.text,
            method: method,
            clientID: "pghd",
            issuer: issuer.base,
            endpoints: TokenEndpoints(token: issuer.base + "/token", revocation: nil),
            requestedScopes: ["patient/Observation.crus"]
        )
        credential.tokens = Tokens(
            accessToken: Secret(access),
            expiry: life.map { TokenExpiry(lifetimeSeconds: $0, at: now) },
            refreshToken: refresh.map { Secret($0) },
            grantedScopes: ["patient/Observation.crus"]
        )
        return credential
    }

    func store(_ credential: Credential) throws -> MemoryTokenStore {
        MemoryTokenStore([credential.server: try credential.encoded()])
    }

    func source(_ issuer: ScriptedIssuer, _ store: MemoryTokenStore) throws -> AccessTokenSource {
        AccessTokenSource(server: try issuer.fhir, store: store, client: client)
    }

    func kept(_ store: MemoryTokenStore, _ issuer: ScriptedIssuer) async throws -> Tokens? {
        try await StoredSignIns.credential(of: issuer.fhir, in: store)?.tokens
    }

    @Test func `a valid token is returned without a request`() async throws {
        let issuer = try ScriptedIssuer()
        let store = try store(credential(issuer))
        let source = try source(issuer, store)
        #expect(try await source.authorization(for: issuer.fhir) == .bearer("access-0"))
        #expect(issuer.server.requests.isEmpty)
    }

    @Test func `a token near its end is renewed, and the old refresh token is replaced`() async throws {
        let issuer = try ScriptedIssuer()
        let store = try store(credential(issuer, age: 3571))
        let source = try source(issuer, store)
        #expect(try await source.authorization(for: issuer.fhir) == .bearer("access-1"))
        #expect(
            issuer.requests("/token").map(\.form)
                == [["grant_type": "refresh_token", "refresh_token": "refresh-0", "client_id": "pghd"]]
        )
        let tokens = try #require(try await kept(store, issuer))
        #expect(tokens.accessToken == Secret("access-1"))
        #expect(tokens.refreshToken == Secret("refresh-1"))
        #expect(tokens.grantedScopes == ["patient/Observation.crus"])
    }

    @Test func `a renewed token can be renewed in turn`() async throws {
        let count = Atomic(0)
        let issuer = try ScriptedIssuer { request, _ in
            guard request.path == "/token" else { return nil }
            let number = count.add(1, ordering: .relaxed).newValue
            return ScriptedIssuer.json([
                "access_token": "access-\(number)", "token_type": "Bearer", "refresh_token": "refresh-\(number)",
            ])
        }
        let store = try store(credential(issuer, age: 3571))
        let source = try source(issuer, store)
        let url = try issuer.fhir
        #expect(try await source.authorization(for: url) == .bearer("access-1"))
        #expect(try await source.authorization(for: url, replacing: .bearer("access-1")) == .bearer("access-2"))
        #expect(issuer.requests("/token").map { $0.form["refresh_token"] } == ["refresh-0", "refresh-1"])
    }

    @Test func `a slow answer does not lengthen a token's life`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            if request.path == "/token" { usleep(1_100_000) }
            return nil
        }
        let store = try store(credential(issuer, age: 3571))
        _ = try await source(issuer, store).authorization(for: issuer.fhir)
        #expect(try #require(try await kept(store, issuer)?.expiry).secondsLeft() <= 3599)
    }

    @Test func `the granted scopes stay if a renewal names none`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/token" ? ScriptedIssuer.json(["access_token": "access-1", "token_type": "bearer"]) : nil
        }
        var credential = try credential(issuer, age: 3571)
        credential.requestedScopes = ["patient/Observation.crus", "patient/Device.crus"]
        let store = try store(credential)
        #expect(try await source(issuer, store).authorization(for: issuer.fhir) == .bearer("access-1"))
        #expect(try await kept(store, issuer)?.grantedScopes == ["patient/Observation.crus"])
    }

    @Test func `if a server does not rotate, its refresh token is kept`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/token" ? ScriptedIssuer.json(["access_token": "a9", "token_type": "bearer"]) : nil
        }
        let store = try store(credential(issuer, age: 4000))
        #expect(try await source(issuer, store).authorization(for: issuer.fhir) == .bearer("a9"))
        #expect(try await kept(store, issuer)?.refreshToken == Secret("refresh-0"))
    }

    @Test(arguments: [
        "https://evil.example.org/r4", "{origin}.evil.example.org/r4", "{origin}/r5", "{origin}/r40/Observation",
        "{origin}/", "{origin}/r4/../admin", "{origin}/r4/./admin", "{origin}/r4/%2e%2e/admin",
        "{origin}/r4/%2E./admin", "{origin}/r4/..%2Fadmin", "{origin}/r4/x%2f..%2F..%2fadmin", "{origin}/r4/..\\admin",
        "{origin}/r4/..%5Cadmin", "{origin}/r4/..;/admin", "{origin}/r4/.%2e%3Bx/admin",
    ])
    func `S20 the token is only sent to the FHIR base`(_ text: String) async throws {
        let issuer = try ScriptedIssuer()
        let store = try store(credential(issuer))
        // The port belongs to the origin, so another host's name can't follow it.
        let address = text.replacing("{origin}.", with: "http://127.0.0.1.").replacing("{origin}", with: issuer.base)
        let url = try HTTPURL(address)
        let base = issuer.base + "/r4"
        await #expect(throws: OpenIDConnectError.foreignServer(expected: base, found: url.origin)) {
            try await source(issuer, store).authorization(for: url)
        }
    }

    @Test func `S22 forty simultaneous requests renew once`() async throws {
        let issuer = try ScriptedIssuer()
        let store = try store(credential(issuer, age: 4000))
        let source = try source(issuer, store)
        let url = try issuer.fhir
        let tokens = try await withThrowingTaskGroup(of: Authorization?.self) { group in
            for _ in 0..<40 { group.addTask { try await source.authorization(for: url) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(tokens == Array(repeating: .bearer("access-1"), count: 40))
        #expect(issuer.requests("/token").count == 1)
        #expect(await store.writeCount == 1)
    }

    @Test func `S22 twenty processes with one store renew once`() async throws {
        let issuer = try ScriptedIssuer()
        let store = try store(credential(issuer, age: 4000))
        let url = try issuer.fhir
        let sources = try (0..<20).map { _ in try source(issuer, store) }
        let tokens = try await withThrowingTaskGroup(of: Authorization?.self) { group in
            for source in sources { group.addTask { try await source.authorization(for: url) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(tokens == Array(repeating: .bearer("access-1"), count: 20))
        #expect(issuer.requests("/token").count == 1)
    }

    @Test func `S22 a token that the server refused is renewed once for all who saw the refusal`() async throws {
        let issuer = try ScriptedIssuer()
        let store = try store(credential(issuer))
        let source = try source(issuer, store)
        let url = try issuer.fhir
        let rejected = try await source.authorization(for: url)
        for _ in 0..<3 {
            #expect(try await source.authorization(for: url, replacing: rejected) == .bearer("access-1"))
        }
        #expect(issuer.requests("/token").count == 1)
        #expect(try await source.authorization(for: url) == .bearer("access-1"))
    }

    @Test func `if the server returns the refused token again, signing in again is not advised`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/token" ? ScriptedIssuer.json(["access_token": "access-0", "token_type": "bearer"]) : nil
        }
        let store = try store(credential(issuer))
        let server = try issuer.fhir.text
        let error = OpenIDConnectError.unchangedToken(server: server)
        await #expect(throws: error) {
            try await source(issuer, store).authorization(for: issuer.fhir, replacing: .bearer("access-0"))
        }
        #expect(
            error.description
                == "\(server): the server takes no token of this sign-in (401, and a renewal brought the same one): ask its "
                + "operator whether it is meant for this address, and what a gateway in front wants"
        )
        #expect(try await kept(store, issuer)?.accessToken == Secret("access-0"))
    }

    @Test(
        arguments: [
            ("{\"error\":\"invalid_grant\"}", nil),
            ("{\"error\":\"invalid_grant\",\"error_description\":\"Session not active\"}", "Session not active"),
        ] as [(String, String?)]
    )
    func `S23 a refused refresh token ends the sign-in, and is removed`(_ body: String, _ words: String?) async throws {
        let issuer = try ScriptedIssuer { request, _ in request.path == "/token" ? .response(400, body: body) : nil }
        var credential = try credential(issuer, age: 4000)
        credential.subject = Subject(identifier: "anna")
        let store = try store(credential)
        let server = credential.server
        let error = OpenIDConnectError.signInOver(server: server, words: words)
        await #expect(throws: error) { try await source(issuer, store).authorization(for: issuer.fhir) }
        let said = words.map { " ('\($0)')" } ?? ""
        #expect(error.description == "\(server): the sign-in is over\(said): run 'pghd login --server \(server)' again")
        (credential.tokens, credential.subject) = (nil, nil)
        #expect(try await StoredSignIns.credential(of: issuer.fhir, in: store) == credential)
    }

    @Test func `S23 a service whose assertion is refused stays signed in, since the next may succeed`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/token" ? ScriptedIssuer.json(["error": "invalid_grant"], status: 400) : nil
        }
        let credential = try credential(issuer, age: 4000, method: .backendService)
        let store = try store(credential)
        try await ClientKey(new: .es384).save(for: HTTPURL(credential.server), in: store)
        await #expect(throws: OpenIDConnectError.signInOver(server: credential.server)) {
            try await source(issuer, store).authorization(for: issuer.fhir)
        }
        #expect(try await StoredSignIns.credential(of: HTTPURL(credential.server), in: store) == credential)
    }

    @Test(arguments: [
        (SignInMethod.authorizationCode, OpenIDConnectError.refused(code: "invalid_client", status: 401)),
        (.backendService, .keyRefused(status: 401)),
    ])
    func `if the server no longer knows a client, the error mentions its key if it has one`(
        _ method: SignInMethod,
        _ error: OpenIDConnectError
    ) async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/token" ? ScriptedIssuer.json(["error": "invalid_client"], status: 401) : nil
        }
        let credential = try credential(issuer, age: 4000, method: method)
        let store = try store(credential)
        try await ClientKey(new: .es384).save(for: HTTPURL(credential.server), in: store)
        await #expect(throws: error) { try await source(issuer, store).authorization(for: issuer.fhir) }
    }

    @Test func `S23 if the store has a newer refresh token, a refusal does not end the sign-in`() async throws {
        let box = Mutex<MemoryTokenStore?>(nil)
        let newer = Mutex<[UInt8]>([])
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == "/token" else { return nil }
            // Another machine has meanwhile renewed and put its tokens into the shared store.
            let (store, entry) = (box.withLock(\.self), newer.withLock(\.self))
            let done = Flag()
            Task {
                await store?.overwrite(base + "/r4", entry)
                done.set()
            }
            done.wait()
            return ScriptedIssuer.json(["error": "invalid_grant"], status: 400)
        }
        let store = try store(credential(issuer, age: 4000))
        box.withLock { $0 = store }
        let entry = try credential(issuer, access: "access-9", refresh: "refresh-9").encoded()
        newer.withLock { $0 = entry }
        #expect(try await source(issuer, store).authorization(for: issuer.fhir) == .bearer("access-9"))
        #expect(try await kept(store, issuer)?.refreshToken == Secret("refresh-9"))
    }

    @Test func `S24 a new token is only returned once the store has it`() async throws {
        let issuer = try ScriptedIssuer()
        let credential = try credential(issuer, age: 4000)
        let store = MemoryTokenStore([credential.server: try credential.encoded()], writeFault: DiskFull())
        await #expect(throws: DiskFull()) { try await source(issuer, store).authorization(for: issuer.fhir) }
        #expect(issuer.requests("/token").count == 1)
        #expect(await store.entry(credential.server) == (try credential.encoded()))
    }

    @Test func `S24 cancelling a task that waits does not lose a rotation`() async throws {
        let box = Mutex<Task<Authorization?, any Error>?>(nil)
        let issuer = try ScriptedIssuer { request, _ in
            if request.path == "/token" { box.withLock(\.self)?.cancel() }
            return nil
        }
        let store = try store(credential(issuer, age: 4000))
        let source = try source(issuer, store)
        let url = try issuer.fhir
        let task = box.withLock { box in
            let task = Task { try await source.authorization(for: url) }
            box = task
            return task
        }
        _ = try? await task.value
        _ = try await source.authorization(for: url)
        #expect(try await kept(store, issuer)?.refreshToken == Secret("refresh-1"))
        #expect(issuer.requests("/token").count == 1)
    }

    @Test func `a server in trouble leaves the sign-in as it is`() async throws {
        let issuer = try ScriptedIssuer { request, _ in request.path == "/token" ? .response(503) : nil }
        let credential = try credential(issuer, age: 4000)
        let store = try store(credential)
        let place = issuer.base + "/token"
        await #expect(throws: OpenIDConnectError.unexpectedStatus(place: place, status: 503)) {
            try await source(issuer, store).authorization(for: issuer.fhir)
        }
        #expect(await store.entry(credential.server) == (try credential.encoded()))
    }

    @Test(arguments: [404, 405, 410, 301, 307])
    func `if the token endpoint is gone, the next sign-in looks for another`(_ status: Int) async throws {
        let issuer = try ScriptedIssuer { request, _ in request.path == "/token" ? .response(status) : nil }
        let store = try store(credential(issuer, age: 4000))
        let error = await #expect(throws: OpenIDConnectError.self) {
            try await source(issuer, store).authorization(for: issuer.fhir)
        }
        let (server, words) = (try issuer.fhir.text, status < 400 ? "redirects" : "answered \(status) to")
        #expect(
            error?.description
                == "\(issuer.base)/token: the server \(words) a renewal (expected tokens): "
                + "run 'pghd login --server \(server)' again"
        )
    }

    @Test func `a refresh token is sent once, even if the server hangs up`() async throws {
        let issuer = try ScriptedIssuer { request, _ in request.path == "/token" ? .hangUp : nil }
        let store = try store(credential(issuer, age: 4000))
        await #expect(throws: OpenIDConnectError.transport(.connectionLost(origin: issuer.base))) {
            try await source(issuer, store).authorization(for: issuer.fhir)
        }
        #expect(issuer.requests("/token").count == 1)
    }

    @Test func `without sign-in, tokens or refresh token the error says what to do`() async throws {
        let issuer = try ScriptedIssuer()
        let server = try issuer.fhir.text
        await #expect(throws: OpenIDConnectError.notSignedIn(server: server)) {
            try await source(issuer, MemoryTokenStore()).authorization(for: issuer.fhir)
        }
        var signedOut = try credential(issuer)
        signedOut.tokens = nil
        let store = try store(signedOut)
        await #expect(throws: OpenIDConnectError.notSignedIn(server: server)) {
            try await source(issuer, store).authorization(for: issuer.fhir)
        }
        let expired = try self.store(credential(issuer, age: 4000, refresh: nil))
        await #expect(throws: OpenIDConnectError.signInOver(server: server)) {
            try await source(issuer, expired).authorization(for: issuer.fhir)
        }
    }

    @Test func `a service renews with its key`() async throws {
        let issuer = try ScriptedIssuer()
        let store = try store(credential(issuer, age: 4000, refresh: nil, method: .backendService))
        try await ClientKey(new: .es384).save(for: issuer.fhir, in: store)
        #expect(try await source(issuer, store).authorization(for: issuer.fhir) == .bearer("access-1"))
        let form = try #require(issuer.requests("/token").first).form
        #expect(form["grant_type"] == "client_credentials")
        #expect(form["scope"] == "patient/Observation.crus")
        #expect(form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        #expect(form["refresh_token"] == nil)
    }
}

/// Makes a thread wait for a task.
private final class Flag: Sendable {
    private let isSet = Atomic(false)
    func set() { isSet.store(true, ordering: .releasing) }
    func wait() { while !isSet.load(ordering: .acquiring) {} }
}
