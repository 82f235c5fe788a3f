/// Why a keystore can't be opened, read or written; it never holds a byte of the contents.
public enum KeystoreError: Error, Equatable, Sendable {
    /// A fault of the keystore, its folder, its lock file or a file with a passphrase.
    case file(path: String, KeystoreFault)
    /// There is no keystore at `path` yet.
    case missing(path: String)
    /// There is no usable passphrase.
    case passphrase(PassphraseFault)
    /// The same for the passphrase that is to replace it.
    case newPassphrase(PassphraseFault)
}

extension KeystoreError {
    /// Whether the cause may be over soon, so that another try may succeed: another process has locked the keystore.
    public var isPassing: Bool { if case .file(_, .busy) = self { true } else { false } }
}

extension KeystoreError: CustomStringConvertible {
    /// `where: what is wrong (what was expected): what to do next`.
    public var description: String {
        switch self {
        case .file(let path, let fault): "\(path): \(fault)"
        case .missing(let path):
            "\(path): no keystore (expected one that a sign-in has made): run 'pghd login', or name it with --keystore"
        case .passphrase(let fault): fault.description
        case .newPassphrase(let fault): fault.text(options: "--new-passphrase")
        }
    }
}
