import Foundation
import Synchronization
import TestSupport
import Testing

/// The commands of sign-in, run as a user runs them.
///
/// Signing in by browser is tested against real servers (Tests/SignIn); here is what needs no browser.
struct SignInTests {
    private static let secrets = ["access-CANARY", "refresh-CANARY", "device-CANARY", "passphrase-CANARY"]

    var command: Command

    init() throws {
        command = try Command()
        _ = try command.write("passphrase-CANARY\n", to: "passphrase")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600],
            ofItemAtPath: command.folder.path("passphrase")
        )
        command.environment["PGHD_PASSPHRASE_FILE"] = command.folder.path("passphrase")
        command.environment["PGHD_KEYSTORE"] = command.folder.path("keys/keystore")
    }

    /// A SMART server with device flow and backend services; `token` answers the token endpoint, and `fhir` everything
    /// below the base except the CapabilityStatement; `revoking` is called before a revocation is answered, and
    /// `capability` gives SMART's only one.
    func server(
        fhir: ScriptedServer.Reply = .response(404),
        revocation: ScriptedServer.Reply = .response(200),
        token: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Reply = { _ in
            .response(
                200,
                body: #"{"access_token":"access-CANARY","token_type":"bearer","expires_in":300,"#
                    + #""refresh_token":"refresh-CANARY","scope":"system/Observation.crus","patient":"p123"}"#
            )
        },
        revoking: @escaping @Sendable () -> Void = {},
        capability: @escaping @Sendable () -> String = { "permission-v2" }
    ) throws -> ScriptedServer {
        try ScriptedServer { request in
            let base = "http://\(request.headers["host"] ?? "")"
            switch request.path {
            case "/r4/.well-known/smart-configuration":
                return .response(
                    200,
                    body: """
                        {"authorization_endpoint":"\(base)/authorize","token_endpoint":"\(base)/token",\
                        "revocation_endpoint":"\(base)/revoke","device_authorization_endpoint":"\(base)/device",\
                        "code_challenge_methods_supported":["S256"],"capabilities":["\(capability())"]}
                        """
                )
            case "/device":
                return .response(
                    200,
                    body: """
                        {"device_code":"device-CANARY","user_code":"WDJB-MJHT","verification_uri":"\(base)/code",\
                        "verification_uri_complete":"\(base)/code?c=WDJB-MJHT","expires_in":60,"interval":1}
                        """
                )
            case "/token": return token(request)
            case "/revoke":
                revoking()
                return revocation
            case "/r4/metadata": return .response(404)
            default: return request.path.hasPrefix("/r4") ? fhir : .response(404)
            }
        }
    }

    /// The text, with what differs from run to run replaced.
    func fixed(_ text: String, _ server: ScriptedServer) -> String {
        text.replacing(":\(server.port)", with: ":PORT")
            .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "TIME")
    }

    func expectNoSecret(_ outcome: Command.Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
        for secret in Self.secrets {
            #expect(!outcome.text.contains(secret), sourceLocation: sourceLocation)
            #expect(!outcome.error.contains(secret), sourceLocation: sourceLocation)
        }
    }

    @Test func `characters that a terminal may obey are escaped in JSON`() throws {
        let server = try server { _ in
            .response(
                200,
                body: #"{"access_token":"access-CANARY","token_type":"bearer","scope":"a\u202eb\u009b2J"}"#
            )
        }
        let base = server.url + "/r4"
        #expect(try command.run("login", "--server", base, "--new-key").status == 0)
        let login = try command.run("login", "--server", base, "--backend", "--client-id", "service-1", "--json")
        #expect(login.text.contains(#""a\u202eb\u009b2J""#))
        #expect(try command.run("status", "--json").text.contains(#""a\u202eb\u009b2J""#))
    }

    /// The public half is not printed again, so that nobody could register the new key.
    @Test func `S21 a key whose public half can't be written replaces no key`() throws {
        #expect(try command.run("login", "--server", "http://127.0.0.1:9", "--new-key").status == 0)
        let before = try command.contents(of: "keys/keystore")
        let shell = try command.process(
            ["-c", "\"$0\" login --server http://127.0.0.1:9 --new-key --force 2>errors >/dev/full", try Command.path],
            executable: "/bin/sh"
        )
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 2)
        #expect(try command.contents(of: "keys/keystore") == before)
    }

    @Test func `S19 S21 a service signs in with a key, is shown, and signs out`() throws {
        let server = try server()
        let base = server.url + "/r4"
        let key = try command.run("login", "--server", base, "--new-key")
        #expect(key.status == 0)
        let set = try #require(try key.object()["keys"] as? [[String: Any]])
        #expect(set.count == 1)
        #expect(set.first?["d"] == nil)
        let again = try command.run("login", "--server", base, "--new-key")
        #expect(again.status == 64)
        #expect(
            again.error
                == "pghd: --new-key: there is a key for this server (expected none): add --force to replace it, "
                + "then register the new one\n"
        )

        let login = try command.run("login", "--server", base, "--backend", "--client-id", "service-1")
        #expect(login.status == 0)
        #expect(login.error.isEmpty)
        try expectSnapshot(fixed(login.text, server), "login-backend.txt")
        let status = try command.run("status", "--server", base, "--verbose")
        #expect(status.status == 0)
        #expect(status.text == login.text)
        let json = try command.run("status", "--json")
        try expectSnapshot(fixed(json.text, server), "status.json")
        // The keystore holds all of it, encrypted.
        let keystore = try command.contents(of: "keys/keystore")
        for secret in Self.secrets + ["service-1", "127.0.0.1"] {
            #expect(keystore.firstRange(of: Data(secret.utf8)) == nil)
        }

        let logout = try command.run("logout", "--server", base)
        #expect(logout.status == 0)
        try expectSnapshot(fixed(logout.text, server), "logout.txt")
        #expect(
            server.requests.filter { $0.path == "/revoke" }.map { $0.form["token"] } == [
                "refresh-CANARY", "access-CANARY",
            ]
        )
        let after = try command.run("status", "--server", base)
        #expect(after.status == 4)
        #expect(fixed(after.text, server) == "http://127.0.0.1:PORT/r4\n  signed in      no\n")

        // The next sign-in needs no other options, and --forget leaves nothing.
        #expect(try command.run("login", "--server", base).status == 0)
        #expect(try command.run("logout", "--server", base, "--forget", "--ledger", "ledgers").status == 0)
        #expect(try command.run("status").text == "nobody is signed in\n")
        for outcome in [key, again, login, status, json, logout, after] { expectNoSecret(outcome) }
    }

    @Test func `S14 S21 a person signs in on another device`() throws {
        let answers = Answers()
        let server = try server { _ in
            answers.next() == 1
                ? .response(400, body: #"{"error":"authorization_pending"}"#)
                : .response(200, body: #"{"access_token":"access-CANARY","token_type":"bearer","patient":"p123"}"#)
        }
        let login = try command.run(
            "login",
            "--server",
            server.url + "/r4/",
            "--device",
            "--client-id",
            "pghd",
            "--scope",
            "patient/Device.cu",
            "--json"
        )
        #expect(login.status == 0)
        try expectSnapshot(fixed(login.text, server), "login-device.json")
        try expectSnapshot(fixed(login.error, server), "login-device-talk.txt")
        expectNoSecret(login)
    }

    @Test func `each kind of sign-in asks for its own scopes`() throws {
        let server = try server()
        let login = ["login", "--server", server.url + "/r4"]
        #expect(try command.run(login + ["--new-key"]).status == 0)
        for kind in ["--backend", "--device"] {
            #expect(try command.run(login + ["--client-id", "pghd", kind]).status == 0)
        }
        let scopes = server.requests.compactMap { $0.form["scope"] }.map { $0.split(separator: " ").map(String.init) }
        #expect(scopes.map { $0.contains("system/Observation.crus") } == [true, false])
        #expect(scopes.map { $0.contains("patient/Observation.crus") } == [false, true])
    }

    @Test(arguments: [([], "no sign-in"), (["--forget", "--ledger", "ledgers"], "nothing")])
    func `signing out of an unknown server is an error, and makes no keystore`(
        _ more: [String],
        _ what: String
    ) throws {
        let outcome = try command.run(["logout", "--server", "https://fhir.example.org/typo"] + more)
        #expect(
            outcome.error
                == "pghd: --server: \(what) is kept of https://fhir.example.org/typo "
                + "(expected a server that was signed in to): check its address"
                + (more.contains("--forget")
                    ? " and --ledger; 'pghd status --patients' lists what is kept in the same --ledger\n"
                    : "; 'pghd status' lists those that are known\n")
        )
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(throws: CocoaError.self) { try command.contents(of: "keys/keystore") }
    }

    /// If the message said to leave out `--patient`, the right patient's data would be stored as the other's.
    @Test(arguments: ["sync", "verify"])
    func `a sign-in for one patient is not used for another's data, nor is that suggested`(_ name: String) throws {
        let server = try server { _ in
            .response(200, body: #"{"access_token":"access-CANARY","token_type":"bearer","patient":"p123"}"#)
        }
        let base = server.url + "/r4"
        let scope = ["--device", "--client-id", "pghd", "--scope", "patient/Device.cu"]
        #expect(try command.run(["login", "--server", base] + scope).status == 0)
        let count = server.requests.count
        let export = try command.write(SampleExport.varied, to: "export.xml")
        let options = [export, "--server", base, "--ledger", "ledgers", "--retry-for", "0"]
        let outcome = try command.run([name, "--patient", "p9"] + options)
        #expect(
            outcome.error
                == "pghd: --patient p9: the sign-in is for another patient, p123 (expected the same): "
                + "sign in as p9, with another --keystore if p123's sign-in is to stay\n"
        )
        #expect(outcome.status == 64)
        #expect(server.requests.count == count)
        for more in [["--patient", "p123"], []] + (name == "sync" ? [["--patient", "p9", "--confirm-patient"]] : []) {
            let passed = try command.run([name] + more + options)
            #expect(!passed.error.contains("another patient"), "\(more)")
            #expect(server.requests.count > count)
        }
    }

    @Test func `a sign-in for one patient does not send another's Bundles`() throws {
        let server = try server { _ in
            .response(200, body: #"{"access_token":"access-CANARY","token_type":"bearer","patient":"p123"}"#)
        }
        let base = server.url + "/r4"
        let scope = ["--device", "--client-id", "pghd", "--scope", "patient/Device.cu"]
        #expect(try command.run(["login", "--server", base] + scope).status == 0)
        let export = try command.write(SampleExport.varied, to: "export.xml")
        #expect(try command.run("convert", export, "--patient", "p9", "-o", "bundles.ndjson", "--quiet").status == 0)
        let options = ["--server", base, "--ledger", "ledgers", "--retry-for", "0"]
        let outcome = try command.run(["send", "bundles.ndjson"] + options)
        #expect(
            outcome.error
                == "pghd: --server: the sign-in is for p123, the Bundles are p9's (expected the same patient): "
                + "sign in as p9, or, if it is p123's export, convert it with --patient p123\n"
        )
        #expect(outcome.status == 64)
        #expect(!server.requests.contains { $0.target == "/r4" })
    }

    /// The command, its exit code and its message.
    @Test(arguments: [
        (
            "login", 64,
            "--server is missing (expected the base URL of a FHIR server): give it, such as --server https://fhir.example.org/r4"
        ),
        (
            "login --server http://fhir.example.org",
            64, "--server: http is not safe here (expected https; http for this machine alone): use the https address"
        ),
        (
            "login --server {base} --client-id s --issuer http://login.example.org",
            64, "--issuer: http is not safe here (expected https; http for this machine alone): use the https address"
        ),
        (
            "login --server {base}", 64,
            "--client-id is missing (expected the name that this client is registered under): ask the server's operator"
        ),
        (
            "login --server {base} --device --backend", 64,
            "--device: contradicts --backend (expected one of them): leave one out"
        ),
        (
            "login --server {base} --backend --client-id s", 4,
            "{base}: no key to sign in with: make one with 'pghd login --server {base} --new-key' "
                + "and register its public half"
        ),
        (
            "login --server {origin} --client-id s", 4,
            "{origin}/.well-known/smart-configuration: the server answered 404 (expected a SMART configuration): "
                + "check the address, or name the sign-in server with --issuer"
        ),
        (
            "login --server {base} --client-id s --issuer {origin}", 4,
            "{origin}/.well-known/openid-configuration: the server answered 404 (expected the issuer's OpenID "
                + "configuration): check --issuer"
        ),
        (
            "login --server https://127.0.0.1:1 --client-id s", 3,
            "https://127.0.0.1:1: no connection (expected a server that listens there): "
                + "check the address, the network and the proxy"
        ),
        (
            "login --server {base} --client-id s --insecure", 64,
            "unknown option '--insecure': see 'pghd login --help'"
        ),
        (
            "login --server {base} --client-id s --device --ca-file nowhere.pem --scope a", 4,
            "the server refused: access_denied (HTTP 400): sign in again, or ask the server's operator"
        ),
    ])
    func `S38 each failure is one line and an exit code`(_ arguments: String, _ status: Int, _ message: String) throws {
        let server = try server { _ in .response(400, body: #"{"error":"access_denied"}"#) }
        func filled(_ text: String) -> String {
            text.replacing("{base}", with: server.url + "/r4").replacing("{origin}", with: server.url)
        }
        let outcome = try command.run(filled(arguments).split(separator: " ").map(String.init))
        #expect(outcome.error.split(separator: "\n").last.map(String.init) == "pghd: \(filled(message))")
        #expect(outcome.status == status)
        #expect(outcome.output.isEmpty)
        expectNoSecret(outcome)
    }

    @Test func `S32 a missing passphrase file is reported with its option`() throws {
        let outcome = try command.run(
            "login",
            "--server",
            "https://fhir.example.org",
            "--new-key",
            "--passphrase-file",
            "nowhere"
        )
        #expect(
            outcome.error
                == "pghd: nowhere: can't be opened, No such file or directory (expected a file with the passphrase): "
                + "check --passphrase-file\n"
        )
        #expect(outcome.status == 5)
    }

    @Test func `S32 a missing passphrase file is reported with the variable that names it`() throws {
        var command = command
        command.environment["PGHD_PASSPHRASE_FILE"] = "nowhere"
        let outcome = try command.run("login", "--server", "https://fhir.example.org", "--new-key")
        #expect(
            outcome.error
                == "pghd: nowhere: can't be opened, No such file or directory (expected a file with the passphrase): "
                + "check PGHD_PASSPHRASE_FILE\n"
        )
        #expect(outcome.status == 5)
    }

    @Test func `S33 a wrong passphrase is an error of the keystore, and nothing is sent`() throws {
        let server = try server()
        _ = try command.run("login", "--server", server.url + "/r4", "--new-key")
        _ = try command.write("another\n", to: "other")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: command.folder.path("other"))
        let outcome = try command.run(
            "login",
            "--server",
            server.url + "/r4",
            "--backend",
            "--client-id",
            "s",
            "--passphrase-file",
            "other"
        )
        #expect(outcome.status == 5)
        #expect(server.requests.isEmpty)
    }
}

/// A number that increases by one each time.
private final class Answers: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
