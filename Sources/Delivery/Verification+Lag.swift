internal import FHIRR4

extension Verification {
    /// Waits, before the first search, until it finds what was delivered just before.
    ///
    /// An index may lag, and a rebuilt ledger forgets what was not found: a key-only server would store it a second time.
    func awaitIndex() throws {
        guard options.isConditional, let (ids, lag) = rebuild?.takeRecent(), lag > .zero else { return }
        let budget = min(lag, options.firstDelay * 60)
        _ = try blocking { [state, options, lookup] in
            await state.awaitIndex(within: budget, options) {
                // Whoever can't be read says so when the export's resources are looked for.
                guard let found = try? await lookup.find(ids, .observation) else { return .present }
                return ids.allSatisfy { found[$0] != nil } ? .present : .absent
            }
        }
        if let stop = state.stopReason { throw stop }
    }
}
