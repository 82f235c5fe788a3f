internal import FileOutput
internal import Glibc
internal import OpenSSLCrypto
internal import TransactionBundling

/// Where one ledger lies: a file for each server and patient, and its lock.
///
///     ~/.local/state/pghd/3f1c…9a.ledger    3f1c…9a.lock    3f1c…9a.quarantine/
///
/// The name is the first 32 hex digits of SHA-256( "ledger" ␟ server ␟ patient ), so that a listing
/// names nobody.
struct LedgerFile: Sendable {
    let folder: String
    let name: String
    /// Whether a run works on a copy, which is removed when it ends.
    var isCopy = false

    /// The place for a server and a patient below `folder`.
    init(folder: String, server: String, patientID: String) {
        self.folder = folder
        var hash = SHA256()
        hash.update(["ledger", server, patientID].joined(separator: "\u{1F}"))
        name = String(hash.digest().hex.prefix(32))
    }

    /// A place whose name was found in `folder`.
    init(folder: String, name: String) {
        self.folder = folder
        self.name = name
    }

    /// The name of the ledger that a file belongs to, from the file's name; `nil` for any other file.
    static func name(inFile file: String) -> String? {
        let name = file.prefix { $0 != "." }
        return name.utf8.count == 32 && name.utf8.allSatisfy(\.isLowercaseHex) ? String(name) : nil
    }

    var path: String { isCopy ? copyPath : original }
    /// The ledger itself, of which a dry run makes a copy.
    var original: String { "\(folder)/\(name).ledger" }
    private var copyPath: String { "\(original).dry-run" }
    var lockPath: String { "\(folder)/\(name).lock" }
    var quarantinePath: String { "\(folder)/\(name).quarantine" }
    /// Where a ledger that is to take this one's place is built.
    var rebuildPath: String { path + ".rebuild" }

    /// Makes the folder, for its owner alone, and those above it.
    func makeFolder() throws(DeliveryError) {
        guard !folder.isEmpty, !folder.utf8.contains(0) else {
            throw .ledgerUnwritable(path: folder, reason: "it is not a path")
        }
        var path = ""
        for part in folder.split(separator: "/") {
            path += (path.isEmpty && !folder.hasPrefix("/") ? "" : "/") + part
            guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
            // A folder above may be closed to us and exist all the same.
            let code = errno
            guard unsafe access(path, F_OK) != 0 else { continue }
            throw .ledgerUnwritable(folder, code)
        }
        try checkFolder()
    }

