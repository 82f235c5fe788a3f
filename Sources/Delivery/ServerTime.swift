internal import Glibc
internal import HTTPTransport
internal import Synchronization

/// The time that the server has told with an answer, in its header `Date`.
///
/// A machine without a clock of its own begins in 1970, or where it was switched off: what has to be compared with what an
/// earlier run has noted is then compared by the server's clock.
struct ServerTime: Sendable, Equatable {
    /// Seconds since 1970.
    private let seconds: Int64
    private let instant: ContinuousClock.Instant

    /// What an answer tells; `nil` where that is nothing.
    init?(_ response: HTTPResponse, at instant: ContinuousClock.Instant = .now) {
        guard let seconds = response.header("Date").flatMap({ HTTPDate.seconds($0) }) else { return nil }
        self.seconds = Int64(seconds)
        self.instant = instant
    }

    /// What it would tell now.
    var now: Int64 { seconds + (.now - instant).components.seconds }
}

extension RunState {
    /// Seconds since 1970, by whichever of the two clocks is ahead.
    var now: Int64 { max(Int64(time(nil)), serverTime?.now ?? .min) }

    /// By how many seconds the server's clock is ahead; `nil` where it has told nothing.
    var serverOffset: Int64? { serverTime.map { $0.now - Int64(time(nil)) } }
}

extension Delivery {
    /// How many seconds have passed since an earlier run has noted something: by this machine's clock, and by the server's
    /// where that is known from then too.
    ///
    /// - Parameter noted: seconds since 1970, by this machine's clock of then.
    /// - Returns: the fewer and the more of both, the same where one clock tells alone: where the other finds that it is yet
    ///   to come.
    /// - Throws: ``DeliveryError`` where the ledger can't be read.
    func elapsed(since noted: Int64) throws(DeliveryError) -> ClosedRange<Int64> {
        let own = Int64(time(nil)) - noted
        guard let offset = state.serverOffset, let former = try formerServerOffset() else { return own...own }
        let others = own + offset - former
        if own < 0, others >= 0 { return others...others }
        if others < 0, own >= 0 { return own...own }
        return min(own, others)...max(own, others)
    }

    /// Keeps in mind how far the clocks are apart, for what this run notes.
    ///
    /// As long as anything is open that an earlier run has noted, what was kept then stays: it is judged by that.
    func noteServerOffset() throws(DeliveryError) {
        guard !options.isDryRun, let offset = state.serverOffset else { return }
        if let former = try formerServerOffset() {
            // `Date` counts whole seconds, and an answer takes some.
            guard abs(offset - former) > 5 else { return }
            guard try !ledger.hasIntents() else { return }
        }
        try ledger.setProperties([.serverOffset: "\(offset)"])
    }

    /// What it was when the run began.
    private func formerServerOffset() throws(DeliveryError) -> Int64? {
        if let known = notes.withLock(\.formerServerOffset) { return known }
        let former = try ledger.property(.serverOffset).flatMap { Int64($0) }
        notes.withLock { $0.formerServerOffset = .some(former) }
        return former
    }
}
