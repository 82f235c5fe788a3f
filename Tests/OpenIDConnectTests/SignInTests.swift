import HTTPTransport
import Synchronization
import TestSupport
import Testing

@testable import OpenIDConnect

struct SignInTests {
    private let client: HTTPClient
    private let store = MemoryTokenStore()

    init() throws { client = try HTTPClient() }

    private func request(_ issuer: ScriptedIssuer, _ method: SignInMethod = .authorizationCode) throws -> SignIn.Request
    {
        var request = SignIn.Request(server: try issuer.fhir, method: method, clientID: "pghd")
        request.scopes = ["openid", "patient/Observation.crus", "patient/Device.crus"]
        return request
    }

    private func run(
        _ issuer: ScriptedIssuer,
        with browser: ScriptedBrowser = ScriptedBrowser()
    ) async throws -> SignIn.Outcome {
        try await SignIn(client: client, store: store).run(request(issuer), with: browser)
    }

    /// An issuer whose token endpoint returns the right answer as altered by `change`.
    private func issuer(
        _ change: @escaping @Sendable (inout [String: Any], inout Claims) -> Void
    ) throws -> ScriptedIssuer {
        let nonce = Mutex<String?>(nil)
        return try ScriptedIssuer { request, base in
            if request.path == "/authorize" { nonce.withLock { $0 = request.query["nonce"] } }
            guard request.path == "/token" else { return nil }
            var claims = Claims(issuer: base)
            claims.nonce = nonce.withLock(\.self)
            var answer: [String: Any] = ["access_token": "a1", "token_type": "Bearer", "expires_in": 60]
            change(&answer, &claims)
            if answer["id_token"] == nil { answer["id_token"] = SigningKey.issuer.signedNow(claims) }
            if answer["id_token"] as? String == "" { answer["id_token"] = nil }
            return ScriptedIssuer.json(answer)
        }
    }

