import Glibc
import HTTPTransport
import TestSupport
import Testing

/// What is said of a proxy that the environment names.
///
/// Each test is a process of its own, whose environment it changes.
struct ProxyTests {
    /// Lets the environment name this proxy, and no other.
    private static func use(_ proxy: String) {
        for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
            unsafe unsetenv(name)
            unsafe unsetenv(name.uppercased())
        }
        unsafe setenv("https_proxy", proxy, 1)
    }

    /// The status of the answer to a request, or else why there is none, in full and in a few words.
    private static func outcome() async throws -> (told: String, reason: String) {
        let request = HTTPRequest(.get, try HTTPURL("https://fhir.invalid/"))
        do throws(HTTPError) {
            return ("\(try await HTTPClient().send(request).status)", "")
        } catch {
            return (error.description, error.reason)
        }
    }

    @Test func `a proxy that wants a password is told as that, with the place where one stands`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer { _ in .response(407) }
            Self.use("http://name:CANARY@127.0.0.1:\(proxy.port)")
            let outcome = try await Self.outcome()
            #expect(
                outcome.told
                    == "https://fhir.invalid: the proxy of the environment answered 407: it wants a user name and a password "
                    + "(expected the right ones, by Basic authentication): write "
                    + "https_proxy=http://NAME:PASSWORD@HOST:PORT"
            )
            #expect(outcome.reason == "the proxy wants a user name and a password")
            #expect(proxy.requests.map(\.method) == ["CONNECT"])
        }
    }

    @Test func `a proxy whose rules forbid the address is told as that`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer { _ in .response(403) }
            Self.use("http://127.0.0.1:\(proxy.port)")
            let outcome = try await Self.outcome()
            #expect(
                outcome.told
                    == "https://fhir.invalid: the proxy of the environment answered 403: its rules forbid this address "
                    + "(expected one that leads there): ask the proxy's operator to allow it"
            )
            #expect(outcome.reason == "the proxy's rules forbid this address")
        }
    }

    @Test func `a proxy that can't reach the server is told with its status`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer { _ in .response(503) }
            Self.use("http://127.0.0.1:\(proxy.port)")
            let outcome = try await Self.outcome()
            #expect(
                outcome.told
                    == "https://fhir.invalid: the proxy of the environment answered 503 (expected one that leads there): "
                    + "check https_proxy and no_proxy"
            )
            #expect(outcome.reason == "the proxy leads nowhere")
        }
    }
}
