internal import HTTPTransport
internal import Synchronization
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
            let packed = state.mayPack ? options.gzip?(bundle.body) : nil
            let attempt = Attempt(
                target: state.target(options.target),
                entryCount: bundle.entries.count,
                isPacked: packed != nil,
                authorization: authorization
            )
            let result: Result<HTTPResponse, HTTPError>
            do throws(HTTPError) {
                result = .success(try await client.send(request(bundle, packed: packed, attempt)))
            } catch {
                result = .failure(error)
            }
            state.count(result, byteCount: packed?.count ?? bundle.body.count)
            switch await verdict(on: result, of: attempt, &course) {
            case .settled(let outcome): return outcome
            case .again: continue
            case .wait(.unfinished(_, let status, _), _) where course.isTooSlow && mayCut():
                return .unfinished(Refusal(status: status, issues: [], mayBeThere: true))
            case .wait(let fault, let asked):
                // Who has taken nothing yet may be unable to write.
                let isFailing = !options.isKeyOnly && course.isFailing && state.hasTaken
                if isFailing, mayCut(), await servesReads(authorization) { return .refused(.fault) }
                // Smaller ones are tried even where the server was away and is given less time.
                let budget = course.timeouts > 0 && !options.isKeyOnly ? options.retryBudget : nil
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

    /// Sends a request that may be repeated, until it has an answer that says something.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - maximumFailureCount: after so many answers that tell of a fault in the server itself, the last one is taken for its
    ///     answer: for what can be asked in another way.
    /// - Returns: the answer.
    /// - Throws: ``DeliveryError/unreachable(fault:seconds:)``, or the authorizer's error.
    func send(_ request: HTTPRequest, maximumFailureCount: Int = .max) async throws -> HTTPResponse {
        var patience = Patience(options, state)
        var failures = 0
        var request = request
        let idle = request.limits.idle
        var rejected: Authorization?
        while true {
            let (url, start) = (request.url, patience.start)
            request.authorization = try await authorization(for: url, replacing: rejected, since: start)
            // Who takes connections and says nothing is given up as whoever takes none.
            let left = state.patience(options) - patience.elapsed
            request.limits.idle = state.isReached ? idle : min(idle, max(left, Self.minimumSilence))
            let fault: DeliveryError.Fault
            var asked: Duration?
            do throws(HTTPError) {
                let response = try await answer(to: request)
                state.noteReached(response.status)
                switch response.status {
                case 401:
                    if await hasEnded(request.authorization, patience) { continue }
                    guard authorizer != nil, rejected == nil else { return response }
                    rejected = request.authorization
                    continue
                case let status where [408, 425, 429].contains(status) || RetryPolicy.isServerFault(status):
                    if status > 499, status != 503 { failures += 1 }
                    if failures >= maximumFailureCount { return response }
                    asked = RetryPolicy.retryAfter(response)
                    if status == 429 || status == 503 { state.queue.slowDown(for: asked) }
                    fault = .status(server: options.server.description, response.status, asked: asked)
                default:
                    state.noteAnswer()
                    return response
                }
            } catch {
                if error == .cancelled || error.isLasting(isReached: state.isReached) {
                    throw state.stopReason ?? error
                }
                if error.isTooLarge { throw DeliveryError.unreachable(fault: .transport(error), seconds: 0) }
                fault = .transport(error)
            }
            if let stop = state.stopReason { throw stop }
            try await patience.wait(after: fault, asked: asked)
        }
    }

    /// Whether a server that answers 500 to a Bundle does what it is asked otherwise.
    private func servesReads(_ authorization: Authorization?) async -> Bool {
        guard let url = try? HTTPURL("\(options.server.text)/Patient/\(options.patientID)") else { return false }
        var request = HTTPRequest.reading(url, limits: ResourceLookup.limits)
        request.authorization = authorization
        guard let response = try? await answer(to: request) else { return false }
        return response.status < 500 && ![408, 425, 429].contains(response.status)
    }

    /// A server that has just been started may take as long.
    private static let minimumSilence: Duration = .seconds(30)

    /// What the server answers to a request that may be given up: once the run stops nobody waits for it.
    private func answer(to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let result = await beforeStop { [client] () throws(HTTPError) in try await client.send(request) }
        guard let result else { throw .cancelled }
        return try result.get()
    }

    /// What `work` ends with, which is cancelled once the run stops; `nil` where the stop was first.
    private func beforeStop<Output: Sendable, Failure>(
        _ work: @escaping @Sendable () async throws(Failure) -> Output
    ) async -> Result<Output, Failure>? {
        await withTaskGroup(of: Result<Output, Failure>?.self) { [state] group in
            group.addTask {
                do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
            }
            group.addTask {
                await state.waitForStop()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// The authorizer's header, tried as long as a request whose server is away.
    ///
    /// It may have to wait for another process; a run that stops waits no longer.
    private func authorization(
        for url: HTTPURL,
        replacing rejected: Authorization?,
        since start: ContinuousClock.Instant
    ) async throws -> Authorization? {
        guard let authorizer else { return nil }
        var patience = Patience(options, state, since: start)
        while true {
            do {
                let result = await beforeStop { try await authorizer.authorization(for: url, replacing: rejected) }
                guard let result else { throw state.stopReason ?? CancellationError() }
                return try result.get()
            } catch {
                if let stop = state.stopReason { throw stop }
                guard await authorizer.mayAskAgain(after: error) else { throw error }
                guard await patience.waitForSignIn() else { throw state.stopReason ?? error }
            }
        }
    }

    /// Whether a token has ended on its way, so that another has taken its place: its refusal says nothing of that one.
    func hasEnded(_ authorization: Authorization?, _ patience: Patience) async -> Bool {
        guard patience.elapsed < options.retryBudget, let authorization, !state.wasRefused(authorization) else {
            return false
        }
        let target = options.target
        let result = await beforeStop { [authorizer] in try await authorizer?.authorization(for: target, replacing: nil)
        }
        let now = try? result?.get()
        if let now, now != authorization { return true }
        state.noteRefused(authorization)
        return false
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
        return request
    }
}

extension DeliveryError.Fault {
    /// Whether the server may be at work on a request, or have done it: nobody knows what it would have answered.
    fileprivate var leavesWork: Bool {
        switch self {
        case .transport(let error): !error.isBeforeSending
        case .status(_, let status, _): status == 502
        case .unfinished, .noOutcome: true
        }
    }
}
