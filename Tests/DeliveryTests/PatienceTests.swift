import HTTPTransport
import Synchronization
import TestSupport
import Testing

@testable import Delivery

struct PatienceTests {
    private func options(_ server: String, _ notices: Notices) throws -> DeliveryOptions {
        var options = DeliveryOptions(server: try HTTPURL(server), patientID: "p1", ledgerFolder: "")
        options.firstDelay = .milliseconds(5)
        options.maximumDelay = .milliseconds(20)
        options.noteWaiting = { what, patience in
            notices.all.withLock { $0.append("\(what), \(patience)") }
        }
        return options
    }

    @Test func `a host without an address is given up sooner than a server that does not answer`() async throws {
        let notices = Notices()
        var options = try options("https://nowhere.invalid/r4", notices)
        options.lookupBudget = .seconds(3)
        let error = await #expect(throws: DeliveryError.self) {
            try await ServerCapabilities.read(options, client: HTTPClient())
        }
        guard case .unreachable(.transport(.unresolvedHost), let seconds)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(.seconds(seconds) < options.retryBudget)
        // If one look-up takes longer than that, there is nothing to wait for.
        let told = notices.all.withLock { $0 }
        #expect(told.allSatisfy { $0 == "no connection yet (the host has no address), 3.0 seconds" } && told.count < 2)
    }

    @Test func `waiting for a server is reported once`() async throws {
        let notices = Notices()
        let answers = Mutex(0)
        let server = try ScriptedServer { _ in
            let number = answers.withLock { number in
                number += 1
                return number
            }
            return number < 5 ? .hangUp : .response(200, body: "{}")
        }
        _ = try await ServerCapabilities.read(options(server.url, notices), client: HTTPClient())
        #expect(notices.all.withLock { $0 } == ["no connection yet (the connection broke), 600.0 seconds"])
    }

    @Test func `a busy server is reported once it causes a wait, and again if it has answered since`() throws {
        let notices = Notices()
        let options = try options("https://busy.example.org/r4", notices)
        let state = RunState(concurrency: 1, isCancelled: { false })
        let busy = DeliveryError.Fault.status(server: "https://busy.example.org/r4", 503)
        let late = DeliveryError.Fault.status(server: "https://busy.example.org/r4", 429, asked: .seconds(60))
        let broken = DeliveryError.Fault.transport(.connectionLost(origin: ""))
        state.noteReached(200)
        state.noteWaiting(for: broken, wait: .seconds(2), options)
        state.noteWaiting(for: busy, wait: .seconds(2), options)
        #expect(notices.all.withLock { $0 } == [])
        state.noteWaiting(for: busy, wait: .seconds(4), options)
        state.noteWaiting(for: late, wait: .seconds(60), options)
        #expect(notices.all.withLock { $0 } == ["answered 503, 600.0 seconds"])
        state.noteAnswer()
        state.noteWaiting(for: late, wait: .seconds(60), options)
        state.noteAnswer()
        state.noteWaiting(for: .transport(.timedOut(origin: "")), wait: .seconds(60), options)
        #expect(
            notices.all.withLock { $0 } == [
                "answered 503, 600.0 seconds", "answered 429 (asks to wait 60 s), 600.0 seconds",
                "no connection (no answer in time), 600.0 seconds",
            ]
        )
    }

    @Test func `the last try comes when the time ends, but not before the server allows it`() {
        let policy = RetryPolicy(firstDelay: .seconds(60), maximumDelay: .seconds(60))
        let budget = Duration.seconds(10)
        let waits = (0..<100).map { _ in policy.wait(before: 1, asked: nil, elapsed: .seconds(8), budget: budget) }
        #expect(waits.allSatisfy { $0.map { $0 <= .seconds(2) } ?? false } && waits.contains(.seconds(2)))
        #expect(policy.wait(before: 1, asked: nil, elapsed: budget, budget: budget) == nil)
        #expect(policy.wait(before: 1, asked: nil, elapsed: .milliseconds(1), budget: .zero) == nil)
        #expect(policy.wait(before: 1, asked: .seconds(2), elapsed: .seconds(8), budget: budget) == nil)
        let asked = policy.wait(before: 1, asked: .seconds(1), elapsed: .seconds(8), budget: budget)
        #expect(asked.map { $0 >= .seconds(1) && $0 < .seconds(2) } ?? false)
    }

    @Test func `if a server asks for a longer wait than it is tried for, the error says so`() async throws {
        let server = try ScriptedServer { _ in .response(503, headers: ["Retry-After": "3600"]) }
        let options = try options(server.url, Notices())
        let error = await #expect(throws: DeliveryError.self) {
            try await ServerCapabilities.read(options, client: HTTPClient())
        }
        #expect(
            error?.description
                == "\(options.server): answered 503 and asks to wait 3600 s (expected 200): run the command again then, or wait "
                + "longer with --retry-for"
        )
    }

    @Test func `a host that has answered once is looked up for as long as a server is waited for`() throws {
        let state = RunState(concurrency: 1, isCancelled: { false })
        let options = try options("https://nowhere.invalid/r4", Notices())
        let fault = DeliveryError.Fault.transport(.unresolvedHost(origin: "https://nowhere.invalid"))
        #expect(state.patience(with: fault, options) == .seconds(30))
        #expect(state.patience(with: .transport(.timedOut(origin: "")), options) == .seconds(600))
        state.noteReached(200)
        #expect(state.patience(with: fault, options) == .seconds(600))
    }

    @Test func `a server that was away is tried for less until it accepts something or says when to retry`() throws {
        let state = RunState(concurrency: 1, isCancelled: { false })
        var options = try options("https://busy.example.org/r4", Notices())
        options.contactBudget = .seconds(5)
        func patience(_ status: Int, asked: Duration? = nil) -> Duration {
            state.patience(with: .status(server: "https://busy.example.org/r4", status, asked: asked), options)
        }
        #expect(patience(503) == .seconds(5))
        #expect(patience(503, asked: .seconds(6)) == .seconds(600))
        #expect(patience(429) == .seconds(600))
        state.noteSuccess(after: .seconds(1))
        #expect(patience(503) == .seconds(600))
    }

    @Test(arguments: [([], false), ([503], false), ([503, 429], true), ([200], true)])
    func `a run that met only a server in trouble was not served`(_ statuses: [Int], _ isServed: Bool) {
        let state = RunState(concurrency: 1, isCancelled: { false })
        for status in statuses { state.noteReached(status) }
        #expect(state.report.wasServed == isServed)
    }

    @Test func `a closure that says when to stop may ask what the run has done`() {
        let asked = Mutex<RunState?>(nil)
        let state = RunState(concurrency: 1) { asked.withLock { $0 }?.hasTaken == false }
        #expect(state.stopReason == nil)
        asked.withLock { $0 = state }
        #expect(state.stopReason as? DeliveryError == .interrupted)
        asked.withLock { $0 = nil }
    }
}

private final class Notices: Sendable {
    let all = Mutex<[String]>([])
}
