/// Which exports of a watched folder are to be synced, and when.
///
/// An export is due once it has not changed for a while; changes within that while are one. It is done until
/// it changes again; one that could not be sent comes again later, each time after twice as long, and behind
/// those that had no turn yet.
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

    /// How long nothing is looked at, after a look that took so long and found nothing to do: of many folders it would
    /// keep a core busy.
    static func pause(after look: Duration) -> Duration { min(max(look * 100, .milliseconds(200)), .seconds(4)) }

    private struct State {
        var stamp: WatchedExport.Stamp
        var changed: ContinuousClock.Instant
        var isDone = false
        var wasTried = false
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

    /// Those that are to be looked at now, in order.
    ///
    /// - Parameters:
    ///   - exports: what lies in the folder, the oldest first.
    ///   - now: the time.
    ///   - once: whether one that was tried is left to another watch.
    /// - Returns: who had no turn yet in the order given, then who has waited longest, so that none that fails takes
    ///   another's turn.
    func due(_ exports: [WatchedExport], at now: ContinuousClock.Instant, once: Bool) -> [WatchedExport] {
        var fresh: [WatchedExport] = []
        var again: [(export: WatchedExport, since: ContinuousClock.Instant)] = []
        for export in exports {
            guard let state = states[export.path], !state.isDone, now >= state.changed + settling else { continue }
            if !state.wasTried {
                fresh.append(export)
            } else if !once, now >= state.notBefore {
                again.append((export, state.notBefore))
            }
        }
        return fresh + again.sorted { $0.since < $1.since }.map(\.export)
    }

    /// Whether it is done, until it changes.
    func isDone(_ export: WatchedExport) -> Bool { states[export.path]?.isDone ?? false }

    /// Whether it is done, or was tried and comes again later.
    func wasTried(_ export: WatchedExport) -> Bool { states[export.path]?.wasTried ?? false }

    /// Keeps in mind what came of it; a file that has changed meanwhile is met as a new one.
    mutating func note(_ outcome: Outcome, of export: WatchedExport, at now: ContinuousClock.Instant) {
        guard states[export.path]?.stamp == export.stamp else { return }
        states[export.path]?.wasTried = true
        switch outcome {
        case .done: states[export.path]?.isDone = true
        case .later:
            let wait = states[export.path]?.wait ?? firstWait
            states[export.path]?.notBefore = now + wait
            states[export.path]?.wait = min(wait * 2, Self.longestWait)
        }
    }
}
