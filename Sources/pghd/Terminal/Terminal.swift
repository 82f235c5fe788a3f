import ExportPipeline
import FileOutput
import Glibc
import Synchronization

/// What is known about the terminal that messages go to.
struct Terminal {
    /// Whether standard error is a terminal that can rewrite a line.
    let isInteractive: Bool
    /// Whether no other job has the terminal: what a job in the foreground shows must not be overwritten.
    let isOurs: Bool
    /// Its columns.
    let width: Int
    /// Whether colour is wanted: <https://no-color.org>.
    let hasColor: Bool
    /// Which characters may be used for drawing, by the locale.
    let style: TextStyle

    /// The terminal that standard error goes to.
    static func standardError() -> Terminal {
        let kind = Environment["TERM"] ?? "dumb"
        let isInteractive = isatty(STDERR_FILENO) == 1 && kind != "dumb"
        var size = winsize()
        let isKnown = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return Terminal(
            isInteractive: isInteractive,
            isOurs: [-1, getpgrp()].contains(tcgetpgrp(STDERR_FILENO)),
            width: isKnown ? Int(size.ws_col) : 80,
            hasColor: isInteractive && Environment["NO_COLOR"] == nil,
            style: style
        )
    }

    /// Unicode where the locale's encoding is UTF-8.
    static var style: TextStyle {
        let locale = Environment["LC_ALL"] ?? Environment["LC_CTYPE"] ?? Environment["LANG"] ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8") ? .unicode : .ascii
    }

    /// Whether standard output is a terminal, where data would appear between messages.
    static var showsData: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether a message was not read once the process was to end: that reader is not waited for again.
    private static let isStuck = Atomic(false)

    /// Writes to standard error, where messages go, without a line feed; once the process is to end, it drops what is
    /// not read.
    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        let patience = Interruption.Patience(isStuck.load(ordering: .relaxed) ? .zero : .seconds(2))
        do throws(FileFault) {
            try unsafe bytes.span.bytes.withUnsafeBytes { bytes throws(FileFault) in
                try unsafe OutputDescriptor(STDERR_FILENO).writeInSteps(bytes) { patience.isOver }
            }
        } catch {
            // There is nowhere else to report it.
            if patience.isOver { isStuck.store(true, ordering: .relaxed) }
        }
    }
}
