internal import Glibc

/// Keeps this thread from the signals of a write to a closed pipe or beyond the limit of a file's size: what they tell,
/// the write tells too, and a process that does not expect them would be ended.
///
/// One that came meanwhile is taken away before its thread hears of it; one that was blocked before stays.
struct BlockedWriteSignals {
    private var former = sigset_t()
    private var own = sigset_t()

    /// Blocks them, on this thread alone.
    init() {
        var pending = sigset_t()
        unsafe sigemptyset(&own)
        unsafe sigpending(&pending)
        for number in [SIGPIPE, SIGXFSZ] where unsafe sigismember(&pending, number) == 0 {
            unsafe sigaddset(&own, number)
        }
        unsafe pthread_sigmask(SIG_BLOCK, &own, &former)
    }

    /// Gives the thread back as it was.
    func end() {
        var (own, former) = (own, former)
        var now = timespec()
        while unsafe sigtimedwait(&own, nil, &now) > 0 {}
        unsafe pthread_sigmask(SIG_SETMASK, &former, nil)
    }
}
