package import HTTPTransport

/// What a FHIR server says about itself that a delivery depends on; `nil` where it says nothing.
///
///     {"software":{"name":"pghd"},"rest":[{"mode":"server","interaction":[{"code":"transaction"}],
///      "resource":[{"type":"Observation","updateCreate":true,"conditionalCreate":true}]}]}
///
/// What a server leaves out is assumed to be possible: many can do more than they say.
///
/// Source: <https://hl7.org/fhir/R4/capabilitystatement.html>.
package struct ServerCapabilities: Sendable, Equatable {
    /// Whether it accepts transactions.
    var takesTransactions: Bool?
    /// Whether a `PUT` may create an Observation under an id that the client chooses.
    var createsByUpdate: Bool?
    /// Whether `ifNoneExist` keeps an Observation from being created twice.
    var createsConditionally: Bool?
    /// Whether a `PUT` may change the Observation that has an identifier; `false` where only `conditionalCreate` is
    /// stated.
    var updatesConditionally: Bool?
    /// The server's time when it said this.
    var serverTime: ServerTime?
    /// Whether an update must name the version that it replaces (`versioned-update`).
    var wantsVersions: Bool?
    /// The version of FHIR, such as `4.0.1`.
    var version: String?
    /// Whether a CapabilityStatement was read.
    var isKnown = false
    /// Whether it was asked and answered with 404, a page, or something that is not a CapabilityStatement.
    var isMissing = false
    /// Whether it says that it accepts bodies packed with gzip: `Accept-Encoding` in its answer (RFC 7694).
    var takesGzip = false

    /// Capabilities of which nothing is known.
    package init() {}

    /// Whether resources must be created by their identifiers, since the server chooses ids.
    package var choosesIDs: Bool { createsByUpdate == false && createsConditionally != false }

    /// Asks the server for its `CapabilityStatement`, first without a token: on most servers it is public.
    ///
    /// - Parameters:
    ///   - options: the server, and how long to try.
    ///   - client: sends the request.
    ///   - authorizer: adds the token where the server requires one for this too.
    /// - Returns: what the server says; nothing is known where the answer is not a statement.
    /// - Throws: ``DeliveryError/unreachable(fault:seconds:)``, ``DeliveryError/unauthorized(_:server:)`` where the
    ///   server takes no token, or the authorizer's error.
    package static func read(
        _ options: DeliveryOptions,
        client: HTTPClient,
        authorizer: (any RequestAuthorizer)? = nil
    ) async throws -> ServerCapabilities {
        let url = try HTTPURL("\(options.server.text)/metadata")
        let request = HTTPRequest.reading(url, limits: HTTPLimits(maximumBodyByteCount: 64 << 20))
        let state = RunState(concurrency: 1, isCancelled: options.isCancelled)
        let poster = Poster(options: options, client: client, authorizer: nil, state: state)
        // A server that fails at this request may still take Bundles.
        var response = try await poster.send(request, maximumFailureCount: ResourceLookup.maximumFailureCount)
        if response.status == 401, authorizer != nil {
            let poster = Poster(options: options, client: client, authorizer: authorizer, state: state)
            response = try await poster.send(request, maximumFailureCount: ResourceLookup.maximumFailureCount)
            // A renewed token was refused too: the next request would only use up another.
            guard response.status != 401 else { throw poster.unauthorized(response) }
        }
        var capabilities = response.status == 200 ? ServerCapabilities(response.body) : ServerCapabilities()
        // An address that refuses to answer, or fails, shows nothing about what it is, unless a page refuses.
        let isRefusingPage = [400, 403].contains(response.status) && response.isPage
        capabilities.isMissing = !capabilities.isKnown && ([200, 404].contains(response.status) || isRefusingPage)
        if (300..<400).contains(response.status) {
            options.noteDoubt(
                "redirects /metadata (\(response.status)), so that nobody knows what it can't do (expected its "
                    + "CapabilityStatement): give the address that it redirects to"
            )
        }
        capabilities.serverTime = state.serverTime
        capabilities.takesGzip = response.header("Accept-Encoding").map(Self.namesGzip) ?? false
        return capabilities
    }

    /// Whether a list such as `gzip, deflate;q=0.5` names gzip with a weight above 0.
    static func namesGzip(_ codings: String) -> Bool {
        codings.lowercased().split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return ["gzip", "x-gzip"].contains(parts.first) && weight > 0
        }
    }

    /// Checks that the server can take what is to be sent.
    ///
    /// - Parameters:
    ///   - server: the server's address, for the error.
    ///   - isConditional: whether resources are created by their identifiers.
    /// - Throws: ``DeliveryError/incapable(server:of:next:)``.
    package func check(_ server: HTTPURL, isConditional: Bool) throws(DeliveryError) {
        func missing(_ what: String, _ next: String) -> DeliveryError {
            .incapable(server: server.description, of: what, next: next)
        }
        if let version, !version.hasPrefix("4.") {
            throw missing("speaks FHIR \(version), and not R4", "give the address of its R4 endpoint")
        }
        if createsConditionally == false, createsByUpdate == false {
            throw missing(
                "neither creates by identifier (ifNoneExist) nor lets clients choose ids",
                "choose one that does"
            )
        }
        if takesTransactions == false { throw missing("takes no transactions", "choose a server that does") }
        if isConditional, createsConditionally == false {
            throw missing("does not create by identifier (ifNoneExist)", "leave --conditional out")
        }
        if !isConditional, createsByUpdate == false {
            throw missing("does not let clients choose ids", "convert with --conditional")
        }
    }
}

