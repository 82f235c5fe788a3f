import Glibc
import OpenSSLCrypto
import TestSupport
import Testing

@testable import CredentialStore

/// Passphrases from files and descriptors; Tests/Keystore has those from a terminal.
struct PassphraseTests {
    private let place: KeystorePlace

    init() throws { place = try KeystorePlace() }

    @Test(arguments: [
        ("hunter2", "hunter2"), ("hunter2\n", "hunter2"), ("hunter2\r\n", "hunter2"), ("hunter2\n\n", "hunter2\n"),
        (" two words \n", " two words "), ("été\n", "été"), ("a\nb\n", "a\nb"),
    ])
    func `S32 a file's passphrase is all of it except a final line end`(_ text: String, _ passphrase: String) throws {
        #expect(try read(text) == .success(passphrase))
    }

    @Test(arguments: ["", "\n", "\r\n"])
    func `S32 an empty passphrase is refused`(_ text: String) throws {
        #expect(try read(text) == .failure(.passphrase(.empty)))
    }

    @Test func `S32 a passphrase may have 1024 bytes and no more`() throws {
        let longest = String(repeating: "x", count: 1024)
        #expect(try read(longest + "\r\n") == .success(longest))
        #expect(try read(longest + "x") == .failure(.passphrase(.tooLong)))
        #expect(try read(String(repeating: "x", count: 9999)) == .failure(.passphrase(.tooLong)))
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o644, 0o610] as [mode_t])
    func `S32 a passphrase file that others may open is refused`(_ mode: mode_t) throws {
        let path = place.folder.path("passphrase")
        try place.permit(mode, path)
        #expect(read(.file(path: path)) == .failure(.file(path: path, .looseMode(mode))))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `S32 a passphrase file of another user is refused`() throws {
        let path = place.folder.path("passphrase")
        try #require(unsafe chown(path, 65534, 65534) == 0)
        #expect(read(.file(path: path)) == .failure(.file(path: path, .foreignOwner(userID: 65534))))
    }

    @Test func `S32 a passphrase file that is missing, a folder or a pipe is refused`() throws {
        let missing = place.folder.path("missing")
        #expect(read(.file(path: missing)) == .failure(.passphrase(.file(path: missing, systemError: ENOENT))))
        let folder = place.folder.path
        #expect(read(.file(path: folder)) == .failure(.file(path: folder, .notAFile)))
        let pipe = try place.folder.makePipe("pipe")
        #expect(read(.file(path: pipe)) == .failure(.file(path: pipe, .notAFile)))
    }

    @Test(arguments: [(0o400, true), (0o440, true), (0o444, false), (0o460, false)] as [(mode_t, Bool)])
    func `S32 a systemd credential may show the mask of its access list`(_ mode: mode_t, _ isTaken: Bool) throws {
        let path = place.folder.path("passphrase")
        try place.permit(mode, path)
        let expected: Swift.Result<String, KeystoreError> =
            isTaken ? .success(SampleKeystore.passphrase) : .failure(.file(path: path, .looseMode(mode)))
        #expect(read(.systemdCredential(path: path)) == expected)
    }

    @Test func `S32 a descriptor gives one passphrase for each line`() throws {
        let path = try place.folder.write("old\r\nnew\n\nlast".utf8, to: "lines")
        let descriptor = unsafe open(path, O_RDONLY)
        defer { close(descriptor) }
        #expect(read(.descriptor(descriptor)) == .success("old"))
        #expect(read(.descriptor(descriptor)) == .success("new"))
        #expect(read(.descriptor(descriptor)) == .failure(.passphrase(.empty)))
        #expect(read(.descriptor(descriptor)) == .success("last"))
        #expect(read(.descriptor(descriptor)) == .failure(.passphrase(.empty)))
    }

    @Test func `S32 a descriptor that is not open is an error`() {
        #expect(read(.descriptor(-1)) == .failure(.passphrase(.descriptor(-1, systemError: EBADF))))
    }

    private func read(_ text: String) throws -> Swift.Result<String, KeystoreError> {
        let path = try place.folder.write(text.utf8, to: "other")
        try place.permit(0o600, path)
        return read(.file(path: path))
    }

    private func read(_ source: PassphraseSource) -> Swift.Result<String, KeystoreError> {
        do throws(KeystoreError) {
            let passphrase = try source.read(.opening)
            return .success(unsafe passphrase.withBytes { unsafe String(decoding: $0, as: UTF8.self) })
        } catch {
            return .failure(error)
        }
    }
}
