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
        // HEAD is GET without the body: see HTTPResponse.encoded (RFC 9110, section 9.3.2).
        var request = received
        if received.method == "HEAD" { request.method = "GET" }
        do {
            try origin.admit(request)
            let segments = request.target.segments
            if segments.first == "test" { return try answerTest(request, segments.dropFirst()) }
            return try await withFault(faults?.rule(for: received), request) { [request] transactionFaults in
                try await answer(request, segments, transactionFaults)
            }
        } catch {
            return response(for: error, request)
        }
    }

    /// Decides whether a body that may be long is read; before it is read, since the decision would be the same after.
    func admit(_ head: HTTPRequest) async -> BodyAdmission {
        do {
            try origin.admit(head)
            let segments = head.target.segments
            switch segments.first {
            case "fhir" where segments.last != "metadata" && segments.last != "smart-configuration", "api":
                _ = try await issuer.grant(for: head)
                return .whole
            case "test":
                try requireTestToken(head)
                return .whole
            case "steps" where steps != nil: return .strangers
            default: return .small
            }
        } catch {
            return .refused(response(for: error, head))
        }
    }

    /// The answer to what could not be done, in the form that belongs to the address.
    private func response(for error: any Error, _ request: HTTPRequest) -> HTTPResponse {
        let refusal = fhir.store.faults.refusal(for: error)
        if issuer.hasEndpoint(request.target.segments) { return OAuthFault.response(to: refusal) }
        return refusal.response(for: request, issuer: issuer.metadata)
    }

    private func answer(
        _ request: HTTPRequest,
        _ segments: [String],
        _ faults: TransactionFaults
    ) async throws -> HTTPResponse {
        switch (segments.first, segments.count) {
        // Below the FHIR base too: clients know only one address.
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

    /// Applies a rule to the real answer.
    private func withFault(
        _ rule: FaultRule?,
        _ request: HTTPRequest,
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
            var refusal = Refusal.onRequest(status)
            if status == 405 { refusal.allow(["GET", "POST", "PUT", "DELETE"].filter { $0 != request.method }) }
            var response = response(for: refusal, request)
            response.headers.removeAll { $0.name == "Retry-After" }
            response.replaceHeaders(rule.headers)
            return response
        }
        var response = try await body(faults)
        if rule.cut == .afterCommit { return withheld }
        response.replaceHeaders(rule.headers)
        return response
    }

    private func answerTest(_ request: HTTPRequest, _ path: ArraySlice<String>) throws -> HTTPResponse {
        guard let faults else { throw Refusal.notFound() }
        try requireTestToken(request)
        guard path == ["faults"] else { throw Refusal.notFound() }
        try request.require("GET", "POST")
        if request.method == "POST" { try faults.replace(with: try FHIRService.json(request)) }
        return .json(200, faults.report)
    }

    private func requireTestToken(_ request: HTTPRequest) throws(Refusal) {
        guard let testToken else { throw Refusal.notFound() }
        guard let token = request.bearerToken, Secret.isEqual(token, testToken) else {
            throw Refusal(401, .login, "this is not the token that --test printed")
        }
    }
}

extension Refusal {
    /// The answer, with a challenge where a token is required (RFC 6750, section 3).
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
