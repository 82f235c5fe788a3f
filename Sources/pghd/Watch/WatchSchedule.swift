/// Which exports of a watched folder are to be synced, and when.
///
/// An export is due once it has not changed for a while; changes within that time count as one. It is done until it
/// changes again. One that could not be sent is tried again later or rarely, after a wait that doubles each time, and
/// after those that have not had a turn yet. If that is after a newer one of the same patient, the newer one gets another
/// turn: it has the last word.
struct WatchSchedule {
    /// What came of a run.
    enum Outcome {
        /// It was synced: nothing more to do until the file changes.
        case done
        /// It has no end: it is tried as it is once it has not changed for longer.
        case unfinished
        /// It can't be sent as it is, and waits for another file.
        case faulty
        /// The server, the keystore or the sign-in was not available.
        case later
        /// Somebody has to decide or correct something, in the file or elsewhere.
        case rarely
    }

    /// Waits that double up to the longest.
    struct Waits {
        var first: Duration
        var longest: Duration

        /// The wait after `wait`; the first one after none.
        func next(after wait: Duration?) -> Duration { min(wait.map { $0 * 2 } ?? first, longest) }
    }

    /// How long a file must not have changed.
    let settling: Duration
    /// The waits before an export that is tried again later.
    let later: Waits
    /// The waits before an export that is tried again rarely.
    let rarely: Waits

    /// How many times `settling` a file without an end must not have changed: a minute, where `settling` is 2 s.
    private static let unfinishedFactor = 30

    /// How long a file without an end must not have changed to be tried as it is.
    var longSettling: Duration { settling * Self.unfinishedFactor }

    /// How long to pause after a look that took so long and found nothing to do: with many folders, looking would keep
    /// a core busy.
    static func pause(after look: Duration) -> Duration { min(max(look * 100, .milliseconds(200)), .seconds(4)) }

    private struct State {
        var export: WatchedExport
        var changed: ContinuousClock.Instant
        /// Whether it came after the first look: somebody waits for it.
        var isNew: Bool
        /// What came of the last run; `nil` before the first.
        var outcome: Outcome?
        /// Whether it has been said that it has no end, since it was last whole.
        var isToldUnfinished: Bool
        var laterWait: Duration?
        var rareWait: Duration?
        var notBefore: ContinuousClock.Instant

        var comesAgain: Bool { outcome == .later || outcome == .rarely || outcome == .unfinished }
    }

    /// By the bytes of each path: two that look alike may differ in the form of their accents.
    private var states: [[UInt8]: State] = [:]
    private var hasLooked = false

    init(settling: Duration, later: Waits, rarely: Waits) {
        self.settling = settling
        self.later = later
        self.rarely = rarely
    }

    /// Takes in what lies in the folder now.
    ///
    /// - Parameters:
    ///   - exports: what lies there.
    ///   - unreadable: files, and folders of patients, that can't be read for now: what is known of them is kept.
    ///   - now: the time.
    mutating func note(
        _ exports: [WatchedExport],
        unreadable: Set<[UInt8]> = [],
        at now: ContinuousClock.Instant
    ) {
        let paths = Set(exports.map(\.pathBytes))
        states = states.filter { path, _ in
            let folder = Array(path.prefix(upTo: path.lastIndex(of: UInt8(ascii: "/")) ?? 0))
            return paths.contains(path) || unreadable.contains(path) || unreadable.contains(folder)
        }
        for export in exports where states[export.pathBytes]?.export.stamp != export.stamp {
            states[export.pathBytes] = State(
                export: export,
                changed: now,
                isNew: hasLooked,
                isToldUnfinished: states[export.pathBytes].map { $0.isToldUnfinished && $0.export.mayGrow(to: export) }
                    ?? false,
                notBefore: now
            )
        }
        hasLooked = true
    }

    /// Those that are to be looked at now, in order.
    ///
    /// - Parameters:
    ///   - exports: what lies in the folder, the oldest first.
    ///   - now: the time.
    ///   - once: whether one that was tried is left to another watch.
    /// - Returns: those that have not had a turn yet, in the order given, but first those of patients who have
    ///   something new; then those that have waited longest, so that none that fails takes another's turn.
    func due(_ exports: [WatchedExport], at now: ContinuousClock.Instant, once: Bool) -> [WatchedExport] {
        var fresh: [WatchedExport] = []
        var again: [(export: WatchedExport, since: ContinuousClock.Instant)] = []
        for export in exports {
            guard let state = states[export.pathBytes], now >= state.changed + settling else { continue }
            if state.outcome == nil {
                fresh.append(export)
            } else if !once, state.comesAgain, now >= state.notBefore {
                again.append((export, state.notBefore))
            }
        }
        // A new export does not wait for the many that were there before the start; a patient's own keep their order.
        let patients = Set(fresh.filter { states[$0.pathBytes]?.isNew ?? false }.map(\.patientID))
        let first = fresh.filter { patients.contains($0.patientID) }
        fresh.removeAll { patients.contains($0.patientID) }
        return first + fresh + again.sorted { $0.since < $1.since }.map(\.export)
    }

    /// The outcome of its last run; `nil` where it had none.
    func outcome(of export: WatchedExport) -> Outcome? { states[export.pathBytes]?.outcome }

    /// Notes whether it has its end.
    ///
    /// - Returns: whether that is to be said: it has none, and had one when it was last looked at.
    mutating func note(isWhole: Bool, of export: WatchedExport) -> Bool {
        let wasTold = states[export.pathBytes]?.isToldUnfinished ?? false
        states[export.pathBytes]?.isToldUnfinished = !isWhole
        return !isWhole && !wasTold
    }

    /// Notes what came of it; a file that has changed meanwhile counts as a new one.
    ///
    /// - Returns: how long it waits for its next turn; `nil` where that does not come by itself.
    @discardableResult
    mutating func note(
        _ outcome: Outcome,
        of export: WatchedExport,
        at now: ContinuousClock.Instant
    ) -> Duration? {
        guard var state = states[export.pathBytes], state.export.stamp == export.stamp else { return nil }
        defer { states[export.pathBytes] = state }
        state.outcome = outcome
        let wait: Duration
        switch outcome {
        case .done, .faulty: return nil
        case .unfinished:
            wait = longSettling - (now - state.changed)
        case .later:
            wait = later.next(after: state.laterWait)
            state.laterWait = wait
        case .rarely:
            wait = rarely.next(after: state.rareWait)
            state.rareWait = wait
        }
        state.notBefore = now + wait
        return wait
    }

    /// Gives newer exports of the patient another turn, after one that may have brought something.
    mutating func giveLastWord(after export: WatchedExport) {
        for (path, state) in states
        where state.export.patientID == export.patientID && export.isOlder(than: state.export)
            && (state.outcome == .done || state.outcome == .faulty)
        { states[path]?.outcome = nil }
    }
}
