import ExportPipeline
import Synchronization

/// The progress line for a file that another thread reads, which may be waiting for the server.
final class ReadingProgress: Sendable {
    private let consumed = Atomic<UInt64>(0)
    /// The file's size; 0 for what has none, such as a pipe.
    private let total = Atomic<UInt64>(0)

    /// Notes how far the reader is.
    func note(_ consumed: UInt64, of total: UInt64?) {
        self.total.store(total ?? 0, ordering: .relaxed)
        self.consumed.store(consumed, ordering: .relaxed)
    }

    /// Shows the line, ten times a second, until the task is cancelled; then removes it.
    func show(isQuiet: Bool) async {
        guard !isQuiet, Terminal.standardError().isInteractive else { return }
        let line = ProgressLine(isQuiet: false)
        let start = ContinuousClock.now
        while (try? await Task.sleep(for: .milliseconds(100))) != nil {
            let consumed = consumed.load(ordering: .relaxed)
            guard consumed > 0 else { continue }
            let total = total.load(ordering: .relaxed)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let bytesTotal = total > 0 ? total : nil
            line.show(RunProgress(bytesConsumed: consumed, bytesTotal: bytesTotal, records: 0, seconds: seconds))
        }
        line.clear()
    }
}
