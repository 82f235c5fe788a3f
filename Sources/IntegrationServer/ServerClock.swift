import Glibc

/// The time, as milliseconds since 1970; a test's clock stands still until it is moved.
struct ServerClock: Sendable {
    let now: @Sendable () -> Int64

    static let system = ServerClock {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
