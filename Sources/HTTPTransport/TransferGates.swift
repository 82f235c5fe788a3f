/// How many requests have passed each gate and are on the wire, and which wait in front of it, in order.
struct TransferGates {
    private var counts: [ObjectIdentifier: Int] = [:]
    /// The gates that let no more requests through.
    private(set) var full: Set<ObjectIdentifier> = []
    private(set) var waiting: [TransferOrder] = []

    /// Whether the order may begin now; otherwise it waits.
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

    /// Notes that a request has ended, and returns the order that begins in its place.
    mutating func leave(_ gate: TransferGate?) -> TransferOrder? {
        guard let gate else { return nil }
        guard let index = waiting.firstIndex(where: { $0.request.gate === gate }) else {
            counts[ObjectIdentifier(gate), default: 1] -= 1
            full.remove(ObjectIdentifier(gate))
            return nil
        }
        return waiting.remove(at: index)
    }

    /// Removes a waiting order.
    mutating func withdraw(_ ticket: TransferTicket) -> TransferOrder? {
        waiting.firstIndex { $0.ticket === ticket }.map { waiting.remove(at: $0) }
    }
}
