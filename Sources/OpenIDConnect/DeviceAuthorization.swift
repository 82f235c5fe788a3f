internal import FoundationEssentials
internal import HTTPTransport

/// Signing in on another device: a short code is shown here, and typed in or opened there.
///
/// Source: RFC 8628.
struct DeviceAuthorization: Sendable {
    let server: AuthorizationServer
    let clientID: String
    let client: HTTPClient
    /// Waits between two requests; a closure, so that a test need not wait.
    let wait: @Sendable (Duration) async throws -> Void

    /// What the person is shown, and the code that tokens are asked for with.
    struct Code: Sendable {
        let prompt: DeviceCodePrompt
        let deviceCode: Secret
        let lifetimeSeconds: Int
        let intervalSeconds: Int
    }

    /// Asks for a code (section 3.1).
    func code(scopes: [String]) async throws(OpenIDConnectError) -> Code {
        guard let url = server.deviceAuthorizationEndpoint else {
            throw .notOffered(what: "device_authorization_endpoint", place: server.tokenEndpoint.origin)
        }
        let fields = [("client_id", clientID), ("scope", scopes.joined(separator: " "))]
        let document = try await JSONDocument.post(fields, to: url, with: client)
        if [400, 401, 403].contains(document.response.status) {
            throw document.refusal()
        }
        return try Self.code(in: document, from: url)
    }

    /// Reads the answer of `url`.
    static func code(in document: JSONDocument, from url: HTTPURL) throws(OpenIDConnectError) -> Code {
        let response = try document.decoded(as: Response.self)
        // What the person is told to open must be safe too.
        let address = try HTTPURL(trusted: response.verificationURI, what: "verification_uri", namedBy: url)
        // A person can do without this one.
        let complete = response.verificationURIComplete.flatMap { text in
            try? HTTPURL(trusted: text, what: "verification_uri_complete", namedBy: url)
        }
        guard !response.userCode.isEmpty, response.userCode == response.userCode.quotable else {
            throw .malformedDocument(place: document.place, fault: "user_code is not a short code")
        }
        return Code(
            prompt: DeviceCodePrompt(
                userCode: response.userCode,
                verificationURL: address.text,
                completeURL: complete?.text
            ),
            deviceCode: response.deviceCode,
            lifetimeSeconds: min(max(response.expiresIn.count, 1), 3600),
            intervalSeconds: min(max(response.interval?.count ?? 5, 1), 300)
        )
    }

    /// Asks until the person has said yes or no, or the code is too old (sections 3.4 and 3.5).
    ///
    /// - Throws: ``OpenIDConnectError/deviceCodeExpired``, or the server's fault if it had one to the end.
    func tokens(
        for code: Code,
        _ course: TokenRenewal
    ) async throws -> (response: TokenResponse, asked: ClockReading) {
        let endpoint = TokenEndpoint(url: server.tokenEndpoint, client: client)
        var interval = code.intervalSeconds
        var waited = 0
        var fault: OpenIDConnectError?
        while waited + interval <= code.lifetimeSeconds {
            try await wait(.seconds(interval))
            waited += interval
            let instant = ClockReading.now()
            try course.begin()
            do throws(OpenIDConnectError) {
                let grant = TokenEndpoint.Grant.deviceCode(code.deviceCode)
                return (try await endpoint.uninterruptedTokens(for: grant, from: .publicClient(id: clientID)), instant)
            } catch {
                course.end()
                fault = nil
                switch error {
                case .refused("authorization_pending", _, _): continue
                case .refused("slow_down", _, _): interval += 5
                case .refused("expired_token", _, _): throw OpenIDConnectError.deviceCodeExpired
                // A server that does not answer, is in trouble or is too busy, is asked half as often.
                case .transport(.timedOut), .transport(.noConnection), .transport(.proxy(_, fault: .noConnection)),
                    .transport(.connectionLost), .unexpectedStatus(_, 429), .unexpectedStatus(_, 500),
                    .unexpectedStatus(_, 502...504):
                    interval *= 2
                    fault = error
                default: throw error
                }
            }
        }
        throw fault ?? .deviceCodeExpired
    }

    private struct Response: Decodable {
        let deviceCode: Secret
        let userCode: String
        let verificationURI: String
        let verificationURIComplete: String?
        let expiresIn: Seconds
        let interval: Seconds?

        private enum CodingKeys: String, CodingKey {
            case deviceCode = "device_code"
            case userCode = "user_code"
            case verificationURI = "verification_uri"
            case verificationURIComplete = "verification_uri_complete"
            case expiresIn = "expires_in"
            case interval
        }
    }
}
