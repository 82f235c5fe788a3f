internal import HTTPTransport
internal import TransactionBundling

/// What the answer to a Bundle means: the rules for retries.
extension Poster {
    /// What is known of a Bundle on its way, from one try to the next.
    struct Course {
        /// Whether an earlier try may have been stored: a later refusal says nothing about that one.
        var mayBeThere: Bool
        /// Whether an earlier run was refused all its members.
        var wasRefused: Bool
        var patience: Patience
        /// How often the Bundle conflicted with another writer's change.
        var conflicts = 0
        /// How often the server did not finish within its time limit.
        var timeouts = 0
        /// How often it was answered with 500 or the connection broke, and how many Bundles the server had taken before
        /// the first of these.
        var faults = 0
        var takenCount: Int?
        /// The token that was refused and that another is to replace.
        var rejected: Authorization?
        /// How many tokens were refused in a row.
        var rejections = 0

        init(_ past: Past, patience: Patience) {
            mayBeThere = past.mayBeThere
            wasRefused = past.wasRefused
            takenCount = past.takenCount
            conflicts = past.conflicts
            self.patience = patience
        }

        /// Notes that the server has failed at it, after it had taken so many Bundles.
        mutating func noteFault(takenCount: Int) {
            faults += 1
            self.takenCount = self.takenCount ?? takenCount
        }

        /// Whether the server has failed at it so often that it may fail each time.
        var isFailing: Bool { faults >= Poster.maximumFaultCount }

        /// Whether the server seems unable to finish it.
        var isTooSlow: Bool { timeouts >= Poster.maximumTimeoutCount }

        /// The Bundle's outcome where the run stops.
        var abandoned: Outcome { mayBeThere ? .unknown : .unsent }
    }

    /// How a Bundle was sent.
    struct Attempt {
        var target: HTTPURL
        var entryCount: Int
        /// Whether it creates by identifier: what a lost answer leaves open then has to be found by a search first.
        var isConditional: Bool
        var isPacked: Bool
        var authorization: Authorization?
        /// Whether the run has lost a connection before.
        var isAfterLoss = false
    }

    /// What to do next.
    enum Verdict {
        /// Nothing: the outcome is known.
        case settled(Outcome)
        /// Send it at once, in another way.
        case again
        /// Send it again later.
        case wait(DeliveryError.Fault, asked: Duration?)
    }

