public import HTTPTransport
internal import Synchronization

/// Hands out the access token for one server, renewed in time.
///
/// A token is renewed 30 s before its end (a tenth of its life, if that is shorter) or when the server has refused it.
/// However many requests wait and however many processes share the store, there is one renewal, and nobody sees its
/// token before the store has saved it. A refresh token whose answer was lost may be spent: this source never sends it
/// again, and throws the same error until the store has another; a new source tries once.
///
/// Source: RFC 6749, section 6; RFC 9700, section 4.14.
public actor AccessTokenSource: RequestAuthorizer {
    private let server: HTTPURL
    private let store: any TokenStore
    private let client: HTTPClient
    private let check: @Sendable (Credential) throws -> Void
    private var tokens: Tokens?
    private var renewal: Task<Tokens, any Error>?
    /// The refresh token that was sent without bringing anything that is kept, and why: it may be spent.
    private var unanswered: (refreshToken: Secret, error: any Error)?

    /// The token of the sign-in to `server` that `store` keeps.
    ///
    /// - Parameters:
    ///   - server: the FHIR base.
    ///   - store: keeps the sign-in, which somebody may replace meanwhile.
    ///   - client: sends requests.
    ///   - check: looks at the sign-in each time it is read from the store, before anything is sent with it; a request
    ///     for the token throws what it throws.
    public init(
        server: HTTPURL,
        store: any TokenStore,
        client: HTTPClient,
        check: @escaping @Sendable (Credential) throws -> Void = { _ in }
    ) {
        self.server = server.normalized
        self.store = store
        self.client = client
        self.check = check
    }

    /// The header for a request at or below the server's base.
    ///
    /// - Throws: ``OpenIDConnectError/foreignServer(expected:found:)`` for any other request,
    ///   ``OpenIDConnectError/notSignedIn(server:)``, ``OpenIDConnectError/signInOver(server:words:)``,
    ///   ``OpenIDConnectError/unchangedToken(server:)``, what kept the token from being renewed, or the error of the
    ///   store or of `check`.
    public func authorization(
        for url: HTTPURL,
        replacing rejected: Authorization? = nil
    ) async throws -> Authorization? {
        guard server.contains(url) else {
            throw OpenIDConnectError.foreignServer(expected: server.description, found: url.origin)
        }
        if let tokens, tokens.isUsable(butNot: rejected) { return tokens.authorization }
        if let stored = try await stored().tokens, stored.isUsable(butNot: rejected) {
            tokens = stored
            return stored.authorization
        }
        let renewed = try await renewed(butNot: rejected)
        guard renewed.authorization != rejected else { throw OpenIDConnectError.unchangedToken(server: server.text) }
        tokens = renewed
        return renewed.authorization
    }

    /// Whether the sign-in server may answer soon, and has not received a refresh token of ours that may be
    /// spent: one that was sent is never sent again, but a service's assertion is made again each time.
    public func mayAskAgain(after error: any Error) async -> Bool {
        guard let error = error as? OpenIDConnectError, error.isPassing else { return false }
        if error.spendsNothing { return true }
        return (try? await stored().method) == .backendService
    }

    /// Waits for the one renewal under way, or begins it.
    ///
    /// It is a task of its own, which any waiting caller cancels when it is cancelled: that ends the wait for the
    /// store's lock.
    private func renewed(butNot rejected: Authorization?) async throws -> Tokens {
        while true {
            let task =
                renewal
                ?? Task {
                    defer { renewal = nil }
                    return try await renew(butNot: rejected)
                }
            renewal = task
            do {
                return try await withTaskCancellationHandler {
                    try await task.value
                } onCancel: {
                    task.cancel()
                }
            } catch let error as CancellationError {
                // Another caller that waited may be the one that was cancelled.
                if Task.isCancelled || TokenRenewal.isOver { throw error }
            }
        }
    }

    private func renew(butNot rejected: Authorization?) async throws -> Tokens {
        let (client, server, check) = (client, server.text, check)
        let key = try await ClientKey(of: server, in: store)
        let course = TokenRenewal()
        let spent = Mutex<Secret?>(nil)
        let unanswered = unanswered
        // Not before the store has the outcome.
        defer { course.end() }
        do {
            return try await store.update(server) { entry -> Result<Tokens, OpenIDConnectError> in
                guard let bytes = entry else { throw OpenIDConnectError.notSignedIn(server: server) }
                var credential = try Credential(entry: bytes)
                try check(credential)
                guard let tokens = credential.tokens else { throw OpenIDConnectError.notSignedIn(server: server) }
                // Another process was faster.
                if tokens.isUsable(butNot: rejected) { return .success(tokens) }
                try Task.checkCancellation()
                if let unanswered, unanswered.refreshToken == tokens.refreshToken { throw unanswered.error }
                try course.begin()
                if credential.method != .backendService { spent.withLock { $0 = tokens.refreshToken } }
                let renewal = try await credential.renewal(of: tokens, key: key, client: client)
                credential.tokens = renewal.tokens
                do throws(OpenIDConnectError) {
                    entry = try credential.encoded()
                } catch {
                    // Too long to be kept. The refresh token is not, and from now on it is the only valid one.
                    credential.tokens = tokens
                    credential.tokens?.refreshToken = renewal.tokens.refreshToken
                    entry = try credential.encoded()
                    return .failure(error)
                }
                return renewal.fault.map { .failure($0) } ?? .success(renewal.tokens)
            }.get()
        } catch OpenIDConnectError.refused(let code, let status, let words) {
            // If somebody changed the store without the lock, it has a newer token than the one refused.
            let stored = try await stored()
            if let tokens = stored.tokens, tokens.isUsable(butNot: rejected) { return tokens }
            throw await refusal(code, status, words, of: spent.withLock(\.self), at: stored.endpoints.token)
        } catch OpenIDConnectError.redirected(let place, _) {
            throw OpenIDConnectError.renewalUnanswered(server: server, place: place, status: nil)
        } catch OpenIDConnectError.unexpectedStatus(let place, let status) where !HTTPStatus.mayPass(status) {
            // The next sign-in asks for the endpoint again.
            throw OpenIDConnectError.renewalUnanswered(server: server, place: place, status: status)
        } catch {
            // An error of the store's comes after the server's answer.
            let maySpend = (error as? OpenIDConnectError)?.maySpend ?? true
            if let token = spent.withLock(\.self), maySpend { self.unanswered = (token, error) }
            throw error
        }
    }

    /// What a refused renewal means; where it ends the sign-in, the tokens are removed.
    ///
    /// - Parameters:
    ///   - code: OAuth's error code.
    ///   - status: the answer's.
    ///   - words: the server's own.
    ///   - token: the refresh token that was sent; `nil` for a service, which has none.
    ///   - endpoint: where.
    /// - Returns: the error to throw.
    private func refusal(
        _ code: String?,
        _ status: Int?,
        _ words: String?,
        of token: Secret?,
        at endpoint: String
    ) async -> OpenIDConnectError {
        switch code {
        case "invalid_grant":
            if let token { await signOut(of: token) }
            return .signInOver(server: server.text, words: words)
        case .some where token == nil, "invalid_client", "invalid_scope":
            let error = OpenIDConnectError.refused(code: code, status: status, words: words)
            return token == nil ? error.ofService() : error
        default:
            // It says nothing about the token, and without a code may come from something in between.
            let place = (try? HTTPURL(endpoint).description) ?? endpoint
            let error = OpenIDConnectError.renewalRefused(
                server: server.text,
                place: place,
                status: status,
                code: code,
                words: words
            )
            if let token { unanswered = (token, error) }
            return error
        }
    }

    /// Removes the tokens that came with a refresh token that the server no longer takes, as signing out does.
    private func signOut(of refreshToken: Secret) async {
        // If the store can't be written, the next renewal is refused in its turn.
        try? await store.update(server.text, isRemoval: true) { entry in
            guard let bytes = entry, var credential = try? Credential(entry: bytes),
                credential.tokens?.refreshToken == refreshToken
            else { return }
            credential.removeTokens()
            entry = try credential.encoded()
        }
    }

    private func stored() async throws -> Credential {
        guard let credential = try await StoredSignIns.credential(of: server, in: store) else {
            throw OpenIDConnectError.notSignedIn(server: server.text)
        }
        try check(credential)
        guard credential.tokens != nil else { throw OpenIDConnectError.notSignedIn(server: server.text) }
        return credential
    }
}

