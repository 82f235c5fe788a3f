import HTTPTransport
import Synchronization
import TestSupport
import Testing

@testable import OpenIDConnect

/// Renewals that fail, and what they must not cost.
extension AccessTokenSourceTests {
    @Test(arguments: [
        (OpenIDConnectError.transport(.noConnection(origin: "o")), true, true),
        (.transport(.unresolvedHost(origin: "o")), true, true),
        (.transport(.proxy(origin: "o", fault: .noConnection)), true, true),
        (.transport(.proxy(origin: "o", fault: .status(407))), false, false),
        (.unexpectedStatus(place: "p", status: 429), true, true),
        (.unexpectedStatus(place: "p", status: 503), true, true),
        (.transport(.timedOut(origin: "o")), false, true), (.transport(.connectionLost(origin: "o")), false, true),
        (.unexpectedStatus(place: "p", status: 500), false, true),
        (.unexpectedStatus(place: "p", status: 502), false, true),
        (.unexpectedStatus(place: "p", status: 408), false, true),
        (.unexpectedStatus(place: "p", status: 501), false, false),
        (.unexpectedStatus(place: "p", status: 404), false, false),
        (.refused(code: "invalid_grant", status: 400), false, false), (.signInOver(server: "s"), false, false),
    ])
    func `a retry helps if no refresh token was sent, or if it was put off`(
        _ error: OpenIDConnectError,
        _ ofPerson: Bool,
        _ ofService: Bool
    ) async throws {
        let issuer = try ScriptedIssuer()
        let person = try source(issuer, store(credential(issuer)))
        let service = try source(issuer, store(credential(issuer, refresh: nil, method: .backendService)))
        #expect(await person.mayAskAgain(after: error) == ofPerson)
        #expect(await service.mayAskAgain(after: error) == ofService)
    }

