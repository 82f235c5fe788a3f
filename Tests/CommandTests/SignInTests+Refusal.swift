import Foundation
import Synchronization
import TestSupport
import Testing

/// Servers that refuse a sign-in or its tokens.
extension SignInTests {
    /// Signs in on another device at a server whose FHIR base answers `reply`, and syncs.
    private func sync(_ reply: ScriptedServer.Reply) throws -> (outcome: Command.Outcome, server: ScriptedServer) {
        let count = Mutex(0)
        let server = try server(fhir: reply) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .response(
                200,
                body: #"{"access_token":"access-CANARY-\#(number)","token_type":"bearer","refresh_token":"#
                    + #""refresh-CANARY-\#(number)","patient":"p123"}"#
            )
        }
        let base = server.url + "/r4"
        let login = ["login", "--server", base, "--device", "--client-id", "pghd", "--scope", "patient/Device.cu"]
        #expect(try command.run(login).status == 0)
        let export = try command.write(SampleExport.varied, to: "export.xml")
        let options = ["--server", base, "--ledger", "ledgers", "--retry-for", "0", "--quiet"]
        let outcome = try command.run(["sync", export] + options)
        expectNoSecret(outcome)
        return (outcome, server)
    }

    /// Signs in with the option `kind` at a token endpoint that answers with `error`, and returns the last line
    /// printed.
    private func refusal(_ error: String, _ kind: String) throws -> String? {
        let server = try server { _ in .response(400, body: #"{"error":"\#(error)"}"#) }
        let login = ["login", "--server", server.url + "/r4"]
        if kind == "--backend" { #expect(try command.run(login + ["--new-key"]).status == 0) }
        let outcome = try command.run(login + [kind, "--client-id", "s"])
        #expect(outcome.status == 4)
        expectNoSecret(outcome)
        return outcome.error.split(separator: "\n").last.map(String.init)
    }

    @Test(arguments: ["--device", "--backend"])
    func `if the server does not know a scope, the message asks for other scopes`(_ kind: String) throws {
        #expect(
            try refusal("invalid_scope", kind)
                == "pghd: the server does not give all that was asked for (invalid_scope, HTTP 400, expected scopes that it "
                + "knows and lets this client have): name others with --scope; docs/sign-in.md says what each is for"
        )
    }

    /// A new key does not help anyone who signs in without one.
    @Test(arguments: [
        (
            "--device",
            "the server does not know this client, or wants a secret (invalid_client, HTTP 400): check --client-id, and "
                + "have pghd registered under it as a public client, without a secret"
        ),
        (
            "--backend",
            "the server does not know this client or its key (invalid_client, HTTP 400): check --client-id, and this "
                + "machine's clock, whose time each signature carries; a key has to be "
                + "registered there under it (--new-key --force makes another, and prints its public half)"
        ),
    ])
    func `if the server does not know the client, the message says how to register it`(
        _ kind: String,
        _ message: String
    ) throws {
        #expect(try refusal("invalid_client", kind) == "pghd: \(message)")
    }

    /// Signing in again would change nothing.
    @Test(arguments: [
        (
            #"Bearer error="invalid_token""#,
            "(401, expected those of its sign-in server): ask its operator whether they are meant for this address, and "
                + "what a gateway in front wants"
        ),
        (
            #"Basic realm="x""#,
            "(401, asks for 'Basic', expected Bearer): a gateway in front may want a key or a password: ask its "
                + "operator, and give it with --header-file"
        ),
    ])
    func `a server that accepts no token is reported, after one renewal`(_ challenge: String, _ words: String) throws {
        let (outcome, server) = try sync(.response(401, headers: ["WWW-Authenticate": challenge]))
        #expect(
            outcome.error == "pghd: \(server.url)/r4: the server takes no token of this sign-in \(words)\n"
        )
        #expect(outcome.status == 4)
        #expect(server.requests.filter { $0.form["grant_type"] == "refresh_token" }.count == 1)
    }
}
