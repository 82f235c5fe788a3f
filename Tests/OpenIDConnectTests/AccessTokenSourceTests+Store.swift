import HTTPTransport
import TestSupport
import Testing

@testable import OpenIDConnect

/// What a source does with what the store holds, and with what others do while it waits for the lock.
extension AccessTokenSourceTests {
    private func source(_ issuer: ScriptedIssuer, _ store: LockedStore) throws -> AccessTokenSource {
        AccessTokenSource(server: try issuer.fhir, store: store, client: client)
    }

    @Test func `a sign-in is found however its server's address is spelt`() async throws {
        let issuer = try ScriptedIssuer()
        let store = try store(credential(issuer, age: 4000))
        let source = AccessTokenSource(server: try HTTPURL(issuer.base + "/r4//"), store: store, client: client)
        #expect(try await source.authorization(for: issuer.fhir) == .bearer("access-1"))
    }

    @Test func `a token whose end the server did not say is used`() async throws {
        let issuer = try ScriptedIssuer()
        let source = try source(issuer, store(credential(issuer, life: nil)))
        #expect(try await source.authorization(for: issuer.fhir) == .bearer("access-0"))
        #expect(issuer.server.requests.isEmpty)
    }

    @Test func `S2 a token endpoint in the store that is not safe is sent nothing`() async throws {
        let issuer = try ScriptedIssuer()
        var credential = try credential(issuer, age: 4000)
        credential.endpoints.token = "http://login.invalid/token"
        let store = try store(credential)
        await #expect(throws: OpenIDConnectError.insecureURL(what: "token_endpoint")) {
            try await source(issuer, store).authorization(for: issuer.fhir)
        }
    }

    @Test func `S23 a refresh token whose answer could not be kept is not sent again by the same run`() async throws {
        let issuer = try ScriptedIssuer()
        let credential = try credential(issuer, age: 4000)
        let store = MemoryTokenStore([credential.server: try credential.encoded()], writeFault: DiskFull())
        let source = try source(issuer, store)
        for _ in 0..<2 {
            await #expect(throws: DiskFull()) { try await source.authorization(for: issuer.fhir) }
        }
        #expect(issuer.requests("/token").count == 1)
    }

    @Test(arguments: [
        ScriptedServer.Reply.response(200, body: "<html>"),
        .response(200, body: String(repeating: " ", count: 2 << 20)), .raw("SSH-2.0-x\r\n\r\n"), .response(599),
    ])
    func `S23 a refresh token whose answer can't be read is not sent again by the same run`(
        _ reply: ScriptedServer.Reply
    ) async throws {
        let issuer = try ScriptedIssuer { request, _ in request.path == "/token" ? reply : nil }
        let source = try source(issuer, store(credential(issuer, age: 4000)))
        for _ in 0..<2 {
            await #expect(throws: OpenIDConnectError.self) { try await source.authorization(for: issuer.fhir) }
        }
        #expect(issuer.requests("/token").count == 1)
    }

    @Test func `S23 a refusal does not remove a sign-in that has replaced the refused one`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/token" ? ScriptedIssuer.json(["error": "invalid_grant"], status: 400) : nil
        }
        let entries = try store(credential(issuer, age: 4000))
        let newer = try credential(issuer, age: 4000, refresh: "refresh-9")
        let entry = try newer.encoded()
        let store = LockedStore(entries) { number in
            // The second update is the one that removes the tokens.
            if number == 2 { await entries.overwrite(newer.server, entry) }
        }
        await #expect(throws: OpenIDConnectError.signInOver(server: newer.server)) {
            try await source(issuer, store).authorization(for: issuer.fhir)
        }
        #expect(store.waitCount == 2)
        #expect(try await StoredSignIns.credential(of: issuer.fhir, in: entries) == newer)
    }

    @Test func `a sign-in that has replaced the first while the lock was waited for is checked`() async throws {
        struct AnotherPatient: Error {}
        let issuer = try ScriptedIssuer()
        let entries = try store(credential(issuer, age: 4000))
        var other = try credential(issuer, age: 4000)
        other.subject = Subject(patient: "p2")
        let (server, entry) = (other.server, try other.encoded())
        let store = LockedStore(entries) { _ in await entries.overwrite(server, entry) }
        let source = AccessTokenSource(server: try issuer.fhir, store: store, client: client) { credential in
            guard credential.subject?.patient != "p2" else { throw AnotherPatient() }
        }
        await #expect(throws: AnotherPatient.self) { try await source.authorization(for: issuer.fhir) }
        #expect(issuer.server.requests.isEmpty)
    }

    /// The lock is not given to a task that was cancelled, or is given to it all the same.
    @Test(arguments: [false, true])
    func `S24 a task that is cancelled while it waits for the store renews nothing`(_ getsLock: Bool) async throws {
        let issuer = try ScriptedIssuer()
        let store = LockedStore(try store(credential(issuer, age: 4000))) { _ in
            while !Task.isCancelled { await Task.yield() }
            if !getsLock { throw CancellationError() }
        }
        let source = try source(issuer, store)
        let url = try issuer.fhir
        let task = Task { try await source.authorization(for: url) }
        while store.waitCount == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(issuer.server.requests.isEmpty)
    }

    @Test func `S24 a task that is cancelled leaves the renewal to others that wait for it`() async throws {
        let issuer = try ScriptedIssuer()
        let store = LockedStore(try store(credential(issuer, age: 4000))) { number in
            if number == 1 { try await Task.sleep(for: .seconds(300)) }
        }
        let source = try source(issuer, store)
        let url = try issuer.fhir
        let first = Task { try await source.authorization(for: url) }
        while store.waitCount == 0 { await Task.yield() }
        let second = Task { try await source.authorization(for: url) }
        // Long enough for it to wait for the same renewal.
        try await Task.sleep(for: .milliseconds(100))
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await second.value == .bearer("access-1"))
    }
}
