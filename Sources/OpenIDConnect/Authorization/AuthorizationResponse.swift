internal import HTTPTransport

/// What the browser brought back to the redirect URI.
///
/// Source: RFC 6749, section 4.1.2; RFC 9207, section 2.4.
enum AuthorizationResponse {
    /// The code of the redirect whose query is `query`.
    ///
    /// The state is checked first: an answer that is not ours says nothing, not even an error. Fields that are not
    /// known here are ignored, even where they can't be read: some servers write a person's name in Latin-1.
    ///
    /// - Throws: ``OpenIDConnectError`` when the answer is another sign-in's or server's, or a refusal.
    static func code(
        query: String,
        request: AuthorizationRequest,
        server: AuthorizationServer
    ) throws(OpenIDConnectError) -> Secret {
        guard let fields = FormEncoding.fields(query, only: ["state", "iss", "error", "code"]),
            let state = fields["state"], request.state.matches(state)
        else { throw .wrongState }
        try checkIss(fields["iss"], server: server)
        if let error = fields["error"] { throw .refused(code: ErrorCode.word(error), status: nil) }
        guard let code = fields["code"], !code.isEmpty else { throw .noCode }
        return Secret(code)
    }

    /// A response that names its issuer must name ours; one of a server that always names itself must name it.
    private static func checkIss(_ iss: String?, server: AuthorizationServer) throws(OpenIDConnectError) {
        guard iss != nil || server.namesIssInResponse else { return }
        if iss != nil, server.issuer == nil { throw .unknownIss }
        guard let issuer = server.issuer, iss?.isByteForByte(issuer) == true else {
            throw .wrongIss(expected: server.issuer ?? server.tokenEndpoint.origin)
        }
    }

    /// The query of a redirect that was copied from the browser's address bar.
    ///
    /// - Throws: ``OpenIDConnectError/notTheRedirect`` where it is another address.
    static func query(pasted text: String, redirectURI: String) throws(OpenIDConnectError) -> String {
        let text = text.filter { !$0.isWhitespace }
        guard text.hasPrefix(redirectURI + "?") else { throw .notTheRedirect }
        return String(text.dropFirst(redirectURI.count + 1).prefix { $0 != "#" })
    }
}
