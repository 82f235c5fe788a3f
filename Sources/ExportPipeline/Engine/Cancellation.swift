internal import Synchronization

/// A request to stop, set from a signal handler or another thread.
public final class Cancellation: Sendable {
    private let flag = Atomic(false)

    /// Not cancelled.
    public init() {}

    /// Asks the run to stop.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether someone asked.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Throws where someone asked.
    func check() throws(ExportPipelineError) {
        if isCancelled { throw .interrupted }
    }
}
