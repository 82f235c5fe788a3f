internal import HTTPTransport
internal import Synchronization
internal import TransactionBundling

/// Posts one Bundle until its outcome is known: the table of retries, line by line.
struct Poster: Sendable {
    /// What became of a Bundle.
    enum Outcome: Sendable {
        /// Each entry has its answer.
        ///
        /// `wasRepeated` says that a try before may have been stored.
        case answered(TransactionResponse, wasRepeated: Bool)
        /// The server refuses the whole: it says which status and why.
        case refused(Refusal)
        /// It is too large: as `refused`, and perhaps how many entries the server takes.
        case tooLarge(Refusal, mostEntries: Int?)
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
    }

    let options: DeliveryOptions
    let client: HTTPClient
    let authorizer: (any RequestAuthorizer)?
    let state: RunState
    let retryPolicy: RetryPolicy
    private let gate: TransferGate

    init(options: DeliveryOptions, client: HTTPClient, authorizer: (any RequestAuthorizer)?, state: RunState) {
        self.options = options
        self.client = client
        self.authorizer = authorizer
        self.state = state
        gate = TransferGate(options.concurrency)
        retryPolicy = RetryPolicy(firstDelay: options.firstDelay, longestDelay: options.longestDelay)
    }

    /// Posts `bundle`, the same bytes under the same key each time.
    ///
    /// - Parameters:
    ///   - bundle: what is posted.
    ///   - mayBeThere: whether an earlier run has posted it and does not know what became of it.
    /// - Returns: what became of it.
    func post(_ bundle: TransactionBundle, mayBeThere: Bool = false) async -> Outcome {
        if options.isDryRun {
            state.count { $0.bytesSent += UInt64(bundle.body.count) }
            let entries = bundle.entries.map { _ in TransactionResponse.Entry(status: 201) }
            return .answered(TransactionResponse(entries: entries, isBatch: false), wasRepeated: false)
        }
        let clock = ContinuousClock()
        let start = clock.now
        var tries = 0
        var conflicts = 0
        var rejected: Authorization?
        var rejections = 0
        // Once a try has ended without an outcome, a later refusal tells nothing of that try.
        var mayBeThere = mayBeThere
        while true {
            guard await state.mayPost() else { return mayBeThere ? .unknown : .unsent }
            var authorization: Authorization?
            do {
                authorization = try await self.authorization(for: options.target, replacing: rejected, since: start)
            } catch {
                state.stop(error)
                return mayBeThere ? .unknown : .unsent
            }
            let target = state.target(options.target)
            let packed = state.mayPack ? options.gzip?(bundle.body) : nil
            let result: Result<HTTPResponse, HTTPError>
            do throws(HTTPError) {
                result = .success(try await client.send(request(bundle, to: target, packed: packed, authorization)))
            } catch {
                result = .failure(error)
            }
            state.count(result, byteCount: packed?.count ?? bundle.body.count)

            var asked: Duration?
            let fault: DeliveryError.Fault
            switch result {
            case .failure(let error):
                if error == .cancelled { return .unknown }
                guard !error.isLasting else {
                    state.stop(error)
                    return mayBeThere ? .unknown : .unsent
                }
                mayBeThere = true
                fault = .transport(error)
            case .success(let response):
                state.noteReached()
                if response.wasRepeated { mayBeThere = true }
                switch response.status {
                case 400 where packed != nil && state.refusesPacked(400): continue
                case 415 where packed != nil && state.refusesPacked(415): continue
                case 200..<300:
                    if packed != nil { state.notePackedTaken() }
                    if let answer = TransactionResponse(response.body), answer.entries.count == bundle.entries.count {
                        state.noteSuccess(after: clock.now - start)
                        return .answered(answer, wasRepeated: mayBeThere)
                    }
                    mayBeThere = true
                    fault = .noOutcome(server: options.target.description)
                case 401:
                    if clock.now - start < options.retryBudget, await hasEnded(authorization) { continue }
                    rejections += 1
                    guard authorizer != nil, rejected != authorization, rejections <= Self.mostRejections else {
                        state.stop(DeliveryError.unauthorized(server: options.server.description))
                        return mayBeThere ? .unknown : .unsent
                    }
                    rejected = authorization
                    continue
                case 403:
                    state.stop(DeliveryError.forbidden(server: options.server.description))
                    return mayBeThere ? .unknown : .unsent
                case 300..<400 where state.followsSlash(response.header("Location"), of: target): continue
                case 300..<400:
                    state.stop(DeliveryError.redirected(url: options.target.description))
                    return mayBeThere ? .unknown : .unsent
                // What may be stored under its key must not be sent in parts, under others.
                case 400, 412, 413, 422:
                    let status = response.status
                    let issues = OutcomeIssue.read(response.body)
                    let refusal = Refusal(status: status, issues: issues, mayBeThere: mayBeThere)
                    let mayCut = !mayBeThere || !isKeyOnly
                    let mostEntries =
                        status == 400 || status == 413
                        ? EntryLimit.named(in: response.body, below: bundle.entries.count) : nil
                    guard status == 413 || (mostEntries != nil && mayCut) else {
                        return .refused(refusal)
                    }
                    return mayCut ? .tooLarge(refusal, mostEntries: mostEntries) : .unknown
                // A key-only server says so as long as it works on the same key: that is no refusal.
                case 409 where conflicts >= Self.mostConflicts && !isKeyOnly:
                    let issues = OutcomeIssue.read(response.body)
                    return .refused(Refusal(status: 409, issues: issues, mayBeThere: mayBeThere))
                case let status where [408, 409, 425, 429].contains(status) || RetryPolicy.isServerFault(status):
                    if response.status == 409 { conflicts += 1 }
                    if response.status == 429 || response.status == 503 {
                        asked = RetryPolicy.retryAfter(response)
                        state.slowDown(for: asked)
                    }
                    if response.status != 429 { mayBeThere = true }
                    fault = .status(server: options.server.description, response.status, asked: asked)
                // One entry's own status, given to all of them.
                case let status where mayBeAnEntrys(status, response.body):
                    let issues = OutcomeIssue.read(response.body)
                    return .refused(Refusal(status: status, issues: issues, mayBeThere: mayBeThere))
                default:
                    let (url, status) = (options.target.description, response.status)
                    let isGone = state.hasTaken
                    state.stop(
                        isGone
                            ? DeliveryError.gone(url: url, status: status)
                            : DeliveryError.notAServer(url: url, status: status)
                    )
                    // Whoever knows keys alone may have done it before something else has answered: it goes again.
                    return mayBeThere || isKeyOnly ? .unknown : .unsent
                }
                rejections = 0
            }
            tries += 1
            let elapsed = clock.now - start
            let budget = state.patience(with: fault, options)
            guard let wait = retryPolicy.wait(before: tries, asked: asked, elapsed: elapsed, budget: budget) else {
                state.stop(DeliveryError.unreachable(fault: fault, seconds: Int(elapsed / .seconds(1))))
                return .unknown
            }
            state.tellOfWaiting(for: fault, wait: elapsed + wait, options)
            guard await state.sleep(wait) else { return .unknown }
            state.noteRetry()
        }
    }

