import ArgumentParser
import CredentialStore

/// `pghd keystore`: commands for the file that keeps the sign-ins.
struct KeystoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keystore",
        abstract: "Change the passphrase of the keystore",
        discussion: """
            Sign-ins are kept in one encrypted file. Its passphrase is asked for at the terminal, or \
            comes from a file, a descriptor or a systemd credential; never from an argument or the \
            environment, which other processes can read.
            """,
        subcommands: [KeystorePassphraseCommand.self]
    )
}

/// `pghd keystore passphrase`: changes the passphrase, and with it the key.
struct KeystorePassphraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase",
        abstract: "Encrypt the keystore with another passphrase",
        usage: "pghd keystore passphrase [<options>]",
        discussion: """
            The file is replaced as a whole; what was there before opens with nothing any more. \
            Backups and snapshots of it still open with the old passphrase: where somebody may have \
            one, sign out and in again.

              pghd keystore passphrase

            \(ExitStatus.helpSection(
                [.done, .unreachable, .keystore, .usage, .interrupted],
                saying: [.unreachable: "another pghd has held the keystore for five minutes"]
            ))
            """
    )

    @OptionGroup(title: "Keystore") var keystore: KeystoreOptions

    @Option(
        help: ArgumentHelp(
            "A file with the new passphrase that only its owner can read (default: asked for at the terminal).",
            valueName: "file"
        ),
        completion: .file()
    )
    var newPassphraseFile: String?

    @Option(
        name: .customLong("new-passphrase-fd"),
        help: ArgumentHelp("An open descriptor with the new passphrase in the next line.", valueName: "n")
    )
    var newPassphraseDescriptor: Int32?

    // Accepted so that the parser's message does not repeat a passphrase.
    @Argument(help: .hidden) var arguments: [String] = []

    func validate() throws {
        guard arguments.isEmpty else {
            throw ValidationError(
                "--new-passphrase-file: a passphrase can't be an argument, which others can read (expected a file, a "
                    + "descriptor or the terminal): leave it out"
            )
        }
        if newPassphraseFile != nil, newPassphraseDescriptor != nil {
            throw ValidationError(
                "--new-passphrase-fd: contradicts --new-passphrase-file (expected one of them): leave one out"
            )
        }
    }

    func run() async throws {
        let source: PassphraseSource =
            if let newPassphraseFile {
                .file(path: newPassphraseFile)
            } else if let newPassphraseDescriptor {
                .descriptor(newPassphraseDescriptor)
            } else {
                .terminal
            }
        try await keystore.open().changePassphrase(to: source)
        say("pghd: the passphrase of \(try keystore.keystorePath) is changed")
    }
}
