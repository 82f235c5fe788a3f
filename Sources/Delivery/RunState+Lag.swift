extension RunState {
    /// Waits until a search finds what the server has stored.
    ///
    /// - Parameters:
    ///   - budget: for how long at most.
    ///   - options: how long the first wait is, each later one twice the one before; and who is told.
    ///   - isFound: asks the server.
    /// - Returns: whether it was found before the time was over.
    @discardableResult
    func awaitIndex(
        within budget: Duration,
        _ options: DeliveryOptions,
        _ isFound: @Sendable () async -> Bool
    ) async -> Bool {
        let start = ContinuousClock.now
        var wait = options.firstDelay
        while true {
            if await isFound() { return true }
            let left = budget - (ContinuousClock.now - start)
            // Most indexes know it a moment later, which is no news.
            if wait > options.firstDelay { noteWaiting("does not find yet what was sent before", left, options) }
            guard left > .zero, await sleep(min(wait, left)) else { return false }
            wait *= 2
        }
    }
}
