import Glibc

/// A file that is read whole: not a pipe, which could keep a run waiting, and not larger than allowed.
struct SmallFile {
    let bytes: [UInt8]
    /// Its type and permissions.
    let mode: mode_t

    /// What keeps it from being read.
    enum Fault: Error {
        /// The system's `errno`.
        case system(Int32)
        /// What has the name is not a file.
        case noFile
        case tooLong
    }

    /// Reads the file at `path`, of `maximumByteCount` bytes at most.
    init(_ path: String, maximumByteCount: Int) throws(Fault) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .noFile }
        var bytes = [UInt8](repeating: 0, count: maximumByteCount + 1)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw .system(errno) }
        guard count <= maximumByteCount else { throw .tooLong }
        self.bytes = Array(bytes[..<count])
        mode = status.st_mode
    }
}
