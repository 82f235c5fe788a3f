internal import Synchronization

/// A request to stop, set from a signal handler or another thread.
public final class Cancellation: Sendable {
    private let flag = Atomic(false)

    /// A request that is not made yet.
    public init() {}

    /// Asks the run to stop.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether the run was asked to stop.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Throws if the run was asked to stop.
    func check() throws(ExportPipelineError) {
        if isCancelled { throw .interrupted }
    }
}
