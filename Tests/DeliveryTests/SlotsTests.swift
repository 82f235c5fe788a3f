import Testing
import TransactionBundling

@testable import Delivery

/// How many Bundles are on their way at once: of large ones fewer.
struct SlotsTests {
    @Test(arguments: [(0, 1), (196_608, 1), (196_609, 2), (1_000_000, 6), (100_000_000, 64)])
    func `a Bundle takes a slot for each 192 KB and never more than there are`(_ byteCount: Int, _ count: Int) {
        let slots = Slots(64)
        let bundle = TransactionBundle(key: "", body: Array(repeating: 0x20, count: byteCount), entries: [])
        #expect(slots.take(for: bundle) == count)
        slots.giveBack(count)
        slots.drain()
    }
}