    /// Sends a request that may be repeated, until it has an answer that says something.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - mostFailures: after so many answers that tell of a fault in the server itself, the last one is taken for its
    ///     answer: for what can be asked in another way.
    /// - Returns: the answer.
    /// - Throws: ``DeliveryError/unreachable(fault:seconds:)``, or the authorizer's error.
    func send(_ request: HTTPRequest, mostFailures: Int = .max) async throws -> HTTPResponse {
        let clock = ContinuousClock()
        let start = clock.now
        var tries = 0
        var failures = 0
        var request = request
        var rejected: Authorization?
        while true {
            request.authorization = try await authorization(for: request.url, replacing: rejected, since: start)
            let fault: DeliveryError.Fault
            var asked: Duration?
            do throws(HTTPError) {
                let response = try await answer(to: request)
                state.noteReached()
                switch response.status {
                case 401:
                    if clock.now - start < options.retryBudget, await hasEnded(request.authorization) { continue }
                    guard authorizer != nil, rejected == nil else { return response }
                    rejected = request.authorization
                    continue
                case let status where [408, 425, 429].contains(status) || RetryPolicy.isServerFault(status):
                    if status > 499, status != 503 { failures += 1 }
                    if failures >= mostFailures { return response }
                    asked = RetryPolicy.retryAfter(response)
                    if status == 429 || status == 503 { state.slowDown(for: asked) }
                    fault = .status(server: options.server.description, response.status, asked: asked)
                default:
                    state.noteAnswer()
                    return response
                }
            } catch {
                if error == .cancelled || error.isLasting { throw state.stopReason ?? error }
                fault = .transport(error)
            }
            if let stop = state.stopReason { throw stop }
            tries += 1
            let elapsed = clock.now - start
            let budget = state.patience(with: fault, options)
            guard let wait = retryPolicy.wait(before: tries, asked: asked, elapsed: elapsed, budget: budget) else {
                throw DeliveryError.unreachable(fault: fault, seconds: Int(elapsed / .seconds(1)))
            }
            state.tellOfWaiting(for: fault, wait: elapsed + wait, options)
            guard await state.sleep(wait) else {
                throw state.stopReason ?? DeliveryError.interrupted
            }
        }
    }

