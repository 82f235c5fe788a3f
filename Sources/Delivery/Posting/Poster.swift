internal import HTTPTransport
internal import TransactionBundling

/// Posts one Bundle until its outcome is known, and sends a run's other requests.
struct Poster: Sendable {
    /// What became of a Bundle.
    enum Outcome: Sendable {
        /// Each entry has its answer.
        ///
        /// `mayBeThere` says that an earlier try may have been stored.
        case answered(TransactionResponse, mayBeThere: Bool)
        /// The server refuses the whole Bundle, with this status and these reasons.
        case refused(Refusal)
        /// The Bundle is too large: as `refused`, with the number of entries that the server takes, if it says so.
        case tooLarge(Refusal, maximumEntryCount: Int?)
        /// The server does not finish the Bundle within its time limit; it may be sent in parts.
        case unfinished(Refusal)
        /// The outcome is unknown; the run stops.
        case unknown
        /// The server never received it; the run stops.
        case unsent

        /// Whether the server failed at it: parts of it may be sent at once, and it may be stored.
        fileprivate var isFault: Bool { if case .refused(let refusal) = self { refusal.isFault } else { false } }
    }

    /// What the server says about a Bundle that it does not take.
    struct Refusal: Sendable {
        /// The answer's status; 0 if each connection broke before an answer.
        var status: Int
        var issues: [OutcomeIssue]
        /// Whether an earlier try may have been stored all the same.
        var mayBeThere: Bool

        /// The server fails at this Bundle, and fulfils other requests.
        static func fault(_ fault: DeliveryError.Fault) -> Refusal {
            let status = if case .status(_, let status, _) = fault { status } else { 0 }
            return Refusal(status: status, issues: [], mayBeThere: true)
        }

        /// Whether it shows a fault of the server, and not what is wrong with the Bundle: it does not say that nothing
        /// was stored.
        var isFault: Bool { status == 0 || status >= 500 }
    }

    /// What is known of a Bundle before it is posted.
    struct Past: Sendable {
        /// Whether an earlier run has posted it without learning the outcome.
        var mayBeThere: Bool
        /// Whether an earlier run was refused all its members.
        var wasRefused: Bool
        /// How many Bundles the server had taken when this one was cut from a larger one that it failed at.
        var takenCount: Int?
        /// How often the larger Bundle that it was cut from was answered with a conflict.
        var conflicts: Int
        /// From when the Bundle must not be posted again if it may be stored, since the server may have forgotten its
        /// key.
        var keyEnds: ContinuousClock.Instant?
    }

    let options: DeliveryOptions
    let client: HTTPClient
    let authorizer: (any RequestAuthorizer)?
    let state: RunState
    private let gate: TransferGate

    init(options: DeliveryOptions, client: HTTPClient, authorizer: (any RequestAuthorizer)?, state: RunState) {
        self.options = options
        self.client = client
        self.authorizer = authorizer
        self.state = state
        gate = TransferGate(options.concurrency)
    }

    /// Posts `bundle`, with the same bytes and the same key each time.
    ///
    /// - Parameters:
    ///   - bundle: what is posted.
    ///   - past: what is known of it.
    ///   - mayCut: whether it may be sent in parts instead; called where it seems to be too much for the server.
    ///   - beforeAnotherTry: waits until a search finds what an earlier try may have stored, for at most so many first
    ///     delays.
    /// - Returns: the outcome.
    func post(
        _ bundle: TransactionBundle,
        _ past: Past,
        mayCut: @Sendable () -> Bool,
        beforeAnotherTry: @Sendable (_ patience: Int) async -> Void
    ) async -> Outcome {
        if options.isDryRun {
            state.count { $0.bytesSent += UInt64(bundle.body.count) }
            let entries = bundle.entries.map { _ in TransactionResponse.Entry(status: 201) }
            return .answered(TransactionResponse(entries: entries, isBatch: false), mayBeThere: false)
        }
        var course = Course(past, patience: Patience(options, state))
        while true {
            guard await state.mayPost() else { return course.abandoned }
            let authorization: Authorization?
            do {
                authorization = try await self.authorization(
                    for: options.target,
                    replacing: course.rejected,
                    since: course.patience.start
                )
            } catch {
                state.stop(error)
                return course.abandoned
            }
            // The wait for a token may have taken long.
            if course.mayBeThere, let keyEnds = past.keyEnds, .now >= keyEnds { return course.abandoned }
            let packed = state.mayPack ? options.packed(bundle.body) : nil
            let attempt = Attempt(
                target: state.target(options.target),
                entryCount: bundle.entries.count,
                isConditional: bundle.isConditional,
                isPacked: packed != nil,
                authorization: authorization,
                isAfterLoss: state.hasLostConnection
            )
            let result: Result<HTTPResponse, HTTPError>
            do throws(HTTPError) {
                result = .success(try await client.send(request(bundle, packed: packed, attempt)))
            } catch {
                result = .failure(error)
            }
            if case .success(let response) = result { state.noteTime(response) }
            state.count(result, byteCount: packed?.count ?? bundle.body.count)
            switch await verdict(on: result, of: attempt, &course) {
            case .settled(let outcome):
                if outcome.isFault, mayCut() { await beforeAnotherTry(DeliveryError.Fault.shortPatience) }
                return outcome
            case .again: continue
            case .wait(.unfinished(_, let status, _), _) where course.isTooSlow && mayCut():
                await beforeAnotherTry(DeliveryError.Fault.longPatience)
                return .unfinished(Refusal(status: status, issues: [], mayBeThere: true))
            case .wait(let fault, let asked):
                let outcome = await wait(after: fault, asked, &course, past, authorization, mayCut: mayCut)
                if let patience = fault.indexPatience, outcome.map({ $0.isFault && mayCut() }) ?? true {
                    let start = SuspendingClock.now
                    await beforeAnotherTry(patience)
                    // A server that fails gets as many tries as one whose index need not be waited for.
                    if patience == DeliveryError.Fault.shortPatience { course.patience.leaveOut(.now - start) }
                }
                if let outcome { return outcome }
                state.noteRetry()
            }
        }
    }

