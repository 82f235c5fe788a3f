internal import Glibc

/// A thread that its owner joins or detaches.
///
/// It blocks all signals, so that they reach the threads that handle them.
package struct PlainThread: Sendable {
    private let handle: pthread_t

    /// Starts `body` on a new thread; `nil` where the system gives none.
    package init?(_ body: @escaping @Sendable () -> Void) {
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
        guard code == 0 else {
            unsafe box.release()
            return nil
        }
        self.handle = handle
    }

    /// Waits until the thread has ended.
    package func join() { pthread_join(handle, nil) }

    /// Lets the thread end by itself, without being joined: for a thread that waits for something that may never come.
    package func detach() { pthread_detach(handle) }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
