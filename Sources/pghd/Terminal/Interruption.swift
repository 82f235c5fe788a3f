import ExportPipeline
import Glibc
import OpenIDConnect
import Synchronization

/// What Ctrl-C, a termination, a lost terminal and a batch system's warnings do.
///
/// Before anything was made they end the process with `ExitStatus.interrupted`. Once a run has begun, or while a token
/// is being renewed, they cancel it, so that it removes what is not complete and ends by itself.
enum Interruption {
    /// What asks a run to end.
    ///
    /// Batch systems send the last three before they kill a job that has used up its time.
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGUSR2]
    private static let cancellation = Cancellation()
    private static let hasRun = Atomic(false)
    /// When the first signal came, in nanoseconds of the monotonic clock; 0 for none.
    private static let firstSignal = Atomic<Int64>(0)
    /// So long after the first, another signal is the same request: `timeout` tells the process and then its group, and
    /// when a login ends, both the system and the shell tell what runs.
    private static let repetition: Int64 = 1_000_000_000

    /// Begins to listen; a signal that comes a second after the first, or later, ends the process at once.
    ///
    /// Without `SA_RESTART`, so that a write returns if the reader has stopped reading.
    static func install() {
        // Touched before a signal can come: a handler must not be the first to initialize them.
        _ = cancellation.isCancelled || hasRun.load(ordering: .relaxed) || TokenRenewal.isUnderWay
        _ = firstSignal.load(ordering: .relaxed) + repetition
        for number in numbers {
            var previous = sigaction()
            unsafe sigaction(number, nil, &previous)
            // `nohup` asks for a process that outlives its terminal.
            let isIgnored = unsafe unsafeBitCast(previous.__sigaction_handler.sa_handler, to: Int.self) == 1
            if number == SIGHUP, isIgnored { continue }
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = { number in Interruption.receive(number) }
            unsafe sigaction(number, &action, nil)
        }
        // A parent may pass its own mask on: the child of a thread that blocks signals could not be interrupted at all.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in numbers { unsafe sigaddset(&signals, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func receive(_ number: Int32) {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        let now = max(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec), 1)
        let (isFirst, first) = firstSignal.compareExchange(expected: 0, desired: now, ordering: .relaxed)
        guard !isFirst else { return handle() }
        guard now - first >= repetition else { return }
        // For a container's first process the system's default does nothing.
        if getpid() == 1 { _exit(128 + number) }
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = nil
        unsafe sigaction(number, &action, nil)
        raise(number)
    }

    /// From here on signals cancel what is returned instead of ending the process.
    static func beginRun() -> Cancellation {
        hasRun.store(true, ordering: .relaxed)
        return cancellation
    }

    /// Whether a signal has come during a run.
    static var isRequested: Bool { cancellation.isCancelled }

    /// How long to wait, after a signal, for what may never come.
    final class Patience {
        private let length: Duration
        private var end: ContinuousClock.Instant?

        init(_ length: Duration) { self.length = length }

        /// Whether a signal has come and the time since then has passed.
        var isOver: Bool {
            guard Interruption.isRequested else { return false }
            let end = end ?? .now + length
            self.end = end
            return .now >= end
        }
    }

    /// Does `work` in a task that a signal cancels.
    ///
    /// - Throws: `ExitStatus.interrupted` where it was cancelled, else what `work` throws.
    static func cancelling<Outcome: Sendable>(
        _ work: @escaping @Sendable () async throws -> Outcome
    ) async throws -> Outcome {
        let task = Task { try await work() }
        let watching = Task {
            while !isRequested { try await Task.sleep(for: .milliseconds(50)) }
            task.cancel()
        }
        defer { watching.cancel() }
        do { return try await task.value } catch { throw isRequested ? ExitStatus.interrupted : error }
    }

    /// Makes this process end once its parent has ended: it has a session of its own, which no terminal reaches.
    ///
    /// Call it once, at the beginning of a run: a second signal ends the process at once.
    ///
    /// - Parameter parent: the process that started this one; it may have ended by now.
    static func end(with parent: pid_t) {
        Task.detached {
            while getppid() == parent { try await Task.sleep(for: .milliseconds(500)) }
            kill(getpid(), SIGINT)
        }
    }

    /// Does `work`, and says what it waits for if it goes on after it was told to end.
    ///
    /// - Parameters:
    ///   - isQuiet: whether nothing is said.
    ///   - isChild: whether signals come from a watch, which sends one.
    ///   - remark: what a second signal does.
    ///   - work: what is done.
    /// - Returns: the outcome of `work`.
    /// - Throws: what `work` throws.
    static func explaining<Outcome: Sendable, Failure: Error>(
        isQuiet: Bool,
        isChild: Bool = false,
        remark: String = " (once more ends at once, and the next run settles what became of them)",
        _ work: @Sendable () async throws(Failure) -> Outcome
    ) async throws(Failure) -> Outcome {
        guard !isQuiet else { return try await work() }
        let notice = Task {
            while !isRequested { try await Task.sleep(for: .milliseconds(200)) }
            try await Task.sleep(for: .seconds(2))
            say("pghd: told to end: waits for the answers to requests in flight\(isChild ? "" : remark)")
        }
        defer { notice.cancel() }
        return try await work()
    }

    private static func handle() {
        if hasRun.load(ordering: .relaxed) || TokenRenewal.isUnderWay {
            cancellation.cancel()
        } else {
            _exit(ExitStatus.interrupted.rawValue)
        }
    }
}
