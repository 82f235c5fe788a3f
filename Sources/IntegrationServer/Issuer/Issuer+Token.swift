import GRDB

/// The token endpoint (RFC 6749, section 3.2) and revocation (RFC 7009).
extension Issuer {
    static let refreshSeconds: Int64 = 90 * 86_400

    /// The outcome of a grant inside a transaction; a fault may have to be committed too, so it is not thrown there.
    private enum Outcome: Sendable {
        case tokens(AuthorizationTable.Authorization, scope: String, access: String, refresh: String?)
        case fault(OAuthFault)
    }

    func token(_ fields: FormFields) async throws -> HTTPResponse {
        let name = try fields.required("grant_type")
        guard let type = GrantType(rawValue: name) else {
            throw OAuthFault(.unsupportedGrantType, "this grant_type is not known here")
        }
        let client = try await authenticatedClient(fields)
        switch type {
        case .authorizationCode: return try await exchangeCode(fields, client)
        case .refreshToken: return try await refresh(fields, client)
        case .deviceCode: return try await exchangeDeviceCode(fields, client)
        case .clientCredentials: return try await issueToClient(fields, client)
        }
    }

    /// Revokes a refresh token's whole family, or one access token; an unknown token is not an error.
    func revoke(_ fields: FormFields) async throws -> HTTPResponse {
        let client = try await authenticatedClient(fields)
        let (token, now) = (try fields.required("token"), clock.now())
        let isOthers = try await store.commits.write { database in
            let table = AuthorizationTable(database: database, now: now)
            guard let credential = try table.credential(token, .refresh, .access) else { return false }
            guard credential.authorization.client == client.id else { return true }
            if credential.kind == .refresh { try table.revoke(credential.authorization) }
            try table.remove(credential)
            return false
        }
        if isOthers { throw OAuthFault(.invalidGrant, "the token is another client's") }
        return .json(200, "{}")
    }

    /// The client that asks; one that has keys proves who it is.
    func authenticatedClient(_ fields: FormFields) async throws -> ClientRegistry.Client {
        if let text = fields["client_assertion"] {
            guard fields["client_assertion_type"] == ClientAssertion.type else {
                throw OAuthFault(.invalidClient, "client_assertion_type is not \(ClientAssertion.type)")
            }
            let now = clock.now()
            let (client, assertion) = try await ClientAssertion.verified(
                text,
                clients: clients,
                metadata: metadata,
                now: now
            )
            guard fields["client_id"] ?? client.id == client.id else {
                throw OAuthFault(.invalidClient, "client_id is not the assertion's")
            }
            let isNew = try await store.commits.write { database in
                try AuthorizationTable(database: database, now: now)
                    .isNew(jti: assertion.jti, of: client.id, expires: Int64((assertion.exp * 1_000).rounded(.up)))
            }
            guard isNew else { throw OAuthFault(.invalidClient, "the assertion's jti was here before") }
            return client
        }
        guard let client = clients[try fields.required("client_id")] else {
            throw OAuthFault(.invalidClient, "client_id is not registered here (expected pghd or one of --clients)")
        }
        guard client.keys == nil else {
            throw OAuthFault(.invalidClient, "this client signs its requests (expected client_assertion)")
        }
        return client
    }

    private func exchangeCode(_ fields: FormFields, _ client: ClientRegistry.Client) async throws -> HTTPResponse {
        let (code, redirectURI) = (try fields.required("code"), try fields.required("redirect_uri"))
        guard let verifier = fields["code_verifier"] else {
            throw OAuthFault(.invalidRequest, "code_verifier is missing: PKCE is required")
        }
        return try await answer { table in
            guard let credential = try table.credential(code, .code), credential.authorization.client == client.id
            else {
                return .fault(OAuthFault(.invalidGrant, "the code is not known here"))
            }
            let authorization = credential.authorization
            guard !credential.isUsed else {
                // Somebody has the code who should not (RFC 6749, section 4.1.2): what was issued for it ends.
                try table.revoke(authorization)
                return .fault(OAuthFault(.invalidGrant, "the code was used before: its tokens are revoked"))
            }
            try table.markUsed(credential)
            guard credential.expires > table.now else {
                return .fault(OAuthFault(.invalidGrant, "the code has expired"))
            }
            guard authorization.redirectURI == redirectURI else {
                return .fault(OAuthFault(.invalidGrant, "redirect_uri is not the one of the authorization request"))
            }
            guard (43...128).contains(verifier.utf8.count),
                Secret.isEqual(Base64URL.encode(Secret.hash(verifier)), authorization.codeChallenge ?? "")
            else { return .fault(OAuthFault(.invalidGrant, "code_verifier does not fit code_challenge")) }
            return try self.issue(authorization, scope: credential.scope, in: table)
        }
    }

