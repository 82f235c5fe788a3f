import Glibc

/// Owns one open file, folder or pipe and closes it exactly once.
struct FileDescriptor: ~Copyable, Sendable {
    /// What a descriptor or a name refers to.
    enum FileKind {
        case regularFile, folder, stream, symbolicLink, other
    }

    private let number: Int32

    private init(number: Int32) throws(InputFault) {
        guard number >= 0 else { throw InputFault(systemError: errno) }
        self.number = number
    }

    /// Opens `path` for reading, following symbolic links, since the user gave it.
    init(path: String) throws(InputFault) {
        // The system takes a path as a C string and would ignore everything after a NUL.
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .missing }
        try self.init(number: retrying { unsafe open(path, O_RDONLY | O_CLOEXEC) })
    }

    /// Opens the entry `name` of `folder`, refusing symbolic links and never blocking on a pipe.
    init(name: [UInt8], in folder: borrowing FileDescriptor) throws(InputFault) {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        let folderNumber = folder.number
        try self.init(number: retrying { unsafe openat(folderNumber, cString(name), flags) })
    }

    /// A new descriptor for the process's standard input.
    static func standardInput() throws(InputFault) -> FileDescriptor {
        try FileDescriptor(number: fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3))
    }

    deinit { close(number) }

    /// Hands the descriptor over to the caller, who must close it.
    consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// What this is, and its size, which is meaningful for a regular file only.
    func status() throws(InputFault) -> (kind: FileKind, byteCount: UInt64) {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw InputFault(systemError: errno) }
        return (FileKind(mode: status.st_mode), UInt64(clamping: status.st_size))
    }

    /// A regular file's current size and modification time; `nil` for a pipe.
    func stamp() throws(InputFault) -> FileStamp? { try FileStamp(descriptor: number) }

    /// The same with the inode and change time, to compare with a folder's listing.
    func listedStamp() throws(InputFault) -> ListedStamp? {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw InputFault(systemError: errno) }
        return FileKind(mode: status.st_mode) == .regularFile ? ListedStamp(status) : nil
    }

    /// Which file this is.
    func identity() throws(InputFault) -> (device: UInt64, inode: UInt64) {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw InputFault(systemError: errno) }
        return (UInt64(status.st_dev), UInt64(status.st_ino))
    }

    /// What the entry `name` of this folder is, without following a symbolic link.
    func status(ofEntry name: [UInt8]) throws(InputFault) -> (kind: FileKind, stamp: ListedStamp) {
        var status = stat()
        guard unsafe fstatat(number, cString(name), &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw InputFault(systemError: errno)
        }
        return (FileKind(mode: status.st_mode), ListedStamp(status))
    }

    /// The number of bytes from here to the end of a regular file; `nil` for a pipe.
    func remainingByteCount() throws(InputFault) -> UInt64? {
        let (kind, byteCount) = try status()
        guard kind == .regularFile else { return nil }
        let position = UInt64(clamping: lseek(number, 0, SEEK_CUR))
        return byteCount - min(position, byteCount)
    }

    /// Tells the system to read far ahead; has no effect if it can't.
    func expectSequentialReading() {
        _ = posix_fadvise(number, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    /// The bytes of a regular file from `offset` on, fewer than `count` if it ends earlier.
    func bytes(at offset: UInt64, count: Int) throws(InputFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count, let position = off_t(exactly: offset &+ UInt64(filled)) {
            let step = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(number, buffer.baseAddress?.advanced(by: filled), count - filled, position)
            }
            if step == 0 { break }
            if step > 0 { filled += step } else if errno != EINTR { throw InputFault(systemError: errno) }
        }
        return Array(bytes.prefix(filled))
    }

    /// Waits until there is something to read, or the end, or an error.
    ///
    /// - Throws: `.readFailure(systemError: ECANCELED)` as soon as `isCancelled` says so.
    func waitForInput(unless isCancelled: () -> Bool) throws(InputFault) {
        var wanted = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&wanted, 1, 100) <= 0 {
            if isCancelled() { throw .readFailure(systemError: ECANCELED) }
        }
    }

    /// Reads at least one byte into `buffer`, 0 only at the end; waits even if the descriptor is non-blocking.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFault) -> Int {
        while true {
            let count = unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN:  // somebody made standard input non-blocking
                var wanted = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&wanted, 1, -1)
            case let systemError: throw InputFault(systemError: systemError)
            }
        }
    }
}

extension FileDescriptor.FileKind {
    fileprivate init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .regularFile
        case S_IFDIR: self = .folder
        case S_IFIFO, S_IFCHR, S_IFSOCK: self = .stream
        case S_IFLNK: self = .symbolicLink
        default: self = .other
        }
    }
}

private func retrying(_ call: () -> Int32) -> Int32 {
    while true {
        let result = call()
        guard result < 0, errno == EINTR else { return result }
    }
}

private func cString(_ name: [UInt8]) -> [CChar] {
    name.map { CChar(truncatingIfNeeded: $0) } + [0]
}

/// Shows whether a listed file was replaced by another or written to.
///
/// The inode's change time, which nobody can set, distinguishes two files that were unpacked with the same times. But a
/// backup's hard link changes it too, and some file systems give new inode numbers during a run, so the stamp matches
/// if either of the two does.
struct ListedStamp: Equatable {
    let content: FileStamp
    private let changeSeconds, changeNanoseconds: Int64
    private let device, inode: UInt64

    static func == (stamp: ListedStamp, other: ListedStamp) -> Bool {
        let isUnchanged =
            stamp.changeSeconds == other.changeSeconds && stamp.changeNanoseconds == other.changeNanoseconds
        let isSameInode = stamp.device == other.device && stamp.inode == other.inode
        return stamp.content == other.content && (isUnchanged || isSameInode)
    }

    var byteCount: UInt64 { UInt64(clamping: content.byteCount) }

    fileprivate init(_ status: stat) {
        content = FileStamp(status)
        changeSeconds = Int64(status.st_ctim.tv_sec)
        changeNanoseconds = Int64(status.st_ctim.tv_nsec)
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}

/// Shows whether a file was written to.
struct FileStamp: Equatable {
    let byteCount, seconds, nanoseconds: Int64

    /// The stamp of the open file `number`; `nil` if it is not a regular file.
    init?(descriptor number: Int32) throws(InputFault) {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw InputFault(systemError: errno) }
        guard FileDescriptor.FileKind(mode: status.st_mode) == .regularFile else { return nil }
        self.init(status)
    }

    fileprivate init(_ status: stat) {
        byteCount = Int64(status.st_size)
        seconds = Int64(status.st_mtim.tv_sec)
        nanoseconds = Int64(status.st_mtim.tv_nsec)
    }
}
