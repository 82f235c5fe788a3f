internal import Glibc
internal import Synchronization

/// Runs blocking work on a thread of its own, which blocks all signals: the cooperative pool has only one thread per
/// core.
public enum OwnThread {
    /// Starts `body` on a new thread, which ends when it returns.
    ///
    /// Where the system gives no thread (other runs may have taken all of them), it is asked again for ten seconds.
    /// Then the process ends with exit status 2, after a line on standard error.
    public static func start(_ body: @escaping @Sendable () -> Void) { begin(body).detach() }

    /// Makes sure that the system gives this many threads at once; otherwise the process ends as in ``start(_:)``.
    ///
    /// A cooperative pool that gets no thread waits for one forever, silently.
    ///
    /// - Parameter count: how many threads a run needs, the pool's included.
    package static func require(_ count: Int) {
        // No thread ends before all have begun.
        let gate = Mutex(())
        let threads = gate.withLock { _ in (0..<count).map { _ in begin { gate.withLock { _ in } } } }
        for thread in threads { thread.join() }
    }

    /// Starts `body` on a thread that the caller must detach or join.
    private static func begin(_ body: @escaping @Sendable () -> Void) -> PlainThread {
        for _ in 0..<100 {
            if let thread = PlainThread(body) { return thread }
            usleep(100_000)
        }
        endWithoutThread()
    }

    /// Ends the process with exit status 2.
    ///
    /// Nothing is lost: the next run settles what this one has left open, as after a kill.
    private static func endWithoutThread() -> Never {
        let text =
            "pghd: the system gives no thread (expected some ten): raise the limits of processes and memory (ulimit -u, -v)\n"
        _ = unsafe write(STDERR_FILENO, text, text.utf8.count)
        _exit(2)
    }

    /// Runs `body` on a new thread and returns its result; where the system gives no thread, the process ends as in
    /// ``start(_:)``.
    ///
    /// Cancelling the task does not stop `body`: a write that has begun is finished.
    ///
    /// - Throws: what `body` throws.
    public static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withCheckedContinuation { continuation in
            start { continuation.resume(returning: Result(catching: body)) }
        }.get()
    }

    /// As ``run(_:)``, but where the system gives no thread `body` runs on the current one, although it belongs to the
    /// pool: for work that must not be lost.
    ///
    /// - Throws: what `body` throws.
    package static func runAnywhere<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withCheckedContinuation { continuation in
            let work: @Sendable () -> Void = { continuation.resume(returning: Result(catching: body)) }
            if let thread = PlainThread(work) { thread.detach() } else { work() }
        }.get()
    }
}
