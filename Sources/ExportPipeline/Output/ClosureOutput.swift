internal import Synchronization
internal import TransactionBundling

/// Hands Bundles to a closure instead of to a file.
///
/// A thread that is still at work when the run ends hands over nothing more.
final class ClosureOutput: BundleOutput {
    private let body: (TransactionBundle) throws -> Void
    private let cancellation: Cancellation
    private let isClosed = Atomic(false)
    private(set) var byteCount: UInt64 = 0

    init(_ cancellation: Cancellation, _ body: @escaping (TransactionBundle) throws -> Void) {
        self.cancellation = cancellation
        self.body = body
    }

    func write(_ bytes: GroupBytes, key: String, type: String, count: Int) throws {
        guard !cancellation.isCancelled, !isClosed.load(ordering: .acquiring) else {
            throw ExportPipelineError.interrupted
        }
        byteCount += UInt64(bytes.byteCount)
        try body(TransactionBundle(bytes, key: key))
    }

    /// Ends the output: the caller knows the end of the run, so nothing may come after it.
    func close() { isClosed.store(true, ordering: .releasing) }
}
