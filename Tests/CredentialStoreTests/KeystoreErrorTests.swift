import Glibc
import OpenSSLCrypto
import Testing

@testable import CredentialStore

struct KeystoreErrorTests {
    @Test(
        arguments: [
            (
                .wrongPassphrase,
                "wrong passphrase (expected the one it was made with): type it again, or check --passphrase-file; only "
                    + "where it is lost for good, remove the file and sign in again"
            ),
            (
                .damaged,
                "its bytes are damaged (expected them as they were written): restore a copy, or remove it and sign in again"
            ),
            (
                .truncated(byteCount: 7),
                "only 7 bytes long (expected at least 96): restore a copy, or remove it and sign in again"
            ),
            (.notAKeystore, "no keystore (expected a file that begins with 'pghdkeys'): name another file"),
            (.unknownVersion(2), "written in format 2 (expected format 1): use a later pghd"),
            (.tooLarge, "too long (expected at most 1048576 bytes): name another file"),
            (
                .full,
                "full (expected at most 1048576 bytes with what is added): "
                    + "run 'pghd logout --forget' for servers that are used no more"
            ),
            (
                .derivationOutOfBounds(costExponent: 16),
                "its key derivation is out of bounds (expected scrypt with N from 2^17 to 2^19, r 8 and p 1, found N 2^16): "
                    + "somebody has changed it, restore a copy, or remove it and sign in again"
            ),
            (
                .rolledBack,
                "an older copy than before (expected the last one written): somebody has put it back, sign in again"
            ),
            (.replaced, "exchanged in the meantime (expected the passphrase unchanged): run the command again"),
            (.busy, "locked by another pghd for five minutes (expected seconds): run again once that one has ended"),
            (.symbolicLink, "a symbolic link (expected the file or folder itself): name what it leads to"),
            (.notAFile, "not a file (expected one): name a file"),
            (.notAFolder, "not a folder (expected one): name a file in a folder"),
            (.hardLinked, "it has a second name (expected one, which a write replaces): remove the other link"),
            (
                .foreignOwner(userID: 33),
                "it belongs to user 33 (expected your own): run as that user, or name another file"
            ),
            (
                .looseMode(0o44),
                "open to others with mode 0044 (expected its owner alone): chmod go-rwx it"
            ),
            (
                .looseFolder(0o755),
                "open to others with mode 0755 (expected a folder for the keystore alone, closed to others): "
                    + "chmod go-rwx it where it holds nothing else, or give it one of its own, such as --keystore keys/keystore; "
                    + "that is made"
            ),
            (
                .system("write", ENOSPC),
                "can't write, No space left on device (expected it to work): check the path and the disk"
            ),
            (
                KeystoreFault(.outOfMemory),
                "no memory left (expected some for a secret or a key): end other programs and try again"
            ),
        ] as [(KeystoreFault, String)]
    )
    func `a fault says what is wrong, what was expected and what to do next`(_ fault: KeystoreFault, _ text: String) {
        #expect("\(fault)" == text)
        #expect("\(KeystoreError.file(path: "/home/anna/keystore", fault))" == "/home/anna/keystore: \(text)")
    }

    @Test(
        arguments: [
            (.empty, "passphrase: empty (expected at least one character): give one"),
            (.tooLong, "passphrase: too long (expected at most 1024 bytes): give a shorter one"),
            (.notTheSame, "passphrase: typed differently (expected the same twice): run the command again"),
            (
                .noTerminal,
                "passphrase: no terminal to ask at (expected one, or another source): add --passphrase-file FILE or "
                    + "--passphrase-fd N, or load the systemd credential pghd.passphrase"
            ),
            (.interrupted, "passphrase: interrupted (expected a line): run the command again"),
            (
                .file(path: "key", systemError: ENOENT),
                "key: can't be opened, No such file or directory (expected a file with the passphrase): "
                    + "check --passphrase-file"
            ),
            (
                .descriptor(3, systemError: EBADF),
                "passphrase: descriptor 3 can't be read, Bad file descriptor (expected an open one): check the redirection"
            ),
            (
                PassphraseFault(.outOfMemory),
                "passphrase: no memory left (expected some for a secret or a key): end other programs and try again"
            ),
        ] as [(PassphraseFault, String)]
    )
    func `a missing passphrase says where it is looked for`(_ fault: PassphraseFault, _ text: String) {
        #expect("\(KeystoreError.passphrase(fault))" == text)
    }

    @Test func `a missing keystore says how to make one`() {
        #expect(
            "\(KeystoreError.missing(path: "/home/anna/keystore"))"
                == "/home/anna/keystore: no keystore (expected one that a sign-in has made): run 'pghd login', or name it "
                + "with --keystore"
        )
    }

    @Test(
        arguments: [
            (.notAuthentic, "the bytes are not authentic (expected what was sealed with this key): use another copy"),
            (
                .noRandomness,
                "no random bytes (expected the system's, of getrandom): allow that call where a sandbox forbids it, and try again"
            ),
            (
                .refused(operation: "AES-256-GCM"),
                "OpenSSL refuses AES-256-GCM (expected it in the default provider): check openssl.cnf"
            ),
        ] as [(CryptoError, String)]
    )
    func `OpenSSL's refusals say what to check`(_ error: CryptoError, _ text: String) {
        #expect("\(error)" == text)
    }
}