    /// Refuses a folder that others may write to: anyone who puts an SQLite log next to a ledger reads it, and changes
    /// what it says.
    private func checkFolder() throws(DeliveryError) {
        var status = stat()
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .ledgerUnwritable(folder, errno) }
        defer { close(descriptor) }
        guard unsafe fstat(descriptor, &status) == 0 else { throw .ledgerUnwritable(folder, errno) }
        var mode = status.st_mode & 0o7777
        // The group's write bit is removed, as some systems set it again at each start (Kubernetes, for a volume's
        // group).
        if mode & S_IWGRP != 0, mode & S_IWOTH == 0, status.st_uid == geteuid(),
            fchmod(descriptor, mode & ~S_IWGRP) == 0
        {
            mode &= ~S_IWGRP
        }
        let isOwn = geteuid() == 0 || status.st_uid == geteuid() || status.st_uid == 0
        // A user's own group, which some systems let write, does not count as others.
        let isShared = mode & S_IWGRP != 0 && status.st_gid != getegid()
        guard isOwn, !isShared, mode & S_IWOTH == 0 else { throw .ledgerExposed(path: folder) }
    }

    /// Takes the lock that a run holds; the system gives it back when the process ends, however it ends.
    func lock() throws(DeliveryError) -> LedgerLock {
        while true {
            let descriptor = unsafe open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else {
                throw .ledgerUnwritable(lockPath, errno)
            }
            let lock = LedgerLock(descriptor)
            try Self.checkOwner(descriptor, lockPath)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                guard errno != EINTR else { continue }
                throw errno == EWOULDBLOCK
                    ? .ledgerBusy(path: original)
                    : .ledgerUnwritable(lockPath, errno)
            }
            // If the ledger was forgotten in the meantime, the opened file has been removed: its lock keeps nobody out.
            if lock.isAt(lockPath) { return lock }
        }
    }

    /// Makes the copy, whole or not at all, with what SQLite's log holds.
    ///
    /// Under the ledger's lock, so that nobody writes in the meantime.
    func copy() throws(DeliveryError) {
        var isWhole = false
        defer { if !isWhole { removeCopy() } }
        for suffix in ["", "-wal"] where unsafe access(original + suffix, F_OK) == 0 {
            let source = unsafe open(original + suffix, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            defer { if source >= 0 { close(source) } }
            let target = unsafe open(path + suffix, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            defer { if target >= 0 { close(target) } }
            guard source >= 0, target >= 0 else {
                throw .ledgerUnwritable(path, errno)
            }
            var count = 0
            repeat {
                count = sendfile(target, source, nil, 1 << 30)
                guard count >= 0 else { throw .ledgerUnwritable(path, errno) }
            } while count > 0
        }
        isWhole = true
    }

    /// Whether there is a ledger.
    var isThere: Bool { unsafe access(path, F_OK) == 0 }

    /// Removes the copy.
    func removeCopy() { Self.remove(copyPath) }

    /// Makes the file before SQLite does, so that nobody else can read it even for a moment, and checks the files that
    /// SQLite would read with it.
    func touch(_ path: String) throws(DeliveryError) {
        for suffix in ["-wal", "-shm", "-journal"] {
            let descriptor = unsafe open(path + suffix, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else {
                if errno == ENOENT { continue }
                throw .ledgerUnwritable(path + suffix, errno)
            }
            defer { close(descriptor) }
            try Self.checkOwner(descriptor, path + suffix)
        }
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .ledgerUnwritable(path, errno) }
        defer { close(descriptor) }
        try Self.checkOwner(descriptor, path)
    }

    /// Refuses a file that somebody else has put there, who could read and change what is written; root may open
    /// anybody's.
    private static func checkOwner(_ descriptor: Int32, _ path: String) throws(DeliveryError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .ledgerUnwritable(path, errno)
        }
        guard geteuid() == 0 || status.st_uid == geteuid() else {
            throw .ledgerUnwritable(path: path, reason: "it belongs to another user")
        }
        // As after a backup that did not keep modes.
        if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
    }

    /// Which file the ledger is, by device and inode; `nil` where it is not there.
    var identity: [UInt]? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? [UInt(status.st_dev), UInt(status.st_ino)] : nil
    }

    /// Whether the lock is still where the run took it.
    func holds(_ lock: LedgerLock) -> Bool { lock.isAt(lockPath) }

    /// Puts a rebuilt ledger in the place of the one before; both are closed.
    func replace() throws(DeliveryError) {
        // A log that is left there would be taken for the new one's.
        for suffix in ["-wal", "-shm"] { _ = unsafe unlink(path + suffix) }
        guard unsafe rename(rebuildPath, path) == 0 else {
            throw .ledgerUnwritable(path, errno)
        }
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Some file systems can't sync a folder.
        while fsync(descriptor) != 0, errno != EINVAL {
            guard errno == EINTR else { throw .ledgerUnwritable(folder, errno) }
        }
    }

    /// Removes what is left of a rebuild that did not come to its end.
    func removeRebuild() { Self.remove(rebuildPath) }

    /// Removes a ledger's file, and SQLite's log of it with the log's index.
    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm"] { _ = unsafe unlink(path + suffix) }
    }

    /// Reads the ledger and its log from end to end: what the system can't read is also called damaged, but may be
    /// whole.
    ///
    /// All connections must be closed, since SQLite would lose its locks.
    ///
    /// - Throws: ``DeliveryError/ledgerUnwritable(path:reason:)``.
    func checkReadable() throws(DeliveryError) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        for suffix in ["", "-wal"] {
            let descriptor = unsafe open(path + suffix, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else {
                if errno == ENOENT { continue }
                throw .ledgerUnwritable(original, errno)
            }
            defer { close(descriptor) }
            var (offset, count) = (0, 0)
            repeat {
                count = unsafe pread(descriptor, &buffer, 1 << 16, off_t(offset))
                offset += max(count, 0)
            } while count > 0 || (count < 0 && errno == EINTR)
            guard count == 0 else { throw .ledgerUnwritable(original, errno) }
        }
    }

    /// Moves a damaged ledger out of the way: to `NAME.ledger.damaged`, or with a number after that.
    ///
    /// - Returns: where it lies now.
    /// - Throws: ``DeliveryError``; also if it can't be read, which says nothing about damage.
    func setAside() throws(DeliveryError) -> String {
        try checkReadable()
        guard !isCopy else {
            removeCopy()
            return original
        }
        var target = path + ".damaged"
        var number = 1
        while unsafe access(target, F_OK) == 0 {
            number += 1
            target = "\(path).damaged-\(number)"
        }
        guard unsafe rename(path, target) == 0 else {
            throw .ledgerUnwritable(path, errno)
        }
        // What the log holds belongs to the file that was moved.
        for suffix in ["-wal", "-shm"] { _ = unsafe rename(path + suffix, target + suffix) }
        return target
    }
}

/// Holds a ledger's lock until it is released or deallocated.
final class LedgerLock: Sendable {
    private let descriptor: Int32

    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Whether the locked file is the one at this path.
    fileprivate func isAt(_ path: String) -> Bool {
        var (mine, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &mine) == 0, unsafe lstat(path, &named) == 0 else { return false }
        return mine.st_dev == named.st_dev && mine.st_ino == named.st_ino
    }

    /// Lets the next run begin, even one in this process: tasks that end late may keep this object for a moment.
    func release() { flock(descriptor, LOCK_UN) }

    deinit { close(descriptor) }
}

extension DeliveryError {
    /// Why a folder can't be used in which a file stands.
    static let notAFolder = FileFault.system(ENOTDIR).reason

    /// A ledger's file or folder that can't be read or written, for the reason of the system's `errno`.
    static func ledgerUnwritable(_ path: String, _ code: Int32) -> DeliveryError {
        .ledgerUnwritable(path: path, reason: FileFault.system(code).reason)
    }
}
