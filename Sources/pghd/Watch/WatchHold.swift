/// Whether exports can't be sent for a reason that they share: a server, a sign-in or a keystore that is not there.
///
/// If the exports of several patients in a row have ended that way, each further one would take its time and end the
/// same. So all wait, and one finds out whether it is over. If it is always the same patient's, the reason may be their
/// own.
struct WatchHold {
    /// How many different patients' exports must end that way for the reason not to be their own.
    static let enough = 5

    /// The waits before another run is tried.
    let waits: WatchSchedule.Waits
    /// The patients whose exports ended that way since a run last reached the server, `enough` at most.
    private var patientIDs: Set<String> = []
    private var wait: Duration?
    private var until: ContinuousClock.Instant?

    init(_ waits: WatchSchedule.Waits) { self.waits = waits }

    /// Whether no run may begin now.
    func holds(at now: ContinuousClock.Instant) -> Bool { until.map { now < $0 } ?? false }

    /// Whether a run has ended for a reason that other exports may share.
    static func isSharedReason(_ ending: SyncProcess.Ending) -> Bool {
        switch ending.status {
        case _ where ending.matter != nil: false
        case .unreachable, .signIn, .keystore: true
        case .done, .damaged, .refused, .unreadable, .usage, .interrupted, .outputClosed, .none: false
        }
    }

    /// Notes how the run of an export ended.
    ///
    /// - Returns: how long all wait, if they did not wait before.
    mutating func note(
        _ ending: SyncProcess.Ending,
        of patientID: String,
        at now: ContinuousClock.Instant
    ) -> Duration? {
        switch ending.status {
        case _ where Self.isSharedReason(ending): if patientIDs.count < Self.enough { patientIDs.insert(patientID) }
        // It says nothing about others.
        case _ where ending.matter != nil: return nil
        // The run has reached the server.
        case .done, .damaged, .refused: (patientIDs, wait, until) = ([], nil, nil)
        // Such a run may not have come that far.
        default: return nil
        }
        guard patientIDs.count == Self.enough else { return nil }
        let next = waits.next(after: wait)
        defer { (wait, until) = (next, now + next) }
        return wait == nil ? next : nil
    }
}
