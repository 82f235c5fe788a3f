extension RunState {
    /// Waits until a search finds what the server has stored.
    ///
    /// - Parameters:
    ///   - budget: for how long at most.
    ///   - options: how long the first wait is, each later one twice the one before; and who is told.
    ///   - look: asks the server. What can't be searched is waited for to the end of that time: it may be as late as any.
    /// - Returns: what the last search has told.
    @discardableResult
    func awaitIndex(
        within budget: Duration,
        _ options: DeliveryOptions,
        _ look: @Sendable () async -> ResourceReader.Presence
    ) async -> ResourceReader.Presence {
        let start = ContinuousClock.now
        var wait = options.firstDelay
        while true {
            let presence = await look()
            if presence == .present { return presence }
            let left = budget - (ContinuousClock.now - start)
            // Most indexes know it a moment later, which is no news.
            if wait > options.firstDelay {
                let reason = presence == .absent ? "does not find yet" : "lets nobody search for"
                noteWaiting("\(reason) what was sent before", left, options)
            }
            guard left > .zero, await sleep(min(wait, left)) else { return presence }
            wait *= 2
        }
    }
}
