internal import HTTPTransport
internal import Synchronization

/// What all posts of a run share: whether it goes on, at which pace, and its numbers.
final class RunState: Sendable {
    private struct State {
        /// Why the run stops before its end: ``DeliveryError``, or the sign-in's own error.
        var stop: (any Error)?
        /// Whether the server has answered anything.
        var isReached = false
        /// Whether it has answered something else than that it is in trouble.
        var isServing = false
        /// Whether the server has taken a Bundle.
        var hasTaken = false
        /// Where Bundles go once the server has asked for a slash behind its address.
        var target: HTTPURL?
        /// Whether somebody was told that it is being waited for, since it has answered.
        var wasTold = false
        var report = DeliveryReport()
        /// No request before this instant: the server has asked for it.
        var pause: ContinuousClock.Instant?
        /// Posts in flight: one until the server has taken one, so that what it can't take is learnt once.
        var limit = 1
        var wasSlowed = false
        var running = 0
        /// Bundles of which one part is on its way and no other may be: each part carries the same new Devices.
        var runningAwaited: Set<Int> = []
        /// Tokens that were refused while they lasted, the last ones.
        var refusedTokens: [Authorization] = []
        /// Whether the server has taken a packed body; `false` once it has refused one, `nil` until it is known.
        var takesGzip: Bool?
        /// Whether the last answer came soon.
        var isQuick = false
        var successes = 0
        var ready: [(turn: Turn, post: @Sendable () async -> Void)] = []
        /// How many posts of each turn have no known outcome yet.
        var open: [Turn: Int] = [:]

        /// Which of those that are ready is next: those that others wait for come before their time.
        var next: Int? {
            let first = open.keys.min()?.number ?? 0
            let awaited = open.keys.lazy.filter(\.isAwaited).min()?.number ?? .max
            let mayBegin = { (turn: Turn) in turn.number <= (turn.waitsForAll ? first : awaited) }
            let isFree = { (turn: Turn) in !turn.isAwaited || !runningAwaited.contains(turn.number) }
            return ready.firstIndex { $0.turn.isAwaited && mayBegin($0.turn) && isFree($0.turn) }
                ?? ready.firstIndex { mayBegin($0.turn) && isFree($0.turn) }
        }
    }

    private let state: Mutex<State>
    private let concurrency: Int
    private let isCancelled: @Sendable () -> Bool

    init(concurrency: Int, isCancelled: @escaping @Sendable () -> Bool) {
        self.concurrency = concurrency
        self.isCancelled = isCancelled
        state = Mutex(State())
    }

    // MARK: Going on

    /// Stops the run; the first reason counts.
    func stop(_ reason: any Error) { state.withLock { if $0.stop == nil { $0.stop = reason } } }

    /// Why the run stops, if it does.
    var stopReason: (any Error)? {
        state.withLock { state in
            if state.stop == nil, isCancelled() { state.stop = DeliveryError.interrupted }
            return state.stop
        }
    }

    /// Waits until the server wants requests again.
    ///
    /// - Returns: whether the run still goes on.
    func mayPost() async -> Bool {
        while let pause = state.withLock({ $0.pause }), pause > .now {
            guard await sleep(pause - .now) else { return false }
        }
        return stopReason == nil
    }

    /// Sleeps, in naps, so that a stop is noticed.
    ///
    /// - Returns: whether the run still goes on.
    func sleep(_ delay: Duration) async -> Bool {
        let end = ContinuousClock.now + delay
        while ContinuousClock.now < end, stopReason == nil {
            do { try await Task.sleep(for: min(end - .now, .milliseconds(100))) } catch { return false }
        }
        return stopReason == nil
    }

    /// Waits until the run stops, or the task is cancelled.
    func waitForStop() async {
        while stopReason == nil {
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
        }
    }

    /// Whether the server has taken a Bundle of this run.
    var hasTaken: Bool { state.withLock { $0.hasTaken } }

    // MARK: Address

    /// Where Bundles go whose address is `target`.
    func target(_ target: HTTPURL) -> HTTPURL { state.withLock { $0.target } ?? target }

    /// Whether a redirection leads to the same address with a slash behind it, as proxies ask for: Bundles go there then.
    func followsSlash(_ location: String?, of target: HTTPURL) -> Bool {
        // Once: a server that wants one more slash each time would be followed for ever.
        guard !target.path.hasSuffix("/"), let location, let slashed = try? HTTPURL(target.text + "/") else {
            return false
        }
        let found = location.hasPrefix("/") ? target.origin + location : location
        // A proxy that ends TLS may not know that it does.
        guard let found = try? HTTPURL(found), found.host == target.host, found.path == slashed.path else {
            return false
        }
        state.withLock { $0.target = slashed }
        return true
    }

    // MARK: Patience

    /// Whether the server has answered anything in this run.
    var isReached: Bool { state.withLock { $0.isReached } }

    /// The server has answered: what follows is no matter of its address.
    func noteReached(_ status: Int) {
        state.withLock { state in
            state.isReached = true
            state.isServing = state.isServing || status < 500
            state.report.wasServed = state.isServing
        }
    }

    /// How long a request is tried that ends with this fault: a name that never had an address is a wrong one, and a server
    /// that says when it is to be asked again is there.
    func patience(with fault: DeliveryError.Fault, _ options: DeliveryOptions) -> Duration {
        switch fault {
        case .status(_, 429, _), .status(_, _, .some): options.retryBudget
        case .transport(.unresolvedHost) where !state.withLock({ $0.isReached }):
            min(patience(options), options.lookupBudget)
        default: patience(options)
        }
    }

