internal import Glibc

/// Where a keystore is on disk: a folder of its owner's alone, and in it the file, its lock file, and for a moment the
/// file that will replace it.
struct KeystoreFolder: Sendable {
    /// The path of the keystore's file, as the user gave it.
    let path: String
    private let folderPath: String
    private let fileName: String
    private var lockName: String { fileName + ".lock" }
    private var nextName: String { fileName + ".next" }

    /// - Parameter path: such as `/home/anna/.local/share/pghd/keystore`; slashes at its end are ignored.
    init(path: String) {
        let path = String(path.prefix(1)) + path.dropFirst().trimmingSuffix("/")
        self.path = path
        let slash = path.lastIndex(of: "/")
        fileName = String(slash.map { path[path.index(after: $0)...] } ?? path[...])
        folderPath = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// All bytes of the file; `nil` where there is none.
    func read() throws(KeystoreError) -> [UInt8]? {
        guard let folder = try openFolder() else { return nil }
        return try placing(path) { () throws(KeystoreFault) in
            guard let file = try openFile(in: folder) else { return nil }
            var bytes = [UInt8](repeating: 0, count: KeystoreFile.maximumByteCount + 1)
            guard let count = unsafe bytes.withUnsafeMutableBytes({ unsafe file.read(into: $0) }) else {
                throw .system("read", errno)
            }
            return Array(bytes[..<count])
        }
    }

    /// Makes the file that is to replace this one, with room for as many bytes and `byteCount` more.
    ///
    /// Only the holder of the lock may call this, and must call `abandon` in the end, with or without `replace` in
    /// between.
    func prepare(_ byteCount: Int, under lock: KeystoreLock) throws(KeystoreError) {
        let folder = try existingFolder()
        try placing(path) { () throws(KeystoreFault) in
            // What a killed process left.
            unsafe unlinkat(folder.number, nextName, 0)
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
            guard let next = unsafe FileDescriptor(openat(folder.number, nextName, flags, 0o600)) else {
                throw .system("create", errno)
            }
            var present = stat()
            let isThere = unsafe fstatat(folder.number, fileName, &present, AT_SYMLINK_NOFOLLOW) == 0
            let systemError = posix_fallocate(next.number, 0, off_t(byteCount) + (isThere ? present.st_size : 0))
            guard systemError == 0 else {
                unsafe unlinkat(folder.number, nextName, 0)
                throw .system("write", systemError)
            }
        }
    }

    /// Removes what was prepared.
    func abandon(under lock: KeystoreLock) {
        guard let folder = try? openFolder() else { return }
        unsafe unlinkat(folder.number, nextName, 0)
    }

    /// Replaces the file with the one that was prepared, so that at any moment, even in a power cut, the old or the new
    /// one is there.
    ///
    /// Only the holder of the lock may call this.
    func replace(with bytes: [UInt8], under lock: KeystoreLock) throws(KeystoreError) {
        let folder = try existingFolder()
        try placing(path) { () throws(KeystoreFault) in
            let flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW
            guard let next = unsafe FileDescriptor(openat(folder.number, nextName, flags)) else {
                throw .system("create", errno)
            }
            guard fchmod(next.number, 0o600) == 0, next.write(bytes),
                ftruncate(next.number, off_t(bytes.count)) == 0, Self.isOnDisk(next),
                unsafe renameat(folder.number, nextName, folder.number, fileName) == 0,
                Self.isOnDisk(folder)
            else {
                throw .system("write", errno)
            }
        }
    }

    /// Waits until the disk has it; some network file systems can't do that (`EINVAL`).
    private static func isOnDisk(_ file: borrowing FileDescriptor) -> Bool {
        while fsync(file.number) != 0, errno != EINVAL {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// Opens the lock file; makes it and the folder where they are missing.
    func openLock() throws(KeystoreError) -> FileDescriptor {
        try makeFolder()
        let folder = try existingFolder()
        // No lock file is made next to something that is not a keystore.
        try placing(path) { () throws(KeystoreFault) in _ = try openFile(in: folder) }
        return try placing("\(path).lock") { () throws(KeystoreFault) in
            let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
            guard let file = unsafe FileDescriptor(openat(folder.number, lockName, flags, 0o600)) else {
                throw KeystoreFault(opening: errno)
            }
            try FileGuard.check(file, is: .store)
            return file
        }
    }

    /// Whether an open lock file is still the one that others find: somebody may have removed it meanwhile.
    func isLock(_ file: borrowing FileDescriptor) throws(KeystoreError) -> Bool {
        let folder = try existingFolder()
        var (own, found) = (stat(), stat())
        guard unsafe fstat(file.number, &own) == 0,
            unsafe fstatat(folder.number, lockName, &found, AT_SYMLINK_NOFOLLOW) == 0
        else { return false }
        return own.st_ino == found.st_ino && own.st_dev == found.st_dev
    }

    /// The folder, which the holder of the lock has made.
    private func existingFolder() throws(KeystoreError) -> FileDescriptor {
        guard let folder = try openFolder() else { throw .file(path: folderPath, .system("open", ENOENT)) }
        return folder
    }

    /// The keystore's file; `nil` where there is none.
    private func openFile(in folder: borrowing FileDescriptor) throws(KeystoreFault) -> FileDescriptor? {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        guard let file = unsafe FileDescriptor(openat(folder.number, fileName, flags)) else {
            if errno == ENOENT { return nil }
            throw KeystoreFault(opening: errno)
        }
        try FileGuard.check(file, is: .store)
        return file
    }

    private func openFolder() throws(KeystoreError) -> FileDescriptor? {
        // A keystore with the rest of the name would remove it as a leftover.
        guard !fileName.hasSuffix(".next"), !fileName.hasSuffix(".lock") else { throw .file(path: path, .reservedName) }
        return try placing(folderPath) { () throws(KeystoreFault) in
            let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY
            guard let folder = unsafe FileDescriptor(open(folderPath, flags)) else {
                let systemError = errno
                if systemError == ENOENT { return nil }
                // Linux reports a link that may not be followed as not a folder.
                var entry = stat()
                let isLink = unsafe lstat(folderPath, &entry) == 0 && entry.st_mode & S_IFMT == S_IFLNK
                throw isLink ? .symbolicLink : KeystoreFault(opening: systemError)
            }
            try FileGuard.check(folder, is: .folder)
            return folder
        }
    }

    /// Makes the folder, and any missing ones above it, each for its owner alone.
    private func makeFolder() throws(KeystoreError) {
        var missing: [Substring] = []
        var rest = folderPath[...]
        while unsafe mkdir(String(rest), 0o700) != 0 {
            let systemError = errno
            if systemError == EEXIST { break }
            guard systemError == ENOENT, let slash = rest.lastIndex(of: "/"), slash > rest.startIndex else {
                throw .file(path: String(rest), .system("make the folder", systemError))
            }
            missing.append(rest)
            rest = rest[..<slash]
        }
        for path in missing.reversed() {
            guard unsafe mkdir(String(path), 0o700) == 0 || errno == EEXIST else {
                throw .file(path: String(path), .system("make the folder", errno))
            }
        }
    }
}

/// Adds the path to a fault of `body`.
func placing<Result: ~Copyable>(
    _ path: String,
    _ body: () throws(KeystoreFault) -> Result
) throws(KeystoreError) -> Result {
    do throws(KeystoreFault) {
        return try body()
    } catch {
        throw .file(path: path, error)
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ character: Character) -> Substring {
        var rest = self
        while rest.last == character { rest.removeLast() }
        return rest
    }
}
