import GRDB

/// The OpenID issuer: signs people in, issues tokens, and tells the FHIR side what a token allows.
struct Issuer: Sendable {
    /// How this issuer was set up.
    struct Settings: Sendable {
        /// Signs everybody in without a page.
        var approvesAutomatically = false
        /// The patient who is signed in unless the page says otherwise.
        var patient = "demo"
        var accessTokenSeconds: Int64 = 3_600
    }

    let metadata: IssuerMetadata
    let settings: Settings
    let clients: ClientRegistry
    let store: ServerStore
    let clock: ServerClock
    /// The password that the sign-in page asks for.
    let password: String
    private let key: SigningKey

    init(
        metadata: IssuerMetadata,
        settings: Settings,
        clients: ClientRegistry,
        store: ServerStore,
        clock: ServerClock,
        password: String
    ) async throws {
        self.metadata = metadata
        self.settings = settings
        self.clients = clients
        self.store = store
        self.clock = clock
        self.password = password
        key = try await SigningKey(store)
    }

    private static let methods = [
        ".well-known/openid-configuration": ["GET"], "jwks": ["GET"], "authorize": ["GET", "POST"],
        "token": ["POST"], "revoke": ["POST"], "device_authorization": ["POST"], "device": ["GET", "POST"],
    ]

    /// Whether one of the issuer's own endpoints has that path.
    func hasEndpoint(_ segments: [String]) -> Bool {
        segments.first == "auth" && Self.methods[segments.dropFirst().joined(separator: "/")] != nil
    }

    /// Answers a request whose path, below the issuer, is `path`.
    func answer(_ request: HTTPRequest, path: ArraySlice<String>) async throws -> HTTPResponse {
        do {
            let endpoint = path.joined(separator: "/")
            guard let methods = Self.methods[endpoint] else { throw Refusal.notFound() }
            guard methods.contains(request.method) else {
                return OAuthFault.response(to: .methodNotAllowed(methods))
            }
            switch (request.method, endpoint) {
            case ("GET", ".well-known/openid-configuration"): return .json(200, metadata.openIDConfiguration)
            case ("GET", "jwks"): return .json(200, key.publicKeys)
            case ("GET", "authorize"): return try await authorize(try FormFields(request.target.query), nil)
            case ("POST", "authorize"):
                let fields = try FormFields(request)
                return try await authorize(fields, fields["password"] ?? "")
            case ("POST", "token"): return try await token(try clientFields(request))
            case ("POST", "revoke"): return try await revoke(try clientFields(request))
            case ("POST", "device_authorization"): return try await startDevice(try clientFields(request))
            case ("GET", "device"): return try await connectDevice(try FormFields(request.target.query), nil)
            case ("POST", "device"):
                let fields = try FormFields(request)
                return try await connectDevice(fields, fields["password"] ?? "")
            default: throw Refusal.notFound()
            }
        } catch let fault as OAuthFault {
            return fault.response
        }
    }

    /// The form of a client, which must say in it who it is.
    private func clientFields(_ request: HTTPRequest) throws(OAuthFault) -> FormFields {
        let scheme = request.headers["authorization"]?.prefix { $0 != " " }.lowercased()
        guard scheme != "basic" else { throw .noSecrets(realm: metadata.issuer) }
        return try FormFields(request)
    }

    /// What the request's bearer token allows.
    ///
    /// - Throws: status 401, with the challenge of RFC 6750, section 3.
    func grant(for request: HTTPRequest) async throws -> AccessGrant {
        guard let token = request.bearerToken else {
            throw Refusal(401, .login, "a bearer token is missing (expected Authorization: Bearer …): sign in")
        }
        let now = clock.now()
        let credential = try await store.database.read { database in
            try AuthorizationTable(database: database, now: now).credential(token, .access)
        }
        guard let credential, credential.authorization.state == "approved" else {
            throw Refusal(401, .login, "the bearer token is not known here, or was revoked: sign in")
        }
        guard credential.expires > now else {
            throw Refusal(401, .expired, "the bearer token has expired: refresh it")
        }
        return AccessGrant(
            client: credential.authorization.client,
            scopes: credential.scope.split(separator: " ").map(String.init),
            patient: credential.authorization.patient
        )
    }

    // MARK: Tokens

    /// The answer to a token request (RFC 6749, section 5.1; SMART App Launch 2.2, section 3.1).
    func tokenResponse(
        _ authorization: AuthorizationTable.Authorization,
        scope: String,
        access: String,
        refresh: String?
    ) async throws -> HTTPResponse {
        var members = [
            "\"access_token\":\"\(access)\"", "\"token_type\":\"Bearer\"",
            "\"expires_in\":\(settings.accessTokenSeconds)", "\"scope\":\(JSONEscapes.quoted(scope))",
        ]
        if let refresh { members.append("\"refresh_token\":\"\(refresh)\"") }
        if let patient = authorization.patient, GrantedScope.namesPatient(scope) {
            members.append("\"patient\":\(JSONEscapes.quoted(patient))")
        }
        if let patient = authorization.patient, GrantedScope.names(scope, "openid") {
            members.append("\"id_token\":\"\(try await idToken(authorization, of: patient, scope: scope))\"")
        }
        var response = HTTPResponse.json(200, "{\(members.joined(separator: ","))}")
        response.headers.append(("Pragma", "no-cache"))
        return response
    }

    private func idToken(
        _ authorization: AuthorizationTable.Authorization,
        of patient: String,
        scope: String
    ) async throws -> String {
        let now = Int(clock.now() / 1_000)
        return try await key.sign(
            IDToken(
                iss: metadata.issuer,
                sub: patient,
                aud: authorization.client,
                exp: now + 3_600,
                iat: now,
                authTime: authorization.signedIn.map { Int($0 / 1_000) },
                nonce: authorization.nonce,
                fhirUser: GrantedScope.names(scope, "fhirUser") ? "\(metadata.fhirBase)/Patient/\(patient)" : nil
            )
        )
    }
}
