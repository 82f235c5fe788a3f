/// How much of what was read answers may hold, one alone and all together.
struct AnswerLimits: Sendable {
    /// For what all entries of a Bundle read.
    static let maximumByteCount = 64 << 20

    private let budget: ByteBudget
    private let exempt: Int

    init(_ limits: HTTPLimits) {
        budget = ByteBudget(limits.allAnswersByteCount)
        exempt = limits.smallAnswerByteCount
    }

    /// Counts what one answer holds: nothing so far.
    func hold() -> HeldBytes {
        HeldBytes(budget, maximum: Self.maximumByteCount, exempt: exempt)
    }
}
