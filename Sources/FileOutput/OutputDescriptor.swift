internal import Glibc

/// An open file, pipe or terminal that bytes are written to.
public struct OutputDescriptor: Sendable {
    /// The system's number of it.
    public let number: Int32

    /// The process's standard output.
    public static let standardOutput = OutputDescriptor(STDOUT_FILENO)

    /// What is open under a number.
    public init(_ number: Int32) { self.number = number }

    /// Writes all of `bytes`, waiting where it must.
    ///
    /// - Parameters:
    ///   - bytes: what is written.
    ///   - isCancelled: asked before each write and while a reader is waited for; `true` ends the writing.
    /// - Throws: `.interrupted`, or the system's reason.
    public func write(_ bytes: UnsafeRawBufferPointer, isCancelled: () -> Bool) throws(FileFault) {
        var rest = unsafe bytes
        while let base = rest.baseAddress, rest.count > 0 {
            let count = try retrying(isCancelled) { unsafe Glibc.write(number, base, rest.count) }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// The same in small steps, each once there is room for it: a signal that reaches another thread ends the waiting too.
    ///
    /// - Parameters:
    ///   - bytes: what is written; a text that people or programs read.
    ///   - isCancelled: asked ten times a second.
    /// - Throws: `.interrupted`, or the system's reason.
    public func writeInSteps(_ bytes: UnsafeRawBufferPointer, isCancelled: () -> Bool) throws(FileFault) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            var wanted = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
            while unsafe poll(&wanted, 1, 100) <= 0 { if isCancelled() { throw .interrupted } }
            // A pipe that has room at all has room for so many.
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
            // A signal makes a write that waits give up, with some bytes written or none.
            if isCancelled() { throw .interrupted }
            let count = write()
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN:  // somebody made standard output non-blocking, a neighbour in a pipeline or ssh
                var wanted = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                // Not for ever: another thread may have taken the signal.
                _ = unsafe poll(&wanted, 1, 100)
            case let code: throw .system(code)
            }
        }
    }
}
