/// How long one request is tried, and when it goes again.
struct Patience {
    /// When it was sent first, by a clock that stands still while the machine sleeps.
    let start: SuspendingClock.Instant
    private let options: DeliveryOptions
    private let state: RunState
    private var tries = 0

    /// Begins at `start`, which requests that follow one another share.
    init(_ options: DeliveryOptions, _ state: RunState, since start: SuspendingClock.Instant = .now) {
        self.options = options
        self.state = state
        self.start = start
    }

    /// How long it has been tried.
    var elapsed: Duration { .now - start }

    /// Waits until it is tried again.
    ///
    /// - Parameters:
    ///   - fault: how the last try ended.
    ///   - asked: what the server asked for.
    ///   - budget: how long it is tried; `nil` as `fault` demands.
    /// - Throws: why the run stops, or ``DeliveryError/unreachable(fault:seconds:)`` where no time is left for another try.
    mutating func wait(
        after fault: DeliveryError.Fault,
        asked: Duration?,
        within budget: Duration? = nil
    ) async throws {
        // First: where a stopped run has waited too long as well, that is not why it ends.
        if let reason = state.stopReason { throw reason }
        let elapsed = elapsed
        guard let wait = next(asked, elapsed, budget ?? state.patience(with: fault, options)) else {
            throw DeliveryError.unreachable(fault: fault, seconds: Int(elapsed / .seconds(1)))
        }
        state.noteWaiting(for: fault, wait: elapsed + wait, options)
        guard await state.sleep(wait) else { throw state.stopReason ?? DeliveryError.interrupted }
    }

    /// Whether it is tried again where a server asks for so long a wait.
    func allows(_ asked: Duration?, after fault: DeliveryError.Fault) -> Bool {
        var patience = self
        return patience.next(asked, elapsed, state.patience(with: fault, options)) != nil
    }

    /// Waits until the sign-in server is asked again.
    ///
    /// - Returns: whether time is left, and the run goes on.
    mutating func waitForSignIn() async -> Bool {
        let budget = state.patience(options)
        guard let wait = next(nil, elapsed, budget) else { return false }
        state.noteWaiting("its sign-in server is away or too busy", budget, options)
        return await state.sleep(wait)
    }

    private mutating func next(_ asked: Duration?, _ elapsed: Duration, _ budget: Duration) -> Duration? {
        tries += 1
        return options.retryPolicy.wait(before: tries, asked: asked, elapsed: elapsed, budget: budget)
    }
}
