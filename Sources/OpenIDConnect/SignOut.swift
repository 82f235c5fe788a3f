public import HTTPTransport

/// Revokes tokens and removes them here, whatever the server answers.
///
/// Source: RFC 7009.
public struct SignOut: Sendable {
    private let client: HTTPClient
    private let store: any TokenStore

    /// Signing out over `client` of what `store` keeps.
    public init(client: HTTPClient, store: any TokenStore) {
        self.client = client
        self.store = store
    }

    /// What happened to one token at the server; here it is removed in any case.
    public enum Revocation: Sendable, Equatable {
        /// There was none.
        case none
        /// The server revoked it.
        case revoked
        /// The server has no revocation endpoint, or none for such a token or client; the token ends by itself.
        case notOffered
        /// It did not work; the token may still be good.
        case failed(OpenIDConnectError)
    }

    /// What happened to both tokens.
    public struct Outcome: Sendable, Equatable {
        /// The refresh token, which is revoked first: anyone who has it can get new access tokens.
        public let refreshToken: Revocation
        /// The access token.
        public let accessToken: Revocation
        /// When an access token that was not revoked ends.
        public let expiry: TokenExpiry?
    }

    /// For when there was no token.
    private static let nothing = Outcome(refreshToken: .none, accessToken: .none, expiry: nil)

    /// Signs out of `server`.
    ///
    ///     let outcome = try await SignOut(client: client, store: store).run(server: base, forget: true)
    ///
    /// - Parameters:
    ///   - server: the FHIR base.
    ///   - forget: removes everything that is kept for the server, including its settings and a service's key.
    /// - Returns: what the server answered; nothing is asked of a server for which nothing is kept.
    /// - Throws: ``OpenIDConnectError/unreadableEntry`` where it is not to be forgotten, or the store's own error.
    public func run(server: HTTPURL, forget: Bool) async throws -> Outcome {
        let (client, name) = (client, server.normalized.text)
        guard try await StoredSignIns.isKnown(name, in: store) else { return Self.nothing }
        let key = try? await ClientKey(of: name, in: store)
        // The process does not end until what was revoked is removed here too.
        let course = TokenRenewal()
        defer { course.end() }
        // Under the lock, so that no other process renews what is being revoked.
        let outcome = try await store.update(name, isRemoval: true) { entry -> Outcome in
            guard let bytes = entry else { return Self.nothing }
            guard var credential = try? Credential(entry: bytes) else {
                guard forget else { throw OpenIDConnectError.unreadableEntry }
                entry = nil
                return Self.nothing
            }
            try course.begin()
            let outcome = await credential.revoked(key: key, with: client)
            credential.removeTokens()
            entry = forget ? nil : try credential.encoded()
            return outcome
        }
        if forget { try await store.update(ClientKey.entryName(of: name), isRemoval: true) { $0 = nil } }
        return outcome
    }
}

extension Credential {
    /// Revokes the refresh token, then the access token.
    fileprivate func revoked(key: ClientKey?, with client: HTTPClient) async -> SignOut.Outcome {
        var refreshToken = SignOut.Revocation.none
        if let token = tokens?.refreshToken {
            refreshToken = await revoked(token, hint: "refresh_token", key: key, with: client)
        }
        var accessToken = SignOut.Revocation.none
        if let token = tokens?.accessToken {
            accessToken = await revoked(token, hint: "access_token", key: key, with: client)
        }
        return SignOut.Outcome(refreshToken: refreshToken, accessToken: accessToken, expiry: tokens?.expiry)
    }

    /// Revokes one token (RFC 7009); a service signs the request as it signed the one for the token.
    func revoked(_ token: Secret, hint: String, key: ClientKey?, with client: HTTPClient) async -> SignOut.Revocation {
        guard let endpoint = endpoints.revocation else { return .notOffered }
        do throws(OpenIDConnectError) {
            let url = try HTTPURL(trusted: endpoint, what: "revocation_endpoint")
            let tokenURL = try HTTPURL(trusted: endpoints.token, what: "token_endpoint")
            let identity = try identity(key: key)
            let fields =
                [("token", token.revealed), ("token_type_hint", hint)]
                + (try await identity.fields(tokenEndpoint: tokenURL))
            var answer = try await JSONDocument.post(fields, to: url, with: client)
            // Some servers require a public client to send the access token itself.
            if method != .backendService, answer.response.status == 401, let accessToken = tokens?.accessToken {
                let authorization = Authorization.bearer(accessToken.revealed)
                answer = try await JSONDocument.post(fields, to: url, authorization: authorization, with: client)
            }
            switch answer.response.status {
            case 200: return .revoked
            case 400..<500:
                if isBeyondRevocation(answer) { return .notOffered }
                let hidden = [tokens?.accessToken, tokens?.refreshToken].compactMap(\.self)
                let error = answer.refusal(hiding: hidden)
                return .failed(method == .backendService ? error.ofService() : error)
            default: return .failed(.unexpectedStatus(place: answer.place, status: answer.response.status))
            }
        } catch {
            return .failed(error)
        }
    }

    /// Whether a refusal says that the server revokes no such token, or, as its document says too, none of a client
    /// without a secret.
    ///
    /// Some servers leave such clients out of that document and revoke their tokens all the same, so they are asked.
    ///
    /// Source: RFC 7009, section 2.2.1; RFC 8414, section 2.
    private func isBeyondRevocation(_ answer: JSONDocument) -> Bool {
        if answer.errorCode == "unsupported_token_type" { return true }
        let isClientRefused = answer.response.status == 401 || answer.errorCode == "invalid_client"
        return isClientRefused && method != .backendService && endpoints.revocationWantsSecret == true
    }
}
