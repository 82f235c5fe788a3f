import GRDB

/// Transactions and batches (R4, section 3.1.0.11).
extension FHIRService {
    /// How long the entries of a batch hold the store before others get their turn.
    private static let turn: Duration = .milliseconds(100)

    func bundle(
        _ request: HTTPRequest,
        _ grant: AccessGrant,
        _ faults: TransactionFaults
    ) async throws -> HTTPResponse {
        try request.require("POST")
        try Self.refuseParameters(of: request, "a Bundle")
        try Self.refuseConditions(of: request, but: [])
        let (isStrict, failing) = (request.isStrict, faults.failingEntries)
        let bundle = try SubmittedBundle(try Self.json(request), base: base)
        let held = answers.hold()
        let entries =
            switch bundle.kind {
            // Nobody waits for what only reads.
            case .transaction where bundle.isReading:
                try await reading(grant, held, isStrict: isStrict) { try bundle.carryOut($0, failing: failing) }
            case .transaction:
                try await write(grant, held, isStrict: isStrict) { try bundle.carryOut($0, failing: failing) }
            case .batch: try await batch(bundle, grant, held, isStrict: isStrict, faults)
            }
        let body = SubmittedBundle.response(bundle.kind, entries, base: base, returning: ReturnPreference(request))
        var response = HTTPResponse.fhir(200, body)
        response.held = held
        return response
    }

    /// Carries out a batch's entries in turns, so that a long one keeps nobody waiting.
    ///
    /// Entries that have not begun when the server stops, or when nothing more can be stored, each say so.
    private func batch(
        _ bundle: SubmittedBundle,
        _ grant: AccessGrant,
        _ held: HeldBytes,
        isStrict: Bool,
        _ faults: TransactionFaults
    ) async throws -> [EntryAnswer] {
        var answers: [EntryAnswer] = []
        while answers.count < bundle.entries.count {
            let start = answers.count
            do {
                try Task.checkCancellation()
                let turn = { @Sendable (interactions: Interactions) throws -> [EntryAnswer] in
                    let end = ContinuousClock.now + Self.turn
                    return try bundle.batchAnswers(from: start, interactions, failing: faults.failingEntries) {
                        .now >= end
                    }
                }
                answers +=
                    bundle.isReading(start)
                    ? try await reading(grant, held, isStrict: isStrict, turn)
                    : try await write(grant, held, isStrict: isStrict, turn)
            } catch {
                guard start > 0 else { throw error }
                let refusal = store.faults.refusal(for: error)
                answers += (start..<bundle.entries.count).map { EntryAnswer(refusal.inside(entry: $0)) }
            }
        }
        return answers
    }
}
