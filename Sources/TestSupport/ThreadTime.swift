internal import Glibc

/// The processor's time that work takes on the thread that calls, whatever other tests do beside it.
///
/// - Parameter work: runs on this thread alone.
/// - Returns: seconds.
/// - Throws: what `work` throws.
public func threadSeconds(_ work: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try work()
    return now() - start
}
