public import HTTPTransport

/// Signs in to a FHIR server and keeps the tokens.
///
///     let signIn = SignIn(client: client, store: store)
///     let outcome = try await signIn.run(request, with: terminal)
public struct SignIn: Sendable {
    /// How long the browser may take.
    package static let browserSeconds = 180

    private let client: HTTPClient
    private let store: any TokenStore
    private let wait: @Sendable (Duration) async throws -> Void

    /// A sign-in over `client` whose tokens go into `store`.
    public init(client: HTTPClient, store: any TokenStore) {
        self.init(client: client, store: store) { try await Task.sleep(for: $0) }
    }

    init(client: HTTPClient, store: any TokenStore, wait: @escaping @Sendable (Duration) async throws -> Void) {
        self.client = client
        self.store = store
        self.wait = wait
    }

    /// Where to sign in, as which client and for what.
    public struct Request: Sendable, Equatable {
        /// The FHIR base; normalized, however it is spelt.
        public var server: HTTPURL { didSet { server = server.normalized } }
        /// How to sign in.
        public var method: SignInMethod
        /// The client's registered identifier.
        public var clientID: String
        /// The issuer, where the server has no SMART configuration, or to be sure of it.
        public var issuer: String?
        /// Whether `issuer` is what the last sign-in found, and no user has ever named it: then its own document is
        /// requested only where it is needed, and does not restrict SMART's.
        public var isIssuerRemembered = false
        /// The scopes to ask for; `nil` for what delivering and verifying need.
        public var scopes: [String]?
        /// Whether the user says that a server that does not list PKCE requires it: then S256 is sent there.
        ///
        /// If the server ignores it, a code that is intercepted can be used.
        public var assumesPKCE = false
        /// The port of the redirect; `nil` lets the system pick one.
        public var redirectPort: UInt16?

        /// A request for the usual scopes.
        public init(server: HTTPURL, method: SignInMethod, clientID: String) {
            self.server = server.normalized
            self.method = method
            self.clientID = clientID
        }

        /// Takes the issuer that the user names, else the last sign-in's; a user who has named one stays bound to it.
        ///
        /// - Parameters:
        ///   - issuer: what the user names; `nil` for nothing.
        ///   - last: the last sign-in there; `nil` for none.
        package mutating func takeIssuer(named issuer: String?, last: Credential?) {
            self.issuer = issuer ?? last?.issuer
            isIssuerRemembered = issuer == nil && last?.isIssuerNamed != true
        }
    }

    /// The outcome of a sign-in.
    public struct Outcome: Sendable, Equatable {
        /// What was stored.
        public let credential: Credential
        /// Seconds that this machine's clock is ahead of the issuer's, where it is more than half a minute
        /// either way; they were tolerated.
        public let clockSkewSeconds: Int?
        /// What happened to the refresh token of the sign-in that this one replaces; also ``SignOut/Revocation/none``
        /// where it is left to the server.
        public let replaced: SignOut.Revocation
    }

