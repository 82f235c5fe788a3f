internal import GRDB
internal import HTTPTransport
internal import Synchronization

/// The one thread that writes the ledger: whatever has gathered while it was busy becomes one commit.
///
/// A commit waits for the disk, some milliseconds; a thousand Bundles a second need hundreds in one.
final class LedgerWriter: Sendable {
    private let ledger: Ledger
    private let inbox = Mutex(Inbox())
    private let arrival = Semaphore(0)
    private let ending = Semaphore(0)

    private struct Inbox {
        var orders: [(changes: [LedgerChange], then: @Sendable (DeliveryError?) -> Void)] = []
        var isClosed = false
    }

    init(_ ledger: Ledger) {
        self.ledger = ledger
        OwnThread.start { [self] in run() }
    }

    /// Makes changes, together with others; `then` is called on the writer's thread once they are on disk.
    func write(_ changes: [LedgerChange], then: @escaping @Sendable (DeliveryError?) -> Void) {
        inbox.withLock { $0.orders.append((changes, then)) }
        arrival.signal()
    }

    /// Waits until everything is written and ends the thread.
    func close() {
        inbox.withLock { $0.isClosed = true }
        arrival.signal()
        ending.wait()
    }

    private func run() {
        while true {
            arrival.wait()
            let (orders, isClosed) = inbox.withLock { inbox in
                defer { inbox.orders = [] }
                return (inbox.orders, inbox.isClosed)
            }
            if !orders.isEmpty { commit(orders) }
            if isClosed, orders.isEmpty { break }
            if isClosed { arrival.signal() }
        }
        ending.signal()
    }

    private func commit(_ orders: [(changes: [LedgerChange], then: @Sendable (DeliveryError?) -> Void)]) {
        var fault: DeliveryError?
        do throws(DeliveryError) {
            try placing(ledger.path) {
                try ledger.pool.write { database in
                    for order in orders { for change in order.changes { try change.apply(to: database) } }
                }
            }
        } catch {
            fault = error
        }
        for order in orders { order.then(fault) }
    }
}
