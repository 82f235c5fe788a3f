internal import HTTPTransport

/// Finds the server that signs people in to a FHIR server.
///
/// It reads SMART's document below the FHIR base first, then the OpenID document of the issuer that the user or SMART's
/// document names. SMART's endpoints win, since they know FHIR's scopes. Where the user names the issuer, each must be
/// at the origin that the issuer's own document gives for it, or, where that gives none, at the origin of its token
/// endpoint.
///
/// Source: SMART App Launch 2.2; OpenID Connect Discovery 1.0, sections 4.1 and 4.3.
struct Discovery: Sendable {
    private let client: HTTPClient

    /// Discovery over `client`.
    init(client: HTTPClient) { self.client = client }

    /// Reads the documents, with two requests at most.
    ///
    /// - Parameters:
    ///   - server: the FHIR base without a slash at its end.
    ///   - issuer: the issuer that the user named; needed where the server has no SMART configuration.
    ///   - isRemembered: whether the last sign-in named it; then its own document may be missing if SMART's names it
    ///     again.
    /// - Returns: the authorization server of `server`.
    /// - Throws: ``OpenIDConnectError`` when there is no document, or one can't be trusted.
    func authorizationServer(
        of server: HTTPURL,
        issuer: String?,
        isRemembered: Bool = false
    ) async throws(OpenIDConnectError) -> AuthorizationServer {
        let source = Self.source(of: server, issuer: issuer, isRemembered: isRemembered)
        var smart = try await smartConfiguration(of: server, isNeeded: issuer == nil)
        let issuerSource: OpenIDConnectError.IssuerSource =
            issuer == nil ? .smartConfiguration : isRemembered ? .lastSignIn : .user
        if let issuer, let named = smart?.metadata.issuer, !named.isByteForByte(issuer) {
            throw .wrongIssuer(expected: issuer, found: named, namedBy: issuerSource)
        }
        guard let name = issuer ?? smart?.metadata.issuer else { return try merged(smart, nil, issuer: nil, source) }
        let isNeeded = smart?.metadata.issuer == nil || (issuer != nil && !isRemembered)
        let openID = try await openIDConfiguration(of: name, namedBy: issuerSource, isNeeded: isNeeded, source)
        if let issuer, !isRemembered, let document = smart, let openID {
            smart = try bound(document, to: openID, of: issuer)
        }
        return try merged(smart, openID, issuer: name, source)
    }

    /// Whose documents they are, for the addresses in them: only the user can vouch for those of this machine, by
    /// naming one.
    static func source(of server: HTTPURL, issuer: String?, isRemembered: Bool) -> HTTPURL {
        let named = isRemembered ? nil : issuer.flatMap { try? HTTPURL($0) }
        return named.flatMap { $0.isLoopback ? $0 : nil } ?? server
    }

    /// A document and where it is.
    private struct Source {
        let place: String
        var metadata: ServerMetadata
    }

    private func smartConfiguration(of server: HTTPURL, isNeeded: Bool) async throws(OpenIDConnectError) -> Source? {
        let url = try HTTPURL(trusted: server.text + "/.well-known/smart-configuration", what: "--server")
        do throws(OpenIDConnectError) {
            let document = try await JSONDocument.get(url, with: client)
            if document.isRefused {
                guard isNeeded else { return nil }
                throw .noConfiguration(server: server.text, status: document.response.status)
            }
            return Source(place: document.place, metadata: try document.decoded(as: ServerMetadata.self))
        } catch {
            return try Self.absent(error, isNeeded: isNeeded, option: "--server")
        }
    }

    private func openIDConfiguration(
        of issuer: String,
        namedBy issuerSource: OpenIDConnectError.IssuerSource,
        isNeeded: Bool,
        _ source: HTTPURL
    ) async throws(OpenIDConnectError) -> Source? {
        var base = issuer[...]
        if base.hasSuffix("/") { base.removeLast() }
        let url = try HTTPURL(
            trusted: base + "/.well-known/openid-configuration",
            what: "issuer",
            namedBy: source
        )
        let document: JSONDocument
        let metadata: ServerMetadata
        do throws(OpenIDConnectError) {
            document = try await JSONDocument.get(url, with: client)
            if document.isRefused {
                guard isNeeded else { return nil }
                throw .noIssuerConfiguration(
                    place: document.place,
                    status: document.response.status,
                    namedBy: issuerSource
                )
            }
            metadata = try document.decoded(as: ServerMetadata.self)
        } catch {
            return try Self.absent(error, isNeeded: isNeeded, option: "--issuer")
        }
        guard let found = metadata.issuer else {
            throw .malformedDocument(place: document.place, fault: "issuer is missing (expected a value)")
        }
        guard found.isByteForByte(issuer) else {
            throw .wrongIssuer(expected: issuer, found: found, namedBy: issuerSource)
        }
        return Source(place: document.place, metadata: metadata)
    }

