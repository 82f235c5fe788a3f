internal import Glibc
internal import Synchronization

/// Catches the signals that would end or stop the process, for as long as it lives, and reports them through a pipe: a
/// handler may run on any thread, and may do very little.
struct SignalPipe: ~Copyable {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
    /// The end that the handler writes to; -1 where there is none.
    private static let writeEnd = Atomic<Int32>(-1)

    private let reading: FileDescriptor
    private let writing: FileDescriptor
    private let previous: [sigaction]

    /// Begins to catch; `nil` where the system has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0,
            let reading = FileDescriptor(ends[0]), let writing = FileDescriptor(ends[1])
        else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        Self.writeEnd.store(writing.number, ordering: .sequentiallyConsistent)
        self.reading = reading
        self.writing = writing
        previous = Self.numbers.map { number in
            var previous = sigaction()
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = { number in SignalPipe.forward(number) }
            unsafe sigaction(number, &action, &previous)
            // `nohup` asks for a process that outlives its terminal.
            let isIgnored = unsafe unsafeBitCast(previous.__sigaction_handler.sa_handler, to: Int.self) == 1
            if isIgnored { unsafe sigaction(number, &previous, nil) }
            return previous
        }
    }

    deinit {
        for index in previous.indices {
            var action = previous[index]
            unsafe sigaction(Self.numbers[index], &action, nil)
        }
        Self.writeEnd.store(-1, ordering: .sequentiallyConsistent)
    }

    /// Waits until `input` can be read; returns the signal if one came first.
    func waitForInput(of input: borrowing FileDescriptor) -> Int32? {
        while true {
            var wanted = [
                pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input.number, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&wanted, nfds_t(wanted.count), -1)
            var number: UInt8 = 0
            if unsafe read(reading.number, &number, 1) == 1 { return Int32(number) }
            if wanted[1].revents != 0 { return nil }
        }
    }

    private static func forward(_ number: Int32) {
        let systemError = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(writeEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = systemError
    }
}
