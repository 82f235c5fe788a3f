internal import Synchronization

/// A renewal, which the end of this process waits for; also the exchange of a code, and a sign-out.
///
/// A refresh token is spent once it is sent: a process that ends before the next one is stored loses the sign-in. A
/// token from an exchange would be nobody's, and one that the server has revoked would stay here.
package final class TokenRenewal: Sendable {
    private static let count = Atomic(0)
    private static let hasEnded = Atomic(false)
    private let isCounted = Atomic(false)

    /// One that has not begun: it may wait for others.
    init() {}

    /// Whether one is under way; may be asked in a signal handler that is not the first to ask.
    package static var isUnderWay: Bool { count.load(ordering: .sequentiallyConsistent) > 0 }

    /// Whether none may begin any more.
    static var isOver: Bool { hasEnded.load(ordering: .sequentiallyConsistent) }

    /// Waits until none is under way, and lets no more begin: for the end of a process.
    package static func settle() async {
        hasEnded.store(true, ordering: .sequentiallyConsistent)
        while isUnderWay { try? await Task.sleep(for: .milliseconds(10)) }
    }

    /// Counts it, just before the token is sent.
    ///
    /// - Throws: `CancellationError` where the process ends; it is not counted then.
    func begin() throws {
        Self.count.add(1, ordering: .sequentiallyConsistent)
        isCounted.store(true, ordering: .sequentiallyConsistent)
        guard Self.isOver else { return }
        end()
        throw CancellationError()
    }

    /// Stops counting it, whatever became of it.
    func end() {
        guard isCounted.exchange(false, ordering: .sequentiallyConsistent) else { return }
        Self.count.subtract(1, ordering: .sequentiallyConsistent)
    }
}
