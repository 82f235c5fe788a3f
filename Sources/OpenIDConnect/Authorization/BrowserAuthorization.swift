internal import HTTPTransport

/// Gets an authorization code with a browser: shows the address, and waits for the redirect on a loopback port or for
/// its address to be pasted, whichever comes first.
struct BrowserAuthorization {
    let server: AuthorizationServer
    let interaction: any SignInInteraction

    /// The code, and the request that it answers.
    func code(_ request: SignIn.Request, scopes: [String]) async throws -> (Secret, AuthorizationRequest) {
        let listener = try LoopbackListener(port: request.redirectPort)
        let authorization = try AuthorizationRequest(
            clientID: request.clientID,
            redirectURI: listener.redirectURI,
            scopes: scopes,
            audience: request.server.text
        )
        await interaction.showAuthorization(url: try authorization.url(at: server, assumesPKCE: request.assumesPKCE))
        guard let query = try await query(listener) else {
            throw OpenIDConnectError.noRedirect(seconds: SignIn.browserSeconds, redirectURI: listener.redirectURI)
        }
        return (
            try AuthorizationResponse.code(query: query, request: authorization, server: server), authorization
        )
    }

    /// The query of the redirect; does not wait for a line that is never pasted.
    private func query(_ listener: LoopbackListener) async throws -> String? {
        let (answers, continuation) = AsyncStream.makeStream(of: Result<String?, OpenIDConnectError>.self)
        let interaction = interaction
        let redirect = Task { continuation.yield(.success(await listener.query(within: SignIn.browserSeconds))) }
        let paste = Task {
            guard let text = await interaction.pastedRedirect() else { return }
            do throws(OpenIDConnectError) {
                let query = try AuthorizationResponse.query(pasted: text, redirectURI: listener.redirectURI)
                continuation.yield(.success(query))
            } catch {
                continuation.yield(.failure(error))
            }
        }
        defer {
            redirect.cancel()
            paste.cancel()
        }
        for await answer in answers { return try answer.get() }
        throw CancellationError()
    }
}
