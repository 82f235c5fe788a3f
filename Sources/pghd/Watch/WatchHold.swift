/// Whether exports can't go for a reason that they share: a server, a sign-in or a keystore that is not there.
///
/// Where several exports in a row ended so each further one would cost its time and say the same: all wait, and one
/// finds out whether it is over. One export alone that ends so again and again may have a reason of its own.
struct WatchHold {
    /// So many different exports that ended so are no matter of theirs.
    static let enough = 5

    /// The waits before one run more.
    let waits: WatchSchedule.Waits
    /// Those that ended so since one reached the server, `enough` at most.
    private var paths: Set<String> = []
    private var wait: Duration?
    private var until: ContinuousClock.Instant?

    init(_ waits: WatchSchedule.Waits) { self.waits = waits }

    /// Whether no run is to begin now.
    func holds(at now: ContinuousClock.Instant) -> Bool { until.map { now < $0 } ?? false }

    /// Keeps in mind how the run of an export ended.
    ///
    /// - Returns: how long all wait, where they did not before.
    mutating func note(
        _ ending: SyncProcess.Ending,
        of path: String,
        at now: ContinuousClock.Instant
    ) -> Duration? {
        switch ending.status {
        case _ where ending.isOfExport: (paths, wait) = ([], nil)
        case .unreachable, .signIn, .keystore: if paths.count < Self.enough { paths.insert(path) }
        // It has reached the server.
        case .done, .damaged, .refused: (paths, wait) = ([], nil)
        // Who ends so may not have come that far.
        case .unreadable, .usage, .interrupted, .outputClosed, .none: return nil
        }
        guard paths.count == Self.enough else { return nil }
        let next = waits.next(after: wait)
        defer { (wait, until) = (next, now + next) }
        return wait == nil ? next : nil
    }
}
