internal import HTTPTransport
internal import TransactionBundling

/// What a Bundle's answer means: the table of retries, line by line.
extension Poster {
    /// A Bundle on its way, from try to try.
    struct Course {
        /// Whether a try before may have been stored: a later refusal tells nothing of that one.
        var mayBeThere: Bool
        /// Whether an earlier run was refused all of it.
        var wasRefused: Bool
        var patience: Patience
        /// Of this Bundle with another writer's.
        var conflicts = 0
        /// How often the server did not finish in its time.
        var timeouts = 0
        /// How often it was answered with 500, and how many others the server had taken before.
        var faults = 0
        var takenCount: Int?
        /// The token that was refused, so that another takes its place.
        var rejected: Authorization?
        /// How many tokens were refused one after another.
        var rejections = 0

        init(_ past: Past, patience: Patience) {
            mayBeThere = past.mayBeThere
            wasRefused = past.wasRefused
            takenCount = past.takenCount
            conflicts = past.conflicts
            self.patience = patience
        }

        /// Whether the server has failed at it for so long that it may do so each time.
        var isFailing: Bool { faults >= Poster.maximumFaultCount }

        /// Whether it does not seem to finish it at all.
        var isTooSlow: Bool { timeouts >= Poster.maximumTimeoutCount }

        /// What became of the Bundle where the run stops.
        var abandoned: Outcome { mayBeThere ? .unknown : .unsent }
    }

    /// How a Bundle was sent.
    struct Attempt {
        var target: HTTPURL
        var entryCount: Int
        var isPacked: Bool
        var authorization: Authorization?
        /// Whether the run has lost a connection before.
        var isAfterLoss = false
    }

    /// What is to be done.
    enum Verdict {
        /// Nothing more.
        case settled(Outcome)
        /// Send it in another way, at once.
        case again
        /// Send it again later.
        case wait(DeliveryError.Fault, asked: Duration?)
    }

    /// What is to be done after a try.
    func verdict(
        on result: Result<HTTPResponse, HTTPError>,
        of attempt: Attempt,
        _ course: inout Course
    ) async -> Verdict {
        switch result {
        case .failure(.cancelled): return .settled(.unknown)
        case .failure(let error) where error.isTooLarge:
            course.mayBeThere = true
            return stop(DeliveryError.unreachable(fault: .transport(error), seconds: 0), course)
        case .failure(let error) where error.isLasting(isReached: state.isReached): return stop(error, course)
        case .failure(let error):
            if !error.isBeforeSending { course.mayBeThere = true }
            if case .connectionLost = error { state.noteLostConnection() }
            return .wait(.transport(error), asked: nil)
        case .success(let response):
            state.noteReached(response.status)
            if response.wasRepeated { course.mayBeThere = true }
            if response.status == 401 { return await verdict(onUnauthorized: response, of: attempt, &course) }
            let verdict = verdict(on: response, of: attempt, &course)
            if case .wait = verdict { course.rejections = 0 }
            return verdict
        }
    }

    private func verdict(on response: HTTPResponse, of attempt: Attempt, _ course: inout Course) -> Verdict {
        if attempt.isPacked, state.giveUpPacking(after: response.status) { return .again }
        if (300..<400).contains(response.status),
            state.adoptSlash(of: response.header("Location"), for: attempt.target)
        {
            return .again
        }
        switch response.status {
        case 200..<300:
            if attempt.isPacked { state.notePackedTaken() }
            state.noteTaken(attempt.authorization)
            if let answer = TransactionResponse(response.body, to: attempt.entryCount),
                answer.entries.count == attempt.entryCount
            {
                state.noteSuccess(after: course.patience.elapsed)
                return .settled(.answered(answer, mayBeThere: course.mayBeThere))
            }
            course.mayBeThere = true
            if response.status == 202, !options.isKeyOnly {
                // Each try would be one more Bundle in its queue.
                state.stop(DeliveryError.contrary(.asynchronous, server: options.server.description))
                return .settled(.unknown)
            }
            return .wait(.noOutcome(server: options.target.description), asked: nil)
        case 403:
            let server = options.server.description
            return stop(DeliveryError.forbidden(server: server, mayBeBlocked: response.isOfAnother), course)
        // It leads to what came of a post.
        case 303: return stopUntold(DeliveryError.redirected(url: options.target.description), course)
        case 300..<400: return stop(DeliveryError.redirected(url: options.target.description), course)
        case 400, 412, 413, 422: return .settled(refused(response, attempt, course))
        case 408, 504, 524, 598:
            if attempt.entryCount > Self.surelySmallEntryCount { course.timeouts += 1 }
            course.mayBeThere = true
            let server = options.server.description
            return .wait(.unfinished(server: server, response.status, isKeyOnly: options.isKeyOnly), asked: nil)
        // A key-only server says so as long as it works on the same key: that is no refusal.
        case 409 where course.conflicts >= Self.maximumConflictCount && !options.isKeyOnly:
            return .settled(.refused(refusal(response, course)))
        case let status where status == 409 || RetryPolicy.mayPass(status):
            if status == 409 { course.conflicts += 1 }
            if status == 500, isFaultOfItsOwn(&course) { return .settled(.refused(refusal(response, course))) }
            var asked: Duration?
            if RetryPolicy.isThrottled(status) {
                asked = RetryPolicy.retryAfter(response)
                state.queue.slowDown(for: asked)
            }
            // A 503 may be that of a gateway, whose server went on.
            if !RetryPolicy.isThrottled(status) || status == 503 { course.mayBeThere = true }
            return .wait(.status(server: options.server.description, status, asked: asked), asked: asked)
        // One entry's own status, given to all of them.
        case let status where mayBeAnEntrys(status, response.body):
            return .settled(.refused(refusal(response, course)))
        default:
            let (url, status) = (options.target.description, response.status)
            return stopUntold(
                state.hasTaken
                    ? DeliveryError.gone(url: url, status: status) : DeliveryError.notAServer(url: url, status: status),
                course
            )
        }
    }

