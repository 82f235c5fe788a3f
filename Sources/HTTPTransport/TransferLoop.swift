internal import CCurl
internal import Synchronization

/// The thread that all transfers of a client run on.
///
/// Others reach it through an inbox and one `curl_multi_wakeup` for all that gathers there while
/// it is busy; it sleeps in `curl_multi_poll`.
final class TransferLoop: Sendable {
    private let multi = MultiHandle()
    private let inbox = Mutex(Inbox())
    private let caFile: String?

    private struct Inbox {
        var orders: [TransferOrder] = []
        var cancelled: [TransferTicket] = []
        var isClosed = false
        /// Whether a wake-up is on its way already.
        var isWoken = false
    }

    init(caFile: String?) { self.caFile = caFile }

    func submit(_ order: TransferOrder) { post { $0.orders.append(order) } }

    /// Stops a transfer, also one whose order has not arrived yet.
    func cancel(_ ticket: TransferTicket) {
        ticket.isCancelled.store(true, ordering: .releasing)
        post { $0.cancelled.append(ticket) }
    }

    /// Ends the thread; nobody waits for an answer any more.
    func close() { post { $0.isClosed = true } }

    private func post(_ change: (inout Inbox) -> Void) {
        let mustWake = inbox.withLock { inbox in
            change(&inbox)
            defer { inbox.isWoken = true }
            return !inbox.isWoken
        }
        if mustWake { multi.wakeUp() }
    }

    /// The thread's body: takes what is in the inbox, moves bytes, hands out answers, sleeps.
    func run() {
        var transfers: [ObjectIdentifier: Transfer] = [:]
        var gates = TransferGates()
        func begin(_ order: TransferOrder) {
            let transfer = Transfer(order, caFile: caFile)
            transfers[transfer.id] = transfer
            transfer.add(to: multi)
        }
        while true {
            let (orders, cancelled, isClosed) = inbox.withLock { inbox in
                defer { inbox = Inbox(isClosed: inbox.isClosed) }
                return (inbox.orders, inbox.cancelled, inbox.isClosed)
            }
            for order in orders {
                if order.ticket.isCancelled.load(ordering: .acquiring) {
                    order.continuation.resume(returning: .failure(.cancelled))
                } else if gates.admit(order) {
                    begin(order)
                }
            }
            for ticket in cancelled {
                guard let transfer = transfers.removeValue(forKey: ObjectIdentifier(ticket)) else {
                    gates.withdraw(ticket)?.continuation.resume(returning: .failure(.cancelled))
                    continue
                }
                transfer.finish(.failure(.cancelled), from: multi)
                if let next = gates.leave(transfer.gate) { begin(next) }
            }
            if isClosed {
                for transfer in transfers.values { transfer.finish(.failure(.cancelled), from: multi) }
                for order in gates.waiting { order.continuation.resume(returning: .failure(.cancelled)) }
                return
            }
            let ended = multi.perform()
            for (id, code) in ended {
                guard let transfer = transfers.removeValue(forKey: id) else { continue }
                // The next one first: whoever waits for this answer takes the processor.
                if let next = gates.leave(transfer.gate) { begin(next) }
                transfer.finish(transfer.result(code), from: multi)
            }
            // What began just now has not moved yet.
            if ended.isEmpty { multi.sleep() }
        }
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

/// Who is behind each gate, and who waits in front of it, in order.
private struct TransferGates {
    private var counts: [ObjectIdentifier: Int] = [:]
    private(set) var waiting: [TransferOrder] = []

    /// Whether the order may begin now; else it waits.
    mutating func admit(_ order: TransferOrder) -> Bool {
        guard let gate = order.request.gate else { return true }
        let count = counts[ObjectIdentifier(gate), default: 0]
        guard count < gate.most else {
            waiting.append(order)
            return false
        }
        counts[ObjectIdentifier(gate)] = count + 1
        return true
    }

    /// Lets one out, and answers who comes in for it.
    mutating func leave(_ gate: TransferGate?) -> TransferOrder? {
        guard let gate else { return nil }
        guard let index = waiting.firstIndex(where: { $0.request.gate === gate }) else {
            counts[ObjectIdentifier(gate), default: 1] -= 1
            return nil
        }
        return waiting.remove(at: index)
    }

    /// Takes out one that waits.
    mutating func withdraw(_ ticket: TransferTicket) -> TransferOrder? {
        waiting.firstIndex { $0.ticket === ticket }.map { waiting.remove(at: $0) }
    }
}

/// Owns libcurl's multi handle.
///
/// The loop's thread alone uses it, but for `wakeUp`, which libcurl allows from any thread; the
/// last to let go cleans it up.
@safe
final class MultiHandle: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    init() {
        _ = Self.isLibraryReady
        guard let handle = unsafe pghd_multi_init() else { preconditionFailure("libcurl has no memory") }
        unsafe self.handle = handle
    }

    deinit { unsafe pghd_multi_cleanup(handle) }

    /// Before any other call, once in a process.
    private static let isLibraryReady = pghd_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    func wakeUp() { unsafe pghd_multi_wakeup(handle) }

    /// Waits for a byte, a timer or a wake-up.
    func sleep() { unsafe pghd_multi_poll(handle, 60_000) }

    func add(_ easy: UnsafeMutableRawPointer) { unsafe pghd_multi_add_handle(handle, easy) }

    func remove(_ easy: UnsafeMutableRawPointer) { unsafe pghd_multi_remove_handle(handle, easy) }

    /// Moves what can be moved without waiting, and says which transfers have ended how.
    func perform() -> [(ObjectIdentifier, CURLcode)] {
        var running: CInt = 0
        unsafe pghd_multi_perform(handle, &running)
        var ended: [(ObjectIdentifier, CURLcode)] = []
        var left: CInt = 0
        while let message = unsafe pghd_multi_info_read(handle, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            if let id = unsafe Transfer.id(of: easy) { ended.append((id, unsafe message.pointee.data.result)) }
        }
        return ended
    }
}
