import Dispatch
import Testing
import TransactionBundling

@testable import Delivery

/// How many Bundles are on their way at once: the larger they are, the fewer.
struct SlotsTests {
    @Test(arguments: [(0, 1), (196_608, 1), (196_609, 2), (1_000_000, 6), (100_000_000, 64)])
    func `a Bundle takes one slot for each 192 KB, but never more than there are`(_ byteCount: Int, _ count: Int) {
        let slots = Slots(64)
        let bundle = TransactionBundle(key: "", body: Array(repeating: 0x20, count: byteCount), entries: [])
        #expect(slots.take(for: bundle) == count)
        slots.giveBack(count)
        slots.drain()
    }

    /// A run that stops waits for what is on its way, while another thread may still be waiting for the same.
    @Test func `threads that wait for all slots do not block one another`() {
        for _ in 0..<200 {
            let slots = Slots(16)
            let bundle = TransactionBundle(key: "", body: [], entries: [])
            for _ in 0..<16 { _ = slots.take(for: bundle) }
            let ended = DispatchGroup()
            for _ in 0..<3 { DispatchQueue.global().async(group: ended) { slots.drain() } }
            DispatchQueue.concurrentPerform(iterations: 16) { _ in slots.giveBack(1) }
            guard ended.wait(timeout: .now() + 60) == .success else { return #expect(Bool(false), "none goes on") }
        }
    }
}
