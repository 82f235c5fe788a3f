import ExportPipeline

/// One line of a terminal that shows how far a run is, rewritten several times a second.
///
/// `[█████████░░░░░░░░░░░]  45 %  512 of 1,138 MB  812,000 records/s  0:12 left`. Shows nothing where standard error is
/// not a terminal, with `--quiet`, and while another job has the terminal.
final class ProgressLine {
    private static let barWidth = 20
    private let isQuiet: Bool
    private var isShown = false

    /// A line that is not shown yet.
    init(isQuiet: Bool) { self.isQuiet = isQuiet }

    deinit { clear() }

    /// Shows where the run is.
    func show(_ progress: RunProgress) {
        guard !isQuiet else { return }
        // The terminal may be narrower by now, or this process in the background.
        let terminal = Terminal.standardError()
        guard terminal.isInteractive, terminal.isOurs else { return }
        let parts = Self.parts(progress)
        var line = Self.fitting(parts, in: terminal.width - 1)
        if let total = progress.bytesTotal, total > 0, terminal.width > 60 {
            let filled = Int(min(progress.bytesConsumed, total) * UInt64(Self.barWidth) / total)
            line = bar(filled, terminal) + "  " + Self.fitting(parts, in: terminal.width - Self.barWidth - 5)
        }
        Terminal.write("\r\u{1B}[K" + line)
        isShown = true
    }

    /// Removes the line, so that the next message begins at the margin.
    func clear() {
        if isShown, Terminal.standardError().isOurs { Terminal.write("\r\u{1B}[K") }
        isShown = false
    }

    private func bar(_ filled: Int, _ terminal: Terminal) -> String {
        let isUnicode = terminal.style == .unicode
        let done = String(repeating: isUnicode ? "█" : "#", count: filled)
        let open = String(repeating: isUnicode ? "░" : "-", count: Self.barWidth - filled)
        return "[" + (terminal.hasColor ? "\u{1B}[32m\(done)\u{1B}[0m" : done) + open + "]"
    }

    /// The parts of the line, the most important first.
    static func parts(_ progress: RunProgress) -> [String] {
        var parts: [String] = []
        let consumed = progress.bytesConsumed
        if let total = progress.bytesTotal, total > 0 {
            let percent = min(consumed * 100 / total, 100)
            parts.append(String(repeating: " ", count: 3 - String(percent).count) + "\(percent) %")
            parts.append("\(megabytes(consumed)) of \(megabytes(total)) MB")
        } else {
            parts.append("\(megabytes(consumed)) MB")
        }
        guard progress.seconds > 0.5 else { return parts }
        if progress.records > 0 {
            let rate = UInt64(Double(progress.records) / progress.seconds)
            parts.append("\(ReportText.grouped(rate / 1000 * 1000)) records/s")
        }
        if let total = progress.bytesTotal, consumed > 0, total > consumed {
            let left = progress.seconds * Double(total - consumed) / Double(consumed)
            parts.append("\(clock(UInt64(left.rounded(.up)))) left")
        }
        return parts
    }

    /// As many of the parts as fit.
    private static func fitting(_ parts: [String], in width: Int) -> String {
        var line = ""
        for part in parts {
            let longer = line.isEmpty ? part : line + "  " + part
            if longer.count > width { break }
            line = longer
        }
        return line
    }

    private static func megabytes(_ bytes: UInt64) -> String { ReportText.grouped((bytes + 500_000) / 1_000_000) }

    /// `0:07`, `1:02:03`.
    private static func clock(_ seconds: UInt64) -> String {
        func two(_ number: UInt64) -> String { String("\(number % 60 + 100)".dropFirst()) }
        let minutes = seconds / 60
        return minutes < 60
            ? "\(minutes):\(two(seconds))" : "\(minutes / 60):\(two(minutes)):\(two(seconds))"
    }
}
