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

    /// Nothing tells it again: the next sign-out finds no token.
    @Test func `S25 that is said, and the exit code stays, where standard output can't be written`() throws {
        let server = try server(revocation: .response(503))
        let base = server.url + "/r4"
        _ = try command.run("login", "--server", base, "--new-key")
        _ = try command.run("login", "--server", base, "--backend", "--client-id", "service-1")
        let shell = try command.process(
            ["-c", "\"$0\" logout --server \(base) --json 2>errors >/dev/full", try Command.path],
            executable: "/bin/sh"
        )
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 3)
        let said = String(decoding: try command.contents(of: "errors"), as: UTF8.self)
        #expect(
            said.hasPrefix(
                "pghd: \(base): refresh token and access token were not revoked (\(server.url)/revoke: the server answered 503 "
                    + "(expected 200): try again later): they may still be good; the server's operator can end them\n"
            )
        )
        #expect(said.contains("pghd: standard output: cannot be written"))
    }
}
