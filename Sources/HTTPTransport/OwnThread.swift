internal import Glibc

/// A plain thread for what blocks: the cooperative pool is as wide as the machine has cores.
///
/// It blocks all signals, so that they reach the threads that expect them.
public enum OwnThread {
    /// Starts `body` on a thread that ends with it.
    public static func start(_ body: @escaping @Sendable () -> Void) {
        let box = unsafe Unmanaged.passRetained(Body(body))
        var handle: pthread_t = 0
        let code = unsafe pthread_create(
            &handle,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                var signals = sigset_t()
                unsafe sigfillset(&signals)
                unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
                unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            box.toOpaque()
        )
        precondition(code == 0, "no thread could be started")
        pthread_detach(handle)
    }

    /// What `body` returns, which runs on a thread of its own.
    public static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            start { continuation.resume(returning: body()) }
        }
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
