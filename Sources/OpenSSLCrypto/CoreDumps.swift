internal import COpenSSL
internal import Glibc

/// Whether a crash of this process may show what is in its memory.
public enum CoreDumps {
    /// Forbids it from here on: no core file, no other process of the user that looks inside, no backtrace with
    /// registers and memory from Swift's runtime.
    ///
    /// Call it at the start: an export in memory is about somebody's health, and a token may be read at any time. The
    /// limit on the size of a core file, which child processes inherit, applies only to files, and not where the system
    /// pipes it to a program: there `PR_SET_DUMPABLE` keeps it from being made.
    ///
    /// Source: prctl(2), `PR_SET_DUMPABLE`; setrlimit(2), `RLIMIT_CORE`; `SWIFT_BACKTRACE`.
    public static func forbid() {
        _ = pghd_forbid_dumps()
        forbidTraces()
    }

    /// Forbids the core file, and returns the signals of a crash to the system, so that Swift's runtime shows nothing.
    private static func forbidTraces() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV] {
            var action = sigaction()
            // The system's default: to end the process.
            unsafe action.__sigaction_handler.sa_handler = nil
            unsafe sigaction(number, &action, nil)
        }
    }
}