extension ServerCapabilities {
    /// Reads a CapabilityStatement; from anything else nothing is known.
    init(_ body: [UInt8]) {
        self.init()
        var found = ServerCapabilities()
        var isStatement = false
        var scanner = JSONScanner(body)
        do throws(JSONFault) {
            try scanner.readObject { (name, scanner) throws(JSONFault) in
                switch name {
                case "resourceType": isStatement = try scanner.readScalar() == "CapabilityStatement"
                case "fhirVersion": found.version = Self.version(try scanner.readScalar())
                case "rest":
                    try scanner.readList { (scanner) throws(JSONFault) in
                        var rest = found
                        if try rest.readRest(&scanner) != "client" { found = rest }
                    }
                default: try scanner.skipValue()
                }
            }
        } catch {
            return
        }
        guard isStatement else { return }
        self = found
        isKnown = true
    }

    /// `text`, where it is three numbers, such as `4.0.1`.
    private static func version(_ text: String?) -> String? {
        guard let text, text.utf8.count < 20 else { return nil }
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        let isVersion = numbers.count == 3 && numbers.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 48 < 10 } }
        return isVersion ? text : nil
    }

    /// - Returns: the mode, `server` or `client`; `nil` where it is not given.
    private mutating func readRest(_ scanner: inout JSONScanner) throws(JSONFault) -> String? {
        var mode: String?
        try scanner.readObject { (name, scanner) throws(JSONFault) in
            switch name {
            case "mode": mode = try scanner.readScalar()
            case "interaction":
                var codes: [String] = []
                try scanner.readList { (scanner) throws(JSONFault) in
                    try scanner.readObject { (name, scanner) throws(JSONFault) in
                        if let text = try scanner.readScalar(), name == "code" { codes.append(text) }
                    }
                }
                if !codes.isEmpty { takesTransactions = codes.contains("transaction") }
            case "resource":
                try scanner.readList { (scanner) throws(JSONFault) in try readResource(&scanner) }
            default: try scanner.skipValue()
            }
        }
        return mode
    }

    private mutating func readResource(_ scanner: inout JSONScanner) throws(JSONFault) {
        var type: String?
        var flags: [String: Bool] = [:]
        var versioning: String?
        try scanner.readObject { (name, scanner) throws(JSONFault) in
            switch name {
            case "type": type = try scanner.readScalar()
            case "versioning": versioning = try scanner.readScalar()
            case "updateCreate", "conditionalCreate", "conditionalUpdate":
                flags[name] = try scanner.readScalar() == "true"
            default: try scanner.skipValue()
            }
        }
        guard type == "Observation" else { return }
        createsByUpdate = flags["updateCreate"]
        createsConditionally = flags["conditionalCreate"]
        updatesConditionally = flags["conditionalUpdate"] ?? (createsConditionally == true ? false : nil)
        wantsVersions = versioning.map { $0 == "versioned-update" }
    }
}
