/// Which exports of a watched folder are to be synced, and when.
///
/// An export is due once it has not changed for a while; changes within that while are one. It is done until
/// it changes again; one that could not be sent comes again later, each time after twice as long.
struct WatchSchedule {
    /// What came of a run.
    enum Outcome {
        /// Nothing more to do until the file changes: it went, or can't go as it is.
        case done
        /// The server, the keystore or the sign-in was not there.
        case later
    }

    /// How long a file must not change.
    let settling: Duration
    /// The first wait after a run that could not be made; it doubles up to `longestWait`.
    let firstWait: Duration
    static let longestWait = Duration.seconds(3600)

    private struct State {
        var stamp: WatchedExport.Stamp
        var changed: ContinuousClock.Instant
        var isDone = false
        var wait: Duration
        var notBefore: ContinuousClock.Instant
    }

    private var states: [String: State] = [:]

    init(settling: Duration, firstWait: Duration) {
        self.settling = settling
        self.firstWait = firstWait
    }

    /// Takes in what lies in the folder now.
    mutating func note(_ exports: [WatchedExport], at now: ContinuousClock.Instant) {
        let paths = Set(exports.map(\.path))
        states = states.filter { paths.contains($0.key) }
        for export in exports where states[export.path]?.stamp != export.stamp {
            states[export.path] = State(stamp: export.stamp, changed: now, wait: firstWait, notBefore: now)
        }
    }

    /// Whether this one is to be looked at now.
    func isDue(_ export: WatchedExport, at now: ContinuousClock.Instant) -> Bool {
        guard let state = states[export.path], !state.isDone else { return false }
        return now >= state.changed + settling && now >= state.notBefore
    }

    /// Whether it is done, until it changes.
    func isDone(_ export: WatchedExport) -> Bool { states[export.path]?.isDone ?? false }

    /// Whether it is done, or was tried and comes again later.
    func wasTried(_ export: WatchedExport) -> Bool {
        states[export.path].map { $0.isDone || $0.wait > firstWait } ?? false
    }

    /// Keeps in mind what came of it; a file that has changed meanwhile is met as a new one.
    mutating func note(_ outcome: Outcome, of export: WatchedExport, at now: ContinuousClock.Instant) {
        guard states[export.path]?.stamp == export.stamp else { return }
        switch outcome {
        case .done: states[export.path]?.isDone = true
        case .later:
            let wait = states[export.path]?.wait ?? firstWait
            states[export.path]?.notBefore = now + wait
            states[export.path]?.wait = min(wait * 2, Self.longestWait)
        }
    }
}