    /// Waits before another try.
    ///
    /// - Parameters:
    ///   - fault: how the last try ended.
    ///   - asked: how long the server asked to wait.
    ///   - course: what is known of the Bundle by now.
    ///   - past: what was known of it before.
    ///   - authorization: what the last try was sent with.
    ///   - mayCut: whether the Bundle may be sent in parts instead.
    /// - Returns: the outcome if there is no other try, else `nil`.
    private func wait(
        after fault: DeliveryError.Fault,
        _ asked: Duration?,
        _ course: inout Course,
        _ past: Past,
        _ authorization: Authorization?,
        mayCut: @Sendable () -> Bool
    ) async -> Outcome? {
        // A server that has taken nothing yet may be unable to write anything, and one that asks to wait says nothing
        // about this Bundle.
        let isFailing = !options.isKeyOnly && course.isFailing && state.hasTaken && !fault.asksToWait
        if isFailing, mayCut(), await servesReads(authorization) { return .refused(.fault(fault)) }
        // Where the server is too slow, smaller Bundles are tried, even if a server that is away would get less time.
        let isTooSlow = course.timeouts > 0 && !options.isKeyOnly
        var budget = isTooSlow ? options.retryBudget : state.patience(with: fault, options)
        if course.mayBeThere, let keyEnds = past.keyEnds {
            budget = min(budget, course.patience.elapsed + (keyEnds - .now))
        }
        // What can't be cut any more gets the time that a proxy takes to start again, unless an earlier run gave it
        // that.
        if isFaultOfItsOwn(course), !fault.asksToWait {
            budget = min(budget, course.wasRefused ? .zero : Self.restartTime)
        }
        do { try await course.patience.wait(after: fault, asked: asked, within: budget) } catch {
            if isFailing, state.stopReason == nil, await servesReads(authorization) { return .refused(.fault(fault)) }
            state.stop(error)
            return course.abandoned
        }
        return nil
    }

    /// How long a Bundle whose connections alone break is tried.
    private static let restartTime: Duration = .seconds(60)

    /// How long a post waits for the next byte of its answer.
    static let maximumSilence: Duration = .seconds(300)

    /// Limits for one post: some servers work on a Bundle for minutes before they answer, and some return all its
    /// resources.
    private static func limits(bodyByteCount: Int) -> HTTPLimits {
        // At 16 KiB a second, the longest file takes an hour and a half; `idle` ends a transfer that has stalled.
        let uploadSeconds = bodyByteCount >> 14
        return HTTPLimits(
            idle: maximumSilence,
            total: .seconds(600 + uploadSeconds),
            maximumBodyByteCount: max(16 << 20, 4 * bodyByteCount)
        )
    }

    private func request(_ bundle: TransactionBundle, packed: [UInt8]?, _ attempt: Attempt) -> HTTPRequest {
        var request = HTTPRequest(
            .post,
            attempt.target,
            headers: [
                HTTPHeader("Content-Type", "application/fhir+json"),
                HTTPHeader("Accept", "application/fhir+json"),
                HTTPHeader("Prefer", "return=minimal"),
                HTTPHeader("Idempotency-Key", bundle.key),
            ] + (packed == nil ? [] : [HTTPHeader("Content-Encoding", "gzip")]),
            authorization: attempt.authorization,
            body: packed ?? bundle.body,
            limits: Self.limits(bodyByteCount: bundle.body.count),
            gate: gate
        )
        // Before a conditional Bundle is repeated, a search must find what the first try may have stored.
        request.mayRepeat = options.isKeyOnly || !bundle.isConditional
        // Some servers close a kept connection just as it is used again, and each time the run would have to wait for
        // the outcome.
        if attempt.isAfterLoss, !request.mayRepeat { request.connection = .fresh }
        request.isAlone = true
        return request
    }
}

extension DeliveryError.Fault {
    /// Where the server may still be at work on the request: two minutes, with the usual first delay.
    static let longPatience = 60
    /// Where it has finished with the request: ten seconds.
    static let shortPatience = 5

    /// For how many first delays a search may not find what a request that ended this way may have stored; `nil` if it
    /// stored nothing.
    fileprivate var indexPatience: Int? {
        switch self {
        case .transport(let error): error.isBeforeSending ? nil : Self.longPatience
        // By then it is found.
        case .status(_, 503, let asked?) where asked >= .seconds(10): nil
        case .status(_, let status, _) where RetryPolicy.isServersOwn(status): Self.shortPatience
        case .status(_, let status, _): (500...599).contains(status) ? Self.longPatience : nil
        case .unfinished, .noOutcome: Self.longPatience
        case .garbled: nil
        }
    }

    /// Whether the server asks to wait, and says so of any Bundle.
    fileprivate var asksToWait: Bool {
        switch self {
        case .status(_, _, .some), .status(_, 429, _), .status(_, 425, _): true
        default: false
        }
    }
}
