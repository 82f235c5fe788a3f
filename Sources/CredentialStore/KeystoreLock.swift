internal import Glibc

/// The lock that all processes share: its holder may change the keystore.
///
/// It is a file of its own, since the keystore's is replaced with each write. The system releases the lock when its
/// holder ends, however it ends.
///
/// Source: flock(2), which also keeps two tasks of one process apart.
final class KeystoreLock: Sendable {
    /// Longer than any holder takes, except a person who makes a keystore.
    ///
    /// A token request ends after two minutes, and so do all requests of a sign-out together.
    static let patience: Duration = .seconds(300)
    private let file: FileDescriptor

    init(_ file: consuming FileDescriptor) { self.file = file }

    /// Waits until no other process holds the lock; cancelling the task ends the wait.
    static func acquire(
        in folder: KeystoreFolder,
        patience: Duration = patience
    ) async throws -> KeystoreLock {
        let limit = ContinuousClock.now + patience
        while true {
            let lock = KeystoreLock(try folder.openLock())
            while try !lock.take(in: folder) {
                guard ContinuousClock.now < limit else { throw KeystoreError.file(path: folder.path, .busy) }
                // Blocks no thread: forty waiting tasks would block forty of them.
                try await Task.sleep(for: .milliseconds(Int.random(in: 5...20)))
            }
            if try folder.isLock(lock.file) { return lock }
            guard ContinuousClock.now < limit else { throw KeystoreError.file(path: folder.path, .busy) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Releases the lock.
    func release() { flock(file.number, LOCK_UN) }

    /// Takes the lock, where nobody else has it.
    ///
    /// - Returns: whether it was taken.
    func take(in folder: KeystoreFolder) throws(KeystoreError) -> Bool {
        if flock(file.number, LOCK_EX | LOCK_NB) == 0 { return true }
        let systemError = errno
        guard systemError == EWOULDBLOCK || systemError == EINTR else {
            throw .file(path: "\(folder.path).lock", .system("lock", systemError))
        }
        return false
    }
}
