internal import Glibc
internal import HTTPTransport
internal import Synchronization

/// The time that the server gave in an answer's `Date` header.
///
/// A machine without a battery-backed clock starts in 1970, or at the time when it was switched off. Times noted by an
/// earlier run are then compared by the server's clock.
struct ServerTime: Sendable, Equatable {
    /// Seconds since 1970.
    private let seconds: Int64
    private let instant: ContinuousClock.Instant

    /// The time that an answer gives; `nil` where it gives none.
    init?(_ response: HTTPResponse, at instant: ContinuousClock.Instant = .now) {
        guard let seconds = response.header("Date").flatMap({ HTTPDate.seconds($0) }) else { return nil }
        self.seconds = Int64(seconds)
        self.instant = instant
    }

    /// The server's time now, in seconds since 1970.
    var now: Int64 { seconds + (.now - instant).components.seconds }
}

extension RunState {
    /// Seconds since 1970, by whichever of the two clocks is ahead.
    var now: Int64 { max(Int64(time(nil)), serverTime?.now ?? .min) }

    /// By how many seconds the server's clock is ahead of this machine's; `nil` where it has given no time.
    var serverOffset: Int64? { serverTime.map { $0.now - Int64(time(nil)) } }
}

extension Delivery {
    /// How many seconds have passed since an earlier run noted something: by this machine's clock, and by the server's
    /// if its time was known then too.
    ///
    /// - Parameter noted: seconds since 1970, by this machine's clock at that time.
    /// - Returns: the smaller and the larger number; twice the same where only one clock counts, because the other is
    ///   unknown or finds that the noted time is still to come.
    /// - Throws: ``DeliveryError`` where the ledger can't be read.
    func elapsed(since noted: Int64) throws(DeliveryError) -> ClosedRange<Int64> {
        // A time that no clock has shown is one of long ago.
        let own = Int64(time(nil)) - (Self.times.contains(noted) ? noted : 0)
        guard let offset = state.serverOffset, let former = try formerServerOffset() else { return own...own }
        let others = own + offset - former
        if own < 0, others >= 0 { return others...others }
        if others < 0, own >= 0 { return own...own }
        return min(own, others)...max(own, others)
    }

    /// Writes to the ledger how far the clocks are apart, for the times that this run notes.
    ///
    /// While an earlier run's intents are open, its value stays, since they are judged by it.
    func noteServerOffset() throws(DeliveryError) {
        guard !options.isDryRun, let offset = state.serverOffset else { return }
        if let former = try formerServerOffset() {
            // `Date` counts whole seconds, and an answer takes time to arrive.
            guard abs(offset - former) > 5 else { return }
            guard try !ledger.hasIntents() else { return }
        }
        try ledger.setProperties([.serverOffset: "\(offset)"])
    }

    /// No two dates of years with four digits are further apart.
    private static let offsets = -400_000_000_000...times.upperBound
    /// From 1970 on, to the end of such years.
    private static let times: ClosedRange<Int64> = 0...400_000_000_000

    /// The offset that the ledger held when the run began; `nil` for none, or one that no clocks can have.
    private func formerServerOffset() throws(DeliveryError) -> Int64? {
        if let known = notes.withLock(\.formerServerOffset) { return known }
        var former = try ledger.property(.serverOffset).flatMap { Int64($0) }
        if let offset = former, !Self.offsets.contains(offset) { former = nil }
        notes.withLock { $0.formerServerOffset = .some(former) }
        return former
    }
}