    @Test func `S20 once the user has named the issuer, the sign-in stays bound to it`() async throws {
        let isTaken = Mutex(false)
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == "/r4/.well-known/smart-configuration", isTaken.withLock(\.self) else { return nil }
            let other = ["token_endpoint": "https://evil.example.org/token"]
            return ScriptedIssuer.json(ScriptedIssuer.smartConfiguration(base).merging(other) { $1 })
        }
        let signIn = SignIn(client: client, store: store)
        func signedIn(named name: String?, after last: Credential?) async throws -> Credential {
            var request = try request(issuer)
            request.takeIssuer(named: name, last: last)
            return try await signIn.run(request, with: ScriptedBrowser()).credential
        }
        // An issuer that nobody has named is taken from SMART's document.
        let unbound = try await signedIn(named: nil, after: signedIn(named: nil, after: nil))
        #expect(unbound.issuer == issuer.base && unbound.isIssuerNamed == nil)
        let bound = try await signedIn(named: nil, after: signedIn(named: issuer.base, after: nil))
        #expect(bound.isIssuerNamed == true)
        isTaken.withLock { $0 = true }
        let error = OpenIDConnectError.malformedDocument(
            place: issuer.base + "/r4/.well-known/smart-configuration",
            fault: "token_endpoint is at another origin than in the issuer's own document (expected the same)"
        )
        await #expect(throws: error) { try await signedIn(named: nil, after: bound) }
    }

    @Test func `a sign-in by browser ends with checked tokens in the store`() async throws {
        let issuer = try ScriptedIssuer()
        let outcome = try await run(issuer)
        let credential = outcome.credential
        #expect(outcome.clockSkewSeconds == nil)
        #expect(credential.server == issuer.base + "/r4")
        #expect(credential.issuer == issuer.base)
        #expect(
            credential.endpoints == TokenEndpoints(token: issuer.base + "/token", revocation: issuer.base + "/revoke")
        )
        #expect(
            credential.subject
                == Subject(identifier: "alice-1", name: "alice", fhirUser: "Practitioner/7", patient: "p123")
        )
        #expect(credential.tokens?.accessToken == Secret("access-1"))
        #expect(credential.tokens?.refreshToken == Secret("refresh-1"))
        #expect(credential.tokens?.grantedScopes == ["openid", "patient/Observation.crus"])
        #expect(credential.tokens?.expiry?.lifetimeSeconds == 3600)
        #expect(try await StoredSignIns.all(in: store) == [credential])
    }

    @Test func `S6 the verifier that is sent belongs to the challenge`() async throws {
        let issuer = try ScriptedIssuer()
        _ = try await run(issuer)
        let challenge = try #require(issuer.requests("/authorize").first?.query["code_challenge"])
        let form = try #require(issuer.requests("/token").first).form
        #expect(PKCE.codeChallenge(of: Secret(form["code_verifier"] ?? "")) == challenge)
        #expect(form["code"] == "code-1")
        #expect(form["redirect_uri"] == issuer.requests("/authorize").first?.query["redirect_uri"])
    }

    @Test func `S17 the browser is sent with the FHIR base as aud`() async throws {
        let issuer = try ScriptedIssuer()
        _ = try await run(issuer)
        #expect(issuer.requests("/authorize").first?.query["aud"] == issuer.base + "/r4")
    }

    @Test func `S7 an answer with another state signs nobody in`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            guard request.path == "/authorize" else { return nil }
            return .response(302, headers: ["Location": "\(request.query["redirect_uri"] ?? "")?code=c&state=other"])
        }
        await #expect(throws: OpenIDConnectError.wrongState) { try await run(issuer) }
        #expect(issuer.requests("/token").isEmpty)
        #expect(await store.names().isEmpty)
    }

    @Test func `S9 an answer from another issuer signs nobody in`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            guard request.path == "/authorize" else { return nil }
            let query = "code=c&state=\(request.query["state"] ?? "")&iss=https://evil.example.org"
            return .response(302, headers: ["Location": "\(request.query["redirect_uri"] ?? "")?\(query)"])
        }
        await #expect(throws: OpenIDConnectError.wrongIss(expected: issuer.base)) { try await run(issuer) }
        #expect(issuer.requests("/token").isEmpty)
    }

    @Test func `S8 an ID token with another nonce signs nobody in`() async throws {
        let issuer = try issuer { _, claims in claims.nonce = "other" }
        await #expect(throws: OpenIDConnectError.idToken(.claim(name: "nonce"))) { try await run(issuer) }
        #expect(await store.names().isEmpty)
    }

    @Test func `S16 openid without an ID token signs nobody in, unless openid was not granted`() async throws {
        let silent = try issuer { answer, _ in answer["id_token"] = "" }
        await #expect(throws: OpenIDConnectError.idToken(.missing)) { try await run(silent) }
        let refusing = try issuer { answer, _ in
            answer["id_token"] = ""
            answer["scope"] = "patient/Observation.crus"
        }
        #expect(try await run(refusing).credential.subject == nil)
    }

    @Test func `S18 the granted scopes are kept next to the requested ones`() async throws {
        let outcome = try await run(try ScriptedIssuer())
        #expect(outcome.credential.requestedScopes == ["openid", "patient/Observation.crus", "patient/Device.crus"])
        #expect(outcome.credential.tokens?.grantedScopes == ["openid", "patient/Observation.crus"])
    }

    @Test(arguments: [-250, -31, 51, 250])
    func `S40 differing clocks are tolerated and reported`(_ seconds: Int) async throws {
        let issuer = try issuer { _, claims in claims.iat = claims.iat.map { $0 - seconds } }
        let skew = try #require(try await run(issuer).clockSkewSeconds)
        // The clock is read before the token is requested, so the time needed to make the token is included.
        #expect((seconds - 20...seconds).contains(skew))
    }

    @Test func `a pasted address signs in if no redirect arrives`() async throws {
        let pasted = Mutex<String?>(nil)
        let issuer = try ScriptedIssuer { request, _ in
            guard request.path == "/authorize" else { return nil }
            let address = "\(request.query["redirect_uri"] ?? "")?code=c&state=\(request.query["state"] ?? "")"
            pasted.withLock { $0 = address }
            return .response(200)
        }
        let browser = ScriptedBrowser {
            while pasted.withLock({ $0 == nil }) { try? await Task.sleep(for: .milliseconds(1)) }
            return pasted.withLock(\.self)
        }
        var request = try request(issuer)
        request.scopes = ["patient/Observation.crus"]
        let outcome = try await SignIn(client: client, store: store).run(request, with: browser)
        #expect(outcome.credential.tokens?.accessToken == Secret("access-1"))
        // The listener for the redirect has ended.
        let address = try HTTPURL(pasted.withLock(\.self) ?? "")
        await #expect(throws: HTTPError.noConnection(origin: address.origin)) {
            try await client.send(HTTPRequest(.get, address))
        }
    }

    @Test func `after the redirect nobody is asked for an address`() async throws {
        let wasCancelled = Mutex<Bool?>(nil)
        let browser = ScriptedBrowser {
            try? await Task.sleep(for: .seconds(30))
            wasCancelled.withLock { $0 = Task.isCancelled }
            return nil
        }
        _ = try await run(ScriptedIssuer(), with: browser)
        while wasCancelled.withLock({ $0 == nil }) { try await Task.sleep(for: .milliseconds(1)) }
        #expect(wasCancelled.withLock(\.self) == true)
    }

    @Test(
        arguments: [
            ("alice", "a@example.org", "Alice", "alice"), (nil, "a@example.org", "Alice", "a@example.org"),
            (nil, nil, "Alice", "Alice"), (nil, nil, nil, nil),
        ] as [(String?, String?, String?, String?)]
    )
    func `a person is shown by user name, or by mail address, or by name`(
        _ userName: String?,
        _ mail: String?,
        _ name: String?,
        _ shown: String?
    ) async throws {
        let issuer = try issuer { _, claims in
            (claims.preferred_username, claims.email, claims.name) = (userName, mail, name)
        }
        #expect(try await run(issuer).credential.subject?.name == shown)
    }

    @Test func `S11 a second callback finds no listener`() async throws {
        let second = Mutex<Result<HTTPResponse, any Error>?>(nil)
        let browser = ScriptedBrowser { url, client in
            func goesOn(_ last: Result<HTTPResponse, any Error>) -> Bool {
                do { return try last.get().status == 200 } catch HTTPError.connectionLost {
                    // The system accepted it, and closed it with the listener.
                    return true
                } catch { return false }
            }
            var last: Result<HTTPResponse, any Error>
            repeat {
                do {
                    let location = try await client.send(HTTPRequest(.get, url)).header("Location") ?? ""
                    last = .success(try await client.send(HTTPRequest(.get, HTTPURL(location), connection: .fresh)))
                } catch {
                    last = .failure(error)
                }
            } while goesOn(last)
            let end = last
            second.withLock { $0 = end }
        }
        let issuer = try ScriptedIssuer()
        _ = try await run(issuer, with: browser)
        while second.withLock({ $0 == nil }) { try await Task.sleep(for: .milliseconds(1)) }
        // This keeps sending the browser on until the listener is gone.
        withExtendedLifetime(issuer) {}
        let address = try #require(browser.texts.first)
        let redirect = try #require(FormEncoding.fields(HTTPURL(address).query ?? "")?["redirect_uri"])
        let origin = try HTTPURL(redirect).origin
        #expect(throws: HTTPError.noConnection(origin: origin)) { try second.withLock(\.self)?.get() }
    }

    @Test func `S24 S25 if a sign-in can't be stored there is none, and its refresh token is revoked`() async throws {
        let full = MemoryTokenStore(writeFault: DiskFull())
        let issuer = try ScriptedIssuer()
        await #expect(throws: DiskFull()) {
            try await SignIn(client: client, store: full).run(request(issuer), with: ScriptedBrowser())
        }
        #expect(
            issuer.requests("/revoke").map(\.form) == [
                ["token": "refresh-1", "token_type_hint": "refresh_token", "client_id": "pghd"]
            ]
        )
    }

    @Test(arguments: [
        ("nonce", OpenIDConnectError.idToken(.claim(name: "nonce"))), ("token_type", nil), ("expires_in", nil),
    ])
    func `S25 the refresh token of a sign-in that can't be trusted is revoked`(
        _ field: String,
        _ error: OpenIDConnectError?
    ) async throws {
        let issuer = try issuer { answer, claims in
            answer["refresh_token"] = "r1"
            if field == "nonce" { claims.nonce = "other" } else { answer[field] = [:] as [String: Int] }
        }
        let place = issuer.base + "/token"
        let fault = OpenIDConnectError.malformedDocument(
            place: place,
            fault: "\(field) has another type than it must have"
        )
        await #expect(throws: error ?? fault) { try await run(issuer) }
        #expect(issuer.requests("/revoke").map { $0.form["token"] } == ["r1"])
        #expect(await store.names().isEmpty)
    }

    @Test func `one server's tokens leave room in the store for others`() async throws {
        let issuer = try issuer { answer, _ in
            answer["access_token"] = String(repeating: "a", count: Credential.maximumEntryByteCount)
        }
        await #expect(
            throws: OpenIDConnectError.malformedDocument(
                place: issuer.base + "/token",
                fault: "tokens, scopes and names too long to be kept (expected 32768 bytes at most)"
            )
        ) { try await run(issuer) }
        #expect(await store.names().isEmpty)
    }

    @Test func `S19 a service signs in with its key`() async throws {
        let issuer = try ScriptedIssuer()
        let key = try ClientKey(new: .es384)
        try await key.save(for: issuer.fhir, in: store)
        var request = try request(issuer, .backendService)
        request.scopes = nil
        let outcome = try await SignIn(client: client, store: store).run(request, with: ScriptedBrowser())
        #expect(outcome.credential.tokens?.accessToken == Secret("access-1"))
        #expect(outcome.credential.subject == nil)
        let form = try #require(issuer.requests("/token").first).form
        #expect(form["grant_type"] == "client_credentials")
        #expect(form["scope"]?.hasPrefix("system/Observation.crus ") == true)
        #expect(form["client_assertion"]?.split(separator: ".").count == 3)
        // Some servers look for it here (RFC 7521, section 4.2).
        #expect(form["client_id"] == "pghd")
    }

    @Test func `a service without a key gets an error that says how to make one`() async throws {
        let issuer = try ScriptedIssuer()
        let server = try issuer.fhir.text
        await #expect(throws: OpenIDConnectError.noClientKey(server: server)) {
            try await SignIn(client: client, store: store).run(
                request(issuer, .backendService),
                with: ScriptedBrowser()
            )
        }
    }

    @Test func `S4 a silent token endpoint is given up at the time limit`() async throws {
        let server = try ScriptedServer { _ in .silence }
        let url = try HTTPURL(server.url + "/token")
        var limits = JSONDocument.limits
        limits.total = .milliseconds(200)
        let request = HTTPRequest(.post, url, body: [], limits: limits, connection: .fresh)
        await #expect(throws: HTTPError.timedOut(origin: server.url)) { try await client.send(request) }
    }

    @Test func `S21 no error and no description contains a secret`() async throws {
        let canaries = ["CANARY-access", "CANARY-refresh", "CANARY-code", "CANARY-sub"]
        let answers: [ScriptedServer.Reply] = [
            .response(200, body: #"{"access_token":"CANARY-access","token_type":"CANARY-access"}"#),
            .response(200, body: #"{"access_token":"CANARY-access","token_type":"Bearer","id_token":"CANARY.sub.x"}"#),
            .response(
                200,
                body: #"{"access_token":"CANARY-access","token_type":"Bearer","expires_in":"CANARY-access"}"#
            ),
            .response(200, body: "CANARY-access"), .response(500, body: "CANARY-access"),
            .response(400, body: #"{"error":"x","error_description":"code CANARY-code was used"}"#),
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nCANARY-access"),
        ]
        for answer in answers {
            let issuer = try ScriptedIssuer { request, _ in
                if request.path == "/token" { return answer }
                guard request.path == "/authorize" else { return nil }
                let query = "code=CANARY-code&state=\(request.query["state"] ?? "")"
                return .response(302, headers: ["Location": "\(request.query["redirect_uri"] ?? "")?\(query)"])
            }
            do {
                _ = try await run(issuer)
                Issue.record("signed in")
            } catch {
                var text = "\(error) \(String(reflecting: error))"
                dump(error, to: &text)
                for canary in canaries { #expect(!text.contains(canary)) }
            }
        }
    }
}
