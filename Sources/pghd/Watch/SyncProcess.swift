import CGlibc
import FileOutput
import Glibc

/// `pghd sync` in a process of its own: whatever happens to it, the watch goes on, and its memory is freed with it.
struct SyncProcess {
    /// How it ended.
    enum Ending: Equatable {
        /// With this code; `of` says what the failure concerns, where that is not the server.
        case exited(Int32, of: WatchedFailure.Matter? = nil)
        case killed(signal: Int32)
        /// It could not be started or waited for, and why, as the system says.
        case notStarted(reason: String)

        /// Its exit code, where it is one of ours.
        var status: ExitStatus? { code.flatMap { ExitStatus(rawValue: $0) } }

        /// What its failure concerns, where that is not the server.
        var matter: WatchedFailure.Matter? { if case .exited(_, let matter) = self { matter } else { nil } }

        /// Its exit code, where it has one.
        var code: Int32? { if case .exited(let code, _) = self { code } else { nil } }
    }

    /// Runs it, without a terminal to ask at, and waits for its end.
    ///
    /// - Parameters:
    ///   - arguments: those after `pghd`.
    ///   - input: becomes its standard input.
    ///   - kept: a descriptor that it gets under the same number.
    ///   - isCaught: whether what it prints is handed back instead of printed.
    ///   - isCancelled: asked often; if it is, the run is told to end, as by Ctrl-C, and waited for.
    /// - Returns: how it ended, and what it printed.
    static func run(
        _ arguments: [String],
        input: Int32,
        kept: Int32?,
        isCaught: Bool,
        isCancelled: () -> Bool
    ) -> (ending: Ending, printed: [UInt8]) {
        let pipe = isCaught ? SyncPipe() : nil
        var process = pid_t()
        let code = isCaught && pipe == nil ? errno : start(["pghd"] + arguments, input, pipe?.writing, kept, &process)
        guard code == 0 else { return (.notStarted(reason: FileFault.system(code).reason), []) }
        pipe?.closeWriting()
        let opened = OpenProcess(process)
        var printed: [UInt8] = []
        var status: Int32 = 0
        var wasTold = false
        while true {
            let ended = unsafe waitpid(process, &status, WNOHANG)
            if ended == process { break }
            // How it ended is not known, so it does not count as done.
            guard ended == 0 || errno == EINTR else {
                return (.notStarted(reason: FileFault.system(errno).reason), printed)
            }
            if isCancelled(), !wasTold {
                // Once: another signal, a second or more later, would end it at once.
                kill(process, SIGINT)
                wasTold = true
            }
            // The run waits while the pipe is full.
            printed += pipe?.read() ?? []
            opened.waitForEnd(milliseconds: 50)
        }
        printed += pipe?.read() ?? []
        let signal = status & 0x7F
        guard signal == 0 else { return (.killed(signal: signal), printed) }
        let exit = status >> 8 & 0xFF
        let matters = ExitStatus(rawValue: exit) == nil ? WatchedFailure.Matter.allCases : []
        let matter = matters.first { exit > $0.rawValue && ExitStatus(rawValue: exit - $0.rawValue) != nil }
        return (.exited(exit - (matter?.rawValue ?? 0), of: matter), printed)
    }

    /// `POSIX_SPAWN_SETSID`, a macro that Swift can't read.
    private static let setSession: Int16 = 0x80

    /// - Returns: 0, or the system's error code.
    private static func start(
        _ arguments: [String],
        _ input: Int32,
        _ output: Int32?,
        _ kept: Int32?,
        _ process: inout pid_t
    ) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        if let output { unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        // Onto itself, since otherwise it is closed.
        if let kept { unsafe posix_spawn_file_actions_adddup2(&actions, kept, kept) }
        // Without a terminal, a locked keystore is an error instead of a question.
        unsafe posix_spawnattr_setflags(&attributes, setSession)
        var strings = unsafe arguments.map { unsafe strdup($0) }
        unsafe strings.append(nil)
        defer { for index in unsafe strings.indices { unsafe free(strings[index]) } }
        return unsafe posix_spawn(&process, "/proc/self/exe", &actions, &attributes, strings, environ)
    }
}

/// A process that is waited for without polling: with thousands of short runs, polling would be a third of the time.
private struct OpenProcess: ~Copyable {
    /// -1 where the kernel is older than 5.3 or there are too many descriptors.
    private let descriptor: Int32

    init(_ process: pid_t) { descriptor = pghd_open_process(process) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Waits until it has ended, at most this long; always this long where it could not be opened.
    func waitForEnd(milliseconds: Int32) {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&wait, 1, milliseconds)
    }
}

/// The pipe from a run's standard output to the watch.
private final class SyncPipe {
    private let reading: Int32
    private(set) var writing: Int32

    /// - Returns: `nil` where the process has too many descriptors.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        (reading, writing) = (ends[0], ends[1])
        // The run has its own copy of the writing end, as its standard output.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    }

    deinit {
        closeWriting()
        close(reading)
    }

    /// Closes the writing end here, so that only the run has it.
    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// What is in it now.
    func read() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(reading, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }
}