    /// Signs in, checks what comes back, and stores it before returning.
    ///
    /// Only then is the refresh token of the last sign-in there revoked, if it is another person's or client's: until
    /// the new one is stored, the old one is all there is. If that fails, the sign-in still holds, and
    /// ``Outcome/replaced`` says so. If the sign-in fails or is cancelled after its code was exchanged, the refresh
    /// token that came is revoked, since nobody would know of it. Neither is revoked where that might make the server
    /// end a sign-in that is kept, at this FHIR base or another.
    ///
    /// - Throws: ``OpenIDConnectError`` when there is no sign-in, or the store's own error.
    public func run(_ request: Request, with interaction: any SignInInteraction) async throws -> Outcome {
        let server = try await Discovery(client: client)
            .authorizationServer(of: request.server, issuer: request.issuer, isRemembered: request.isIssuerRemembered)
        var scopes = request.scopes ?? Scopes.standard(for: request.method, at: server)
        // Read now, in case the store can't be read any more once a token is there.
        let others = try? await StoredSignIns.all(in: store)
        // The process does not end until a token that may be on its way is kept or revoked.
        let course = TokenRenewal()
        defer { course.end() }
        func ask(for scopes: [String]) async throws -> Answer {
            try await self.answer(to: request, scopes: scopes, server: server, interaction: interaction, course)
        }
        let answer: Answer
        do { answer = try await ask(for: scopes) } catch OpenIDConnectError.refused("invalid_scope", _, _)
            where request.scopes == nil && server.mayNotKnow(Scopes.offlineAccess, of: scopes)
        {
            course.end()
            scopes.removeAll { $0 == Scopes.offlineAccess }
            await interaction.showSecondRequest(without: Scopes.offlineAccess)
            answer = try await ask(for: scopes)
        }
        var credential = Credential(
            server: request.server.text,
            method: request.method,
            clientID: request.clientID,
            issuer: server.issuer,
            endpoints: server.endpoints,
            requestedScopes: scopes
        )
        if request.issuer != nil, !request.isIssuerRemembered { credential.isIssuerNamed = true }
        if request.scopes != nil { credential.areScopesNamed = true }
        if request.assumesPKCE, request.method == .authorizationCode, !server.offersS256 {
            credential.isPKCEAssumed = true
        }
        credential.redirectPort = request.redirectPort
        credential.tokens = answer.response.tokens(requestedScopes: scopes, previous: nil, at: answer.instant)
        do {
            try Task.checkCancellation()
            if let fault = TokenEndpoint(url: server.tokenEndpoint, client: client).fault(answer.response) {
                throw fault
            }
            let claims = try await claims(of: answer, request: request, scopes: scopes, server: server)
            credential.subject = Subject(claims, patient: answer.response.patient)
            let last = try await keep(credential)
            // It is done now, even if this task is cancelled: nobody else knows the last one's token any more.
            let revocation = Task { [credential] in await revokeRefreshToken(of: last, replacedBy: credential) }
            return Outcome(
                credential: credential,
                clockSkewSeconds: claims.flatMap { Self.skew($0, at: answer.instant) },
                replaced: await revocation.value
            )
        } catch {
            if let token = answer.response.refreshToken {
                // Even if this task is cancelled too.
                await Task { [credential] in await giveBack(token, of: credential, beside: others) }.value
            }
            throw error
        }
    }

    private func giveBack(_ token: Secret, of credential: Credential, beside others: [Credential]?) async {
        // A sign-in that can't be read may be one that would end with it.
        guard let kept = (try? await StoredSignIns.all(in: store)) ?? others,
            !kept.contains(where: { credential.mayEnd($0) })
        else { return }
        _ = await credential.revoked(token, hint: "refresh_token", key: nil, with: client)
    }

    /// Puts a sign-in into the store, and returns the one that was there.
    private func keep(_ credential: Credential) async throws -> Credential? {
        let entry = try credential.encoded()
        return try await store.update(credential.server) { stored in
            defer { stored = entry }
            return stored.flatMap { try? Credential(entry: $0) }
        }
    }

    private func revokeRefreshToken(of last: Credential?, replacedBy new: Credential) async -> SignOut.Revocation {
        // A server may end all tokens of the same grant along with one (RFC 7009, section 2.1), and so the new sign-in,
        // or one at another FHIR base.
        guard let last, let token = last.tokens?.refreshToken, !new.mayShareGrant(with: last),
            let kept = try? await StoredSignIns.all(in: store), !kept.contains(where: { last.mayEnd($0) })
        else { return .none }
        return await last.revoked(
            token,
            hint: "refresh_token",
            key: try? await ClientKey(of: last.server, in: store),
            with: client
        )
    }

    /// What the token endpoint answered, when, and the nonce that its ID token must carry.
    private struct Answer {
        let response: TokenResponse
        let nonce: Secret?
        /// Read before the request, so that a slow answer does not make a life longer.
        let instant: ClockReading
    }

