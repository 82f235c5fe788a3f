/// Sends each request where it belongs, and makes an OperationOutcome of every error.
struct Router: Sendable {
    let origin: ServerOrigin
    let fhir: FHIRService
    let issuer: Issuer
    let observations: ObservationIntake
    /// `nil` where address or base URL is not loopback.
    let steps: StepIntake?
    /// `nil` without `--test`.
    let faults: FaultPlan?
    let testToken: String?

    func answer(_ received: HTTPRequest) async -> HTTPResponse {
        // HEAD is GET whose body stays here: see HTTPResponse.encoded (RFC 9110, section 9.3.2).
        var request = received
        if received.method == "HEAD" { request.method = "GET" }
        do {
            try origin.admit(request)
            let segments = request.target.segments
            if segments.first == "test" { return try answerTest(request, segments.dropFirst()) }
            return try await withFault(faults?.rule(for: received)) { [request] transactionFaults in
                try await answer(request, segments, transactionFaults)
            }
        } catch {
            return Self.refusal(error).response(for: request, issuer: issuer.metadata)
        }
    }

    private func answer(
        _ request: HTTPRequest,
        _ segments: [String],
        _ faults: TransactionFaults
    ) async throws -> HTTPResponse {
        switch (segments.first, segments.count) {
        // Below the FHIR base too: clients know one address.
        case ("fhir", 4) where segments[1...] == ["api", "v1", "observations"],
            ("api", 3) where segments[1...] == ["v1", "observations"]:
            return try await observations.answer(request, faults: faults)
        case ("fhir", _): return try await fhir.answer(request, path: segments.dropFirst(), faults: faults)
        case ("auth", _): return try await issuer.answer(request, path: segments.dropFirst())
        case ("health", 1):
            try request.require("GET")
            return .json(200, "{\"status\":\"ok\"}")
        case ("openapi.json", 1):
            try request.require("GET")
            return .json(200, OpenAPIDescription.text(origin: origin.url))
        case ("steps", 1):
            guard let steps else {
                throw Refusal(403, .forbidden, "steps come without a token, so only a loopback address takes them")
            }
            return try await steps.answer(request)
        case (".well-known", 3) where segments[1...] == ["oauth-authorization-server", "auth"]:
            try request.require("GET")
            return .json(200, issuer.metadata.openIDConfiguration)
        default: throw Refusal.notFound()
        }
    }

    /// Does what a rule says around the real answer.
    private func withFault(
        _ rule: FaultRule?,
        _ body: (TransactionFaults) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard let rule else { return try await body(TransactionFaults()) }
        if rule.delayMilliseconds > 0 { try await Task.sleep(for: .milliseconds(rule.delayMilliseconds)) }
        var withheld = HTTPResponse(500)
        withheld.isWithheld = true
        if rule.cut == .beforeCommit { return withheld }
        var faults = TransactionFaults()
        if let entry = rule.failEntry {
            faults.failingEntries[entry] = rule.status ?? 500
        } else if let status = rule.status, rule.cut == nil {
            var response = Refusal.onRequest(status).response
            response.headers.removeAll { $0.name == "Retry-After" }
            response.headers += rule.headers
            return response
        }
        var response = try await body(faults)
        if rule.cut == .afterCommit { return withheld }
        response.headers += rule.headers
        return response
    }

    private func answerTest(_ request: HTTPRequest, _ path: ArraySlice<String>) throws -> HTTPResponse {
        guard let faults, let testToken else { throw Refusal.notFound() }
        guard let token = request.bearerToken, Secret.isEqual(token, testToken) else {
            throw Refusal(401, .login, "this is not the token that --test printed")
        }
        guard path == ["faults"] else { throw Refusal.notFound() }
        try request.require("GET", "POST")
        if request.method == "POST" { try faults.replace(with: try FHIRService.json(request)) }
        return .json(200, faults.report)
    }

    /// What is no refusal is a fault of this server: a full disk, or a mistake in it.
    private static func refusal(_ error: any Error) -> Refusal {
        error as? Refusal ?? Refusal(500, .exception, "the server could not do this: nothing was stored")
    }
}

extension Refusal {
    /// The answer, with a challenge where a token is wanted (RFC 6750, section 3).
    fileprivate func response(for request: HTTPRequest, issuer: IssuerMetadata) -> HTTPResponse {
        var response = response
        if status == 401 {
            let error = request.bearerToken == nil ? "" : ", error=\"invalid_token\""
            response.headers.append(("WWW-Authenticate", "Bearer realm=\"\(issuer.fhirBase)\"\(error)"))
        } else if needsScope {
            response.headers.append(
                ("WWW-Authenticate", "Bearer realm=\"\(issuer.fhirBase)\", error=\"insufficient_scope\"")
            )
        }
        return response
    }
}
