internal import COpenSSL
internal import Glibc

/// Whether the system may write this process's memory to a file when it crashes.
public enum CoreDumps {
    /// Forbids it from here on, and with it that processes of the same user look inside.
    ///
    /// Call it before the first secret is read. The limit is inherited by child processes.
    ///
    /// Source: prctl(2), `PR_SET_DUMPABLE`; setrlimit(2), `RLIMIT_CORE`.
    public static func forbid() {
        _ = pghd_forbid_dumps()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }
}
