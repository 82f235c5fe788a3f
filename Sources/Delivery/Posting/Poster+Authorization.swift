internal import HTTPTransport

/// The `Authorization` header of requests.
extension Poster {
    /// The authorizer's header, tried for as long as a request whose server is away.
    ///
    /// It may have to wait for another process; a run that stops does not wait any longer.
    func authorization(
        for url: HTTPURL,
        replacing rejected: Authorization?,
        since start: SuspendingClock.Instant
    ) async throws -> Authorization? {
        guard let authorizer else { return nil }
        var patience = Patience(options, state, since: start)
        while true {
            do {
                let result = await beforeStop { try await authorizer.authorization(for: url, replacing: rejected) }
                guard let result else { throw state.stopReason ?? CancellationError() }
                return try result.get()
            } catch {
                if let stop = state.stopReason { throw stop }
                guard await authorizer.mayAskAgain(after: error) else { throw error }
                guard await patience.waitForSignIn() else { throw state.stopReason ?? error }
            }
        }
    }

    /// Whether a token has expired on its way and another has taken its place: the refusal of the old one says nothing
    /// about the new one.
    func hasEnded(_ authorization: Authorization?, _ patience: Patience) async -> Bool {
        guard let authorization, !state.wasRefused(authorization) else { return false }
        if patience.elapsed < options.retryBudget {
            let target = options.target
            let result = await beforeStop { [authorizer] in
                try await authorizer?.authorization(for: target, replacing: nil)
            }
            let now = try? result?.get()
            if let now, now != authorization { return true }
        }
        state.noteRefused(authorization)
        return false
    }

    /// The error for a 401 where no other token can help.
    func unauthorized(_ response: HTTPResponse) -> DeliveryError {
        let fault: DeliveryError.TokenFault =
            authorizer == nil ? .missing : .refused(scheme: response.schemeBesidesBearer)
        return .unauthorized(fault, server: options.server.description)
    }
}
