internal import HTTPTransport
internal import Synchronization

/// What all posts of a run share: whether it goes on, how long it waits, what it has learnt about the server, its
/// counts.
final class RunState: Sendable {
    private struct State {
        /// Why the run stops before its end: ``DeliveryError``, or the sign-in's own error.
        var stop: (any Error)?
        /// Whether the server has answered anything.
        var isReached = false
        /// When it answered last; before its first answer, when the run began.
        var lastAnswer: ContinuousClock.Instant = .now
        /// How many Bundles the server has taken.
        var takenCount = 0
        /// Whether it has taken any before this run.
        var hasTakenBefore = false
        /// Whether a search was answered with what it asks for.
        var hasSearched = false
        /// Where Bundles are sent once the server has asked for a slash at the end of its address.
        var target: HTTPURL?
        /// Whether it was reported, since the last answer, that the run is waiting for the server.
        var wasTold = false
        /// Whether it was reported that the server has answered nothing for a while.
        var wasSilenceTold = false
        var report = DeliveryReport()
        /// The last tokens that were refused although they had not expired.
        var refusedTokens: [Authorization] = []
        /// How many tokens were refused since the server last took one.
        var refusalsInARow = 0
        /// Whether the server has taken a packed body; `false` once it has refused one, `nil` until it is known.
        var takesGzip: Bool?
        /// The time that the server gave last.
        var serverTime: ServerTime?
        /// Whether the connection of a post has broken in this run.
        var hasLostConnection = false
        /// Asks whether somebody wants the run to stop.
        var isCancelled: @Sendable () -> Bool
        /// Whether the run was finished, and its ledger closed.
        var isFinished = false

        init(isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }
    }

    /// The posts that wait.
    let queue: PostQueue
    private let state: Mutex<State>

    init(concurrency: Int, serverTime: ServerTime? = nil, isCancelled: @escaping @Sendable () -> Bool) {
        queue = PostQueue(concurrency: concurrency)
        state = Mutex(State(isCancelled: isCancelled))
        state.withLock { $0.serverTime = serverTime }
    }

    /// The time that the server gave last.
    var serverTime: ServerTime? { state.withLock(\.serverTime) }

    /// Keeps the time that an answer gives.
    func noteTime(_ response: HTTPResponse) {
        guard let time = ServerTime(response) else { return }
        state.withLock { $0.serverTime = time }
    }

    // MARK: Going on

    /// Stops the run; the first reason counts.
    func stop(_ reason: any Error) { state.withLock { if $0.stop == nil { $0.stop = reason } } }

    /// Also stops the run as soon as `isCancelled` returns `true`.
    func stop(when isCancelled: @escaping @Sendable () -> Bool) {
        state.withLock { state in
            let first = state.isCancelled
            state.isCancelled = { first() || isCancelled() }
        }
    }

