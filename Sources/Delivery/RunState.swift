internal import HTTPTransport
internal import Synchronization

/// What all posts of a run share: whether it goes on, how long it waits, what it has learnt of the server, its numbers.
final class RunState: Sendable {
    private struct State {
        /// Why the run stops before its end: ``DeliveryError``, or the sign-in's own error.
        var stop: (any Error)?
        /// Whether the server has answered anything.
        var isReached = false
        /// Whether it has answered something else than that it is in trouble.
        var isServing = false
        /// How many Bundles the server has taken.
        var takenCount = 0
        /// Where Bundles go once the server has asked for a slash behind its address.
        var target: HTTPURL?
        /// Whether somebody was told that it is being waited for, since it has answered.
        var wasTold = false
        var report = DeliveryReport()
        /// Tokens that were refused while they lasted, the last ones.
        var refusedTokens: [Authorization] = []
        /// How many of them since the server has taken one.
        var refusalsInARow = 0
        /// Whether the server has taken a packed body; `false` once it has refused one, `nil` until it is known.
        var takesGzip: Bool?
        /// The last time that the server has told.
        var serverTime: ServerTime?
        /// Whether a post's connection has broken.
        var hasLostConnection = false
        /// Whether somebody wants the run to stop.
        var isCancelled: @Sendable () -> Bool
        /// Whether the run was finished, and its ledger closed.
        var isFinished = false

        init(isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }
    }

    /// What waits to be posted.
    let queue: PostQueue
    private let state: Mutex<State>

    init(concurrency: Int, serverTime: ServerTime? = nil, isCancelled: @escaping @Sendable () -> Bool) {
        queue = PostQueue(concurrency: concurrency)
        state = Mutex(State(isCancelled: isCancelled))
        state.withLock { $0.serverTime = serverTime }
    }

    /// The time that the server has told.
    var serverTime: ServerTime? { state.withLock(\.serverTime) }

    /// Keeps the time that an answer tells.
    func noteTime(_ response: HTTPResponse) {
        guard let time = ServerTime(response) else { return }
        state.withLock { $0.serverTime = time }
    }

    // MARK: Going on

    /// Stops the run; the first reason counts.
    func stop(_ reason: any Error) { state.withLock { if $0.stop == nil { $0.stop = reason } } }

    /// Stops the run as soon as `isCancelled` says so too.
    func stop(when isCancelled: @escaping @Sendable () -> Bool) {
        state.withLock { state in
            let first = state.isCancelled
            state.isCancelled = { first() || isCancelled() }
        }
    }

    /// Refuses what comes once the run was finished: its ledger is closed.
    func checkUnfinished() throws(DeliveryError) {
        if state.withLock({ $0.isFinished }) { throw .finished }
    }

    /// Finishes the run, once.
    func finish() throws(DeliveryError) {
        let wasFinished = state.withLock { state in
            defer { state.isFinished = true }
            return state.isFinished
        }
        if wasFinished { throw .finished }
    }

    /// Why the run stops, if it does.
    var stopReason: (any Error)? {
        state.withLock { state in
            if state.stop == nil, state.isCancelled() { state.stop = DeliveryError.interrupted }
            return state.stop
        }
    }

    /// Waits until the server wants requests again.
    ///
    /// - Returns: whether the run still goes on.
    func mayPost() async -> Bool {
        while let pause = queue.pause, pause > .now {
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

    /// How many Bundles of this run the server has taken.
    var takenCount: Int { state.withLock { $0.takenCount } }

    /// Whether it has taken one.
    var hasTaken: Bool { takenCount > 0 }

    // MARK: Address

    /// Where Bundles go whose address is `target`.
    func target(_ target: HTTPURL) -> HTTPURL { state.withLock { $0.target } ?? target }

    /// Sends Bundles to the same address with a slash behind it, where a redirection asks for that, as proxies do.
    ///
    /// - Returns: whether they go there now.
    func adoptSlash(of location: String?, for target: HTTPURL) -> Bool {
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
        case .status(_, 408, _), .status(_, 409, _), .status(_, 500, _), .noOutcome: failurePatience(options)
        case .unfinished(_, let status, _) where status != 504: failurePatience(options)
        // It has answered before, and says nothing to this one.
        case .transport(.timedOut) where state.withLock({ $0.isReached }): failurePatience(options)
        default: patience(options)
        }
    }

    private func failurePatience(_ options: DeliveryOptions) -> Duration {
        guard let failure = options.failureBudget, !hasTaken else { return patience(options) }
        return min(patience(options), failure)
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
    func noteWaiting(for fault: DeliveryError.Fault, wait: Duration, _ options: DeliveryOptions) {
        let isReached = state.withLock { $0.isReached }
        if isReached, wait < Self.longSilence { return }
        noteWaiting(fault.reason(isReached: isReached), patience(with: fault, options), options)
    }

    /// Tells it of what is no answer of the server's own.
    func noteWaiting(_ what: String, _ patience: Duration, _ options: DeliveryOptions) {
        let isFirst = state.withLock { state in
            defer { state.wasTold = true }
            return !state.wasTold
        }
        if isFirst { options.noteWaiting(what, patience) }
    }

    private static let longSilence: Duration = .seconds(3)

    // MARK: Answers

    /// A Bundle was taken, so long after its first request.
    func noteSuccess(after duration: Duration) {
        state.withLock { $0.takenCount += 1 }
        count { $0.latency.add(duration) }
        noteAnswer()
    }

    /// The server has done what it was asked: it is no longer waited for.
    func noteAnswer() {
        state.withLock { $0.wasTold = false }
        queue.noteAnswer()
    }

    /// A post's connection has broken.
    func noteLostConnection() { state.withLock { $0.hasLostConnection = true } }

    /// Whether one has in this run.
    var hasLostConnection: Bool { state.withLock { $0.hasLostConnection } }

    /// The server has refused a token that had not ended.
    func noteRefused(_ token: Authorization) {
        state.withLock { state in
            // Many requests have the same.
            guard !state.refusedTokens.contains(token) else { return }
            state.refusedTokens = state.refusedTokens.suffix(7) + [token]
            state.refusalsInARow += 1
        }
    }

    /// The server has taken a token.
    func noteTaken(_ token: Authorization?) {
        state.withLock { state in
            // An answer that comes late tells nothing of what was refused meanwhile.
            if let token, !state.refusedTokens.contains(token) { state.refusalsInARow = 0 }
        }
    }

    /// Whether another token may be taken in place of one that was refused: not where that was another already.
    var mayReplaceTokens: Bool { state.withLock { $0.refusalsInARow < 2 } }

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
    func giveUpPacking(after status: Int) -> Bool {
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

    func count(_ result: Result<HTTPResponse, HTTPError>, byteCount: Int) {
        if case .success(let response) = result { queue.noteLatency(response.duration) }
        count { report in
            switch result {
            case .success(let response):
                report.bytesSent += UInt64(byteCount)
                if response.wasRepeated {
                    // The connection broke, and the client has sent it again by itself.
                    report.bytesSent += UInt64(byteCount)
                    report.requests["none", default: 0] += 1
                    report.retried += 1
                }
                report.requests["\(response.status)", default: 0] += 1
                report.serverLatency.add(response.duration)
            case .failure(let error):
                if !error.isBeforeSending { report.bytesSent += UInt64(byteCount) }
                report.requests["none", default: 0] += 1
            }
        }
    }

    func noteRetry() { count { $0.retried += 1 } }
}
