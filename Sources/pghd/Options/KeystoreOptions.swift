import ArgumentParser
import CredentialStore
import Glibc
import OpenSSLCrypto
import Synchronization

/// Where the keystore is and where its passphrase comes from.
struct KeystoreOptions: ParsableArguments {
    /// The name of the credential that systemd may load: `LoadCredentialEncrypted=pghd.passphrase`.
    static let systemdCredentialName = "pghd.passphrase"

    @Option(
        name: .customLong("keystore"),
        help: ArgumentHelp(
            "The keystore, or PGHD_KEYSTORE (default: ~/.local/share/pghd/keystore).",
            valueName: "file"
        ),
        completion: .file()
    )
    var path: String?

    @Option(
        help: ArgumentHelp(
            "A file with its passphrase that only its owner can read, or PGHD_PASSPHRASE_FILE (default: systemd's "
                + "credential \(systemdCredentialName), else asked for at the terminal).",
            valueName: "file"
        ),
        completion: .file()
    )
    var passphraseFile: String?

    @Option(
        name: .customLong("passphrase-fd"),
        help: ArgumentHelp("An open descriptor with its passphrase in the next line.", valueName: "n")
    )
    var passphraseDescriptor: Int32?

    @Option(
        help: ArgumentHelp(
            "An open descriptor of memory where the keystore's key is, or is kept: for watch.",
            visibility: .hidden
        )
    )
    var sharedKey: Int32?

    func validate() throws {
        if path?.isEmpty == true {
            throw ValidationError("--keystore: empty (expected a file): name one, or leave it out")
        }
        Setting.keystore.note(given: path)
        if passphraseFile != nil, passphraseDescriptor != nil {
            throw ValidationError(
                "--passphrase-fd: contradicts --passphrase-file (expected one of them): leave one out"
            )
        }
    }

    /// The keystore, the same one each time, so that the passphrase is asked for once.
    func open() throws -> Keystore {
        try Self.opened.withLock { opened in
            if let opened { return opened }
            let shared = sharedKey.flatMap { SharedKey(descriptor: $0) }
            let keystore = Keystore(path: try keystorePath, passphrase: try source, sharedKey: shared)
            opened = keystore
            return keystore
        }
    }

    private static let opened = Mutex<Keystore?>(nil)

    /// Whether something has the keystore's name; if that can't be checked, it counts as there.
    ///
    /// Where its name is not known, nobody can have signed in.
    var isThere: Bool {
        get throws {
            guard let path = try knownPath else {
                Self.noteMissing(Self.missing)
                return false
            }
            var status = stat()
            if unsafe lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR) { return true }
            if try Setting.keystore.value(self.path) != nil {
                Self.noteMissing(
                    "--keystore: '\(path)' is not there (expected the keystore of a sign-in): check the path"
                )
            }
            return false
        }
    }

    /// What to say if a server wants a sign-in; `nil` where one could be looked for.
    ///
    /// There may be no keystore to look in, the sign-in was ended here, or the passphrase, which may not be needed, is
    /// missing.
    static var missingSentence: String? { noted.withLock { $0 } }

    /// Notes why there is no sign-in.
    static func noteMissing(_ sentence: String) { noted.withLock { $0 = sentence } }

    private static let noted = Mutex<String?>(nil)
    private static let missing = "--keystore: missing, and HOME is not set (expected a file): add --keystore FILE"

    /// Where the keystore is.
    var keystorePath: String {
        get throws {
            if let path = try knownPath { return path }
            throw ValidationError(Self.missing)
        }
    }

    private var knownPath: String? {
        get throws {
            if let path = try Setting.keystore.value(path) { return path }
            return Environment.folder("XDG_DATA_HOME", orHome: ".local/share").map { "\($0)/pghd/keystore" }
        }
    }

    private var source: PassphraseSource {
        get throws {
            if let passphraseDescriptor { return .descriptor(passphraseDescriptor) }
            if let path = try Setting.passphraseFile.value(passphraseFile) { return .file(path: path) }
            if let folder = Environment["CREDENTIALS_DIRECTORY"] {
                let path = "\(folder)/\(Self.systemdCredentialName)"
                if unsafe access(path, F_OK) == 0 { return .systemdCredential(path: path) }
            }
            return .terminal
        }
    }
}