extension Tokens {
    fileprivate var authorization: Authorization { .bearer(accessToken.revealed) }

    /// Whether the access token is good for a request now, and is not the one that was refused.
    fileprivate func isUsable(butNot rejected: Authorization?) -> Bool {
        authorization != rejected && !(expiry?.isDue() ?? false)
    }
}

extension Credential {
    /// Gets new tokens with the refresh token, or with the service's key.
    ///
    /// Nothing interrupts it: a refresh token is spent once it is sent, and the next one must get into the store.
    fileprivate func renewal(of tokens: Tokens, key: ClientKey?, client: HTTPClient) async throws -> Renewal {
        try await Task { () throws(OpenIDConnectError) in
            let endpoint = TokenEndpoint(
                url: try HTTPURL(trusted: endpoints.token, what: "token_endpoint"),
                client: client
            )
            let instant = ClockReading.now()
            let identity = try identity(key: key)
            let response: TokenResponse
            do throws(OpenIDConnectError) {
                response = try await endpoint.tokens(for: try grant(tokens), from: identity)
            } catch .malformedDocument(let place, let fault) {
                throw .renewalUnreadable(server: server, place: place, fault: fault)
            }
            if let patient = subject?.patient, let other = response.patient, other != patient {
                var tokens = tokens
                if let refreshToken = response.refreshToken { tokens.refreshToken = refreshToken }
                return Renewal(tokens: tokens, fault: .otherPatient(server: server))
            }
            if let tokens = response.tokens(requestedScopes: requestedScopes, previous: tokens, at: instant) {
                return Renewal(tokens: tokens, fault: nil)
            }
            // Nothing to use now, but the refresh token that came along is kept.
            var tokens = tokens
            if let refreshToken = response.refreshToken { tokens.refreshToken = refreshToken }
            return Renewal(tokens: tokens, fault: endpoint.fault(response))
        }.value
    }

    private func grant(_ tokens: Tokens) throws(OpenIDConnectError) -> TokenEndpoint.Grant {
        if method == .backendService { return .clientCredentials(scopes: requestedScopes) }
        guard let refreshToken = tokens.refreshToken else { throw .signInOver(server: server) }
        return .refreshToken(refreshToken)
    }
}

/// The outcome of a renewal.
private struct Renewal {
    /// What is to be kept.
    let tokens: Tokens
    /// Why the access token that came can't be used.
    let fault: OpenIDConnectError?
}
