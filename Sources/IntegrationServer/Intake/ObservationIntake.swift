import Synchronization

/// `POST /api/v1/observations`, or the same below `/fhir`: a transaction Bundle, carried out once per idempotency key.
///
/// The rules of draft-ietf-httpapi-idempotency-key-header-07: the same key and body get the same answer, and nothing is
/// done again; the same key with another body is refused with 422; while the first request is under way, with 409. Only
/// what was carried out is remembered: a refused Bundle may be corrected and sent again under its key. A key belongs to
/// a patient, and an answer is given again only to a client that may ask for what it answers.
final class ObservationIntake: Sendable {
    private let fhir: FHIRService
    private let underWay = Mutex<Set<String>>([])

    init(_ fhir: FHIRService) {
        self.fhir = fhir
    }

    func answer(_ request: HTTPRequest, faults: TransactionFaults) async throws -> HTTPResponse {
        try request.require("POST")
        try AnswerFormat.require(accept: request.headers["accept"], request.target.query)
        let grant = try await fhir.issuer.grant(for: request)
        try FHIRService.refuseParameters(of: request, "a Bundle")
        try FHIRService.refuseConditions(of: request, but: [])
        let key = try Self.key(request)
        let patient = grant.patient ?? ""
        // Neither a patient's id nor a key has a space.
        let name = "\(patient) \(key) \(grant.client)"
        guard underWay.withLock({ $0.insert(name).inserted }) else {
            throw Refusal(409, .conflict, "a request with this Idempotency-Key is under way: try again")
        }
        defer { underWay.withLock { _ = $0.remove(name) } }
        let value = try FHIRService.json(request)
        let bundle = try SubmittedBundle(value, base: fhir.base)
        guard bundle.kind == .transaction else {
            throw Refusal(400, .value, "this Bundle is not a transaction", at: "Bundle.type")
        }
        let fingerprint = Secret.hash(request.body)
        let held = fhir.answers.hold()
        let body = try await fhir.store.commits.write { [fhir] database in
            // Not before its turn: see FHIRService.write.
            let now = fhir.clock.now()
            let table = AnswerTable(
                database: database,
                now: now,
                client: grant.client,
                patient: patient,
                key: key
            )
            let interactions = fhir.interactions(of: grant, held, now, isStrict: request.isStrict, in: database)
            if try table.isUsed() {
                try bundle.authorize(interactions)
                if let (body, reach) = try table.answer(to: fingerprint) {
                    guard !bundle.answersOfOthers || reach.isSubset(of: grant.reach) else {
                        throw Refusal.insufficientScope(
                            "this was answered to a token that reaches more (expected such a token): use another key"
                        )
                    }
                    return try interactions.counted(body)
                }
            }
            let answers = try bundle.carryOut(interactions, failing: faults.failingEntries)
            let body = SubmittedBundle.response(bundle.kind, answers, base: fhir.base, returning: .minimal)
            try table.remember(body, to: fingerprint, reach: grant.reach)
            return body
        }
        var response = HTTPResponse.fhir(200, body)
        response.held = held
        return response
    }

    /// The key, bare or as the quoted string that the draft asks for.
    private static func key(_ request: HTTPRequest) throws(Refusal) -> String {
        guard var key = request.headers["idempotency-key"], !key.isEmpty else {
            throw Refusal(400, .required, "Idempotency-Key is missing (expected a key that names this Bundle)")
        }
        if key.count > 2, key.hasPrefix("\""), key.hasSuffix("\"") { key = String(key.dropFirst().dropLast()) }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Refusal(400, .value, "Idempotency-Key can't be used (expected 1 to 255 visible ASCII characters)")
        }
        return key
    }
}