    /// How long a request is tried, and a sign-in that it needs.
    func patience(_ options: DeliveryOptions) -> Duration {
        guard let contact = options.contactBudget, !hasTaken else { return options.retryBudget }
        return min(options.retryBudget, contact)
    }

    /// Tells, once until it answers again, that the server is being waited for.
    ///
    /// A server that has answered before may take some seconds in silence; `wait` is the time from the first request to
    /// the next try.
    func tellOfWaiting(for fault: DeliveryError.Fault, wait: Duration, _ options: DeliveryOptions) {
        let isReached = state.withLock { $0.isReached }
        if isReached, wait < Self.longSilence { return }
        tellOfWaiting(fault.reason(isReached: isReached), patience(with: fault, options), options)
    }

    /// Tells it of what is no answer of the server's own.
    func tellOfWaiting(_ what: String, _ patience: Duration, _ options: DeliveryOptions) {
        let isFirst = state.withLock { state in
            defer { state.wasTold = true }
            return !state.wasTold
        }
        if isFirst { options.noteWaiting(what, patience) }
    }

    private static let longSilence: Duration = .seconds(3)

    // MARK: Pace

    /// Counts a post that is to come; those that must wait for it wait until its outcome is known.
    func open(_ turn: Turn) { state.withLock { $0.open[turn, default: 0] += 1 } }

    /// A post's outcome is known, or it will never be made.
    func close(_ turn: Turn) {
        state.withLock { state in
            let count = state.open[turn, default: 1] - 1
            state.open[turn] = count > 0 ? count : nil
        }
        pump()
    }

    /// Runs `post`, which was counted, as soon as what it must wait for is known and fewer than the allowed number run.
    func enqueue(_ turn: Turn, _ post: @escaping @Sendable () async -> Void) {
        state.withLock { $0.ready.append((turn, post)) }
        pump()
    }

    private func pump() {
        while true {
            let next: (turn: Turn, post: @Sendable () async -> Void)? = state.withLock { state in
                // While the server keeps up some wait behind those in flight, in front of the client's gate; at a slow
                // one, where that gains nothing, their tokens would end there.
                let isAhead = state.isQuick && state.limit == concurrency
                let limit = isAhead ? concurrency + concurrency / 2 : state.limit
                guard state.running < limit, let index = state.next else { return nil }
                state.running += 1
                let next = state.ready.remove(at: index)
                if next.turn.isAwaited { state.runningAwaited.insert(next.turn.number) }
                return next
            }
            guard let (turn, post) = next else { return }
            Task { [self] in
                await post()
                state.withLock { state in
                    state.running -= 1
                    state.runningAwaited.remove(turn.number)
                }
                pump()
            }
        }
    }

    /// Halves the posts in flight, and lets none begin for as long as the server has asked.
    func slowDown(for asked: Duration?) {
        state.withLock { state in
            state.limit = max(state.limit / 2, 1)
            state.wasSlowed = true
            state.successes = 0
            if let asked { state.pause = max(state.pause ?? .now, .now + asked) }
        }
    }

    /// A Bundle was taken, so long after its first request.
    func noteSuccess(after duration: Duration) {
        state.withLock { $0.hasTaken = true }
        count { $0.latency.add(duration) }
        noteAnswer()
    }

    /// Doubles what is in flight up to what is allowed; once the server was too busy, one more for every 32 answers.
    func noteAnswer() {
        state.withLock { state in
            state.wasTold = false
            state.successes += 1
            let most = state.wasSlowed ? state.limit + (state.successes % 32 == 0 ? 1 : 0) : state.limit * 2
            state.limit = min(most, concurrency)
        }
    }

    /// The server has refused a token that had not ended.
    func noteRefused(_ token: Authorization) {
        state.withLock { $0.refusedTokens = $0.refusedTokens.suffix(7) + [token] }
    }

    /// Whether a token was replaced since the server refused it, and not since it has ended.
    func wasRefused(_ token: Authorization) -> Bool { state.withLock { $0.refusedTokens.contains(token) } }

    /// Whether packed bodies may be sent.
    var mayPack: Bool { state.withLock { $0.takesGzip ?? true } }

    /// The server has taken a packed body.
    func notePackedTaken() { state.withLock { $0.takesGzip = $0.takesGzip ?? true } }

    /// The server has refused a packed body: all that follow go plain, if it may have been for that.
    ///
    /// - Parameter status: 415, or 400 of a server that has read it as JSON and never took one.
    /// - Returns: whether the body is to be sent plain.
    func refusesPacked(_ status: Int) -> Bool {
        state.withLock { state in
            guard status == 415 || (status == 400 && state.takesGzip != true) else { return false }
            state.takesGzip = false
            return true
        }
    }

    // MARK: Numbers

    /// The numbers so far.
    var report: DeliveryReport { state.withLock { $0.report } }

    func count(_ change: (inout DeliveryReport) -> Void) { state.withLock { change(&$0.report) } }

    /// A server that takes longer than this is not waited for in front of the gate.
    private static let soon: Duration = .milliseconds(250)

    func count(_ result: Result<HTTPResponse, HTTPError>, byteCount: Int) {
        if case .success(let response) = result {
            state.withLock { $0.isQuick = response.duration < Self.soon }
        }
        count { report in
            report.bytesSent += UInt64(byteCount)
            switch result {
            case .success(let response):
                if response.wasRepeated {
                    // The connection broke, and the client has sent it again by itself.
                    report.bytesSent += UInt64(byteCount)
                    report.requests["none", default: 0] += 1
                    report.retried += 1
                }
                report.requests["\(response.status)", default: 0] += 1
                report.serverLatency.add(response.duration)
            case .failure: report.requests["none", default: 0] += 1
            }
        }
    }

    func noteRetry() { count { $0.retried += 1 } }
}
