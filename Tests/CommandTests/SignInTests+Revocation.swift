import Foundation
import TestSupport
import Testing

/// Signing out of a server that does not take the tokens back.
extension SignInTests {
    @Test func `S25 a revocation that fails is told, and the exit code says so`() throws {
        let server = try server(revocation: .response(503))
        let base = server.url + "/r4"
        _ = try command.run("login", "--server", base, "--new-key")
        _ = try command.run("login", "--server", base, "--backend", "--client-id", "service-1")
        let logout = try command.run("logout", "--server", base, "--json")
        #expect(logout.status == 3)
        try expectSnapshot(fixed(logout.text, server), "logout-failed.json")
        #expect(try command.run("status", "--server", base).status == 4)
        expectNoSecret(logout)
        // What is wrong with both tokens is said once.
        _ = try command.run("login", "--server", base, "--backend", "--client-id", "service-1")
        let text = try command.run("logout", "--server", base).text
        #expect(text.components(separatedBy: "the server answered 503").count == 2, "\(text)")
    }
}
