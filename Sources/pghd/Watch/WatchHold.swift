/// Whether exports can't go for a reason that they share: a server, a sign-in or a keystore that is not there.
///
/// Where the exports of several patients in a row ended so each further one would cost its time and say the same: all wait, and one
/// finds out whether it is over. One patient's that end so again and again may have a reason of their own.
struct WatchHold {
    /// So many different patients whose exports ended so are no matter of theirs.
    static let enough = 5

    /// The waits before one run more.
    let waits: WatchSchedule.Waits
    /// Those that ended so since one reached the server, `enough` at most.
    private var patientIDs: Set<String> = []
    private var wait: Duration?
    private var until: ContinuousClock.Instant?

    init(_ waits: WatchSchedule.Waits) { self.waits = waits }

    /// Whether no run is to begin now.
    func holds(at now: ContinuousClock.Instant) -> Bool { until.map { now < $0 } ?? false }

    /// Whether a run has ended for a reason that other exports may share.
    static func isSharedReason(_ ending: SyncProcess.Ending) -> Bool {
        switch ending.status {
        case _ where ending.matter != nil: false
        case .unreachable, .signIn, .keystore: true
        case .done, .damaged, .refused, .unreadable, .usage, .interrupted, .outputClosed, .none: false
        }
    }

    /// Keeps in mind how the run of an export ended.
    ///
    /// - Returns: how long all wait, where they did not before.
    mutating func note(
        _ ending: SyncProcess.Ending,
        of patientID: String,
        at now: ContinuousClock.Instant
    ) -> Duration? {
        switch ending.status {
        case _ where Self.isSharedReason(ending): if patientIDs.count < Self.enough { patientIDs.insert(patientID) }
        // It tells nothing of others.
        case _ where ending.matter != nil: return nil
        // It has reached the server.
        case .done, .damaged, .refused: (patientIDs, wait, until) = ([], nil, nil)
        // Who ends so may not have come that far.
        default: return nil
        }
        guard patientIDs.count == Self.enough else { return nil }
        let next = waits.next(after: wait)
        defer { (wait, until) = (next, now + next) }
        return wait == nil ? next : nil
    }
}