    /// What to do after a try.
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
            if case .connectionLost = error {
                state.noteLostConnection()
                // Something in front of the server may cut what it does not let pass, each time.
                if !attempt.isConditional { course.noteFault(takenCount: state.takenCount) }
            }
            return .wait(.transport(error), asked: nil)
        case .success(let response):
            state.noteReached(response.status)
            if response.wasRepeated { course.mayBeThere = true }
            if response.status == 401 { return await verdict(onUnauthorized: response, of: attempt, &course) }
            let verdict = await verdict(on: response, of: attempt, &course)
            if case .wait = verdict { course.rejections = 0 }
            return verdict
        }
    }

    private func verdict(on response: HTTPResponse, of attempt: Attempt, _ course: inout Course) async -> Verdict {
        if attempt.isPacked, state.giveUpPacking(after: response.status) { return .again }
        if (300..<400).contains(response.status),
            state.adoptSlash(of: response.header("Location"), for: attempt.target)
        {
            return .again
        }
        switch response.status {
        case 200..<300: return verdict(onSuccess: response, of: attempt, &course)
        case 403: return await verdict(onForbidden: response, of: attempt, course)
        // A 303 leads to the result of a post that may have been processed.
        case 303: return stopUntold(redirected(response), course)
        case 300..<400: return stop(redirected(response), course)
        // A proxy may say so too: smaller Bundles pass it.
        case 413: return .settled(refused(response, attempt, course))
        case 400, 412, 422: return await verdict(onInvalid: response, of: attempt, course)
        case 408, 504, 524, 598:
            if attempt.entryCount > Self.surelySmallEntryCount { course.timeouts += 1 }
            course.mayBeThere = true
            let server = options.server.description
            return .wait(.unfinished(server: server, response.status, isKeyOnly: options.isKeyOnly), asked: nil)
        // A key-only server answers 409 while it works on the same key: that is not a refusal.
        case 409 where course.conflicts >= Self.maximumConflictCount && !options.isKeyOnly:
            return .settled(.refused(refusal(response, course)))
        case let status where status == 409 || HTTPStatus.mayPass(status):
            if status == 409 { course.conflicts += 1 }
            if status == 500 {
                course.noteFault(takenCount: state.takenCount)
                if isFaultOfItsOwn(course) { return .settled(.refused(refusal(response, course))) }
            }
            var asked: Duration?
            if RetryPolicy.isThrottled(status) {
                asked = RetryPolicy.retryAfter(response)
                // All other Bundles wait too, but only if this one does.
                let fault = DeliveryError.Fault.status(server: options.server.description, status, asked: asked)
                state.queue.slowDown(for: course.patience.allows(asked, after: fault) ? asked : nil)
            }
            // A 503 may come from a gateway whose server went on with the request.
            if !RetryPolicy.isThrottled(status) || status == 503 { course.mayBeThere = true }
            return .wait(.status(server: options.server.description, status, asked: asked), asked: asked)
        // One entry's status, given as the status of the whole.
        case let status where mayBeAnEntrys(status, response.body):
            return .settled(.refused(refusal(response, course)))
        default:
            let (url, status) = (options.target.description, response.status)
            return stopUntold(
                state.hasEverTaken
                    ? DeliveryError.gone(url: url, status: status)
                    : DeliveryError.notAServer(url: url, status: status, isKeyOnly: options.isKeyOnly),
                course
            )
        }
    }

    private func redirected(_ response: HTTPResponse) -> DeliveryError {
        .redirected(url: options.target.description, location: response.redirection)
    }

    private func verdict(onSuccess response: HTTPResponse, of attempt: Attempt, _ course: inout Course) -> Verdict {
        if attempt.isPacked { state.notePackedTaken() }
        state.noteTaken(attempt.authorization)
        let answer = TransactionResponse(response.body, to: attempt.entryCount)
        if let answer, answer.entries.count == attempt.entryCount {
            state.noteSuccess(after: course.patience.elapsed)
            return .settled(.answered(answer, mayBeThere: course.mayBeThere))
        }
        course.mayBeThere = true
        if response.status == 202, !options.isKeyOnly {
            // Each further try would put one more Bundle into the server's queue.
            state.stop(DeliveryError.contrary(.asynchronous, server: options.server.description))
            return .settled(.unknown)
        }
        let server = options.target.description
        return .wait(.noOutcome(server: server, entries: answer?.entries.count, of: attempt.entryCount), asked: nil)
    }

    private func verdict(
        onForbidden response: HTTPResponse,
        of attempt: Attempt,
        _ course: Course
    ) async -> Verdict {
        // What blocks one Bundle for what is in it, as a firewall may, blocks one entry of it.
        if response.isPage, state.hasTaken, !options.isKeyOnly, await isIntercepted() == false {
            return .settled(refused(response, attempt, course))
        }
        let server = options.server.description
        return stop(DeliveryError.forbidden(server: server, mayBeBlocked: response.isOfAnother), course)
    }

    private func verdict(onInvalid response: HTTPResponse, of attempt: Attempt, _ course: Course) async -> Verdict {
        if seemsOfAnother(response), await isIntercepted() != false {
            let (url, status) = (options.target.description, response.status)
            return stopUntold(DeliveryError.intercepted(url: url, status: status), course)
        }
        return .settled(refused(response, attempt, course))
    }

    /// Whether an answer seems to come from something in front of the server: a page, or what is not FHIR if nothing
    /// has shown yet that there is a FHIR server.
    private func seemsOfAnother(_ response: HTTPResponse) -> Bool {
        let isKnown = state.hasTaken || options.capabilities.isKnown
        return response.isPage || (!options.isKeyOnly && !isKnown && response.isOfAnother)
    }

    /// Whether something in front of the server answers in its place: asked after such an answer to a Bundle, it makes
    /// one read, which is then answered so too; `nil` if that can't be found out.
    ///
    /// A key-only server may have nothing to read: what it has taken shows that it was reached.
    private func isIntercepted() async -> Bool? {
        if options.isKeyOnly { return !state.hasTaken }
        guard let url = try? HTTPURL("\(options.server.text)/Patient/\(options.patientID)"),
            let read = try? await send(
                .reading(url, limits: ResourceLookup.limits),
                maximumFailureCount: ResourceLookup.maximumFailureCount
            )
        else { return nil }
        return seemsOfAnother(read)
    }

    /// Whether a server that answers 500, or breaks the connection, fails at this Bundle alone, and so would each time:
    /// it has taken others meanwhile, or refused this one before.
    ///
    /// Never of a key-only server, which has one key for the whole Bundle.
    func isFaultOfItsOwn(_ course: Course) -> Bool {
        guard !options.isKeyOnly, course.isFailing else { return false }
        return course.wasRefused || state.takenCount > course.takenCount ?? .max
    }

    /// What to do after a 401: another token is tried, where there may be one.
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

    /// The outcome where the server refuses the whole Bundle or wants it in parts.
    private func refused(_ response: HTTPResponse, _ attempt: Attempt, _ course: Course) -> Outcome {
        let refusal = refusal(response, course)
        // What may be stored under its key must not be sent in parts, under other keys.
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

    /// Stops the run after an answer that says nothing about the Bundle, perhaps from a gateway.
    ///
    /// A key-only server may have stored the Bundle before, so that the outcome is unknown and it is sent again.
    private func stopUntold(_ error: any Error, _ course: Course) -> Verdict {
        let verdict = stop(error, course)
        return options.isKeyOnly ? .settled(.unknown) : verdict
    }

    /// A conflict ends when the other writer is done, or never.
    static let maximumConflictCount = 5

    /// Some servers give a transaction 30 s, whatever its size; a second try may find it half done.
    fileprivate static let maximumTimeoutCount = 3

    /// By then a passing fault has passed, or other Bundles meet it too.
    fileprivate static let maximumFaultCount = 4

    /// So few entries can't be too much: a server that does not finish them is in trouble, which passes.
    private static let surelySmallEntryCount = 10

    /// A token may expire on its way, and its successor too; a server that takes none would have us renew tokens
    /// forever.
    private static let maximumRejectionCount = 3

    /// Whether a status that also stands for a wrong address may be an entry's: the server is known to be a FHIR
    /// server, and says what is wrong.
    private func mayBeAnEntrys(_ status: Int, _ body: [UInt8]) -> Bool {
        guard !options.isKeyOnly, [404, 405, 406, 410, 415, 501].contains(status),
            state.hasTaken || options.capabilities.isKnown
        else { return false }
        let issues = OutcomeIssue.read(body)
        return !issues.isEmpty && !issues.contains { Self.passing.contains($0.code) }
    }

    /// Issue codes about the server and not about an entry: the codes below `transient`
    /// (<https://hl7.org/fhir/R4/valueset-issue-type.html>).
    private static let passing: Set = [
        "transient", "lock-error", "no-store", "exception", "timeout", "incomplete", "throttled",
    ]
}
