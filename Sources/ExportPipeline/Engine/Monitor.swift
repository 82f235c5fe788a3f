internal import Glibc
internal import Synchronization

/// A lock and a condition in one: threads wait until something that they check has changed.
///
/// It is held for microseconds, a few times per chunk of 160 KiB. Plain threads block on it, so nothing here touches
/// Swift's cooperative pool, whose width is the number of cores.
@safe
final class Monitor: @unchecked Sendable {  // the mutex guards itself; what it guards is its owner's business
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// How many times something has changed.
    private let version = Atomic(0)

    init() {
        unsafe pthread_mutex_init(mutex, nil)
        // Timed waits use this clock, since the wall clock may be set back meanwhile.
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs `body`, which changes what others wait for, with the lock held, and wakes the others.
    func change<Result>(_ body: () -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            version.add(1, ordering: .relaxed)
            unsafe pthread_cond_broadcast(condition)
            unsafe pthread_mutex_unlock(mutex)
        }
        return body()
    }

    /// Waits, with the lock held, until `body` returns a value.
    ///
    /// `body` must not change anything that others wait for, because it wakes nobody.
    func wait<Result>(for body: () -> Result?) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body() { return result }
            if isChangedSoon() { continue }
            unsafe pthread_cond_wait(condition, mutex)
        }
    }

    /// Whether something has changed, some 30 µs later at most; the lock is released meanwhile.
    ///
    /// Most often, threads that share the work wait for each other no longer than that. To be put to sleep and woken
    /// costs as much again, and took a tenth of a conversion's time.
    private func isChangedSoon() -> Bool {
        let seen = version.load(ordering: .relaxed)
        unsafe pthread_mutex_unlock(mutex)
        for _ in 0..<100 {
            if version.load(ordering: .relaxed) != seen { break }
            sched_yield()
        }
        unsafe pthread_mutex_lock(mutex)
        // Asked with the lock held: what changes from here on wakes whoever goes to sleep.
        return version.load(ordering: .relaxed) != seen
    }

    /// Waits like `wait(for:)`, but a tenth of a second at most: for events that no thread announces, such as a signal.
    ///
    /// - Returns: the value of `body`, which is also called at the end of the time; `nil` if it has none.
    func waitBriefly<Result>(for body: () -> Result?) -> Result? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        if let result = body() { return result }
        var limit = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &limit)
        limit.tv_nsec += 100_000_000
        if limit.tv_nsec >= 1_000_000_000 {
            limit.tv_nsec -= 1_000_000_000
            limit.tv_sec += 1
        }
        while unsafe pthread_cond_timedwait(condition, mutex, &limit) == 0 {
            if let result = body() { return result }
        }
        return body()
    }
}
