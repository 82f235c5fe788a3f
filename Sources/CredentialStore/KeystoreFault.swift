internal import Glibc
internal import OpenSSLCrypto

/// What is wrong with a keystore, its folder or its lock file, or a file with a passphrase.
public enum KeystoreFault: Error, Equatable, Sendable {
    /// The passphrase does not lead to the key.
    case wrongPassphrase
    /// A byte differs from what was written, or bytes are missing at the end.
    case damaged
    /// It ends inside the header.
    case truncated(byteCount: Int)
    /// It does not begin like a keystore.
    case notAKeystore
    /// A format of a later `pghd`.
    case unknownVersion(UInt8)
    /// Longer than it may be.
    case tooLarge
    /// There is no room left for another sign-in.
    case full
    /// A key derivation that is too cheap to be safe or too expensive to run.
    case derivationOutOfBounds(costExponent: UInt8)
    /// An older copy than this process has already seen.
    case rolledBack
    /// The passphrase was changed, or the file exchanged, since this process read it.
    case replaced
    /// Another process has held the lock for longer than five minutes.
    case busy
    /// A symbolic link, which is not followed.
    case symbolicLink
    /// A folder, a pipe or a device.
    case notAFile
    /// A file, where the folder should be.
    case notAFolder
    /// A name that another keystore would use for its lock file or its next version.
    case reservedName
    /// The file has a second name.
    case hardLinked
    /// It belongs to another user.
    case foreignOwner(userID: UInt32)
    /// Others besides the owner may read or write it.
    case looseMode(UInt32)
    /// Others besides the owner may enter the folder, which may hold more than the keystore.
    case looseFolder(UInt32)
    /// The system refuses `operation`.
    case system(_ operation: String, _ systemError: Int32)
    /// OpenSSL or memory failed, for this reason.
    case cryptography(reason: String)
}

extension KeystoreFault {
    /// A failure of OpenSSL or of memory.
    init(_ error: CryptoError) { self = .cryptography(reason: error.description) }

    /// The fault of an `open` that failed; the flags refuse links and anything that is not a folder.
    init(opening systemError: Int32) {
        switch systemError {
        case ELOOP: self = .symbolicLink
        case ENOTDIR: self = .notAFolder
        case EISDIR, ENXIO: self = .notAFile
        default: self = .system("open", systemError)
        }
    }
}

extension KeystoreFault: CustomStringConvertible {
    /// `what is wrong (what was expected): what to do next`.
    public var description: String {
        switch self {
        case .wrongPassphrase:
            "wrong passphrase (expected the one it was made with): type it again, or check --passphrase-file; only where it "
                + "is lost for good, remove the file and sign in again"
        case .damaged: "its bytes are damaged (expected them as they were written): \(Self.fromBackup)"
        case .truncated(let byteCount):
            "only \(byteCount) bytes long (expected at least \(KeystoreFile.minimumByteCount)): \(Self.fromBackup)"
        case .notAKeystore: "no keystore (expected a file that begins with 'pghdkeys'): name another file"
        case .unknownVersion(let version):
            "written in format \(version) (expected format \(KeystoreFile.version)): use a later pghd"
        case .tooLarge:
            "too long (expected at most \(KeystoreFile.maximumByteCount) bytes): name another file"
        case .full:
            "full (expected at most \(KeystoreFile.maximumByteCount) bytes with what is added): "
                + "run 'pghd logout --forget' for servers that are used no more"
        case .derivationOutOfBounds(let costExponent):
            "its key derivation is out of bounds (expected scrypt with N from 2^17 to 2^19, r 8 and p 1, found N 2^"
                + "\(costExponent)): somebody has changed it, \(Self.fromBackup)"
        case .rolledBack:
            "an older copy than before (expected the last one written): somebody has put it back, sign in again"
        case .replaced: "exchanged in the meantime (expected the passphrase unchanged): run the command again"
        case .busy: "locked by another pghd for five minutes (expected seconds): run again once that one has ended"
        case .symbolicLink: "a symbolic link (expected the file or folder itself): name what it leads to"
        case .notAFile: "not a file (expected one): name a file"
        case .notAFolder: "not a folder (expected one): name a file in a folder"
        case .reservedName:
            "a name that ends in .next or .lock (expected another: files next to a keystore have such names): "
                + "choose another name"
        case .hardLinked: "it has a second name (expected one, which a write replaces): remove the other link"
        case .foreignOwner(let userID):
            "it belongs to user \(userID) (expected your own): run as that user, or name another file"
        case .looseMode(let mode):
            "open to others with mode \(Self.octal(mode)) (expected its owner alone): chmod go-rwx it"
        case .looseFolder(let mode):
            "open to others with mode \(Self.octal(mode)) (expected a folder for the keystore alone, closed to others): "
                + "chmod go-rwx it where it holds nothing else, or give it one of its own, such as --keystore keys/keystore; "
                + "that is made"
        case .system(let operation, let systemError):
            "can't \(operation), \(Self.text(systemError)) (expected it to work): check the path and the disk"
        case .cryptography(let reason): reason
        }
    }

    private static let fromBackup = "restore a copy, or remove it and sign in again"

    private static func octal(_ mode: UInt32) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    static func text(_ systemError: Int32) -> String {
        guard let text = unsafe strerror(systemError) else { return "system error \(systemError)" }
        return unsafe String(cString: text)
    }
}
