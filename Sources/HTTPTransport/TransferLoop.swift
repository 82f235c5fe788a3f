internal import CCurl
internal import Synchronization

/// The thread that all transfers of a client run on.
///
/// Others reach it through an inbox. It sleeps in `curl_multi_poll`, and `curl_multi_wakeup` wakes it for what
/// can begin at once: while it is busy, or a gate is full, it comes to the inbox by itself.
final class TransferLoop: Sendable {
    private let multi = MultiHandle()
    private let inbox = Mutex(Inbox())
    private let caFile: String?
    private let userAgent: String

    private struct Inbox {
        var orders: [TransferOrder] = []
        var cancelled: [TransferTicket] = []
        var isClosed = false
        /// Whether the loop sleeps and no wake-up is on its way yet.
        var isAsleep = false
        /// Gates in front of which an order would only wait: it is found when the loop wakes for another's answer.
        var fullGates: Set<ObjectIdentifier> = []

        var isEmpty: Bool { orders.isEmpty && cancelled.isEmpty && !isClosed }
    }

    init(caFile: String?, userAgent: String) {
        self.caFile = caFile
        self.userAgent = userAgent
    }

    func submit(_ order: TransferOrder) {
        post { inbox in
            inbox.orders.append(order)
            return order.request.gate.map { !inbox.fullGates.contains(ObjectIdentifier($0)) } ?? true
        }
    }

    /// Stops a transfer, also one whose order has not arrived yet.
    func cancel(_ ticket: TransferTicket) {
        ticket.isCancelled.store(true, ordering: .releasing)
        post { inbox in
            inbox.cancelled.append(ticket)
            return true
        }
    }

    /// Ends the thread; nobody waits for an answer any more.
    func close() {
        post { inbox in
            inbox.isClosed = true
            return true
        }
    }

    /// - Parameter change: changes the inbox, and answers whether the loop is to see to it at once.
    private func post(_ change: (inout Inbox) -> Bool) {
        let mustWake = inbox.withLock { inbox in
            guard change(&inbox), inbox.isAsleep else { return false }
            inbox.isAsleep = false
            return true
        }
        if mustWake { multi.wakeUp() }
    }

    /// The thread's body: takes what is in the inbox, moves bytes, hands out answers, sleeps.
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
            // What began just now moves first: whoever waits for an answer takes the processor.
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

/// What is on its way, or waits for its turn; the loop's thread alone has it.
private struct Running {
    let multi: MultiHandle
    let caFile: String?
    let userAgent: String
    private(set) var gates = TransferGates()
    private var transfers: [ObjectIdentifier: Transfer] = [:]
    /// Those whose answers nobody has been told yet.
    private var ended: [(Transfer, CURLcode)] = []

    init(multi: MultiHandle, caFile: String?, userAgent: String) {
        self.multi = multi
        self.caFile = caFile
        self.userAgent = userAgent
    }

    /// Whether something is on its way.
    var isBusy: Bool { !transfers.isEmpty }

    /// Begins an order, unless it was cancelled meanwhile or its gate is full.
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

    /// Moves what can be moved.
    ///
    /// - Returns: whether a transfer has ended by that.
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

    /// Hands out the answers that have come, and cancels all else.
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

    /// Begins what waited for this one's end.
    private mutating func leave(_ transfer: Transfer) {
        if let next = gates.leave(transfer.gate) { begin(next) }
    }
}

/// One request on its way to the loop, and who waits for the answer.
struct TransferOrder: Sendable {
    let ticket: TransferTicket
    let request: HTTPRequest
    let continuation: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
}

/// What names a transfer: its identity, known before the order is.
final class TransferTicket: Sendable {
    let isCancelled = Atomic(false)
}
