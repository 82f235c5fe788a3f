/// Who is behind each gate, and who waits in front of it, in order.
struct TransferGates {
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
