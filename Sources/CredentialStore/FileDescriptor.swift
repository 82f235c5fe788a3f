internal import Glibc

/// Owns one open file or folder and closes it exactly once.
struct FileDescriptor: ~Copyable, Sendable {
    /// The system's number for it.
    let number: Int32

    /// Takes over a descriptor that was just opened; `nil` for -1, which leaves `errno`.
    init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { close(number) }

    /// What the system knows about it.
    func status() -> stat {
        var status = stat()
        // This can't fail for an open descriptor.
        unsafe fstat(number, &status)
        return status
    }

    /// Reads until `buffer` is full or the end is reached; `nil` where the system refuses.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        var filled = 0
        while filled < buffer.count {
            let step = unsafe Glibc.read(number, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
            if step == 0 { break }
            if step > 0 { filled += step } else if errno != EINTR { return nil }
        }
        return filled
    }

    /// Writes all of `bytes`; `false` where the system refuses.
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let step = unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            if step > 0 { rest = rest.dropFirst(step) } else if errno != EINTR { return false }
        }
        return true
    }
}
