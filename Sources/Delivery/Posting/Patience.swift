/// How long one request is tried, and when it is sent again.
struct Patience {
    /// When it was first sent, by a clock that stands still while the machine sleeps.
    private(set) var start: SuspendingClock.Instant
    private let options: DeliveryOptions
    private let state: RunState
    private var tries = 0

    /// Begins at `start`, which several requests may share.
    init(_ options: DeliveryOptions, _ state: RunState, since start: SuspendingClock.Instant = .now) {
        self.options = options
        self.state = state
        self.start = start
    }

    /// How long it has been tried so far.
    var elapsed: Duration { .now - start }

    /// Does not count time in which the server was not waited for.
    mutating func leaveOut(_ time: Duration) { start += time }

    /// Waits until the next try.
    ///
    /// - Parameters:
    ///   - fault: how the last try ended.
    ///   - asked: how long the server asked to wait.
    ///   - budget: how long it is tried in all; `nil` for the time that `fault` is given.
    /// - Throws: the reason why the run stops, or ``DeliveryError/unreachable(fault:seconds:)`` where no time is left
    ///   for another try.
    mutating func wait(
        after fault: DeliveryError.Fault,
        asked: Duration?,
        within budget: Duration? = nil
    ) async throws {
        // Checked first: where a stopped run has also waited too long, the stop is the reason that counts.
        if let reason = state.stopReason { throw reason }
        let elapsed = elapsed
        guard let wait = next(asked, elapsed, budget ?? state.patience(with: fault, options)) else {
            throw DeliveryError.unreachable(fault: fault, seconds: Int(elapsed / .seconds(1)))
        }
        state.noteWaiting(for: fault, wait: elapsed + wait, options)
        guard await state.sleep(wait) else { throw state.stopReason ?? DeliveryError.interrupted }
    }

    /// Whether time is left for another try where a server asks for this wait.
    func allows(_ asked: Duration?, after fault: DeliveryError.Fault) -> Bool {
        var patience = self
        return patience.next(asked, elapsed, state.patience(with: fault, options)) != nil
    }

    /// Waits until the sign-in server can be asked again.
    ///
    /// - Returns: whether there was time left and the run goes on.
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
