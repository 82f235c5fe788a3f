import Synchronization

/// Carries what a task came to over to the thread that waits for it.
final class OutcomeBox<Value: Sendable>: Sendable {
    private let outcome = Mutex<Result<Value, any Error>?>(nil)

    func set(_ result: Result<Value, any Error>) {
        outcome.withLock { $0 = result }
    }

    func take() -> Result<Value, any Error> {
        guard let result = outcome.withLock({ $0 }) else { preconditionFailure("taken before set") }
        return result
    }
}
