internal import GRDB
internal import Glibc
internal import HTTPTransport
internal import Synchronization

/// The one thread that writes the ledger: whatever has gathered within some milliseconds becomes one commit.
///
/// A commit waits for the disk, and writes every page that it touches: ids are spread over all pages, so
/// few large commits cost a fraction of many small ones. What nobody waits for gathers longer.
final class LedgerWriter: Sendable {
    private let ledger: Ledger
    private let inbox = Mutex(Inbox())
    private let arrival = Semaphore(0)
    private let ending = Semaphore(0)

    private struct Order {
        let changes: [LedgerChange]
        let then: @Sendable (DeliveryError?) -> Void
    }

    private struct Inbox {
        /// Somebody waits for these.
        var orders: [Order] = []
        /// Nobody waits for these.
        var later: [Order] = []
        var laterMemberCount = 0
        /// When the first of them came.
        var laterSince = ContinuousClock.now
        /// Whether all is to be written at once.
        var isHurried = false
        var isClosed = false

        /// How long those can still wait.
        var patience: Duration {
            isHurried || isClosed || laterMemberCount >= LedgerWriter.enoughMembers
                ? .zero : max(laterSince + LedgerWriter.longestDelay - .now, .zero)
        }
    }

    init(_ ledger: Ledger) {
        self.ledger = ledger
        OwnThread.start { [self] in run() }
    }

    /// Makes changes, together with others; `then` is called on the writer's thread once they are on disk.
    func write(_ changes: [LedgerChange], then: @escaping @Sendable (DeliveryError?) -> Void) {
        inbox.withLock { $0.orders.append(Order(changes: changes, then: then)) }
        arrival.signal()
    }

    /// The same for changes that may wait a tenth of a second: losing them costs work and no truth.
    func writeLater(_ changes: [LedgerChange], then: @escaping @Sendable (DeliveryError?) -> Void) {
        let mustWake = inbox.withLock { inbox in
            if inbox.later.isEmpty { inbox.laterSince = .now }
            inbox.later.append(Order(changes: changes, then: then))
            inbox.laterMemberCount += changes.reduce(0) { $0 + $1.memberCount }
            return inbox.later.count == 1 || inbox.laterMemberCount >= Self.enoughMembers
        }
        if mustWake { arrival.signal() }
    }

    /// Waits until everything is written that was handed in before.
    func flush() {
        let isWritten = Semaphore(0)
        inbox.withLock { inbox in
            inbox.orders.append(Order(changes: []) { _ in isWritten.signal() })
            inbox.isHurried = true
        }
        arrival.signal()
        isWritten.wait()
    }

    /// Waits until everything is written and ends the thread.
    func close() {
        inbox.withLock { $0.isClosed = true }
        arrival.signal()
        ending.wait()
    }

    private func run() {
        while true {
            waitForOrders()
            gather()
            let (orders, isClosed) = inbox.withLock { inbox in
                var orders: [Order] = []
                if inbox.patience == .zero {
                    orders = inbox.later
                    inbox.later = []
                    inbox.laterMemberCount = 0
                }
                orders += inbox.orders
                inbox.orders = []
                inbox.isHurried = false
                return (orders, inbox.isClosed)
            }
            if !orders.isEmpty { commit(orders) }
            if isClosed, orders.isEmpty { break }
            if isClosed { arrival.signal() }
        }
        ending.signal()
    }

    private func waitForOrders() {
        while inbox.withLock({ !$0.later.isEmpty }) {
            if arrival.isFree() || inbox.withLock({ $0.patience == .zero }) { return }
            usleep(1000)
        }
        arrival.wait()
    }

    /// Waits for more to write, but never for long: what is to be posted waits for its commit.
    private func gather() {
        for _ in 0..<Self.gatheringMilliseconds {
            let isEnough = inbox.withLock { inbox in
                inbox.orders.isEmpty || inbox.orders.count >= Self.enough || inbox.isClosed || inbox.isHurried
            }
            if isEnough { return }
            usleep(1000)
        }
    }

    private static let gatheringMilliseconds = 5
    private static let enough = 32
    private static let longestDelay = Duration.milliseconds(100)
    /// So many that their commit touches most pages of a small ledger, and takes some milliseconds.
    private static let enoughMembers = 4096

    private func commit(_ orders: [Order]) {
        var fault: DeliveryError?
        let changes = orders.flatMap(\.changes)
        if !changes.isEmpty {
            ledger.noteMembers(changes)
            do throws(DeliveryError) {
                try placing(ledger.path) {
                    try ledger.pool.write { database in
                        for change in changes { try change.apply(to: database) }
                    }
                }
            } catch {
                fault = error
            }
        }
        for order in orders { order.then(fault) }
    }
}
