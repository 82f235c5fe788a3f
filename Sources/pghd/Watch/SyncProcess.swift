import Glibc

/// `pghd sync` in a process of its own: whatever happens to it, the watch goes on, and its memory goes with it.
struct SyncProcess {
    /// Runs it, without a terminal to ask at, and waits for its end.
    ///
    /// - Parameters:
    ///   - arguments: those behind `pghd`.
    ///   - isCancelled: asked often; then it is told to end, as by Ctrl-C, and waited for.
    /// - Returns: its exit code; `nil` where it could not be started or was killed.
    static func run(_ arguments: [String], isCancelled: () -> Bool) -> Int32? {
        guard let process = start(["pghd"] + arguments) else { return nil }
        var status: Int32 = 0
        var wasTold = false
        while unsafe waitpid(process, &status, WNOHANG) == 0 {
            if isCancelled(), !wasTold {
                // Not what a service's manager or a terminal has sent it: the second of a kind would end it at once.
                kill(process, SIGINT)
                wasTold = true
            }
            usleep(50_000)
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    /// `POSIX_SPAWN_SETSID`, a macro that Swift can't read.
    private static let setSession: Int16 = 0x80

    private static func start(_ arguments: [String]) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        // Without a terminal a keystore that is locked is an error instead of a question.
        unsafe posix_spawnattr_setflags(&attributes, setSession)
        var strings = unsafe arguments.map { unsafe strdup($0) }
        unsafe strings.append(nil)
        defer { for index in unsafe strings.indices { unsafe free(strings[index]) } }
        var process = pid_t()
        let code = unsafe posix_spawn(&process, "/proc/self/exe", &actions, &attributes, strings, environ)
        return code == 0 ? process : nil
    }
}
