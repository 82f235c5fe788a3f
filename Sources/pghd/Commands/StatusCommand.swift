import ArgumentParser
import HTTPTransport
import OpenIDConnect

/// `pghd status`: who is signed in where, until when.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show who is signed in where",
        discussion: """
            Reads the keystore and asks no server. With --server, the exit code tells whether \
            somebody is signed in there.

              pghd status

            \(ExitStatus.helpSection([.done, .unreadable, .signIn, .keystore, .usage, .interrupted, .outputClosed]))
            """
    )

    @Option(
        help: ArgumentHelp(
            "The sign-in to this server alone; without it all, whatever PGHD_SERVER or config.json says.",
            valueName: "url"
        )
    )
    var server: String?

    @Flag(name: [.short, .long], help: "Show more: issuer, client and scopes.")
    var verbose = false

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup(title: "Keystore") var keystore: KeystoreOptions

    func run() async throws {
        Interruption.install()
        let base = try server.map { try HTTPURL(serverBase: $0) }
        let store = try keystore.open()
        let reports = try await StoredSignIns.all(in: store)
            .filter { base == nil || $0.server == base?.text }
            .map { SignInReport($0, clockSkewSeconds: nil) }
        if json {
            try StandardOutput.write(SignInReport.json(reports))
        } else if reports.isEmpty {
            try StandardOutput.write("nobody is signed in\(base.map { " to \($0.text)" } ?? "")\n")
        } else {
            try StandardOutput.write(reports.map { verbose ? $0.text : $0.shortText }.joined(separator: "\n"))
        }
        guard base == nil || reports.contains(where: \.isSignedIn) else { throw ExitStatus.signIn }
    }
}
