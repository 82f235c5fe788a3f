import TestSupport
import Testing

/// Signing in if the environment names a proxy.
extension SignInTests {
    @Test(arguments: [
        "http://someone:proxy-CANARY@127.0.0.1:{port}", "http://someone:proxy-CANARY@127.0.0.1:1",
        "nonsense://someone:proxy-CANARY@127.0.0.1:{port}", "http://someone:proxy-CANARY@proxy.invalid:3128",
    ])
    func `S41 a proxy's password appears in no message`(_ proxy: String) throws {
        let server = try ScriptedServer { _ in .response(407) }
        var command = command
        command.environment["https_proxy"] = proxy.replacing("{port}", with: "\(server.port)")
        let outcome = try command.run("login", "--server", "https://fhir.invalid/r4", "--client-id", "s")
        #expect(outcome.status == 3)
        #expect(outcome.error.hasPrefix("pghd: https://fhir.invalid: "))
        #expect(!outcome.error.contains("proxy-CANARY"))
        #expect(!outcome.error.contains("someone"))
    }

    @Test func `S41 a proxy's refusal is reported with its status, and no proxy is used for this machine`() throws {
        let proxy = try ScriptedServer { _ in .response(407) }
        var command = command
        command.environment["https_proxy"] = "http://someone:secret@127.0.0.1:\(proxy.port)"
        command.environment["http_proxy"] = "http://127.0.0.1:\(proxy.port)"
        command.environment["all_proxy"] = "http://127.0.0.1:\(proxy.port)"
        let refused = try command.run("login", "--server", "https://fhir.invalid/r4", "--client-id", "s")
        #expect(
            refused.error
                == "pghd: https://fhir.invalid: the proxy of the environment answered 407: it wants a user name and a password "
                + "(expected the right ones, by Basic authentication): write https_proxy=http://NAME:PASSWORD@HOST:PORT\n"
        )
        #expect(proxy.requests.map(\.method) == ["CONNECT"])
        let server = try server()
        _ = try command.run("login", "--server", server.url + "/r4", "--new-key")
        #expect(try command.run("login", "--server", server.url + "/r4", "--backend", "--client-id", "s").status == 0)
        #expect(proxy.requests.count == 1)
    }
}
