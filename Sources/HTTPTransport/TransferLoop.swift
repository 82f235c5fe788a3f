internal import CCurl
internal import Glibc
internal import Synchronization

/// The thread that all transfers of a client run on.
///
/// Others reach it through an inbox. It sleeps in `curl_multi_poll`, and `curl_multi_wakeup` wakes it for what
/// can begin at once: while it is busy, or a gate is full, it comes to the inbox by itself.
final class TransferLoop: Sendable {
    private let multi = MultiHandle()
    private let inbox = Mutex(Inbox())
    private let caFile: String?

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

    init(caFile: String?) { self.caFile = caFile }

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
        var transfers: [ObjectIdentifier: Transfer] = [:]
        var gates = TransferGates()
        // Those whose answers nobody has been told yet.
        var ended: [(Transfer, CURLcode)] = []
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
                for (transfer, code) in ended { transfer.finish(transfer.result(code), from: multi) }
                for transfer in transfers.values { transfer.finish(.failure(.cancelled), from: multi) }
                for order in gates.waiting { order.continuation.resume(returning: .failure(.cancelled)) }
                return
            }
            let justEnded = multi.perform()
            for (id, code) in justEnded {
                guard let transfer = transfers.removeValue(forKey: id) else { continue }
                ended.append((transfer, code))
                if let next = gates.leave(transfer.gate) { begin(next) }
            }
            // What began just now moves first: whoever waits for an answer takes the processor.
            guard justEnded.isEmpty else { continue }
            for (transfer, code) in ended { transfer.finish(transfer.result(code), from: multi) }
            ended = []
            let maySleep = inbox.withLock { inbox in
                inbox.fullGates = gates.full
                inbox.isAsleep = inbox.isEmpty
                return inbox.isAsleep
            }
            if maySleep { multi.sleep() }
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
    /// Those behind which nobody more is let in.
    private(set) var full: Set<ObjectIdentifier> = []
    private(set) var waiting: [TransferOrder] = []

    /// Whether the order may begin now; else it waits.
    mutating func admit(_ order: TransferOrder) -> Bool {
        guard let gate = order.request.gate else { return true }
        let count = counts[ObjectIdentifier(gate), default: 0]
        guard count < gate.maximumCount else {
            waiting.append(order)
            return false
        }
        counts[ObjectIdentifier(gate)] = count + 1
        if count + 1 == gate.maximumCount { full.insert(ObjectIdentifier(gate)) }
        return true
    }

    /// Lets one out, and answers who comes in for it.
    mutating func leave(_ gate: TransferGate?) -> TransferOrder? {
        guard let gate else { return nil }
        guard let index = waiting.firstIndex(where: { $0.request.gate === gate }) else {
            counts[ObjectIdentifier(gate), default: 1] -= 1
            full.remove(ObjectIdentifier(gate))
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
    private static let isLibraryReady: Bool = {
        // libcurl would write the secrets of each connection there, and with them every token to whoever recorded it.
        unsafe unsetenv("SSLKEYLOGFILE")
        return pghd_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

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
