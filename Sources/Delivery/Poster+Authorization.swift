internal import HTTPTransport

/// The token of a request.
extension Poster {
    /// The authorizer's header, tried as long as a request whose server is away.
    ///
    /// It may have to wait for another process; a run that stops waits no longer.
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

    /// Whether a token has ended on its way, so that another has taken its place: its refusal says nothing of that one.
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

    /// The error for a 401 that no other token helps against.
    func unauthorized(_ response: HTTPResponse) -> DeliveryError {
        let fault: DeliveryError.TokenFault =
            authorizer == nil ? .missing : .refused(scheme: response.schemeBesidesBearer)
        return .unauthorized(fault, server: options.server.description)
    }
}
