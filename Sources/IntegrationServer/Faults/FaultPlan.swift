import Synchronization

/// The faults that were asked for, and how many requests each rule matched.
final class FaultPlan: Sendable {
    private struct State {
        var rules: [FaultRule] = []
        var counts: [Int] = []
    }

    private let state = Mutex(State())

    /// Replaces all rules and starts counting again.
    ///
    /// - Throws: status 400, naming the rule and member of `{"rules":[…]}` that can't be used.
    func replace(with value: JSONValue) throws(Refusal) {
        guard case .array(let elements)? = value["rules"]?.content else {
            throw Refusal(400, .required, "rules is missing (expected an array)", at: "rules")
        }
        var rules: [FaultRule] = []
        for (index, element) in elements.enumerated() { rules.append(try FaultRule(element, index: index)) }
        let checked = rules
        state.withLock { $0 = State(rules: checked, counts: checked.map { _ in 0 }) }
    }

    /// The first rule whose turn this request is; every rule that it matches counts it.
    func rule(for request: HTTPRequest) -> FaultRule? {
        state.withLock { state in
            var chosen: FaultRule?
            for index in state.rules.indices where state.rules[index].matches(request) {
                state.counts[index] += 1
                let rule = state.rules[index]
                if chosen == nil, rule.requests?.contains(state.counts[index]) ?? true { chosen = rule }
            }
            return chosen
        }
    }

    /// `{"counts":[2,0]}`: how many requests each rule matched.
    var report: String {
        let counts = state.withLock { $0.counts }
        return "{\"counts\":[\(counts.map(String.init).joined(separator: ","))]}"
    }
}
