internal import FoundationEssentials
internal import HTTPTransport

/// Requests tokens from a token endpoint.
///
/// The grants are authorization code, device code, refresh token and client credentials with a signed assertion;
/// password and implicit do not exist here (RFC 9700, section 2.4 and 2.1.2).
struct TokenEndpoint: Sendable {
    let url: HTTPURL
    let client: HTTPClient

    /// What is exchanged for tokens.
    enum Grant: Sendable {
        case authorizationCode(Secret, redirectURI: String, codeVerifier: Secret)
        case deviceCode(Secret)
        case refreshToken(Secret)
        case clientCredentials(scopes: [String])

        var limits: HTTPLimits {
            if case .refreshToken = self { JSONDocument.renewalLimits } else { JSONDocument.limits }
        }

        fileprivate var fields: [(String, String)] {
            switch self {
            case .authorizationCode(let code, let redirectURI, let codeVerifier):
                [
                    ("grant_type", "authorization_code"), ("code", code.revealed), ("redirect_uri", redirectURI),
                    ("code_verifier", codeVerifier.revealed),
                ]
            case .deviceCode(let code):
                [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", code.revealed)]
            case .refreshToken(let token): [("grant_type", "refresh_token"), ("refresh_token", token.revealed)]
            case .clientCredentials(let scopes):
                [("grant_type", "client_credentials"), ("scope", scopes.joined(separator: " "))]
            }
        }
    }

    /// Exchanges a grant.
    ///
    /// - Parameters:
    ///   - grant: what is exchanged.
    ///   - identity: the client that asks.
    /// - Returns: the tokens, and what is odd about them: ``fault(_:)``.
    /// - Throws: ``OpenIDConnectError/refused(code:status:words:)`` when the server says no, in whatever form;
    ///   other errors when it does not say so.
    func tokens(for grant: Grant, from identity: ClientIdentity) async throws(OpenIDConnectError) -> TokenResponse {
        let fields = grant.fields + (try await identity.fields(tokenEndpoint: url))
        let document = try await JSONDocument.post(fields, to: url, limits: grant.limits, with: client)
        switch document.response.status {
        case 200: return try document.decoded(as: TokenResponse.self)
        // Some servers refuse with 401 or 403, or with an empty body.
        case 400, 401, 403: throw document.refusal()
        default: throw .unexpectedStatus(place: document.place, status: document.response.status)
        }
    }

    /// The same, even if this task is cancelled meanwhile: what it brings can't be had again.
    func uninterruptedTokens(
        for grant: Grant,
        from identity: ClientIdentity
    ) async throws(OpenIDConnectError) -> TokenResponse {
        let result = await Task { () async -> Result<TokenResponse, OpenIDConnectError> in
            do throws(OpenIDConnectError) {
                return .success(try await tokens(for: grant, from: identity))
            } catch {
                return .failure(error)
            }
        }.value
        return try result.get()
    }

    /// What is odd about an answer, as an error; `nil` where nothing is.
    func fault(_ response: TokenResponse) -> OpenIDConnectError? {
        response.oddity.map { .malformedDocument(place: url.description, fault: $0) }
    }
}

extension JSONDocument {
    /// OAuth's error code, such as `invalid_grant`; `nil` where the body is empty or something else.
    var errorCode: String? {
        struct Refusal: Decodable { let error: String }
        return (try? JSONDecoder().decode(Refusal.self, from: Data(response.body)).error).flatMap(ErrorCode.word)
    }

    /// The server's refusal, in which no secret of the request is shown, nor one of `tokens`.
    func refusal(hiding tokens: [Secret] = []) -> OpenIDConnectError {
        .refused(code: errorCode, status: response.status, words: errorWords(hiding: tokens))
    }

    /// OAuth's `error_description`, fit for a message; `nil` where there is none, or where it may hold a secret.
    private func errorWords(hiding tokens: [Secret]) -> String? {
        struct Refusal: Decodable {
            let words: String
            private enum CodingKeys: String, CodingKey { case words = "error_description" }
        }
        guard let text = try? JSONDecoder().decode(Refusal.self, from: Data(response.body)).words else { return nil }
        // A URL or a form may have a secret in another form.
        guard let decoded = FormEncoding.unescaped(text.utf8) else { return nil }
        // The beginning of a secret is too much, too; and a word as long as this may be a token that is not known here.
        let holdsSecret = (secrets + tokens.map(\.revealed)).contains { secret in
            [text, decoded].contains { $0.contains(secret.prefix(16)) }
        }
        let holdsLongWord = text.utf8.split { !Base64URL.isDigit($0) }.contains { $0.count > 40 }
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").replacing("'", with: "\"")
        return words.isEmpty || holdsSecret || holdsLongWord ? nil : words.quotable(upTo: 200)
    }
}

extension Credential {
    /// The client that asks for its tokens, or revokes them: a service with its key.
    func identity(key: ClientKey?) throws(OpenIDConnectError) -> ClientIdentity {
        guard method == .backendService else { return .publicClient(id: clientID) }
        guard let key else { throw .noClientKey(server: server) }
        return .backendService(id: clientID, key: key)
    }
}

/// The client that asks a token endpoint.
enum ClientIdentity: Sendable {
    /// A client that can't keep a secret: it sends only its name, since PKCE protects it.
    case publicClient(id: String)
    /// A backend service, which signs (RFC 7523, section 2.2).
    case backendService(id: String, key: ClientKey)

    /// The form fields that identify it.
    func fields(tokenEndpoint: HTTPURL) async throws(OpenIDConnectError) -> [(String, String)] {
        switch self {
        case .publicClient(let id): return [("client_id", id)]
        case .backendService(let id, let key):
            let assertion = try await ClientAssertion.make(clientID: id, key: key, tokenEndpoint: tokenEndpoint)
            // The assertion names it, too, but some servers look for it here (RFC 7521, section 4.2).
            return [
                ("client_id", id),
                ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                ("client_assertion", assertion.revealed),
            ]
        }
    }
}
