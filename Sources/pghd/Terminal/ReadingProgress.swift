import ExportPipeline
import Glibc

/// The progress line of a file that another part of the process reads.
///
/// The reader keeps its descriptor to itself: it is known by the file that it is open on, and the system tells how far
/// it has come. A pipe has no such place, and no line.
enum ReadingProgress {
    /// Shows the line, ten times a second, until the task is cancelled; then takes it away.
    ///
    /// - Parameters:
    ///   - path: the file; `-` is standard input.
    ///   - isQuiet: whether nothing is to be shown.
    static func show(_ path: String, isQuiet: Bool) async {
        guard !isQuiet, Terminal.standardError().isInteractive else { return }
        let line = ProgressLine(isQuiet: false)
        let start = ContinuousClock.now
        while (try? await Task.sleep(for: .milliseconds(100))) != nil {
            guard let (consumed, total) = place(in: path) else { continue }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            line.show(RunProgress(bytesConsumed: consumed, bytesTotal: total, records: 0, seconds: seconds))
        }
        line.clear()
    }

    /// How many bytes of a regular file were read, and how many it has; `nil` where nobody reads it.
    private static func place(in path: String) -> (consumed: UInt64, total: UInt64)? {
        var (file, open) = (stat(), stat())
        guard unsafe (path == "-" ? fstat(STDIN_FILENO, &file) : stat(path, &file)) == 0,
            file.st_mode & S_IFMT == S_IFREG
        else { return nil }
        let candidates = path == "-" ? STDIN_FILENO...STDIN_FILENO : STDERR_FILENO + 1...mostDescriptors
        for descriptor in candidates where unsafe fstat(descriptor, &open) == 0 {
            guard open.st_dev == file.st_dev, open.st_ino == file.st_ino else { continue }
            let consumed = lseek(descriptor, 0, SEEK_CUR)
            return consumed < 0 ? nil : (UInt64(consumed), UInt64(file.st_size))
        }
        return nil
    }

    /// A run has some tens: its connections, the ledger, and this file.
    private static let mostDescriptors: Int32 = 255
}