    private func refresh(_ fields: FormFields, _ client: ClientRegistry.Client) async throws -> HTTPResponse {
        let token = try fields.required("refresh_token")
        return try await answer { table in
            guard let credential = try table.credential(token, .refresh), credential.authorization.client == client.id,
                credential.authorization.state == "approved"
            else { return .fault(OAuthFault(.invalidGrant, "the refresh token is not known here, or was revoked")) }
            guard !credential.isUsed else {
                // Two parties have it, and one of them stole it (RFC 9700, section 4.14.2).
                try table.revoke(credential.authorization)
                return .fault(OAuthFault(.invalidGrant, "the refresh token was used before: the sign-in is revoked"))
            }
            guard credential.expires > table.now else {
                return .fault(OAuthFault(.invalidGrant, "the refresh token has expired"))
            }
            let scope: String
            do throws(OAuthFault) {
                scope = try GrantedScope.narrowed(credential.scope, to: fields["scope"])
            } catch {
                return .fault(error)
            }
            try table.markUsed(credential)
            // The nonce was for the first ID token alone (OpenID Connect Core 1.0, section 12.2).
            var authorization = credential.authorization
            authorization.nonce = nil
            return try self.issue(authorization, scope: scope, rotating: credential.scope, in: table)
        }
    }

    private func issueToClient(_ fields: FormFields, _ client: ClientRegistry.Client) async throws -> HTTPResponse {
        guard client.keys != nil else {
            throw OAuthFault(.unauthorizedClient, "client_credentials need a client with keys (expected --clients)")
        }
        let scope = try GrantedScope.forClient(try fields.required("scope"))
        return try await answer { table in
            let number = try table.authorize(client: client.id, scope: scope, patient: nil)
            let access = try table.issue(.access, number, scope: scope, seconds: self.settings.accessTokenSeconds)
            let authorization = AuthorizationTable.Authorization(clientID: client.id, number: number, scope: scope)
            return .tokens(authorization, scope: scope, access: access, refresh: nil)
        }
    }

    private func exchangeDeviceCode(_ fields: FormFields, _ client: ClientRegistry.Client) async throws -> HTTPResponse
    {
        let code = try fields.required("device_code")
        return try await answer { table in
            guard let credential = try table.credential(code, .device), credential.authorization.client == client.id,
                !credential.isUsed
            else { return .fault(OAuthFault(.invalidGrant, "the device code is not known here")) }
            let authorization = credential.authorization
            guard credential.expires > table.now else {
                return .fault(OAuthFault(.expiredToken, "the device code has expired: start again"))
            }
            switch authorization.state {
            case "approved":
                try table.markUsed(credential)
                return try self.issue(authorization, scope: credential.scope, in: table)
            case "denied": return .fault(OAuthFault(.accessDenied, "the person said no"))
            case "pending":
                let isEarly = table.now - authorization.polled < authorization.interval * 1_000
                try table.notePoll(authorization, interval: authorization.interval + (isEarly ? 5 : 0))
                return .fault(
                    isEarly
                        ? OAuthFault(.slowDown, "polled too early: wait 5 s longer from now on")
                        : OAuthFault(.authorizationPending, "nobody has entered the code yet")
                )
            default: return .fault(OAuthFault(.invalidGrant, "the sign-in was revoked"))
            }
        }
    }

    private func issue(
        _ authorization: AuthorizationTable.Authorization,
        scope: String,
        rotating former: String? = nil,
        in table: AuthorizationTable
    ) throws -> Outcome {
        let access = try table.issue(.access, authorization.number, scope: scope, seconds: settings.accessTokenSeconds)
        var refresh: String?
        let whole = former ?? scope
        if ["offline_access", "online_access"].contains(where: { GrantedScope.names(whole, $0) }) {
            refresh = try table.issue(.refresh, authorization.number, scope: whole, seconds: Self.refreshSeconds)
        }
        return .tokens(authorization, scope: scope, access: access, refresh: refresh)
    }

    private func answer(
        _ body: @escaping @Sendable (AuthorizationTable) throws -> Outcome
    ) async throws -> HTTPResponse {
        let now = clock.now()
        let outcome = try await store.commits.write { database in
            try body(AuthorizationTable(database: database, now: now))
        }
        switch outcome {
        case .fault(let fault): throw fault
        case .tokens(let authorization, let scope, let access, let refresh):
            return try await tokenResponse(authorization, scope: scope, access: access, refresh: refresh)
        }
    }
}

extension AuthorizationTable.Authorization {
    /// The authorization of a client by itself, without a person.
    fileprivate init(clientID: String, number: Int64, scope: String) {
        self.init(
            number: number,
            client: clientID,
            scope: scope,
            patient: nil,
            redirectURI: nil,
            codeChallenge: nil,
            nonce: nil,
            state: "approved",
            polled: 0,
            interval: 0,
            created: 0
        )
    }
}
