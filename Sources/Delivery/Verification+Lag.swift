internal import HTTPTransport

extension Verification {
    /// Waits, before the first search, until it finds what was delivered just before.
    ///
    /// An index may lag, and a rebuilt ledger forgets what was not found: a key-only server would store it a second time.
    func awaitIndex() throws {
        guard options.isConditional, let lag = rebuild?.takeLag(), lag > .zero else { return }
        let wait = min(lag, options.firstDelay * 60)
        state.noteWaiting("may not find yet what was delivered just before", wait, options)
        guard try blocking({ [state] in await state.sleep(wait) }) else {
            throw state.stopReason ?? DeliveryError.interrupted
        }
    }
}
