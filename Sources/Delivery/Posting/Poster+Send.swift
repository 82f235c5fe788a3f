internal import FHIRR4
internal import HTTPTransport

/// Requests of a run in addition to its Bundles.
extension Poster {
    /// Sends a request that may be repeated, until a usable answer comes.
    ///
    /// - Parameters:
    ///   - request: what is sent.
    ///   - maximumFailureCount: after this many answers that report a fault in the server itself, the last one is
    ///     returned: for requests that have an alternative.
    ///   - wantsJSON: whether an answer that is not JSON counts as garbled, by a gateway or a broken connection; the
    ///     request is then repeated a few times.
    /// - Returns: the answer.
    /// - Throws: ``DeliveryError/unreachable(fault:seconds:)``, or the authorizer's error.
    func send(
        _ request: HTTPRequest,
        maximumFailureCount: Int = .max,
        wantsJSON: Bool = false
    ) async throws -> HTTPResponse {
        var patience = Patience(options, state)
        var (failures, garbledCount) = (0, 0)
        var request = request
        let idle = request.limits.idle
        var rejected: Authorization?
        while true {
            let (url, start) = (request.url, patience.start)
            request.authorization = try await authorization(for: url, replacing: rejected, since: start)
            // A server that accepts connections but never answers is given up as early as one that accepts none.
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
                    guard authorizer != nil, rejected == nil, state.mayReplaceTokens else { return response }
                    rejected = request.authorization
                    continue
                case let status where HTTPStatus.mayPass(status):
                    if status > 499, status != 503 { failures += 1 }
                    if failures >= maximumFailureCount { return response }
                    asked = RetryPolicy.retryAfter(response)
                    fault = .status(server: options.server.description, response.status, asked: asked)
                    // All other requests wait too, but only if this one waits.
                    let isAwaited = patience.allows(asked, after: fault)
                    if RetryPolicy.isThrottled(status) { state.queue.slowDown(for: isAwaited ? asked : nil) }
                case let status
                where wantsJSON && garbledCount < Self.maximumGarbledCount
                    && ([200, 404].contains(status) && response.isNoJSON
                        || [400, 403].contains(status) && response.isPage):
                    garbledCount += 1
                    fault = .garbled(server: options.server.description)
                default:
                    state.noteAnswer()
                    if response.status < 300 { state.noteTaken(request.authorization) }
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

    /// Whether a server that fails at a Bundle fulfils other requests.
    func servesReads(_ authorization: Authorization?) async -> Bool {
        guard let url = try? HTTPURL("\(options.server.text)/Patient/\(options.patientID)") else { return false }
        var request = HTTPRequest.reading(url, limits: ResourceLookup.limits)
        request.authorization = authorization
        guard let response = try? await answer(to: request) else { return false }
        return response.status < 500 && !HTTPStatus.mayPass(response.status)
    }

    /// After this many answers that are not JSON, the next one is taken as it is.
    private static let maximumGarbledCount = 3

    /// A server that has just been started may take this long to answer.
    private static let minimumSilence: Duration = .seconds(30)

    /// The answer to a request that is given up once the run stops.
    private func answer(to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let result = await beforeStop { [client] () throws(HTTPError) in try await client.send(request) }
        guard let result else { throw .cancelled }
        var response = try result.get()
        state.noteTime(response)
        // A proxy has changed something on the way (RFC 9110, section 15.3.4): what it says is looked at all the same.
        if response.status == 203 { response.status = 200 }
        return response
    }

    /// Learns the server's time from an answer, where no answer has given it yet.
    func askTime() async {
        guard state.serverTime == nil, let url = try? HTTPURL("\(options.server.text)/metadata") else { return }
        _ = try? await answer(to: .reading(url, limits: HTTPLimits(idle: .seconds(10), maximumBodyByteCount: 64 << 20)))
    }

    /// The result of `work`, which is cancelled once the run stops; `nil` where the run stopped first.
    func beforeStop<Output: Sendable, Failure>(
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
}

extension HTTPResponse {
    /// Whether the body is not a JSON object; only a short body is parsed, of others only the first and last bytes are
    /// checked.
    fileprivate var isNoJSON: Bool {
        let isSpace = { (byte: UInt8) in byte <= 0x20 }
        guard body.first(where: { !isSpace($0) }) == UInt8(ascii: "{") else { return true }
        if body.count <= 1 << 16 { return JSONValue(beginning: body) == nil }
        return body.last(where: { !isSpace($0) }) != UInt8(ascii: "}")
    }
}