    /// What the server answers to a request that may be given up: once the run stops nobody waits for it.
    private func answer(to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let result = await withTaskGroup(of: Result<HTTPResponse, HTTPError>?.self) { [client, state] group in
            group.addTask {
                do throws(HTTPError) { return .success(try await client.send(request)) } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                await state.waitForStop()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let result else { throw .cancelled }
        return try result.get()
    }

    /// The authorizer's header, tried as long as a request whose server is away.
    private func authorization(
        for url: HTTPURL,
        replacing rejected: Authorization?,
        since start: ContinuousClock.Instant
    ) async throws -> Authorization? {
        var tries = 0
        while true {
            do {
                return try await authorizer?.authorization(for: url, replacing: rejected)
            } catch {
                guard await authorizer?.mayAskAgain(after: error) == true else { throw error }
                tries += 1
                let (elapsed, budget) = (.now - start, options.retryBudget)
                guard let wait = retryPolicy.wait(before: tries, asked: nil, elapsed: elapsed, budget: budget) else {
                    throw state.stopReason ?? error
                }
                state.tellOfWaiting("its sign-in server is away or too busy", budget, options)
                guard await state.sleep(wait) else { throw state.stopReason ?? error }
            }
        }
    }

    /// A conflict goes away when the other writer is done, or never.
    private static let mostConflicts = 5

    /// A token may end on its way, and its successor too; a server that takes none would make us renew for ever.
    private static let mostRejections = 3

    /// Whether a token has ended on its way, so that another has taken its place: its refusal says nothing of that one.
    private func hasEnded(_ authorization: Authorization?) async -> Bool {
        guard let authorization, !state.wasRefused(authorization) else { return false }
        let now = try? await authorizer?.authorization(for: options.target, replacing: nil)
        if let now, now != authorization { return true }
        state.noteRefused(authorization)
        return false
    }

    private var isKeyOnly: Bool { options.interface == .observations }

    /// Whether a status that a wrong address is answered with may be that of an entry: the server is a FHIR server, and
    /// says what is wrong.
    private func mayBeAnEntrys(_ status: Int, _ body: [UInt8]) -> Bool {
        guard !isKeyOnly, [404, 405, 406, 410, 415, 501].contains(status),
            state.hasTaken || options.capabilities.isKnown
        else { return false }
        let issues = OutcomeIssue.read(body)
        return !issues.isEmpty && !issues.contains { Self.passing.contains($0.code) }
    }

    /// What a server says of itself, and of no entry: the codes below `transient`
    /// (<https://hl7.org/fhir/R4/valueset-issue-type.html>).
    private static let passing: Set = [
        "transient", "lock-error", "no-store", "exception", "timeout", "incomplete", "throttled",
    ]

    private func request(
        _ bundle: TransactionBundle,
        to target: HTTPURL,
        packed: [UInt8]?,
        _ authorization: Authorization?
    ) -> HTTPRequest {
        HTTPRequest(
            .post,
            target,
            headers: [
                HTTPHeader("Content-Type", "application/fhir+json"),
                HTTPHeader("Accept", "application/fhir+json"),
                HTTPHeader("Prefer", "return=minimal"),
                HTTPHeader("Idempotency-Key", bundle.key),
            ] + (packed == nil ? [] : [HTTPHeader("Content-Encoding", "gzip")]),
            authorization: authorization,
            body: packed ?? bundle.body,
            // Some servers work on a Bundle for minutes before they answer.
            limits: HTTPLimits(idle: .seconds(300), total: .seconds(600)),
            gate: gate
        )
    }
}

extension HTTPError {
    /// Whether it tells of what was asked for, which no later try mends.
    fileprivate var isLasting: Bool {
        switch self {
        case .unusableCAFile, .noAuthorities, .unsendableHeader: true
        default: false
        }
    }
}
