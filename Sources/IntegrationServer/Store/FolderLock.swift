import FoundationEssentials
import Glibc

/// Keeps a second server out of a folder; the system releases the lock when the process ends, however it ends.
final class FolderLock: Sendable {
    private let number: Int32

    /// Takes the lock of `folder`: a file `server.lock` in it.
    ///
    /// - Throws: ``IntegrationServerError/store(path:what:)`` where another server has it, the system gives none, or
    ///   others may write to the folder: with a log of their own next to the database they read all of it.
    init(_ folder: String) throws(IntegrationServerError) {
        try Self.checkOwner(of: folder)
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

    private static func checkOwner(of folder: String) throws(IntegrationServerError) {
        // With the dot a link is followed.
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/.")
        guard let mode = attributes?[.posixPermissions] as? UInt, let owner = attributes?[.ownerAccountID] as? UInt,
            let group = attributes?[.groupOwnerAccountID] as? UInt
        else { throw .store(path: folder, what: "it can't be read") }
        let isOwn = geteuid() == 0 || owner == 0 || owner == UInt(geteuid())
        // A user's own group, which some systems let write, does not count as others.
        let isShared = mode & 0o020 != 0 && group != UInt(getegid())
        guard isOwn, !isShared, mode & 0o002 == 0 else { throw .store(path: folder, what: "others may write there") }
    }

    deinit { close(number) }
}
