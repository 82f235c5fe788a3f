// What a watch says about its runs.

extension SyncProcess.Ending {
    /// How a run ended that did not sync its export.
    var sentence: String {
        switch self {
        case .exited(let code, _): "ended with \(code)"
        case .killed(let signal): "the run was killed (signal \(signal))"
        case .notStarted(let reason): "no run could be started (\(reason))"
        }
    }

    /// What to do where a person has to decide: an option of a watch would hold for all patients.
    var advice: String {
        guard case .exited(ExitStatus.usage.rawValue, _) = self else { return "" }
        return "; if it needs an option, run 'pghd sync' by hand for this patient"
    }
}

extension WatchSchedule {
    /// What is said of an export that could not be tried: it goes on changing, or another program has it for itself.
    static let restlessSentence =
        "another program is still at work on it (expected a file that stays as it is): it is left to the next watch"
}

extension WatchSchedule.Outcome {
    /// When the export is tried again.
    ///
    /// - Parameters:
    ///   - wait: how long until then; `nil` where the file has changed meanwhile and is tried at once.
    ///   - isLeft: whether another watch is to try it.
    /// - Returns: what follows the sentence on how its run ended.
    func sentence(_ wait: Duration?, isLeft: Bool) -> String {
        switch self {
        case .faulty where isLeft: "it may want another file: it is left to the next watch"
        case _ where isLeft: "it is left to the next watch"
        case .done, .unfinished, .faulty: "it is tried again when the file changes"
        case .later: "it is tried again later"
        case .rarely:
            wait.map { "it is tried again in \($0.words), or when the file changes" } ?? "it is tried again later"
        }
    }
}

extension WatchHold {
    private static let reason = "exports of \(enough) patients in a row"
    private static let judgement = "could not be synced, for a reason that is not their own"

    /// What is said where all wait.
    func sentence(_ wait: Duration) -> String {
        "\(Self.reason) \(Self.judgement): all wait for \(wait.words), then one is tried"
    }

    /// What is said where the others are left to the next watch.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - hasAnotherTold: whether one of the others was tried too; `false` where none of them could be.
    /// - Returns: what is said about the folder.
    func sentence(left count: Int, hasAnotherTold: Bool) -> String {
        let others = count == 1 ? "1 other is" : "\(count) others are"
        let another = hasAnotherTold ? " and of another one" : ""
        return "\(Self.reason)\(another) \(Self.judgement): \(others) left to the next watch"
    }
}

extension Duration {
    /// `an hour`, `2 hours`, `90 s`.
    fileprivate var words: String {
        let seconds = components.seconds
        switch seconds {
        case 3600: return "an hour"
        case 86_400: return "a day"
        default: return seconds % 3600 == 0 ? "\(seconds / 3600) hours" : "\(seconds) s"
        }
    }
}
