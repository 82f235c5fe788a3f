internal import Glibc
internal import Synchronization

/// A ``PlainThread`` for what blocks: the cooperative pool is as wide as the machine has cores.
public enum OwnThread {
    /// Starts `body` on a thread that ends with it.
    ///
    /// Where the system gives no thread, as runs beside this one may have taken all, it is asked for ten seconds; then
    /// the process ends with 2, after a line on standard error.
    public static func start(_ body: @escaping @Sendable () -> Void) { begin(body).detach() }

    /// Makes sure that the system gives as many threads at once; else the process ends as with ``start(_:)``.
    ///
    /// The cooperative pool, which gets none, waits for one without end and without a word.
    ///
    /// - Parameter count: how many a run needs, those of the pool too.
    public static func require(_ count: Int) {
        // None ends before all have begun.
        let gate = Mutex(())
        let threads = gate.withLock { _ in (0..<count).map { _ in begin { gate.withLock { _ in } } } }
        for thread in threads { thread.join() }
    }

    /// Starts `body` on a thread that is to be detached or joined.
    private static func begin(_ body: @escaping @Sendable () -> Void) -> PlainThread {
        for _ in 0..<100 {
            if let thread = PlainThread(body) { return thread }
            usleep(100_000)
        }
        endWithoutThread()
    }

    /// A run that is killed loses nothing either: it is settled by the next one.
    private static func endWithoutThread() -> Never {
        let text =
            "pghd: the system gives no thread (expected some ten): raise the limits of processes and memory (ulimit -u, -v)\n"
        _ = unsafe write(STDERR_FILENO, text, text.utf8.count)
        _exit(2)
    }

    /// What `body` returns, which runs on a thread of its own; where the system gives none, the process ends as with
    /// ``start(_:)``.
    ///
    /// Cancelling the task does not stop it: a write that has begun is finished.
    ///
    /// - Throws: what `body` throws.
    public static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withCheckedContinuation { continuation in
            start { continuation.resume(returning: Result(catching: body)) }
        }.get()
    }

    /// The same, but on this thread, of the pool as it is, where the system gives none: for what must not be lost.
    ///
    /// - Throws: what `body` throws.
    public static func runAnywhere<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withCheckedContinuation { continuation in
            let work: @Sendable () -> Void = { continuation.resume(returning: Result(catching: body)) }
            if let thread = PlainThread(work) { thread.detach() } else { work() }
        }.get()
    }
}