    @Test(arguments: [
        (
            "\"access_token\":\"a\",\"token_type\":\"DPoP\"",
            "the server wants DPoP of this client (token_type, expected Bearer)"
        ),
        ("\"access_token\":\"a b\",\"token_type\":\"Bearer\"", "access_token has another type than it must have"),
        ("\"access_token\":null,\"token_type\":\"Bearer\"", "access_token is null (expected a value)"),
        ("\"token_type\":\"Bearer\"", "access_token is missing (expected a value)"),
    ])
    func `S24 an unusable access token does not cost the refresh token next to it`(
        _ fields: String,
        _ fault: String
    ) async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/token" ? .response(200, body: "{\"refresh_token\":\"refresh-1\",\(fields)}") : nil
        }
        let credential = try credential(issuer, age: 4000)
        let store = try store(credential)
        await #expect(
            throws: OpenIDConnectError.malformedDocument(place: issuer.base + "/token", fault: fault)
        ) { try await source(issuer, store).authorization(for: issuer.fhir) }
        var kept = credential
        kept.tokens?.refreshToken = Secret("refresh-1")
        #expect(try await StoredSignIns.credential(of: HTTPURL(credential.server), in: store) == kept)
    }

    @Test func `S24 an access token that is too long to be kept does not cost the refresh token next to it`()
        async throws
    {
        let long = String(repeating: "a", count: Credential.maximumEntryByteCount)
        let issuer = try ScriptedIssuer { request, _ in
            guard request.path == "/token" else { return nil }
            return ScriptedIssuer.json(["access_token": long, "token_type": "Bearer", "refresh_token": "refresh-1"])
        }
        let credential = try credential(issuer, age: 4000)
        let store = try store(credential)
        await #expect(
            throws: OpenIDConnectError.malformedDocument(
                place: issuer.base + "/token",
                fault: "tokens, scopes and names too long to be kept (expected 32768 bytes at most)"
            )
        ) { try await source(issuer, store).authorization(for: issuer.fhir) }
        var kept = credential
        kept.tokens?.refreshToken = Secret("refresh-1")
        #expect(try await StoredSignIns.credential(of: HTTPURL(credential.server), in: store) == kept)
    }

    @Test(arguments: [1, 3571])
    func `a sign-in that has replaced the first is checked before it is used`(_ age: Int) async throws {
        let issuer = try ScriptedIssuer()
        let first = try credential(issuer, age: 3571)
        let store = try store(first)
        let source = AccessTokenSource(server: try issuer.fhir, store: store, client: client) { credential in
            guard credential.subject?.patient != "p2" else { throw AnotherPatient() }
        }
        #expect(try await source.authorization(for: issuer.fhir) == .bearer("access-1"))
        var other = try credential(issuer, age: age, access: "other")
        other.subject = Subject(patient: "p2")
        await store.overwrite(other.server, try other.encoded())
        await #expect(throws: AnotherPatient.self) {
            try await source.authorization(for: issuer.fhir, replacing: .bearer("access-1"))
        }
        #expect(issuer.requests("/token").count == 1)
    }

    private struct AnotherPatient: Error {}

    @Test func `S23 a refresh token whose answer was lost is not sent again by the same run`() async throws {
        let isLost = Mutex(true)
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/token" && isLost.withLock(\.self) ? .hangUp : nil
        }
        let store = try store(credential(issuer))
        let source = try source(issuer, store)
        let url = try issuer.fhir
        let lost = OpenIDConnectError.transport(.connectionLost(origin: issuer.base))
        for _ in 0..<2 {
            await #expect(throws: lost) {
                try await source.authorization(for: url, replacing: .bearer("access-0"))
            }
        }
        #expect(issuer.requests("/token").count == 1)
        // The sign-in server may never have received it: the next run tries, and another process may succeed.
        isLost.withLock { $0 = false }
        let next = try self.source(issuer, store)
        #expect(try await next.authorization(for: url, replacing: .bearer("access-0")) == .bearer("access-1"))
        #expect(try await source.authorization(for: url, replacing: .bearer("access-0")) == .bearer("access-1"))
        #expect(issuer.requests("/token").count == 2)
    }

    /// Some servers refuse an old refresh token like this, but so does a gateway that has nothing against the token.
    @Test(arguments: [(403, "<html>blocked</html>"), (400, ""), (401, "{}")])
    func `S23 a refusal without a reason leaves the sign-in, and the next run tries again`(
        _ status: Int,
        _ body: String
    ) async throws {
        let isBlocked = Mutex(true)
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/token" && isBlocked.withLock(\.self) ? .response(status, body: body) : nil
        }
        let credential = try credential(issuer, age: 4000)
        let store = try store(credential)
        let source = try source(issuer, store)
        let (url, place) = (try issuer.fhir, issuer.base + "/token")
        let error = OpenIDConnectError.renewalRefused(server: credential.server, place: place, status: status)
        for _ in 0..<2 { await #expect(throws: error) { try await source.authorization(for: url) } }
        #expect(issuer.requests("/token").count == 1)
        #expect(
            error.description
                == "\(place): refused a renewal without a reason (HTTP \(status)): perhaps a gateway in front: the next run "
                + "tries again; if it happens twice, run 'pghd login --server \(credential.server)' again"
        )
        #expect(await store.entry(credential.server) == (try credential.encoded()))
        isBlocked.withLock { $0 = false }
        #expect(try await self.source(issuer, store).authorization(for: url) == .bearer("access-1"))
    }

    @Test(arguments: ["invalid_request", "temporarily_unavailable"])
    func `S23 a refusal that is not about the token leaves the sign-in, and says where`(_ code: String) async throws {
        let isRefusing = Mutex(true)
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/token" && isRefusing.withLock(\.self)
                ? .response(400, body: "{\"error\":\"\(code)\",\"error_description\":\"not now\"}") : nil
        }
        let credential = try credential(issuer, age: 4000)
        let store = try store(credential)
        let source = try source(issuer, store)
        let (url, place) = (try issuer.fhir, issuer.base + "/token")
        let error = OpenIDConnectError.renewalRefused(
            server: credential.server,
            place: place,
            status: 400,
            code: code,
            words: "not now"
        )
        for _ in 0..<2 { await #expect(throws: error) { try await source.authorization(for: url) } }
        #expect(issuer.requests("/token").count == 1)
        #expect(
            error.description
                == "\(place): refused a renewal (\(code), HTTP 400, 'not now'): the next run tries again; if it happens twice, "
                + "run 'pghd login --server \(credential.server)' again"
        )
        #expect(await store.entry(credential.server) == (try credential.encoded()))
        isRefusing.withLock { $0 = false }
        #expect(try await self.source(issuer, store).authorization(for: url) == .bearer("access-1"))
    }

    /// As a captive portal answers, or a proxy that has lost the rest.
    @Test(arguments: ["<html>sign in to this network</html>", "", "{}x"])
    func `S23 an answer to a renewal that can't be read may be lost, and the next run tries again`(
        _ body: String
    ) async throws {
        let isCut = Mutex(true)
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/token" && isCut.withLock(\.self) ? .response(200, body: body) : nil
        }
        let credential = try credential(issuer, age: 4000)
        let store = try store(credential)
        let source = try source(issuer, store)
        let (url, place) = (try issuer.fhir, issuer.base + "/token")
        let error = OpenIDConnectError.renewalUnreadable(
            server: credential.server,
            place: place,
            fault: "no JSON (expected an object)"
        )
        for _ in 0..<2 { await #expect(throws: error) { try await source.authorization(for: url) } }
        #expect(issuer.requests("/token").count == 1)
        #expect(
            error.description
                == "\(place): in the answer to a renewal, no JSON (expected an object): perhaps a gateway in front: the next run "
                + "tries again; if it happens twice, run 'pghd login --server \(credential.server)' again"
        )
        isCut.withLock { $0 = false }
        #expect(try await self.source(issuer, store).authorization(for: url) == .bearer("access-1"))
    }

    @Test func `a renewal that brings another patient's token is not used, and its refresh token is kept`() async throws
    {
        let issuer = try ScriptedIssuer { request, _ in
            guard request.path == "/token" else { return nil }
            return ScriptedIssuer.json([
                "access_token": "a", "token_type": "Bearer", "refresh_token": "refresh-1", "patient": "p2",
            ])
        }
        var credential = try credential(issuer, age: 4000)
        credential.subject = Subject(patient: "p1")
        let store = try store(credential)
        let error = OpenIDConnectError.otherPatient(server: credential.server)
        await #expect(throws: error) { try await source(issuer, store).authorization(for: issuer.fhir) }
        #expect(
            error.description
                == "\(credential.server): a renewal brought a token for another patient (expected the sign-in's): "
                + "run 'pghd login --server \(credential.server)' again"
        )
        let kept = try #require(try await kept(store, issuer))
        #expect(kept.refreshToken == Secret("refresh-1"))
        #expect(kept.accessToken == credential.tokens?.accessToken)
    }

    /// The body's field, and the seconds that the refresh token then has.
    @Test(
        arguments: [
            ("\"refresh_token\":\"r2\",\"refresh_expires_in\":1800", 1800),
            ("\"refresh_token\":\"r2\",\"refresh_token_expires_in\":\"60\"", 60),
            ("\"refresh_token\":\"r2\",\"refresh_token_expires_in\":60,\"refresh_expires_in\":1800", 1800),
            ("\"refresh_token\":\"r2\",\"refresh_expires_in\":0", nil), ("\"refresh_token\":\"r2\"", nil),
            ("\"refresh_token\":\"\"", 900), ("\"refresh_token\":null,\"refresh_expires_in\":30", 30),
        ] as [(String, Int?)]
    )
    func `the end of a refresh token is kept with it`(_ fields: String, _ life: Int?) async throws {
        let issuer = try ScriptedIssuer { request, _ in
            guard request.path == "/token" else { return nil }
            return .response(200, body: "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\(fields)}")
        }
        var credential = try credential(issuer, age: 4000)
        credential.tokens?.refreshExpiry = TokenExpiry(lifetimeSeconds: 900)
        let store = try store(credential)
        #expect(try await source(issuer, store).authorization(for: issuer.fhir) == .bearer("a"))
        let tokens = try #require(try await kept(store, issuer))
        #expect(tokens.refreshExpiry?.lifetimeSeconds == life)
        #expect(tokens.refreshToken == Secret(fields.contains("r2") ? "r2" : "refresh-0"))
    }

    @Test func `S23 a refresh token that was put off is sent again`() async throws {
        let isBusy = Mutex(true)
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/token" && isBusy.withLock(\.self) ? .response(503) : nil
        }
        let source = try source(issuer, store(credential(issuer)))
        let url = try issuer.fhir
        await #expect(throws: OpenIDConnectError.unexpectedStatus(place: issuer.base + "/token", status: 503)) {
            try await source.authorization(for: url, replacing: .bearer("access-0"))
        }
        isBusy.withLock { $0 = false }
        #expect(try await source.authorization(for: url, replacing: .bearer("access-0")) == .bearer("access-1"))
    }
}
