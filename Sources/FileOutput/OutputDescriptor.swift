internal import Glibc

/// An open file, pipe or terminal that bytes are written to.
public struct OutputDescriptor: Sendable {
    /// Its number in the system.
    public let number: Int32

    /// The process's standard output.
    public static let standardOutput = OutputDescriptor(STDOUT_FILENO)

    /// The file that is open under a number.
    public init(_ number: Int32) { self.number = number }

    /// Writes all of `bytes`, waiting if necessary.
    ///
    /// - Parameters:
    ///   - bytes: the bytes to write.
    ///   - isCancelled: asked before each write and while a reader is waited for; `true` ends the writing.
    /// - Throws: `.interrupted`, or the system's reason.
    public func write(_ bytes: UnsafeRawBufferPointer, isCancelled: () -> Bool) throws(FileFault) {
        var rest = unsafe bytes
        while let base = rest.baseAddress, rest.count > 0 {
            let count = try retrying(isCancelled) { unsafe Glibc.write(number, base, rest.count) }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// The same in small steps, each once there is room for it, so that a signal that reaches another thread also ends
    /// the wait.
    ///
    /// - Parameters:
    ///   - bytes: the bytes to write, of a text for people or programs.
    ///   - isCancelled: asked ten times a second.
    /// - Throws: `.interrupted`, or the system's reason.
    public func writeInSteps(_ bytes: UnsafeRawBufferPointer, isCancelled: () -> Bool) throws(FileFault) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            var wanted = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
            while unsafe poll(&wanted, 1, 100) <= 0 { if isCancelled() { throw .interrupted } }
            // A pipe that has any room has room for this many bytes.
            let step = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(4096))
            try unsafe write(step, isCancelled: isCancelled)
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[step.count...])
        }
    }

    /// Calls the system until it takes bytes.
    ///
    /// - Parameters:
    ///   - isCancelled: asked before each call and while a reader is waited for; `true` ends the writing.
    ///   - write: the system's `write` or `writev` to this descriptor.
    /// - Returns: how many bytes it took.
    /// - Throws: `.interrupted`, or the system's reason.
    public func retrying(_ isCancelled: () -> Bool, _ write: () -> Int) throws(FileFault) -> Int {
        while true {
            // A signal makes a waiting write return, with some bytes written or none.
            if isCancelled() { throw .interrupted }
            let count = write()
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN:  // somebody made standard output non-blocking, a neighbour in a pipeline or ssh
                var wanted = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                // Waits for a limited time: another thread may have taken the signal.
                _ = unsafe poll(&wanted, 1, 100)
            case let code: throw .system(code)
            }
        }
    }
}
