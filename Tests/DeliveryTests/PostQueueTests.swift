import Testing

@testable import Delivery

/// How many posts are in flight at once, depending on the server's answers.
struct PostQueueTests {
    private enum Event {
        /// The number of requests that were answered.
        case answers(Int)
        /// The number of times that the server was too busy.
        case busy(Int)
        /// How long the last answer took.
        case latency(Duration)
    }

    /// How many of 100 ready posts begin after `events`, while none of them ends.
    private func begun(of concurrency: Int, after events: [Event]) -> Int {
        let queue = PostQueue(concurrency: concurrency)
        for event in events {
            switch event {
            case .answers(let count): for _ in 0..<count { queue.noteAnswer() }
            case .busy(let count): for _ in 0..<count { queue.slowDown(for: nil) }
            case .latency(let latency): queue.noteLatency(latency)
            }
        }
        let ends = AsyncStream<Void>.makeStream()
        defer { ends.continuation.finish() }
        for number in 0..<100 {
            queue.open(Turn(number: number))
            queue.enqueue(Turn(number: number)) { for await _ in ends.stream {} }
        }
        return queue.runningCount
    }

    @Test func `one post is in flight at first, then twice as many with each answer, up to the limit that was set`() {
        #expect((0...4).map { begun(of: 8, after: [.answers($0)]) } == [1, 2, 4, 8, 8])
        #expect((0...4).map { begun(of: 6, after: [.answers($0)]) } == [1, 2, 4, 6, 6])
        #expect((0...4).map { begun(of: 1, after: [.answers($0)]) } == [1, 1, 1, 1, 1])
    }

    @Test func `each time a server is too busy the number is halved, down to one`() {
        #expect((0...5).map { begun(of: 16, after: [.answers(4), .busy($0)]) } == [16, 8, 4, 2, 1, 1])
        #expect((0...3).map { begun(of: 7, after: [.answers(3), .busy($0)]) } == [7, 3, 1, 1])
        #expect(begun(of: 8, after: [.busy(1)]) == 1)
    }

    @Test func `a server that was too busy gets one more post with every 32 answers, up to the limit that was set`() {
        let counts = [0, 31, 32, 63, 64, 95, 96, 10_000]
        let found = counts.map { begun(of: 6, after: [.answers(3), .busy(1), .answers($0)]) }
        #expect(found == [3, 3, 4, 4, 5, 5, 6, 6])
    }

    @Test func `the 32 answers are counted from the last time that the server was too busy`() {
        #expect(begun(of: 8, after: [.answers(3), .busy(1), .answers(31), .busy(1), .answers(31)]) == 2)
        #expect(begun(of: 8, after: [.answers(3), .busy(1), .answers(31), .busy(1), .answers(32)]) == 3)
        #expect(begun(of: 8, after: [.answers(20), .busy(1), .answers(12)]) == 4)
    }

    @Test func `half as many posts again are in flight if a server answers quickly and was not slowed down`() {
        let (soon, late) = (Event.latency(.milliseconds(249)), Event.latency(.milliseconds(250)))
        #expect(begun(of: 8, after: [.answers(3), soon]) == 12)
        #expect(begun(of: 8, after: [.answers(3), soon, late]) == 8)
        #expect(begun(of: 8, after: [.answers(2), soon]) == 4)
        #expect(begun(of: 8, after: [.answers(3), soon, .busy(1)]) == 4)
        #expect(begun(of: 8, after: [.answers(3), .busy(1), .answers(128), soon]) == 12)
    }

    @Test func `a shorter wait that a server asks for does not cut a longer one short`() {
        let queue = PostQueue(concurrency: 8)
        queue.slowDown(for: nil)
        #expect(queue.pause == nil)
        let start = ContinuousClock.now
        queue.slowDown(for: .seconds(1_000))
        queue.slowDown(for: .seconds(10))
        #expect(queue.pause.map { $0 >= start + .seconds(1_000) } == true)
    }
}
