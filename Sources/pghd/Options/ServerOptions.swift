import ArgumentParser
import ExportPipeline
import HTTPTransport
import OpenIDConnect

/// Which server a command talks to, and which certificates it trusts.
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

    @Option(
        help: ArgumentHelp(
            "A file that only its owner can read, with extra headers for the server, one a line: a gateway's key, "
                + "or (not for login and logout) an Authorization that another program keeps there, in place of a "
                + "sign-in. Or PGHD_HEADER_FILE.",
            valueName: "file"
        ),
        completion: .file()
    )
    var headerFile: String?

    func validate() { Setting.caFile.note(given: caFile) }

    /// The base that was given.
    ///
    /// - Throws: `ValidationError` where there is none, what ``HTTPURL/init(option:)`` throws.
    func checkedServer() throws -> HTTPURL {
        guard let server = try Setting.server.value(server) else {
            throw ValidationError(
                "--server is missing (expected the base URL of a FHIR server): "
                    + "give it, such as --server https://fhir.example.org/r4"
            )
        }
        return try HTTPURL(option: server)
    }

    /// A client that trusts the chosen certificates, and sends `server` the headers of the header file.
    ///
    /// - Parameters:
    ///   - server: the base.
    ///   - signsIn: whether the client makes or ends a sign-in, which allows no other authorization.
    /// - Returns: the client.
    /// - Throws: `SettingsFileError`, `HeaderFileError`, `ExitStatus.usage` where the process may open too few files,
    ///   `HTTPError` where libcurl can't be loaded.
    func client(for server: HTTPURL, signsIn: Bool = false) throws -> HTTPClient {
        try OpenFiles.check()
        let file = try headers
        // One that a setting names is for other commands: it need not be changed before a consent is withdrawn.
        if let headerFile, signsIn, file?.authorization != nil {
            throw HeaderFileError(path: headerFile, fault: .hasAuthorization)
        }
        return try HTTPClient(
            caFile: try Setting.caFile.value(caFile),
            ownHeaders: file.map { OriginHeaders($0.headers, for: server) },
            userAgent: "pghd/\(Release.version)"
        )
    }

    /// What the header file holds; `nil` where there is none.
    ///
    /// - Throws: `SettingsFileError`, `HeaderFileError`.
    private var headers: HeaderFile? {
        get throws { try Setting.headerFile.value(headerFile).map { try HeaderFile(path: $0) } }
    }

    /// What adds the authorization of the header file.
    ///
    /// - Parameter server: the base.
    /// - Returns: what adds it; `nil` where there is no file, or none in it.
    /// - Throws: `SettingsFileError`, `HeaderFileError`.
    func fileAuthorizer(for server: HTTPURL) throws -> HeaderFileAuthorizer? {
        guard let path = try Setting.headerFile.value(headerFile), let authorization = try headers?.authorization else {
            return nil
        }
        return HeaderFileAuthorizer(path: path, server: server, authorization)
    }
}

extension HTTPURL {
    /// The base that `--server` gives.
    ///
    /// - Throws: `OpenIDConnectError` where it is not a safe URL, `HTTPURLError` where libcurl can't be loaded.
    init(option text: String) throws {
        do throws(HTTPURLError) {
            try self.init(serverBase: text)
        } catch {
            switch error {
            case .noLibrary: throw error
            case .insecure: throw OpenIDConnectError.insecureURL(what: "--server")
            default: throw OpenIDConnectError.unusableURL(what: "--server", error)
            }
        }
    }
}
