import Foundation
import Synchronization
import TestSupport
import Testing

/// Signing out of a server that does not revoke the tokens.
extension SignInTests {
    /// Signs a service in with its own key.
    private func signInService(at base: String) throws {
        _ = try command.run("login", "--server", base, "--new-key")
        _ = try command.run("login", "--server", base, "--backend", "--client-id", "service-1")
    }

    @Test func `S25 a failed revocation is reported, and gives its exit code`() throws {
        let server = try server(revocation: .response(503))
        let base = server.url + "/r4"
        try signInService(at: base)
        let logout = try command.run("logout", "--server", base, "--json")
        #expect(logout.status == 3)
        try expectSnapshot(fixed(logout.text, server), "logout-failed.json")
        #expect(try command.run("status", "--server", base).status == 4)
        expectNoSecret(logout)
        // A fault that concerns both tokens is shown once.
        _ = try command.run("login", "--server", base, "--backend", "--client-id", "service-1")
        let text = try command.run("logout", "--server", base).text
        #expect(text.components(separatedBy: "the server answered 503").count == 2, "\(text)")
    }

    @Test func `S25 a sign-out that gets interrupted meanwhile is completed, and reports what has become of it`() throws
    {
        let process = Mutex<pid_t>(0)
        let server = try server(revoking: {
            while process.withLock(\.self) == 0 { usleep(1000) }
            // Only once: a second signal might end it.
            let number = process.withLock { number in
                defer { number = -1 }
                return number
            }
            if number > 0 { kill(number, SIGINT) }
            usleep(300_000)
        })
        let base = server.url + "/r4"
        try signInService(at: base)
        let logout = try command.process(
            ["-c", "exec \"$0\" logout --server \(base) --json >report", try Command.path],
            executable: "/bin/sh"
        )
        try logout.run()
        process.withLock { $0 = logout.processIdentifier }
        logout.waitUntilExit()
        #expect(logout.terminationStatus == 0)
        let report = try JSONSerialization.jsonObject(with: command.contents(of: "report")) as? [String: Any]
        #expect(report?["accessToken"] as? String == "revoked")
        #expect(try command.run("status", "--server", base).status == 4)
    }

    /// No later command reports this: the next sign-out finds no token.
    @Test func `S25 a failed revocation is reported, with its exit code, even if output can't be written`() throws {
        let server = try server(revocation: .response(503))
        let base = server.url + "/r4"
        try signInService(at: base)
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
                "pghd: \(base): refresh token and access token were not revoked (\(server.url)/revoke: the server answered 503): "
                    + "they may still be good, and another logout would find none to give back; the server's operator can end "
                    + "them\n"
            )
        )
        #expect(said.contains("pghd: standard output: cannot be written"))
    }
}
