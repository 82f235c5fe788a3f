internal import Synchronization

/// The posts of a run that wait for their turn, and the number of those in flight.
///
/// It allows one post until the server has fulfilled a request, so that what is wrong with it shows only once. Then
/// each answer, also to a read, doubles that number, up to `concurrency`. When the server is too busy, the limit is
/// halved; from then on one more is allowed with every 32 answers.
final class PostQueue: Sendable {
    private typealias Post = @Sendable () async -> Void

    private struct State {
        /// No request is sent before this instant, because the server has asked for that.
        var pause: ContinuousClock.Instant?
        /// How many posts may be in flight.
        var limit = 1
        var wasSlowed = false
        var running = 0
        /// Turns of Bundles of which one part is on its way and no other may be: each part carries the same new
        /// Devices.
        var runningAwaited: Set<Int> = []
        /// Whether the last answer came quickly.
        var isQuick = false
        var answerCount = 0
        var ready: [(turn: Turn, post: Post)] = []
        /// How many posts of each turn have no known outcome yet.
        var open: [Turn: Int] = [:]

        /// The index of the ready post that is next: posts that others wait for come first.
        var next: Int? {
            let first = open.keys.lazy.map(\.number).min() ?? 0
            let awaited = open.keys.lazy.filter(\.isAwaited).map(\.number).min() ?? .max
            let mayBegin = { (turn: Turn) in turn.number <= (turn.waitsForAll ? first : awaited) }
            let isFree = { (turn: Turn) in !turn.isAwaited || !runningAwaited.contains(turn.number) }
            return ready.firstIndex { $0.turn.isAwaited && mayBegin($0.turn) && isFree($0.turn) }
                ?? ready.firstIndex { mayBegin($0.turn) && isFree($0.turn) }
        }

        /// Takes the next post that may run, if there is one.
        mutating func take(concurrency: Int) -> (turn: Turn, post: Post)? {
            // While the server keeps up, some more posts wait at the client's gate. With a slow server that gains
            // nothing, and their tokens would expire while they wait.
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

    /// Counts a future post; those that depend on it wait until its outcome is known.
    func open(_ turn: Turn) { state.withLock { $0.open[turn, default: 0] += 1 } }

    /// Notes that a post's outcome is known, or that it will never be made.
    func close(_ turn: Turn) {
        state.withLock { state in
            let count = state.open[turn, default: 1] - 1
            state.open[turn] = count > 0 ? count : nil
        }
        pump()
    }

    /// Runs `post`, which was counted before, as soon as the outcomes that it must wait for are known and fewer than
    /// the allowed number run.
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

    /// How many posts have begun and not ended.
    var runningCount: Int { state.withLock { $0.running } }

    /// The instant before which the server wants no request, if it has named one.
    var pause: ContinuousClock.Instant? { state.withLock { $0.pause } }

    /// Halves the number of posts in flight, and lets none begin for as long as the server has asked.
    func slowDown(for asked: Duration?) {
        state.withLock { state in
            state.limit = max(state.limit / 2, 1)
            state.wasSlowed = true
            state.answerCount = 0
            if let asked { state.pause = max(state.pause ?? .now, .now + asked) }
        }
    }

    /// Notes that the server has fulfilled a request.
    func noteAnswer() {
        state.withLock { state in
            state.answerCount += 1
            let more = state.wasSlowed ? (state.answerCount % 32 == 0 ? 1 : 0) : state.limit
            state.limit = min(state.limit + more, concurrency)
        }
    }

    /// Notes how long the server took for its last answer, whatever its status.
    func noteLatency(_ latency: Duration) { state.withLock { $0.isQuick = latency < Self.soon } }

    /// Above this latency no additional posts wait at the client's gate.
    private static let soon: Duration = .milliseconds(250)
}
