internal import Synchronization

/// The posts of a run that wait for their turn, and how many are in flight.
///
/// One until the server has done what it was asked, so that what is wrong with it is learnt once; then twice as many
/// with each answer, to reads too, up to `concurrency`. A server that is too busy halves them; from then on one more
/// comes with every 32 answers.
final class PostQueue: Sendable {
    private typealias Post = @Sendable () async -> Void

    private struct State {
        /// No request before this instant: the server has asked for it.
        var pause: ContinuousClock.Instant?
        /// Posts in flight that are allowed.
        var limit = 1
        var wasSlowed = false
        var running = 0
        /// Bundles of which one part is on its way and no other may be: each part carries the same new Devices.
        var runningAwaited: Set<Int> = []
        /// Whether the last answer came soon.
        var isQuick = false
        var answerCount = 0
        var ready: [(turn: Turn, post: Post)] = []
        /// How many posts of each turn have no known outcome yet.
        var open: [Turn: Int] = [:]

        /// Which of those that are ready is next: those that others wait for come before their time.
        var next: Int? {
            let first = open.keys.lazy.map(\.number).min() ?? 0
            let awaited = open.keys.lazy.filter(\.isAwaited).map(\.number).min() ?? .max
            let mayBegin = { (turn: Turn) in turn.number <= (turn.waitsForAll ? first : awaited) }
            let isFree = { (turn: Turn) in !turn.isAwaited || !runningAwaited.contains(turn.number) }
            return ready.firstIndex { $0.turn.isAwaited && mayBegin($0.turn) && isFree($0.turn) }
                ?? ready.firstIndex { mayBegin($0.turn) && isFree($0.turn) }
        }

        /// Takes the next one that may run, if one may.
        mutating func take(concurrency: Int) -> (turn: Turn, post: Post)? {
            // While the server keeps up some wait behind those in flight, in front of the client's gate; at a slow
            // one, where that gains nothing, their tokens would end there.
            let isAhead = isQuick && limit == concurrency
            guard running < (isAhead ? concurrency + concurrency / 2 : limit), let index = next else { return nil }
            running += 1
            let next = ready.remove(at: index)
            if next.turn.isAwaited { runningAwaited.insert(next.turn.number) }
            return next
        }
    }

    private let state = Mutex(State())
    private let concurrency: Int

    init(concurrency: Int) { self.concurrency = concurrency }

    /// Counts a post that is to come; those that must wait for it wait until its outcome is known.
    func open(_ turn: Turn) { state.withLock { $0.open[turn, default: 0] += 1 } }

    /// A post's outcome is known, or it will never be made.
    func close(_ turn: Turn) {
        state.withLock { state in
            let count = state.open[turn, default: 1] - 1
            state.open[turn] = count > 0 ? count : nil
        }
        pump()
    }

    /// Runs `post`, which was counted, as soon as what it must wait for is known and fewer than the allowed number run.
    func enqueue(_ turn: Turn, _ post: @escaping @Sendable () async -> Void) {
        state.withLock { $0.ready.append((turn, post)) }
        pump()
    }

    private func pump() {
        while let (turn, post) = state.withLock({ $0.take(concurrency: concurrency) }) {
            Task { [self] in
                await post()
                state.withLock { state in
                    state.running -= 1
                    state.runningAwaited.remove(turn.number)
                }
                pump()
            }
        }
    }

    /// How many have begun and not ended.
    var runningCount: Int { state.withLock { $0.running } }

    /// Before which instant the server wants no request, if it has said so.
    var pause: ContinuousClock.Instant? { state.withLock { $0.pause } }

    /// Halves the posts in flight, and lets none begin for as long as the server has asked.
    func slowDown(for asked: Duration?) {
        state.withLock { state in
            state.limit = max(state.limit / 2, 1)
            state.wasSlowed = true
            state.answerCount = 0
            if let asked { state.pause = max(state.pause ?? .now, .now + asked) }
        }
    }

    /// The server has done what it was asked.
    func noteAnswer() {
        state.withLock { state in
            state.answerCount += 1
            let more = state.wasSlowed ? (state.answerCount % 32 == 0 ? 1 : 0) : state.limit
            state.limit = min(state.limit + more, concurrency)
        }
    }

    /// How long the server took for its last answer, whatever that was.
    func noteLatency(_ latency: Duration) { state.withLock { $0.isQuick = latency < Self.soon } }

    /// A server that takes longer than this is not waited for in front of the gate.
    private static let soon: Duration = .milliseconds(250)
}
