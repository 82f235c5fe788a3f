/// Why a keystore can't be opened, read or written; never with a byte of what it holds.
public enum KeystoreError: Error, Equatable, Sendable {
    /// The keystore, its folder, its lock file or a file with a passphrase.
    case file(path: String, KeystoreFault)
    /// There is no keystore at `path` yet.
    case missing(path: String)
    /// The passphrase could not be had.
    case passphrase(PassphraseFault)
    /// The same of the one that is to take its place.
    case newPassphrase(PassphraseFault)
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
