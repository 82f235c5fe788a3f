import Synchronization
import Testing

@testable import Delivery

/// Which posts wait for which: only one is in flight here, so that they begin in a definite order.
struct TurnTests {
    /// A run in which a first post holds up all others until `order` is called.
    private final class Run: Sendable {
        private let queue = PostQueue(concurrency: 1)
        private let begun = Mutex<[Int]>([])
        private let gate = AsyncStream<Void>.makeStream()
        private let ends = AsyncStream<Void>.makeStream()
        private static let first = Turn(number: 0)

        init() {
            queue.open(Self.first)
            queue.enqueue(Self.first) { [self] in
                for await _ in gate.stream {}
                queue.close(Self.first)
            }
        }

        func open(_ turns: Turn...) { for turn in turns { queue.open(turn) } }

        /// Makes posts ready; `then` is called while each one runs.
        func makeReady(_ turns: Turn..., then: @escaping @Sendable (Int) -> Void = { _ in }) {
            for turn in turns {
                queue.enqueue(turn) { [self] in
                    begun.withLock { $0.append(turn.number) }
                    then(turn.number)
                    queue.close(turn)
                    ends.continuation.yield()
                }
            }
        }

        /// Ends the first post, waits for `count` others, and returns the order in which they began.
        func order(of count: Int) async -> [Int] {
            gate.continuation.finish()
            var left = count
            for await _ in ends.stream {
                left -= 1
                if left == 0 { break }
            }
            return begun.withLock { $0 }
        }
    }

    @Test func `Devices are posted before what was ready earlier, then the others in their order`() async {
        let run = Run()
        let devices = Turn(number: 3, isAwaited: true)
        run.open(Turn(number: 1), Turn(number: 2), devices, Turn(number: 4))
        run.makeReady(Turn(number: 1), Turn(number: 2), Turn(number: 4), devices)
        #expect(await run.order(of: 4) == [3, 1, 2, 4])
    }

    @Test func `what was handed in after Devices waits for their answer`() async {
        let run = Run()
        let devices = Turn(number: 2, isAwaited: true)
        run.open(Turn(number: 1), devices, Turn(number: 3))
        run.makeReady(Turn(number: 3))
        run.makeReady(Turn(number: 1)) { _ in run.makeReady(devices) }
        #expect(await run.order(of: 3) == [1, 2, 3])
    }

    @Test func `a post that refers to earlier ones waits for all of them, and nothing waits for it`() async {
        let run = Run()
        let report = Turn(number: 2, waitsForAll: true)
        run.open(Turn(number: 1), report, Turn(number: 3))
        run.makeReady(report)
        run.makeReady(Turn(number: 3)) { _ in run.makeReady(Turn(number: 1)) }
        #expect(await run.order(of: 3) == [3, 1, 2])
    }
}
