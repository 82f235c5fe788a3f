internal import Synchronization
internal import TransactionBundling

/// How many Bundles may be on their way at once, and how many bytes: memory is those.
///
///     let slots = Slots(48)
///     let count = slots.take(for: bundle)  // waits until there is room
///     slots.giveBack(count)
///
/// A Bundle takes a slot for each 192 KB, all of them at most. Who takes several has them all before another takes one:
/// two of them, each with a part, would wait for each other without end.
final class Slots: Sendable {
    private static let byteCount = 192 << 10
    private let count: Int
    private let free: Semaphore
    private let taking = Mutex(())

    init(_ count: Int) {
        self.count = count
        free = Semaphore(count)
    }

    /// Waits until there is room for a Bundle.
    ///
    /// - Returns: how many slots it has taken.
    func take(for bundle: TransactionBundle) -> Int {
        let wanted = min(max((bundle.body.count + Self.byteCount - 1) / Self.byteCount, 1), count)
        taking.withLock { _ in for _ in 0..<wanted { free.wait() } }
        return wanted
    }

    /// Gives back what a Bundle took.
    func giveBack(_ count: Int) { for _ in 0..<count { free.signal() } }

    /// Waits until nothing is on its way.
    func drain() {
        taking.withLock { _ in for _ in 0..<count { free.wait() } }
        giveBack(count)
    }
}
