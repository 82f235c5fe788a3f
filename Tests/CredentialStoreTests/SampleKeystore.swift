import Foundation
import Glibc
import OpenSSLCrypto
import TestSupport
import Testing

@testable import CredentialStore

/// A key for many tests, derived once, and what they encrypt with it.
enum SampleKeystore {
    static let passphrase = "correct horse battery staple"

    static let entries: KeystoreEntries = {
        var entries = KeystoreEntries()
        entries["https://fhir.example.org/r4"] = Array(#"{"refreshToken":"canary-refresh"}"#.utf8)
        entries["https://ehr.example.org/fhir"] = Array(#"{"refreshToken":"canary-other"}"#.utf8)
        return entries
    }()

    /// A key from the real derivation.
    static func key() throws -> KeystoreKey { try derived.get() }

    /// A file with `entries`.
    static func bytes(_ entries: KeystoreEntries = entries, counter: UInt64 = 7) throws -> [UInt8] {
        try KeystoreFile.bytes(of: entries, key: key(), counter: counter)
    }

    /// The bytes of the committed file in a format.
    static func committed(version: Int) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return Array(try Data(contentsOf: folder.appending(path: "Keystores/version-\(version).keystore")))
    }

    /// A key without a derivation, for child processes, which have no time for one.
    static func quickKey() throws -> KeystoreKey {
        let derivation = KeyDerivation(
            scrypt: KeyDerivation.current,
            salt: [UInt8](repeating: 1, count: KeyDerivation.saltByteCount),
            check: [UInt8](repeating: 2, count: KeyDerivation.checkByteCount)
        )
        return KeystoreKey(derivation: derivation, secret: try SecretBytes(copying: 0..<32))
    }

    private static let derived = Result {
        try KeystoreKey.derive(from: SecretBytes(copying: passphrase.utf8))
    }
}

/// A folder for a keystore, and a file with its passphrase.
struct KeystorePlace {
    let folder: TemporaryFolder
    var path: String { folder.path("pghd/keystore") }

    init() throws {
        folder = try TemporaryFolder()
        try setPassphrase(SampleKeystore.passphrase)
    }

    /// A keystore that is not opened yet, as in another process.
    func keystore() -> Keystore { Keystore(path: path, passphrase: .file(path: folder.path("passphrase"))) }

    func setPassphrase(_ text: String) throws {
        try permit(0o600, folder.write("\(text)\n".utf8, to: "passphrase"))
    }

    func permit(_ mode: mode_t, _ path: String) throws {
        try #require(unsafe chmod(path, mode) == 0)
    }

    /// A file's bytes, or `nil` if there is no file.
    func bytes(_ name: String = "pghd/keystore") -> [UInt8]? {
        FileManager.default.contents(atPath: folder.path(name)).map(Array.init)
    }

    /// Type and permissions of a file or folder.
    func mode(_ name: String) -> mode_t {
        var status = stat()
        unsafe lstat(folder.path(name), &status)
        return status.st_mode
    }
}
