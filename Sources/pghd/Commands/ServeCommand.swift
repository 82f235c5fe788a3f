import ArgumentParser
import ExportPipeline
import IntegrationServer

/// `pghd serve`: runs a FHIR server and an identity provider to test with.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a FHIR server with its own sign-in, for tests",
        usage: "pghd serve (--data <folder> | --memory) [<options>]",
        discussion: """
            A FHIR R4 base, an OpenID issuer and the Client-Facing Integration Server's endpoints in one \
            process and one folder, which fails on request. It listens on loopback unless told otherwise.

              pghd serve --memory
              pghd serve --data server/ --port 8080
              pghd serve --memory --auto-approve --test --json

            Ends on Ctrl-C or SIGTERM, with 0. Everything that it has acknowledged is stored by then.

            \(ExitStatus.helpSection([.done, .unreadable, .usage, .outputClosed]))
            """
    )

    @Option(
        help: ArgumentHelp("The folder for what is stored; made where it is missing.", valueName: "folder"),
        completion: .directory
    )
    var data: String?

    @Flag(help: "Store nothing on disk.")
    var memory = false

    @Option(help: ArgumentHelp("Where to listen, in digits.", valueName: "ip"))
    var address = "127.0.0.1"

    @Option(help: ArgumentHelp("The port; 0 lets the system choose.", valueName: "number"))
    var port: UInt16 = 8080

    @Option(
        name: .customLong("base-url"),
        help: ArgumentHelp("How clients reach it, needed with --address beyond loopback.", valueName: "url")
    )
    var baseURL: String?

    @Option(
        help: ArgumentHelp("Further clients, as JSON: client_id with jwks or redirect_uris.", valueName: "file"),
        completion: .file()
    )
    var clients: String?

    @Option(help: ArgumentHelp("Who is signed in unless the page says otherwise.", valueName: "id"))
    var patient = "demo"

    @Option(help: ArgumentHelp("How long an access token lives.", valueName: "seconds"))
    var tokenLifetime = 3_600

    @Flag(help: "Sign everybody in without a page; on loopback only.")
    var autoApprove = false

    @Flag(help: "Let faults be asked for with the token that is printed; on loopback only.")
    var test = false

    @Option(
        help: ArgumentHelp("Rules of faults to begin with, as JSON; needs --test.", valueName: "file"),
        completion: .file()
    )
    var faults: String?

    @Flag(help: "Print where everything is as one line of JSON.")
    var json = false

    func validate() throws {
        guard memory != (data != nil) else {
            throw ValidationError(
                memory
                    ? "--memory: contradicts --data (expected one of them): leave one out"
                    : "--data is missing: there is no place to store (expected a folder): add --data DIR or --memory"
            )
        }
        guard test || faults == nil else {
            throw ValidationError("--faults: works only where faults may be asked for (expected --test): add --test")
        }
        guard (1...86_400).contains(tokenLifetime) else {
            throw ValidationError.outOfRange("--token-lifetime", tokenLifetime, 1...86_400)
        }
    }

    func run() async throws {
        // From here on a signal ends the command with 0, even while the store is being opened.
        let interruption = Interruption.beginRun()
        var options = IntegrationServer.Options()
        options.address = address
        options.port = port
        options.baseURL = baseURL
        options.folder = data
        options.clientsFile = clients
        options.approvesAutomatically = autoApprove
        options.isTest = test
        options.faultsFile = faults
        options.patient = patient
        options.accessTokenSeconds = tokenLifetime
        options.report = { say("pghd: \($0)") }
        let server = try await IntegrationServer(options)
        let running = Task { await server.run() }
        try StandardOutput.write(json ? server.addresses.json : server.addresses.text)
        // A signal handler may do very little, so this task polls.
        while !interruption.isCancelled { try await Task.sleep(for: .milliseconds(50)) }
        running.cancel()
        await running.value
    }
}
