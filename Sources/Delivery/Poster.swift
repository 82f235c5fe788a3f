internal import HTTPTransport
internal import TransactionBundling

/// Posts one Bundle until its outcome is known, and sends what else a run asks.
struct Poster: Sendable {
    /// What became of a Bundle.
    enum Outcome: Sendable {
        /// Each entry has its answer.
        ///
        /// `mayBeThere` says that a try before may have been stored.
        case answered(TransactionResponse, mayBeThere: Bool)
        /// The server refuses the whole: it says which status and why.
        case refused(Refusal)
        /// It is too large: as `refused`, and perhaps how many entries the server takes.
        case tooLarge(Refusal, maximumEntryCount: Int?)
        /// It is more than the server gets done in its time, and may go in parts.
        case unfinished(Refusal)
        /// Nobody knows; the run stops.
        case unknown
        /// The server never saw it; the run stops.
        case unsent
    }

    /// What the server says of a Bundle that it does not take.
    struct Refusal: Sendable {
        var status: Int
        var issues: [OutcomeIssue]
        /// Whether a try before may have been stored all the same.
        var mayBeThere: Bool

        /// The server fails at it, and does what it is asked otherwise.
        static let fault = Refusal(status: 500, issues: [], mayBeThere: true)
    }

    /// What is known of a Bundle before it is posted.
    struct Past: Sendable {
        /// Whether an earlier run has posted it and does not know what became of it.
        var mayBeThere: Bool
        /// Whether an earlier run was refused all that it holds.
        var wasRefused: Bool
        /// How many Bundles the server had taken when it was cut off a larger one that the server failed at with 500.
        var takenCount: Int?
        /// How often a larger one, which it was cut off, was told that it conflicts.
        var conflicts: Int
        /// When what it may have may not be posted any more, since it may have forgotten its key.
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

    /// Posts `bundle`, the same bytes under the same key each time.
    ///
    /// - Parameters:
    ///   - bundle: what is posted.
    ///   - past: what is known of it.
    ///   - mayCut: whether it may go in parts instead; asked where it seems to be too much for the server.
    ///   - beforeAnotherTry: waits until what a try before may have stored is found.
    /// - Returns: what became of it.
    func post(
        _ bundle: TransactionBundle,
        _ past: Past,
        mayCut: @Sendable () -> Bool,
        beforeAnotherTry: @Sendable () async -> Void
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
            // A sign-in server may have been waited for.
            if course.mayBeThere, let keyEnds = past.keyEnds, .now >= keyEnds { return course.abandoned }
            let packed = state.mayPack ? options.gzip?(bundle.body) : nil
            let attempt = Attempt(
                target: state.target(options.target),
                entryCount: bundle.entries.count,
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
            case .settled(let outcome): return outcome
            case .again: continue
            case .wait(.unfinished(_, let status, _), _) where course.isTooSlow && mayCut():
                await beforeAnotherTry()
                return .unfinished(Refusal(status: status, issues: [], mayBeThere: true))
            case .wait(let fault, let asked):
                // Who has taken nothing yet may be unable to write.
                let isFailing = !options.isKeyOnly && course.isFailing && state.hasTaken
                if isFailing, mayCut(), await servesReads(authorization) { return .refused(.fault) }
                // Smaller ones are tried even where the server was away and is given less time.
                let isTooSlow = course.timeouts > 0 && !options.isKeyOnly
                var budget = isTooSlow ? options.retryBudget : state.patience(with: fault, options)
                if course.mayBeThere, let keyEnds = past.keyEnds {
                    budget = min(budget, course.patience.elapsed + (keyEnds - .now))
                }
                do { try await course.patience.wait(after: fault, asked: asked, within: budget) } catch {
                    if isFailing, state.stopReason == nil, await servesReads(authorization) { return .refused(.fault) }
                    state.stop(error)
                    return course.abandoned
                }
                if fault.leavesWork { await beforeAnotherTry() }
                state.noteRetry()
            }
        }
    }

    /// Some servers work on a Bundle for minutes before they answer, and some send all of it back, in their form.
    private static func limits(bodyByteCount: Int) -> HTTPLimits {
        // At 16 KiB a second, which take an hour and a half for the longest file; `idle` ends what does not move.
        let uploadSeconds = bodyByteCount >> 14
        return HTTPLimits(
            idle: .seconds(300),
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
        // What is created by identifier waits first until what was stored is found.
        request.mayRepeat = options.isKeyOnly || !bundle.isConditional
        // Some servers close what they have left open as it is used again, and each time its outcome would be waited for.
        if attempt.isAfterLoss, !request.mayRepeat { request.connection = .fresh }
        request.isAlone = true
        return request
    }
}

extension DeliveryError.Fault {
    /// Whether the server may be at work on a request, or have done it: nobody knows what it would have answered.
    fileprivate var leavesWork: Bool {
        switch self {
        case .transport(let error): !error.isBeforeSending
        case .status(_, let status, _): (500...599).contains(status) && !RetryPolicy.isServersOwn(status)
        case .unfinished, .noOutcome: true
        case .garbled: false
        }
    }
}
