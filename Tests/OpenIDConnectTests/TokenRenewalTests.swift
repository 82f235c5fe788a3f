import Glibc
import HTTPTransport
import Synchronization
import TestSupport
import Testing

@testable import OpenIDConnect

/// What a process that is told to end waits for.
///
/// Each test is a process of its own, in which nothing else is under way.
struct TokenRenewalTests {
    /// Whether something was under way, each time that it was asked.
    private final class Log: Sendable {
        private let all = Mutex<[Bool]>([])
        var seen: [Bool] { all.withLock(\.self) }
        func ask() { all.withLock { $0.append(TokenRenewal.isUnderWay) } }
    }

    /// Signs in at `issuer`, whose store and waits are asked, too.
    private static func signIn(_ issuer: ScriptedIssuer, _ method: SignInMethod, _ log: Log) async throws {
        let entries = MemoryTokenStore()
        try await ClientKey(new: .es384).save(for: issuer.fhir, in: entries)
        let store = LockedStore(entries) { _ in log.ask() }
        let signIn = SignIn(client: try HTTPClient(), store: store) { _ in log.ask() }
        let request = SignIn.Request(server: try issuer.fhir, method: method, clientID: "pghd")
        _ = try await signIn.run(request, with: ScriptedBrowser())
    }

    @Test func `S24 a renewal is under way from its request until it is kept`() async {
        await #expect(processExitsWith: .success) {
            let log = Log()
            let issuer = try ScriptedIssuer { request, _ in
                if request.path == "/token" { log.ask() }
                return nil
            }
            let tests = try AccessTokenSourceTests()
            let store = try tests.store(tests.credential(issuer, age: 4000))
            _ = try await tests.source(issuer, store).authorization(for: issuer.fhir)
            log.ask()
            #expect(log.seen == [true, false])
        }
    }

    @Test func `S14 while a person types a code nothing is under way, and while tokens are asked for it is`() async {
        await #expect(processExitsWith: .success) {
            let log = Log()
            let issuer = try ScriptedIssuer { request, _ in
                guard request.path == "/token" else { return nil }
                log.ask()
                return log.seen.count > 2 ? nil : ScriptedIssuer.json(["error": "authorization_pending"], status: 400)
            }
            try await Self.signIn(issuer, .deviceCode, log)
            log.ask()
            #expect(log.seen == [false, true, false, true, true, false])
        }
    }

    @Test func `a service's tokens are under way until they are kept`() async {
        await #expect(processExitsWith: .success) {
            let log = Log()
            try await Self.signIn(ScriptedIssuer(), .backendService, log)
            log.ask()
            #expect(log.seen == [true, false])
        }
    }

    @Test func `a first request for a code that is refused leaves nothing under way`() async {
        await #expect(processExitsWith: .success) {
            let log = Log()
            let isSecond = Atomic(false)
            let issuer = try ScriptedIssuer { request, _ in
                guard request.path == "/token", !isSecond.exchange(true, ordering: .relaxed) else { return nil }
                return ScriptedIssuer.json(["error": "invalid_scope"], status: 400)
            }
            try await Self.signIn(issuer, .authorizationCode, log)
            log.ask()
            #expect(log.seen == [true, false])
        }
    }

    @Test func `S24 a process that ends waits for what is under way, and then begins no renewal`() async {
        await #expect(processExitsWith: .success) {
            let course = TokenRenewal()
            try course.begin()
            let isSettled = Atomic(false)
            let end = Task {
                await TokenRenewal.settle()
                isSettled.store(true, ordering: .relaxed)
            }
            while !TokenRenewal.isOver { await Task.yield() }
            try await Task.sleep(for: .milliseconds(50))
            let wasSettled = isSettled.load(ordering: .relaxed)
            #expect(!wasSettled)
            course.end()
            await end.value
            let issuer = try ScriptedIssuer()
            let tests = try AccessTokenSourceTests()
            let store = try tests.store(tests.credential(issuer, age: 4000))
            await #expect(throws: CancellationError.self) {
                try await tests.source(issuer, store).authorization(for: issuer.fhir)
            }
            #expect(issuer.server.requests.isEmpty)
            #expect(!TokenRenewal.isUnderWay)
        }
    }
}
