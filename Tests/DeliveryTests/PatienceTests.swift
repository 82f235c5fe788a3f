import HTTPTransport
import Synchronization
import TestSupport
import Testing

@testable import Delivery

struct PatienceTests {
    private func options(_ server: String, _ notices: Notices) throws -> DeliveryOptions {
        var options = DeliveryOptions(server: try HTTPURL(server), patientID: "p1", ledgerFolder: "")
        options.firstDelay = .milliseconds(5)
        options.longestDelay = .milliseconds(20)
        options.noteWaiting = { error, patience in notices.all.withLock { $0.append("\(error.reason), \(patience)") } }
        return options
    }

    @Test func `a host without an address is not looked up for as long as a server is waited for`() async throws {
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
        // Where one look-up takes longer than that, there is nothing to wait for.
        #expect(notices.all.withLock { $0.allSatisfy { $0 == "the host has no address, 3.0 seconds" } && $0.count < 2 })
    }

    @Test func `that a server is waited for is told once, and not of one that has answered`() async throws {
        for status in [200, 503] {
            let notices = Notices()
            let answers = Mutex(0)
            let server = try ScriptedServer { _ in
                let number = answers.withLock { number in
                    number += 1
                    return number
                }
                if status == 503, number == 1 { return .response(503) }
                return number < 5 ? .hangUp : .response(200, body: "{}")
            }
            _ = try await ServerCapabilities.read(options(server.url, notices), client: HTTPClient())
            #expect(notices.all.withLock { $0 } == (status == 503 ? [] : ["the connection broke, 600.0 seconds"]))
        }
    }

    @Test func `what has answered once may lose its address for as long as a server is waited for`() throws {
        let state = RunState(concurrency: 1, isCancelled: { false })
        let options = try options("https://nowhere.invalid/r4", Notices())
        let fault = DeliveryError.Fault.transport(.unresolvedHost(origin: "https://nowhere.invalid"))
        #expect(state.patience(with: fault, options) == .seconds(30))
        #expect(state.patience(with: .transport(.timedOut(origin: "")), options) == .seconds(600))
        state.noteReached()
        #expect(state.patience(with: fault, options) == .seconds(600))
    }
}

private final class Notices: Sendable {
    let all = Mutex<[String]>([])
}
