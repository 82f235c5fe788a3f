internal import Glibc

/// Keeps runs apart that write one folder, or write it while others read it; the system gives it back when the process ends,
/// however it ends.
///
/// Source: flock(2), on the folder itself, so that no file of ours lies beside what is in it.
public final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock; without one, where the file system has none or the folder may only be written to, the run goes on.
    ///
    /// `nil` where another folder, or none, has its place by now.
    ///
    /// - Parameters:
    ///   - folder: its path.
    ///   - isShared: whether the folder is read alone, as others may do at the same time.
    /// - Throws: `.system(EWOULDBLOCK)` where another run has it.
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
