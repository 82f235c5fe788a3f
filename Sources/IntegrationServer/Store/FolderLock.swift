internal import Glibc

/// Keeps a second server out of a folder; the system releases the lock when the process ends, however it ends.
final class FolderLock: Sendable {
    private let number: Int32

    /// Takes the lock of `folder`: a file `server.lock` in it.
    ///
    /// - Throws: ``IntegrationServerError/store(path:what:)`` where another server has it, or the system gives none.
    init(_ folder: String) throws(IntegrationServerError) {
        number = unsafe open(folder + "/server.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw .store(path: folder, what: "it can't be written") }
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            let systemError = errno
            guard systemError != EINTR else { continue }
            throw systemError == EWOULDBLOCK
                ? .inUse(path: folder)
                : .store(path: folder, what: "no lock, \(IntegrationServerError.text(systemError))")
        }
    }

    deinit { close(number) }
}
