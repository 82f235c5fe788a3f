internal import Glibc
internal import Threads

/// Opens the system's browser: `xdg-open`, started without a shell.
///
/// It gets the address and the few variables that a desktop needs, but no open file and no terminal. The address holds
/// no token, and what comes back is useless without the code verifier, which is not in it. But state and challenge are:
/// another user of this machine who reads them in the process list could answer in the person's place, with a sign-in
/// of their own. So callers show who is signed in.
package enum SystemBrowser {
    /// What a desktop's browser needs to find its display, its bus and its settings.
    static let environmentNames = [
        "BROWSER", "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION", "DISPLAY", "HOME", "LANG", "LC_ALL", "LOGNAME",
        "PATH",
        "USER", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "WSL_INTEROP", "XAUTHORITY", "XDG_CONFIG_DIRS",
        "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE",
    ]

    /// Opens `url`.
    ///
    /// - Parameters:
    ///   - url: an address that begins with `https://` or `http://`.
    ///   - program: what opens it.
    /// - Returns: `false` where it could not be started or failed, so that the user opens the address.
    package static func open(_ url: String, with program: String = "xdg-open") async -> Bool {
        // Nothing that could be taken for an option or a file.
        guard url.hasPrefix("https://") || url.hasPrefix("http://") else { return false }
        return await OwnThread.run { start([program, url]) }
    }

    /// Starts a program of `PATH` and waits for its end.
    private static func start(_ arguments: [String]) -> Bool {
        let values = environmentNames.compactMap { name in
            unsafe getenv(name).map { unsafe "\(name)=\(String(cString: $0))" }
        }
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // libcurl's sockets would outlive us in a browser; closing a descriptor that is not open does no harm.
        for descriptor in 3..<highestDescriptor() + 1024 {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        // A group and a signal mask of its own: Ctrl-C in the terminal is meant for us.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

        var process = pid_t()
        let isStarted = unsafe withCStrings(arguments) { arguments in
            unsafe withCStrings(values) { values in
                guard let program = unsafe arguments[0] else { return false }
                return unsafe posix_spawnp(&process, program, &actions, &attributes, arguments, values) == 0
            }
        }
        guard isStarted else { return false }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }

    /// The highest descriptor of this process, or 255 where it is not known; other threads may be opening more.
    private static func highestDescriptor() -> Int32 {
        guard let folder = unsafe opendir("/proc/self/fd") else { return 255 }
        defer { unsafe closedir(folder) }
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        var highest: Int32 = 2
        while let entry = unsafe readdir(folder) {
            // The system allocates no more of a `dirent` than its name needs, so it must not be copied.
            let name = unsafe (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            highest = max(highest, unsafe atoi(name))
        }
        return highest
    }

    /// Lends `texts` as an array of C strings that ends with a null pointer.
    private static func withCStrings<Result>(
        _ texts: [String],
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
        return unsafe body(&pointers)
    }
}