    /// Throws once the run was finished, since its ledger is closed.
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
        let (stop, isCancelled) = state.withLock { ($0.stop, $0.isCancelled) }
        if let stop { return stop }
        // Asked without the lock: it is a closure of somebody else's, and may ask for the run's report.
        if isCancelled() { self.stop(DeliveryError.interrupted) }
        return state.withLock(\.stop)
    }

    /// Waits until the server accepts requests again.
    ///
    /// - Returns: whether the run still goes on.
    func mayPost() async -> Bool {
        while let pause = queue.pause, pause > .now {
            guard await sleep(pause - .now) else { return false }
        }
        return stopReason == nil
    }

    /// Sleeps, waking every 100 ms so that a stop is noticed.
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

    /// Whether it has taken one, in this run or before it.
    var hasEverTaken: Bool { state.withLock { $0.takenCount > 0 || $0.hasTakenBefore } }

    /// Notes what the ledger says of earlier runs.
    func noteHistory(hasTaken: Bool) { state.withLock { $0.hasTakenBefore = hasTaken } }

    /// Whether a search was answered in this run.
    var hasSearched: Bool { state.withLock { $0.hasSearched } }

    /// Notes that a search was answered.
    func noteSearch() { state.withLock { $0.hasSearched = true } }

    // MARK: Address

    /// Where Bundles for the address `target` are sent.
    func target(_ target: HTTPURL) -> HTTPURL { state.withLock { $0.target } ?? target }

    /// Sends Bundles to the same address with a slash at the end, where a redirect asks for that, as some proxies do.
    ///
    /// - Returns: whether they are sent there from now on.
    func adoptSlash(of location: String?, for target: HTTPURL) -> Bool {
        // Only once: a server that asks for one more slash each time would be followed forever.
        guard !target.path.hasSuffix("/"), let location, let slashed = try? HTTPURL(target.text + "/") else {
            return false
        }
        let found = location.hasPrefix("/") ? target.origin + location : location
        // The scheme is not compared: a server behind a proxy that ends TLS may name `http`.
        guard let found = try? HTTPURL(found), found.host == target.host, found.path == slashed.path else {
            return false
        }
        state.withLock { $0.target = slashed }
        return true
    }

    // MARK: Patience

    /// Whether the server has answered anything in this run.
    var isReached: Bool { state.withLock { $0.isReached } }

    /// Notes that the server has answered: later faults are not due to its address.
    func noteReached(_ status: Int) {
        state.withLock { state in
            state.isReached = true
            state.lastAnswer = .now
            if status < 500 { state.report.wasServed = true }
        }
    }

    /// How long a request is tried that ends with this fault.
    ///
    /// A host that never had an address is given less time, since its name is probably wrong; a server that says when
    /// to ask again is given all of it.
    func patience(with fault: DeliveryError.Fault, _ options: DeliveryOptions) -> Duration {
        switch fault {
        case .status(_, 429, _), .status(_, _, .some): options.retryBudget
        case .transport(.unresolvedHost) where !state.withLock({ $0.isReached }):
            min(patience(options), options.lookupBudget)
        case .status(_, 408, _), .status(_, 409, _), .status(_, 500, _), .noOutcome: failurePatience(options)
        case .unfinished(_, let status, _) where status != 504: failurePatience(options)
        // It has answered before, and does not answer this request.
        case .transport(.timedOut) where state.withLock({ $0.isReached }): failurePatience(options)
        default: patience(options)
        }
    }

    private func failurePatience(_ options: DeliveryOptions) -> Duration {
        guard let failure = options.failureBudget, !hasTaken else { return patience(options) }
        return min(patience(options), failure)
    }

    /// How long a request, and a sign-in that it needs, is tried.
    func patience(_ options: DeliveryOptions) -> Duration {
        guard let contact = options.contactBudget, !hasTaken else { return options.retryBudget }
        return min(options.retryBudget, contact)
    }

    /// Reports, once until the server answers again, that the run is waiting for it.
    ///
    /// For a server that has answered before, the first seconds are not reported; `wait` is the time from the first
    /// request to the next try.
    func noteWaiting(for fault: DeliveryError.Fault, wait: Duration, _ options: DeliveryOptions) {
        let isReached = state.withLock { $0.isReached }
        if isReached, wait < Self.longSilence { return }
        noteWaiting(fault.reason(isReached: isReached), patience(with: fault, options), options)
    }

    /// Reports, once until the server answers again, that the run is waiting for the reason `what`.
    func noteWaiting(_ what: String, _ patience: Duration, _ options: DeliveryOptions) {
        let isFirst = state.withLock { state in
            defer { state.wasTold = true }
            return !state.wasTold
        }
        if isFirst { options.noteWaiting(what, patience) }
    }

    /// Reports that posts are on their way and the server has answered nothing for a while.
    func noteSilence(_ options: DeliveryOptions) {
        let seconds = Int(state.withLock { .now - $0.lastAnswer } / .seconds(1))
        guard queue.runningCount > 0, seconds >= Slots.silentSeconds else { return }
        let isFirst = state.withLock { state in
            defer { state.wasSilenceTold = true }
            return !state.wasSilenceTold && !state.wasTold
        }
        if isFirst { options.noteWaiting("has not answered for \(seconds) s", Poster.maximumSilence) }
    }

    private static let longSilence: Duration = .seconds(3)

    // MARK: Answers

    /// Notes that a Bundle was taken, `duration` after its first request.
    func noteSuccess(after duration: Duration) {
        state.withLock { $0.takenCount += 1 }
        count { $0.latency.add(duration) }
        noteAnswer()
    }

    /// Notes that the server has fulfilled a request: the run no longer waits for it.
    func noteAnswer() {
        state.withLock { state in
            state.wasTold = false
            state.wasSilenceTold = false
        }
        queue.noteAnswer()
    }

    /// Notes that the connection of a post has broken.
    func noteLostConnection() { state.withLock { $0.hasLostConnection = true } }

    /// Whether the connection of a post has broken in this run.
    var hasLostConnection: Bool { state.withLock { $0.hasLostConnection } }

    /// Notes that the server has refused a token that had not expired.
    func noteRefused(_ token: Authorization) {
        state.withLock { state in
            // Many requests have the same token.
            guard !state.refusedTokens.contains(token) else { return }
            state.refusedTokens = state.refusedTokens.suffix(7) + [token]
            state.refusalsInARow += 1
        }
    }

    /// Notes that the server has taken a token.
    func noteTaken(_ token: Authorization?) {
        state.withLock { state in
            // A late answer says nothing about a token that was refused in the meantime.
            if let token, !state.refusedTokens.contains(token) { state.refusalsInARow = 0 }
        }
    }

    /// Whether a refused token may be replaced: not where its replacement was refused too.
    var mayReplaceTokens: Bool { state.withLock { $0.refusalsInARow < 2 } }

    /// Whether the server refused a token that had not expired.
    func wasRefused(_ token: Authorization) -> Bool { state.withLock { $0.refusedTokens.contains(token) } }

    /// Whether packed bodies may be sent.
    var mayPack: Bool { state.withLock { $0.takesGzip ?? true } }

    /// Notes that the server has taken a packed body.
    func notePackedTaken() { state.withLock { $0.takesGzip = $0.takesGzip ?? true } }

    /// Notes that the server has refused a packed body: if the packing may be the reason, all later ones are sent
    /// plain.
    ///
    /// - Parameter status: the answer's; the reason may be 415, or 400 where the server never took a packed body and
    ///   may have read it as JSON.
    /// - Returns: whether the body must be sent again, plain.
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
                    // The connection broke, and the client sent the body again by itself.
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
