extension RunState {
    /// Waits until a search finds what the server has stored.
    ///
    /// - Parameters:
    ///   - budget: how long to wait at most.
    ///   - options: the first wait (each later one is twice as long), and who is told of it.
    ///   - isTold: whether to say that it is waited for.
    ///   - look: asks the server. Where it can't be searched, the whole budget is waited: its index may lag too.
    /// - Returns: the result of the last search.
    @discardableResult
    func awaitIndex(
        within budget: Duration,
        _ options: DeliveryOptions,
        isTold: Bool = true,
        _ look: @Sendable () async -> Delivery.Presence
    ) async -> Delivery.Presence {
        let start = ContinuousClock.now
        var wait = options.firstDelay
        while true {
            let presence = await look()
            if presence == .present { return presence }
            let left = budget - (ContinuousClock.now - start)
            // Most indexes find it a moment later: that is not worth a message.
            if isTold, wait > options.firstDelay, left > .zero {
                let reason = presence == .absent ? "does not find yet" : "lets nobody search for"
                noteWaiting("\(reason) what was sent before", left, options)
            }
            guard left > .zero, await sleep(min(wait, left)) else { return presence }
            wait *= 2
        }
    }
}
