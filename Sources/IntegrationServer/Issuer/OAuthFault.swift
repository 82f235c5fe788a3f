/// An OAuth error (RFC 6749, sections 4.1.2.1 and 5.2; RFC 8628, section 3.5).
struct OAuthFault: Error, Equatable {
    enum Code: String {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case invalidScope = "invalid_scope"
        case unauthorizedClient = "unauthorized_client"
        case unsupportedGrantType = "unsupported_grant_type"
        case unsupportedResponseType = "unsupported_response_type"
        case accessDenied = "access_denied"
        /// OpenID Connect Core 1.0, section 3.1.2.6.
        case loginRequired = "login_required"
        case requestNotSupported = "request_not_supported"
        case requestURINotSupported = "request_uri_not_supported"
        case authorizationPending = "authorization_pending"
        case slowDown = "slow_down"
        case expiredToken = "expired_token"
        case serverError = "server_error"
        case temporarilyUnavailable = "temporarily_unavailable"
    }

    let code: Code
    let what: String
    /// The challenge in `WWW-Authenticate`, by how the client tried to say who it is.
    private var challenge = "Bearer error=\"invalid_client\""

    init(_ code: Code, _ what: String) {
        self.code = code
        self.what = what
    }

    /// What this server could not do, where a redirect is the only answer (RFC 6749, section 4.1.2.1).
    init(_ refusal: Refusal) {
        let code: Code =
            switch refusal.status {
            case 401: .invalidClient
            case 403: .accessDenied
            case 429, 503: .temporarilyUnavailable
            case 500...: .serverError
            default: .invalidRequest
            }
        self.init(code, refusal.what)
    }

    /// For a password in `Authorization`: the answer names the same scheme (RFC 6749, section 5.2).
    static func noSecrets(realm: String) -> OAuthFault {
        var fault = OAuthFault(
            .invalidClient,
            "no client has a secret here (expected client_id in the form, or client_assertion)"
        )
        fault.challenge = "Basic realm=\"\(realm)\""
        return fault
    }

    /// A refusal in OAuth's form, with the status and the headers that it has elsewhere.
    static func response(to refusal: Refusal) -> HTTPResponse {
        var response = OAuthFault(refusal).response
        response.status = refusal.status
        response.headers += refusal.response.headers.filter { $0.name == "Allow" || $0.name == "Retry-After" }
        return response
    }

    var response: HTTPResponse {
        let body = "{\"error\":\"\(code.rawValue)\",\"error_description\":\(JSONEscapes.quoted(what))}"
        guard code == .invalidClient else { return .json(400, body) }
        var response = HTTPResponse.json(401, body)
        // A 401 has a challenge (RFC 9110, section 11.6.1); there is no scheme for a client's assertion.
        response.headers.append(("WWW-Authenticate", challenge))
        return response
    }
}

/// A form's fields, each at most once (RFC 6749, section 3.1).
struct FormFields: Sendable {
    /// No client's form is nearly as long.
    private static let maximumByteCount = 64 << 10

    let items: [QueryItem]

    init(_ items: [QueryItem]) throws(OAuthFault) {
        guard Set(items.map(\.name)).count == items.count else {
            throw OAuthFault(.invalidRequest, "a parameter is there twice")
        }
        self.items = items
    }

    /// The body of a form post.
    init(_ request: HTTPRequest) throws(OAuthFault) {
        guard request.body.count <= Self.maximumByteCount else {
            throw OAuthFault(.invalidRequest, "the form is longer than \(Self.maximumByteCount) bytes (expected less)")
        }
        guard request.mediaType == "application/x-www-form-urlencoded",
            let items = RequestTarget.items(String(decoding: request.body, as: UTF8.self))
        else {
            throw OAuthFault(.invalidRequest, "the body is not a form (expected application/x-www-form-urlencoded)")
        }
        try self.init(items)
    }

    /// A field's value; an empty one counts as missing.
    subscript(name: String) -> String? {
        items.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    func required(_ name: String) throws(OAuthFault) -> String {
        guard let value = self[name] else { throw OAuthFault(.invalidRequest, "\(name) is missing") }
        return value
    }
}
