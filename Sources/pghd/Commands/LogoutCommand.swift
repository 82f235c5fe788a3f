import ArgumentParser
import Glibc
import HTTPTransport
import OpenIDConnect

/// `pghd logout`: gives the tokens back and removes them.
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Sign out of a FHIR server",
        discussion: """
            Asks the server to take back the refresh token and the access token, and removes them \
            from the keystore whatever it answers. What the next sign-in needs is kept; --forget \
            removes that too, and a service's key: for the withdrawal of a consent.

              pghd logout --server https://fhir.example.org/r4

            \(ExitStatus.helpSection([.done, .unreachable, .keystore, .usage, .interrupted]))
            """
    )

    @OptionGroup(title: "Server") var server: ServerOptions

    @Flag(help: "Remove everything that is kept of the server.")
    var forget = false

    @Flag(help: "Print what came of it as JSON on standard output.")
    var json = false

    @OptionGroup(title: "Keystore") var keystore: KeystoreOptions

    func run() async throws {
        Interruption.install()
        let base = try server.checkedServer()
        let store = try keystore.open()
        let outcome = try await SignOut(client: try server.client, store: store).run(server: base, forget: forget)
        let report = SignOutReport(server: base.text, outcome: outcome, isForgotten: forget)
        try StandardOutput.write(json ? report.json : report.text)
        if report.isUncertain { throw ExitStatus.unreachable }
    }
}
