internal import Glibc
internal import OpenSSLCrypto

/// Where the passphrase of a keystore comes from.
///
/// Never an argument or the environment, which other processes can read.
public enum PassphraseSource: Sendable, Equatable {
    /// A person at the controlling terminal, without echo, after a prompt that is written there.
    ///
    /// While it waits, it handles SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGTSTP for the whole process: the process's
    /// own handlers get them once the echo is on again.
    case terminal
    /// A file of the user's or root's, closed to others; a line end at its end is not part of the passphrase.
    case file(path: String)
    /// The next line of an open descriptor, such as 3 for `3< <(pass show pghd)`.
    case descriptor(Int32)
    /// A credential of systemd, a file in `$CREDENTIALS_DIRECTORY`.
    case systemdCredential(path: String)

    /// The most bytes of a passphrase.
    static let maximumByteCount = 1024

    /// What the passphrase is for.
    enum Purpose: Sendable, Equatable {
        /// To open a keystore.
        case opening
        /// To make a keystore, or change its passphrase: on a terminal it is asked for twice.
        case making
    }

    /// The passphrase.
    ///
    /// Blocks its thread while a person types.
    ///
    /// - Throws: ``KeystoreError/passphrase(_:)`` where there is none, it is empty or too long,
    ///   or the two that were typed differ; ``KeystoreError/file(path:_:)`` for a file that
    ///   can't be read or is open to others.
    func read(_ purpose: Purpose) throws(KeystoreError) -> SecretBytes {
        let passphrase: SecretBytes
        switch self {
        case .terminal: passphrase = try Self.ask(purpose)
        case .file(let path): passphrase = try PassphraseFile.read(path, .passphrase)
        case .systemdCredential(let path): passphrase = try PassphraseFile.read(path, .systemdCredential)
        case .descriptor(let number): passphrase = try PassphraseFile.readLine(of: number)
        }
        guard !passphrase.isEmpty else { throw .passphrase(.empty) }
        return passphrase
    }

    private static func ask(_ purpose: Purpose) throws(KeystoreError) -> SecretBytes {
        guard purpose == .making else {
            return try PassphraseTerminal.ask("Passphrase of the keystore: ")
        }
        let passphrase = try PassphraseTerminal.ask("New passphrase for the keystore: ")
        guard !passphrase.isEmpty else { return passphrase }
        let again = try PassphraseTerminal.ask("The same again: ")
        guard passphrase.isEqual(to: again) else { throw .passphrase(.notTheSame) }
        return passphrase
    }
}

/// Why there is no passphrase.
public enum PassphraseFault: Error, Equatable, Sendable {
    /// It has no byte, or none before the line's end.
    case empty
    /// More than 1024 bytes.
    case tooLong
    /// The two that were typed differ.
    case notTheSame
    /// The process has no terminal.
    case noTerminal
    /// A signal came while it was typed.
    case interrupted
    /// The file can't be opened.
    case file(path: String, systemError: Int32)
    /// The descriptor can't be read.
    case descriptor(Int32, systemError: Int32)
    /// There is no memory for it, or OpenSSL fails, for this reason.
    case cryptography(reason: String)
}

extension PassphraseFault {
    /// A failure of memory or of OpenSSL.
    init(_ error: CryptoError) { self = .cryptography(reason: error.description) }
}

extension PassphraseFault: CustomStringConvertible {
    /// `where: what is wrong (what was expected): what to do next`.
    public var description: String { text(options: "--passphrase") }

    /// The same for a passphrase that other options give; `options` is what their names begin with.
    func text(options: String) -> String {
        switch self {
        case .empty: "passphrase: empty (expected at least one character): give one"
        case .tooLong:
            "passphrase: too long (expected at most \(PassphraseSource.maximumByteCount) bytes): give a shorter one"
        case .notTheSame: "passphrase: typed differently (expected the same twice): run the command again"
        case .noTerminal:
            "passphrase: no terminal to ask at (expected one, or another source): add \(options)-file FILE "
                + "or \(options)-fd N"
                + (options == "--passphrase" ? ", or load the systemd credential pghd.passphrase" : "")
        case .interrupted: "passphrase: interrupted (expected a line): run the command again"
        case .file(let path, let systemError):
            "\(path): can't be opened, \(KeystoreFault.text(systemError)) (expected a file with the passphrase): "
                + "check \(options)-file"
        case .descriptor(let number, let systemError):
            "passphrase: descriptor \(number) can't be read, \(KeystoreFault.text(systemError)) (expected an open one): "
                + "check the redirection"
        case .cryptography(let reason): "passphrase: \(reason)"
        }
    }
}
