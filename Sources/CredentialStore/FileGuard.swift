internal import Glibc

/// Whom a file with a secret may belong to, and who else may read it.
///
/// Checked through the open descriptor, so that nothing can be exchanged in between.
enum FileGuard {
    /// What a descriptor is expected to be.
    enum Expectation {
        /// A folder of the user's own, closed to others.
        case folder
        /// A file of the user's own under one name, closed to others.
        case store
        /// A file of the user's own or of root, closed to others.
        case passphrase
        /// A file that systemd made: it may show group bits, which are then the mask of an access list that names only
        /// this user.
        case systemdCredential
    }

    /// Refuses what is not as expected.
    static func check(_ descriptor: borrowing FileDescriptor, is expectation: Expectation) throws(KeystoreFault) {
        let status = descriptor.status()
        let kind = status.st_mode & S_IFMT
        if expectation == .folder {
            guard kind == S_IFDIR else { throw .notAFolder }
        } else {
            guard kind == S_IFREG else { throw .notAFile }
        }
        let isOwn = status.st_uid == geteuid()
        let isRoots = status.st_uid == 0 && (expectation == .passphrase || expectation == .systemdCredential)
        guard isOwn || isRoots else { throw .foreignOwner(userID: status.st_uid) }
        let mode = status.st_mode & 0o7777
        guard mode & (expectation == .systemdCredential ? 0o037 : 0o077) == 0 else {
            throw expectation == .folder ? .looseFolder(mode) : .looseMode(mode)
        }
        // A second name would keep the old store when a new one replaces it; one just replaced has none left.
        guard expectation != .store || status.st_nlink <= 1 else { throw .hardLinked }
    }
}
