internal import Glibc

/// Blocks, on this thread, the signals of a write to a closed pipe or beyond the limit of a file's size.
///
/// The write reports the same by its error, and the signal would end a process that does not expect it. A signal that
/// arrived meanwhile is removed before it is delivered; one that was pending before stays.
struct BlockedWriteSignals {
    private var former = sigset_t()
    private var own = sigset_t()

    /// Blocks the signals, on this thread alone.
    init() {
        var pending = sigset_t()
        unsafe sigemptyset(&own)
        unsafe sigpending(&pending)
        for number in [SIGPIPE, SIGXFSZ] where unsafe sigismember(&pending, number) == 0 {
            unsafe sigaddset(&own, number)
        }
        unsafe pthread_sigmask(SIG_BLOCK, &own, &former)
    }

    /// Removes what arrived and restores the thread's signal mask.
    func end() {
        var (own, former) = (own, former)
        var now = timespec()
        while unsafe sigtimedwait(&own, nil, &now) > 0 {}
        unsafe pthread_sigmask(SIG_SETMASK, &former, nil)
    }
}
