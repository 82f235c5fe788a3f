import ArgumentParser
import HTTPTransport
import OpenIDConnect

/// Which server a command talks to, and whom it trusts there.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The FHIR server's base URL, such as https://fhir.example.org/r4, or PGHD_SERVER.",
            valueName: "url"
        )
    )
    var server: String?

    @Option(
        help: ArgumentHelp(
            "Certificates (PEM) of your organisation's authority, instead of the system's, or PGHD_CA_FILE.",
            valueName: "file"
        ),
        completion: .file()
    )
    var caFile: String?

    /// The base that was given.
    ///
    /// - Throws: `ValidationError` where there is none, `OpenIDConnectError` where it is no safe URL.
    func checkedServer() throws -> HTTPURL {
        guard let server = try Setting.server.value(server) else {
            throw ValidationError(
                "--server is missing (expected the base URL of a FHIR server): "
                    + "give it, such as --server https://fhir.example.org/r4"
            )
        }
        return try HTTPURL(serverBase: server)
    }

    /// A client that trusts what was asked for.
    ///
    /// - Throws: `SettingsFileError`, `ExitStatus.usage` where the process may open too few files.
    var client: HTTPClient {
        get throws {
            try OpenFiles.check()
            return HTTPClient(caFile: try Setting.caFile.value(caFile))
        }
    }
}
