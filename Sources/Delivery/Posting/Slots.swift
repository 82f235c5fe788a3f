internal import Synchronization
internal import TransactionBundling

/// Limits how many Bundles, and how many of their bytes, are in memory at once.
///
///     let slots = Slots(48) { noteSilence() }
///     let count = slots.take(for: bundle)  // waits until there is room
///     slots.giveBack(count)
///
/// A Bundle takes one slot for each 192 KiB, at most all of them. A Bundle that needs several gets them all before
/// another gets one: two that each had a part would wait for each other forever.
final class Slots: Sendable {
    private static let byteCount = 192 << 10
    private let count: Int
    private let free: Semaphore
    private let taking = Mutex(())
    private let noteWaiting: @Sendable () -> Void

    /// - Parameters:
    ///   - count: how many there are.
    ///   - noteWaiting: called each time that ``silentSeconds`` have passed without a free one.
    init(_ count: Int, noteWaiting: @escaping @Sendable () -> Void = {}) {
        self.count = count
        self.noteWaiting = noteWaiting
        free = Semaphore(count)
    }

    /// How many seconds without room are worth a word.
    static let silentSeconds = 30

    /// Waits until there is room for a Bundle.
    ///
    /// - Returns: how many slots the Bundle has taken.
    func take(for bundle: TransactionBundle) -> Int {
        let wanted = min(max((bundle.body.count + Self.byteCount - 1) / Self.byteCount, 1), count)
        taking.withLock { _ in for _ in 0..<wanted { free.wait(everySeconds: Self.silentSeconds, noteWaiting) } }
        return wanted
    }

    /// Gives back the slots that a Bundle took.
    func giveBack(_ count: Int) { for _ in 0..<count { free.signal() } }

    /// Waits until no Bundle has a slot.
    func drain() {
        taking.withLock { _ in for _ in 0..<count { free.wait(everySeconds: Self.silentSeconds, noteWaiting) } }
        giveBack(count)
    }
}