    /// Whether a server that answers 500 fails at this Bundle and at no other, so that it would each time: others are
    /// taken meanwhile, or it was refused before.
    ///
    /// A server that knows Bundles by their keys has one key for the whole.
    private func isFaultOfItsOwn(_ course: inout Course) -> Bool {
        guard !options.isKeyOnly else { return false }
        course.faults += 1
        let before = course.takenCount ?? state.takenCount
        course.takenCount = before
        return course.isFailing && (course.wasRefused || state.takenCount > before)
    }

    /// The token was refused: another is tried, where there may be one.
    private func verdict(
        onUnauthorized response: HTTPResponse,
        of attempt: Attempt,
        _ course: inout Course
    ) async -> Verdict {
        let authorization = attempt.authorization
        if await hasEnded(authorization, course.patience) { return .again }
        course.rejections += 1
        guard authorizer != nil, course.rejected != authorization, course.rejections <= Self.maximumRejectionCount,
            state.mayReplaceTokens
        else {
            return stop(unauthorized(response), course)
        }
        course.rejected = authorization
        return .again
    }

    /// The server refuses the whole, or wants it in parts.
    private func refused(_ response: HTTPResponse, _ attempt: Attempt, _ course: Course) -> Outcome {
        let refusal = refusal(response, course)
        // What may be stored under its key must not be sent in parts, under others.
        let mayCut = !course.mayBeThere || !options.isKeyOnly
        let maximumEntryCount =
            [400, 413].contains(response.status) ? EntryLimit.named(in: response.body, below: attempt.entryCount) : nil
        let isTooLarge =
            response.status == 413
            || (mayCut && (maximumEntryCount != nil || EntryLimit.isPassed(in: response.body)))
        guard isTooLarge else { return .refused(refusal) }
        return mayCut ? .tooLarge(refusal, maximumEntryCount: maximumEntryCount) : .unknown
    }

    private func refusal(_ response: HTTPResponse, _ course: Course) -> Refusal {
        Refusal(
            status: response.status,
            issues: OutcomeIssue.read(response.body),
            mayBeThere: course.mayBeThere
        )
    }

    /// Stops the run.
    private func stop(_ error: any Error, _ course: Course) -> Verdict {
        state.stop(error)
        return .settled(course.abandoned)
    }

    /// Stops the run after an answer that tells nothing of the Bundle, as of something in front of the server: whoever
    /// knows keys alone may have stored it before, so that it goes again.
    private func stopUntold(_ error: any Error, _ course: Course) -> Verdict {
        let verdict = stop(error, course)
        return options.isKeyOnly ? .settled(.unknown) : verdict
    }

    /// A conflict goes away when the other writer is done, or never.
    static let maximumConflictCount = 5

    /// Some servers give a transaction 30 s, however large it is; the second try may find it half done.
    fileprivate static let maximumTimeoutCount = 3

    /// What is passing has passed by then, or is seen at others.
    fileprivate static let maximumFaultCount = 4

    /// So few are no matter of size: who does not finish them is in trouble, which passes.
    private static let surelySmallEntryCount = 10

    /// A token may end on its way, and its successor too; a server that takes none would make us renew for ever.
    private static let maximumRejectionCount = 3

    /// Whether a status that a wrong address is answered with may be that of an entry: the server is a FHIR server, and
    /// says what is wrong.
    private func mayBeAnEntrys(_ status: Int, _ body: [UInt8]) -> Bool {
        guard !options.isKeyOnly, [404, 405, 406, 410, 415, 501].contains(status),
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
}
