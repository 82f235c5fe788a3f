import Synchronization

/// Bytes that several may hold together: the bodies of all requests, or what was read for all answers.
final class ByteBudget: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) {
        left = Mutex(count)
    }

    func take(_ count: Int) -> Bool {
        left.withLock { left in
            guard count <= left else { return false }
            left -= count
            return true
        }
    }

    func give(back count: Int) {
        left.withLock { $0 += count }
    }
}

/// What was read for one answer: it holds its share of a budget until the answer is taken or abandoned.
final class HeldBytes: Sendable {
    enum Outcome {
        case taken
        /// One answer may not hold as much.
        case isTooMuch
        /// Others hold all there is.
        case noneIsLeft
    }

    private struct State {
        var count = 0
        var reserved = 0
    }

    private let budget: ByteBudget
    private let maximum: Int
    private let exempt: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - budget: what all share.
    ///   - maximum: the most bytes of one answer.
    ///   - exempt: how much may be read whatever others hold.
    init(_ budget: ByteBudget, maximum: Int, exempt: Int) {
        self.budget = budget
        self.maximum = maximum
        self.exempt = exempt
    }

    deinit { giveBack() }

    func take(_ count: Int) -> Outcome {
        state.withLock { state in
            guard state.count + count <= maximum else { return .isTooMuch }
            let isExempt = state.count + count <= exempt
            let wanted = isExempt ? 0 : state.count + count - state.reserved
            guard budget.take(wanted) else { return .noneIsLeft }
            state.count += count
            state.reserved += wanted
            return .taken
        }
    }

    func giveBack() {
        state.withLock { state in
            budget.give(back: state.reserved)
            state = State()
        }
    }
}
