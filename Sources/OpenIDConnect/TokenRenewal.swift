internal import Synchronization

/// The renewals of this process that are under way, which whoever ends it waits for.
///
/// A refresh token is spent once it is sent: a process that goes before the next one is stored loses the sign-in.
public enum TokenRenewal {
    private static let count = Atomic(0)
    private static let isOver = Atomic(false)

    /// Whether one is under way; fit for a signal handler that is not the first to ask.
    public static var isUnderWay: Bool { count.load(ordering: .sequentiallyConsistent) > 0 }

    /// Waits until none is, and lets none begin any more: for the end of a process.
    public static func settle() async {
        isOver.store(true, ordering: .sequentiallyConsistent)
        while isUnderWay { try? await Task.sleep(for: .milliseconds(10)) }
    }

    /// Counts one that begins, which calls `end` whatever becomes of it.
    ///
    /// - Throws: `CancellationError` where the process ends; it is not counted then.
    static func begin() throws {
        count.add(1, ordering: .sequentiallyConsistent)
        guard isOver.load(ordering: .sequentiallyConsistent) else { return }
        end()
        throw CancellationError()
    }

    static func end() { count.subtract(1, ordering: .sequentiallyConsistent) }
}
