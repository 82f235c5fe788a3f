internal import Glibc

/// Keeps apart runs that write one folder, or write it while others read it.
///
/// The system releases the lock when the process ends, however it ends. Source: flock(2), on the folder itself, so that
/// no file of ours lies next to its contents.
public final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock; if the file system has no locks or the folder can't be opened for reading, the run continues
    /// without.
    ///
    /// `nil` if the path now leads to another folder or to none.
    ///
    /// - Parameters:
    ///   - folder: its path.
    ///   - isShared: whether the folder is only read, which several runs may do at the same time.
    /// - Throws: `.system(EWOULDBLOCK)` if another run holds it.
    public init?(folder: String, isShared: Bool) throws(FileFault) {
        descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            return
        }
        while flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if errno == EWOULDBLOCK { throw .system(EWOULDBLOCK) }
            break
        }
        var (mine, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &mine) == 0, unsafe stat(folder, &named) == 0 else { return nil }
        guard mine.st_dev == named.st_dev, mine.st_ino == named.st_ino else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