    /// `nil` in place of a document that could not be read, where a sign-in can do without it.
    ///
    /// - Parameters:
    ///   - error: what kept it from being read.
    ///   - isNeeded: whether nothing else may name what is needed: neither the user nor the other document.
    ///   - option: the option that gave its address.
    /// - Returns: no document.
    /// - Throws: `error`, in other words for a redirection, where the document is needed or the server is away.
    private static func absent(
        _ error: OpenIDConnectError,
        isNeeded: Bool,
        option: String
    ) throws(OpenIDConnectError) -> Source? {
        guard !isNeeded else {
            if case .redirected(let place, _) = error { throw .redirected(place: place, option: option) }
            throw error
        }
        switch error {
        // Whatever is there, it need not be such a document.
        case .unexpectedStatus(_, 501), .redirected, .malformedDocument: return nil
        default: throw error
        }
    }

    /// SMART's document without what the issuer's own does not vouch for.
    ///
    /// A user who names the issuer trusts it: another server's endpoints in its place would get the code and its proof,
    /// or the refresh token. What a sign-in can do without is left out where the issuer has none; all else is an error.
    private func bound(
        _ smart: Source,
        to openID: Source,
        of issuer: String
    ) throws(OpenIDConnectError) -> Source {
        let home = try HTTPURL(trusted: openID.metadata.tokenEndpoint ?? issuer, what: "token_endpoint").origin
        var smart = smart
        let needed: [(String, KeyPath<ServerMetadata, String?>)] = [
            ("authorization_endpoint", \.authorizationEndpoint), ("token_endpoint", \.tokenEndpoint),
            ("jwks_uri", \.jwksURI),
        ]
        for (name, endpoint) in needed {
            guard let text = smart.metadata[keyPath: endpoint] else { continue }
            let own = openID.metadata[keyPath: endpoint]
            let expected = if let own { try HTTPURL(trusted: own, what: name).origin } else { home }
            guard try HTTPURL(trusted: text, what: name).origin == expected else {
                throw Self.otherOrigin(name, in: smart)
            }
        }
        let optional: [(String, WritableKeyPath<ServerMetadata, String?>)] = [
            ("device_authorization_endpoint", \.deviceAuthorizationEndpoint),
            ("revocation_endpoint", \.revocationEndpoint),
        ]
        for (name, endpoint) in optional {
            guard let found = Self.origin(smart.metadata[keyPath: endpoint], name) else { continue }
            let own = Self.origin(openID.metadata[keyPath: endpoint], name)
            if found == own ?? home { continue }
            guard own == nil else { throw Self.otherOrigin(name, in: smart) }
            smart.metadata[keyPath: endpoint] = nil
        }
        return smart
    }

    /// `nil` also for one that can't be used, as if there were none.
    private static func origin(_ endpoint: String?, _ name: String) -> String? {
        guard let endpoint else { return nil }
        return try? HTTPURL(trusted: endpoint, what: name).origin
    }

    private static func otherOrigin(_ name: String, in source: Source) -> OpenIDConnectError {
        let fault = "\(name) is at another origin than in the issuer's own document (expected the same)"
        return .malformedDocument(place: source.place, fault: fault)
    }

    /// What a sign-in can do without: one that can't be used counts as missing.
    private static let optionalEndpoints: Set = ["device_authorization_endpoint", "revocation_endpoint"]

    private func merged(
        _ smart: Source?,
        _ openID: Source?,
        issuer: String?,
        _ named: HTTPURL
    ) throws(OpenIDConnectError) -> AuthorizationServer {
        let sources = [smart, openID].compactMap(\.self)
        func url(_ name: String, _ key: (ServerMetadata) -> String?) throws(OpenIDConnectError) -> HTTPURL? {
            for source in sources {
                guard let text = key(source.metadata) else { continue }
                do throws(OpenIDConnectError) {
                    return try HTTPURL(trusted: text, what: name, namedBy: named)
                } catch {
                    guard Self.optionalEndpoints.contains(name) else { throw error }
                }
            }
            return nil
        }
        guard let tokenEndpoint = try url("token_endpoint", \.tokenEndpoint) else {
            let place = sources.first?.place ?? ""
            throw .malformedDocument(place: place, fault: "token_endpoint is missing (expected a value)")
        }
        let authorizing = sources.first { $0.metadata.authorizationEndpoint != nil }?.metadata
        return AuthorizationServer(
            issuer: issuer,
            authorizationEndpoint: try url("authorization_endpoint", \.authorizationEndpoint),
            tokenEndpoint: tokenEndpoint,
            revocationEndpoint: try url("revocation_endpoint", \.revocationEndpoint),
            deviceAuthorizationEndpoint: try url("device_authorization_endpoint", \.deviceAuthorizationEndpoint),
            jwksURL: try url("jwks_uri", \.jwksURI),
            codeChallengeMethods: authorizing?.codeChallengeMethods,
            namesIssInResponse: sources.contains { $0.metadata.namesIssInResponse == true },
            scopes: sources.lazy.compactMap(\.metadata.scopes).first,
            capabilities: smart?.metadata.capabilities ?? [],
            idTokenAlgorithms: openID?.metadata.idTokenAlgorithms,
            clientAlgorithms: sources.lazy.compactMap(\.metadata.clientAlgorithms).first,
            revocationMethods: sources.lazy.compactMap(\.metadata.revocationMethods).first,
            takesPushedRequestsOnly: sources.contains { $0.metadata.takesPushedRequestsOnly == true }
        )
    }
}

extension JSONDocument {
    /// Whether the server has no such document, or shows it to nobody.
    fileprivate var isRefused: Bool {
        (400..<500).contains(response.status) && !HTTPStatus.mayPass(response.status)
    }
}
