internal import CCurl
internal import Synchronization

/// The thread that all transfers of a client run on.
///
/// Other threads reach it through an inbox. It sleeps in `curl_multi_poll`, and `curl_multi_wakeup` wakes it for an
/// order that can begin at once. While it is busy, or the order's gate is full, no wake-up is needed: it looks into the
/// inbox by itself.
final class TransferLoop: Sendable {
    private let multi: MultiHandle
    private let inbox = Mutex(Inbox())
    private let caFile: String?
    private let userAgent: String

    private struct Inbox {
        var orders: [TransferOrder] = []
        var cancelled: [TransferTicket] = []
        var isClosed = false
        /// Whether the loop is asleep and no wake-up has been sent yet.
        var isAsleep = false
        /// Gates at which an order would only wait: the loop finds it when it wakes for another request's answer.
        var fullGates: Set<ObjectIdentifier> = []

        var isEmpty: Bool { orders.isEmpty && cancelled.isEmpty && !isClosed }
    }

    /// - Throws: ``HTTPError/noLibrary(reason:)``.
    init(caFile: String?, userAgent: String) throws(HTTPError) {
        multi = try MultiHandle()
        self.caFile = caFile
        self.userAgent = userAgent
    }

    func submit(_ order: TransferOrder) {
        post { inbox in
            inbox.orders.append(order)
            return order.request.gate.map { !inbox.fullGates.contains(ObjectIdentifier($0)) } ?? true
        }
    }

    /// Stops a transfer, even one whose order has not arrived yet.
    func cancel(_ ticket: TransferTicket) {
        ticket.isCancelled.store(true, ordering: .releasing)
        post { inbox in
            inbox.cancelled.append(ticket)
            return true
        }
    }

    /// Ends the thread; by then no task waits for an answer.
    func close() {
        post { inbox in
            inbox.isClosed = true
            return true
        }
    }

    /// - Parameter change: changes the inbox, and returns whether the loop must look at it at once.
    private func post(_ change: (inout Inbox) -> Bool) {
        let mustWake = inbox.withLock { inbox in
            guard change(&inbox), inbox.isAsleep else { return false }
            inbox.isAsleep = false
            return true
        }
        if mustWake { multi.wakeUp() }
    }

    /// The thread's body: empties the inbox, moves bytes, hands out answers, sleeps.
    func run() {
        var running = Running(multi: multi, caFile: caFile, userAgent: userAgent)
        while true {
            let (orders, cancelled, isClosed) = inbox.withLock { inbox in
                defer { inbox = Inbox(isClosed: inbox.isClosed) }
                return (inbox.orders, inbox.cancelled, inbox.isClosed)
            }
            for order in orders { running.take(order) }
            for ticket in cancelled { running.cancel(ticket) }
            if isClosed { return running.endAll() }
            // Requests that have just begun move first: the tasks that get answers would take the processor.
            if running.move() { continue }
            running.tell()
            let maySleep = inbox.withLock { inbox in
                inbox.fullGates = running.gates.full
                inbox.isAsleep = inbox.isEmpty
                return inbox.isAsleep
            }
            if maySleep { multi.sleep(isBusy: running.isBusy) }
        }
    }
}

/// The transfers on their way and the orders that wait; only the loop's thread uses it.
private struct Running {
    let multi: MultiHandle
    let caFile: String?
    let userAgent: String
    private(set) var gates = TransferGates()
    private var transfers: [ObjectIdentifier: Transfer] = [:]
    /// Transfers that have ended and whose results were not handed out yet.
    private var ended: [(Transfer, CURLcode)] = []

    init(multi: MultiHandle, caFile: String?, userAgent: String) {
        self.multi = multi
        self.caFile = caFile
        self.userAgent = userAgent
    }

    /// Whether any transfer is on its way.
    var isBusy: Bool { !transfers.isEmpty }

    /// Begins an order, unless it has been cancelled or its gate is full.
    mutating func take(_ order: TransferOrder) {
        if order.ticket.isCancelled.load(ordering: .acquiring) {
            order.continuation.resume(returning: .failure(.cancelled))
        } else if gates.admit(order) {
            begin(order)
        }
    }

    mutating func cancel(_ ticket: TransferTicket) {
        guard let transfer = transfers.removeValue(forKey: ObjectIdentifier(ticket)) else {
            gates.withdraw(ticket)?.continuation.resume(returning: .failure(.cancelled))
            return
        }
        transfer.finish(.failure(.cancelled), from: multi)
        leave(transfer)
    }

    /// Moves all data that can be moved.
    ///
    /// - Returns: whether a transfer has ended.
    mutating func move() -> Bool {
        let justEnded = multi.perform()
        for (id, code) in justEnded {
            guard let transfer = transfers.removeValue(forKey: id) else { continue }
            ended.append((transfer, code))
            leave(transfer)
        }
        return !justEnded.isEmpty
    }

    /// Hands out the answers that have come.
    mutating func tell() {
        for (transfer, code) in ended { transfer.finish(transfer.result(code), from: multi) }
        ended = []
    }

    /// Hands out the answers that have come, and cancels everything else.
    mutating func endAll() {
        tell()
        for transfer in transfers.values { transfer.finish(.failure(.cancelled), from: multi) }
        for order in gates.waiting { order.continuation.resume(returning: .failure(.cancelled)) }
    }

    private mutating func begin(_ order: TransferOrder) {
        let transfer = Transfer(order, caFile: caFile, userAgent: userAgent)
        transfers[transfer.id] = transfer
        transfer.add(to: multi)
    }

    /// Begins the order that waited for this transfer to end.
    private mutating func leave(_ transfer: Transfer) {
        if let next = gates.leave(transfer.gate) { begin(next) }
    }
}

/// One request on its way to the loop, and the continuation of the task that waits for the answer.
struct TransferOrder: Sendable {
    let ticket: TransferTicket
    let request: HTTPRequest
    let continuation: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
}

/// Identifies a transfer, before its order exists.
final class TransferTicket: Sendable {
    let isCancelled = Atomic(false)
}
