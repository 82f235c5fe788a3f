/// Whether exports can't go for a reason that they share: a server, a sign-in or a keystore that is not there.
///
/// After some runs in a row that ended so each further one would cost its time and say the same: all wait, and one
/// finds out whether it is over.
struct WatchHold {
    /// So many runs that ended so are no matter of their exports.
    static let enough = 5

    /// The waits before one run more.
    let waits: WatchSchedule.Waits
    private var count = 0
    private var wait: Duration?
    private var until: ContinuousClock.Instant?

    init(_ waits: WatchSchedule.Waits) { self.waits = waits }

    /// Whether no run is to begin now.
    func holds(at now: ContinuousClock.Instant) -> Bool { until.map { now < $0 } ?? false }

    /// Keeps in mind how a run ended.
    ///
    /// - Returns: how long all wait, where they did not before.
    mutating func note(_ status: ExitStatus?, at now: ContinuousClock.Instant) -> Duration? {
        switch status {
        case .unreachable, .signIn, .keystore: count += 1
        // It has reached the server.
        case .done, .damaged, .refused: (count, wait) = (0, nil)
        // Who ends so may not have come that far.
        case .unreadable, .usage, .interrupted, .outputClosed, .none: return nil
        }
        guard count >= Self.enough else { return nil }
        let next = waits.next(after: wait)
        defer { (wait, until) = (next, now + next) }
        return wait == nil ? next : nil
    }
}
