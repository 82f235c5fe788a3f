internal import GRDB
internal import Glibc
internal import Synchronization
internal import Threads

/// The one thread that writes the ledger: what gathers within some milliseconds becomes one commit.
///
/// A commit waits for the disk and writes every page that it touches, and ids are spread over all pages. So changes
/// that nobody waits for gather longer and go in sorted, a slice at a time; changes that are waited for go in between.
final class LedgerWriter: Sendable {
    private let ledger: Ledger
    private let inbox: Mutex<Inbox>
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
        /// So many of them are written without waiting longer.
        let enoughMembers: Int
        /// Whether the thread was started: a writer with nothing to write needs none, and may be dropped.
        var isBegun = false
        /// Whether all is to be written at once.
        var isHurried = false
        var isClosed = false

        /// How long the later ones can still wait.
        var patience: Duration {
            isHurried || isClosed || laterMemberCount >= enoughMembers
                ? .zero : max(laterSince + LedgerWriter.maximumDelay - .now, .zero)
        }

        mutating func takeOrders() -> [Order] {
            defer { orders = [] }
            return orders
        }
    }

    /// - Parameters:
    ///   - ledger: what is written.
    ///   - holdsBodies: whether intents hold bodies, which should leave the ledger soon.
    init(_ ledger: Ledger, holdsBodies: Bool = false) {
        self.ledger = ledger
        inbox = Mutex(Inbox(enoughMembers: (holdsBodies ? 4 : 16) * SettledMembers.sliceSize))
    }

    /// Wakes the thread; the first order starts it.
    private func wake() {
        let isFirst = inbox.withLock { inbox in
            defer { inbox.isBegun = true }
            return !inbox.isBegun
        }
        if isFirst { OwnThread.start { [self] in run() } }
        arrival.signal()
    }

    /// Makes changes, together with others; `then` is called on the writer's thread once they are on disk.
    func write(_ changes: [LedgerChange], then: @escaping @Sendable (DeliveryError?) -> Void) {
        inbox.withLock { $0.orders.append(Order(changes: changes, then: then)) }
        wake()
    }

    /// Makes changes and waits until they are on disk.
    ///
    /// - Throws: why they are not.
    func writeAndWait(_ changes: [LedgerChange]) throws(DeliveryError) {
        let outcome = Promise<DeliveryError?>()
        write(changes) { outcome.keep(.success($0)) }
        if case .success(let fault?) = outcome.wait() { throw fault }
    }

    /// Like `write`, for changes that may wait a quarter of a second: losing them costs work, not correctness.
    func writeLater(_ changes: [LedgerChange], then: @escaping @Sendable (DeliveryError?) -> Void) {
        let mustWake = inbox.withLock { inbox in
            if inbox.later.isEmpty { inbox.laterSince = .now }
            inbox.later.append(Order(changes: changes, then: then))
            inbox.laterMemberCount += changes.reduce(0) { $0 + $1.memberCount }
            return inbox.later.count == 1 || inbox.laterMemberCount >= inbox.enoughMembers
        }
        if mustWake { wake() }
    }

    /// Waits while the disk is far behind, since what waits for it is kept in memory.
    func waitForRoom() { while inbox.withLock({ $0.laterMemberCount > 4 * $0.enoughMembers }) { usleep(1000) } }

    /// Waits until everything that was handed in before is written.
    func flush() {
        let isWritten = Semaphore(0)
        inbox.withLock { inbox in
            inbox.later.append(Order(changes: []) { _ in isWritten.signal() })
            inbox.isHurried = true
        }
        wake()
        isWritten.wait()
    }

    /// Waits until everything is written and ends the thread; nothing where it was closed before.
    func close() {
        let isRunning = inbox.withLock { inbox in
            defer { inbox.isClosed = true }
            return inbox.isBegun && !inbox.isClosed
        }
        guard isRunning else { return }
        arrival.signal()
        ending.wait()
    }

    /// Ends the thread once everything that was handed in is written, and waits for nothing: the thread itself may be
    /// the one that releases the last owner.
    func abandon() {
        inbox.withLock { $0.isClosed = true }
        arrival.signal()
    }

    private func run() {
        while true {
            waitForOrders()
            gather()
            let (orders, later, isClosed) = inbox.withLock { inbox in
                var later: [Order] = []
                if inbox.patience == .zero {
                    swap(&later, &inbox.later)
                    inbox.laterMemberCount = 0
                    inbox.isHurried = false
                }
                return (inbox.takeOrders(), later, inbox.isClosed)
            }
            let isDone = orders.isEmpty && later.isEmpty
            if !isDone { commit(orders, later) }
            if isClosed {
                if isDone { break }
                arrival.signal()
            }
        }
        ending.signal()
    }

    private func waitForOrders() {
        while inbox.withLock({ !$0.later.isEmpty }) {
            if arrival.takeIfFree() || inbox.withLock({ $0.patience == .zero }) { return }
            usleep(1000)
        }
        arrival.wait()
    }

    /// Waits for more to write, but never for long: posts wait for their commit.
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
    private static let maximumDelay = Duration.milliseconds(250)

    /// Makes changes that somebody waits for, and the later ones slice by slice.
    private func commit(_ orders: [Order], _ later: [Order]) {
        let settled = SettledMembers(later.flatMap(\.changes))
        ledger.noteMembers(later.flatMap(\.changes))
        var orders = orders
        var fault: DeliveryError?
        for slice in 0..<settled.sliceCount {
            // Orders that came in the meantime do not wait for the rest.
            if slice > 0 { orders = inbox.withLock { $0.takeOrders() } }
            fault = write(orders.flatMap(\.changes), later.isEmpty ? nil : (settled, slice))
            for order in orders { order.then(fault) }
            if fault != nil { break }
        }
        for order in later { order.then(fault) }
    }

    private func write(_ changes: [LedgerChange], _ settled: (SettledMembers, Int)?) -> DeliveryError? {
        guard !changes.isEmpty || settled != nil else { return nil }
        ledger.noteMembers(changes)
        do throws(DeliveryError) {
            try placing(ledger.path) {
                try ledger.pool.write { database in
                    for change in changes { try change.apply(to: database) }
                    if let (settled, slice) = settled { try settled.apply(slice, to: database) }
                }
            }
            return nil
        } catch {
            return error
        }
    }
}
