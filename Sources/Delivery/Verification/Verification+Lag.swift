internal import FHIRR4

extension Verification {
    /// Waits, before the first search, until a search finds what was delivered just before.
    ///
    /// An index may lag, and what a search does not find is unknown to a rebuilt ledger: a key-only server would store
    /// it a second time.
    func awaitIndex() throws {
        guard options.isConditional, let (ids, lag) = rebuild?.takeRecent(), lag > .zero else { return }
        let budget = min(lag, options.firstDelay * 60)
        _ = try blocking { [state, options, lookup] in
            await state.awaitIndex(within: budget, options) {
                // A server that can't be read is reported when the export's resources are looked for.
                guard let found = try? await lookup.find(ids, .observation) else { return .present }
                return ids.allSatisfy { found[$0] != nil } ? .present : .absent
            }
        }
        if let stop = state.stopReason { throw stop }
    }
}
