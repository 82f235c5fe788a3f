internal import Glibc
internal import Synchronization

/// Catches the signals that would end or stop the process, for as long as it lives, and reports them through a pipe: a
/// handler may run on any thread, and may do very little.
struct SignalPipe: ~Copyable {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
    /// The end that is read; -1 before the first use.
    ///
    /// The pipe is never closed: a handler that has begun on another thread may still write, and its byte must not go
    /// to what has been opened under the same number since.
    private static let readEnd = Mutex<Int32>(-1)
    /// The end that the handler writes to.
    private static let writeEnd = Atomic<Int32>(-1)

    private let reading: Int32
    private let previous: [sigaction]

    /// Begins to catch; `nil` where the system has no descriptors left.
    init?() {
        guard let reading = Self.open() else { return nil }
        self.reading = reading
        // What came when nobody caught any more.
        while Self.next(reading) != nil {}
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
        // Those that came after the wait are for whoever caught them before.
        while let number = Self.next(reading) { kill(getpid(), number) }
    }

    /// Waits until `input` can be read; returns the signal if one came first.
    func waitForInput(of input: borrowing FileDescriptor) -> Int32? {
        while true {
            var wanted = [
                pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input.number, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&wanted, nfds_t(wanted.count), -1)
            if let number = Self.next(reading) { return number }
            if wanted[1].revents != 0 { return nil }
        }
    }

    /// Makes the pipe, once in a process; returns the end that is read.
    private static func open() -> Int32? {
        readEnd.withLock { reading in
            if reading >= 0 { return reading }
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else { return nil }
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            reading = ends[0]
            writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
            return reading
        }
    }

    /// A signal that has come and was not taken yet.
    private static func next(_ reading: Int32) -> Int32? {
        var number: UInt8 = 0
        return unsafe read(reading, &number, 1) == 1 ? Int32(number) : nil
    }

    private static func forward(_ number: Int32) {
        let systemError = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(writeEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = systemError
    }
}