    private func answer(
        to request: Request,
        scopes: [String],
        server: AuthorizationServer,
        interaction: any SignInInteraction,
        _ course: TokenRenewal
    ) async throws -> Answer {
        let endpoint = TokenEndpoint(url: server.tokenEndpoint, client: client)
        switch request.method {
        case .authorizationCode:
            let (code, authorization) = try await BrowserAuthorization(server: server, interaction: interaction)
                .code(request, scopes: scopes)
            let instant = ClockReading.now()
            let grant = TokenEndpoint.Grant.authorizationCode(
                code,
                redirectURI: authorization.redirectURI,
                codeVerifier: authorization.codeVerifier
            )
            try course.begin()
            let response = try await endpoint.uninterruptedTokens(for: grant, from: .publicClient(id: request.clientID))
            return Answer(response: response, nonce: authorization.nonce, instant: instant)
        case .deviceCode:
            let device = DeviceAuthorization(server: server, clientID: request.clientID, client: client, wait: wait)
            let code = try await device.code(scopes: scopes)
            await interaction.show(code.prompt)
            let (response, instant) = try await device.tokens(for: code, course)
            return Answer(response: response, nonce: nil, instant: instant)
        case .backendService:
            guard let key = try await ClientKey(of: request.server.text, in: store) else {
                throw OpenIDConnectError.noClientKey(server: request.server.text)
            }
            let instant = ClockReading.now()
            let identity = ClientIdentity.backendService(id: request.clientID, key: key)
            let response: TokenResponse
            do throws(OpenIDConnectError) {
                response = try await endpoint.tokens(for: .clientCredentials(scopes: scopes), from: identity)
            } catch {
                throw error.ofService(algorithm: key.algorithm, listed: server.clientAlgorithms)
            }
            try course.begin()
            return Answer(response: response, nonce: nil, instant: instant)
        }
    }

    /// The checked claims of the ID token, which must be there when `openid` was granted.
    private func claims(
        of answer: Answer,
        request: Request,
        scopes: [String],
        server: AuthorizationServer
    ) async throws(OpenIDConnectError) -> IDTokenClaims? {
        guard scopes.contains("openid") else { return nil }
        guard let token = answer.response.idToken else {
            guard answer.response.scopes.map({ !$0.contains("openid") }) ?? false else { throw .idToken(.missing) }
            return nil
        }
        guard let issuer = server.issuer, let jwksURL = server.jwksURL else {
            throw .notOffered(what: "jwks_uri", place: server.tokenEndpoint.origin)
        }
        let verifier = IDTokenVerifier(
            issuer: issuer,
            clientID: request.clientID,
            keys: SigningKeys(url: jwksURL, client: client),
            announcedAlgorithms: server.idTokenAlgorithms
        )
        return try await verifier.claims(of: token, nonce: answer.nonce)
    }

    /// An ID token is made when it is asked for: its age shows how far the clocks are apart.
    private static func skew(_ claims: IDTokenClaims, at instant: ClockReading) -> Int? {
        guard abs(claims.iat) < 1e12 else { return nil }
        let seconds = instant.wallSeconds - Int(claims.iat)
        return abs(seconds) > 30 ? seconds : nil
    }
}

extension AuthorizationServer {
    /// Whether `scope` is among `requested`, and not among those that the server lists.
    fileprivate func mayNotKnow(_ scope: String, of requested: [String]) -> Bool {
        requested.contains(scope) && !(scopes?.contains(scope) ?? false)
    }
}

extension Credential {
    /// Whether a server may take this sign-in and `other` for one: the same server and client, and not known to be two
    /// different persons.
    fileprivate func mayShareGrant(with other: Credential) -> Bool {
        guard issuer == other.issuer || endpoints.token == other.endpoints.token, clientID == other.clientID else {
            return false
        }
        guard let mine = subject?.identifier, let others = other.subject?.identifier else { return true }
        return mine == others
    }

    /// Whether a server that revokes this one's refresh token might also end `other`, which has one of its own.
    fileprivate func mayEnd(_ other: Credential) -> Bool {
        other.tokens?.refreshToken != nil && mayShareGrant(with: other)
    }
}

extension Subject {
    /// What the token and the launch context say; `nil` where they say nothing.
    fileprivate init?(_ claims: IDTokenClaims?, patient: String?) {
        guard claims != nil || patient != nil else { return nil }
        self.init(
            identifier: claims?.sub,
            name: claims?.preferredUsername ?? claims?.email ?? claims?.name,
            fhirUser: claims?.fhirUser,
            patient: patient
        )
    }
}
