import TestSupport
import Testing

struct ProxyTests {
    /// Each further try may lock the account.
    @Test func `a run that a proxy refuses for its password asks it once`() throws {
        var command = try Command()
        let proxy = try ScriptedServer { _ in .response(407) }
        command.environment["HOME"] = command.folder.path
        command.environment["https_proxy"] = "http://name:CANARY@127.0.0.1:\(proxy.port)"
        let export = try command.write(SampleExport.varied, to: "export.xml")
        let target = ["--patient", "p1", "--server", "https://fhir.invalid/r4", "--ledger", "ledger"]
        let outcome = try command.run(["sync", export, "--retry-for", "5"] + target)
        #expect(
            outcome.error
                == "pghd: https://fhir.invalid: the proxy of the environment answered 407: it wants a user name and a password "
                + "(expected the right ones, by Basic authentication): write https_proxy=http://NAME:PASSWORD@HOST:PORT\n"
        )
        #expect(outcome.status == 3)
        #expect(proxy.requests.map(\.method) == ["CONNECT"])
    }
}
