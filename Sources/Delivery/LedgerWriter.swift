internal import GRDB
internal import Glibc
internal import HTTPTransport
internal import Synchronization

/// The one thread that writes the ledger: whatever has gathered within some milliseconds becomes one commit.
///
/// A commit waits for the disk, and writes every page that it touches: ids are spread over all pages, so
/// few large commits cost a fraction of many small ones.
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
            gather()
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

    /// Waits for more to write, but never for long: what is to be posted waits for its commit.
    private func gather() {
        for _ in 0..<Self.gatheringMilliseconds where inbox.withLock({ $0.orders.count < Self.enough && !$0.isClosed })
        {
            usleep(1000)
        }
    }

    private static let gatheringMilliseconds = 5
    private static let enough = 32

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
