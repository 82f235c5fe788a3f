import FileOutput
import Glibc

/// A file that is read whole: not a pipe, which could keep a run waiting, and not larger than allowed.
struct SmallFile {
    let bytes: [UInt8]
    /// Whether anyone but its owner may read or write it.
    let isOpenToOthers: Bool
    /// Whether anyone but the user and root may change it; a user's own group does not count as others.
    let isChangeableByOthers: Bool

    /// What keeps it from being read.
    enum Fault: Error {
        /// The system's `errno`.
        case system(Int32)
        /// What has the name is not a file.
        case noFile
        case tooLong(maximumByteCount: Int)

        /// The reason in words.
        var reason: String {
            switch self {
            case .system(let code): FileFault.system(code).reason
            case .noFile: "it is not a file"
            case .tooLong(let maximumByteCount): "it has more than \(maximumByteCount >> 10) KiB"
            }
        }
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
        guard count <= maximumByteCount else { throw .tooLong(maximumByteCount: maximumByteCount) }
        self.bytes = Array(bytes[..<count])
        isOpenToOthers = status.st_mode & (S_IRWXG | S_IRWXO) != 0
        let isOwn = geteuid() == 0 || status.st_uid == geteuid() || status.st_uid == 0
        let isShared = status.st_mode & S_IWGRP != 0 && status.st_gid != getegid()
        isChangeableByOthers = !isOwn || isShared || status.st_mode & S_IWOTH != 0
    }
}
