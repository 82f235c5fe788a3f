internal import Glibc
internal import Synchronization

/// Runs asynchronous work and waits for it on a plain thread.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let promise = Promise<Value>()
    Task {
        do { promise.keep(.success(try await body())) } catch { promise.keep(.failure(error)) }
    }
    return try promise.wait().get()
}

/// A result that one thread waits for and another brings.
final class Promise<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let arrival = Semaphore(0)

    func keep(_ result: Result<Value, any Error>) {
        self.result.withLock { $0 = result }
        arrival.signal()
    }

    func wait() -> Result<Value, any Error> {
        arrival.wait()
        guard let result = result.withLock(\.self) else { preconditionFailure("signalled without a result") }
        return result
    }
}

/// Counts what is free: a plain thread waits for one, any thread gives one back.
@safe
final class Semaphore: @unchecked Sendable {  // the system's semaphore guards itself
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init(_ count: Int) { unsafe sem_init(semaphore, 0, UInt32(count)) }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func wait() { while unsafe sem_wait(semaphore) != 0 {} }

    /// Waits, and calls `body` each time that so many seconds have passed without one that is free.
    func wait(everySeconds seconds: Int, _ body: () -> Void) {
        while !takeIfFree() {
            var end = timespec()
            unsafe clock_gettime(CLOCK_REALTIME, &end)
            end.tv_sec += seconds
            if unsafe sem_timedwait(semaphore, &end) == 0 { return }
            if errno == ETIMEDOUT { body() }
        }
    }

    /// Takes one that is free now.
    ///
    /// - Returns: whether there was one.
    func takeIfFree() -> Bool { unsafe sem_trywait(semaphore) == 0 }

    func signal() { unsafe sem_post(semaphore) }
}
