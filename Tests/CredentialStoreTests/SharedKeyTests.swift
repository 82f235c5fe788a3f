import Glibc
import OpenSSLCrypto
import TestSupport
import Testing

@testable import CredentialStore

struct SharedKeyTests {
    private let place: KeystorePlace
    private let server = "https://fhir.example.org/r4"
    private let shared: SharedKey

    init() throws {
        place = try KeystorePlace()
        shared = try #require(SharedKey())
    }

    /// A keystore as it would be in a child process of this one.
    private func keystore() throws -> Keystore {
        let inherited = try #require(SharedKey(descriptor: dup(shared.descriptor)))
        let passphrase = PassphraseSource.file(path: place.folder.path("passphrase"))
        return Keystore(path: place.path, passphrase: passphrase, sharedKey: inherited)
    }

    private var wrongPassphrase: KeystoreError { .file(path: place.path, .wrongPassphrase) }

    @Test func `the first to open a keystore derives its key for all that share it`() async throws {
        try await place.keystore().update(server) { $0 = [1] }
        #expect(try await keystore().entry(server) == [1])
        try place.setPassphrase("of no use to anyone who must derive")
        #expect(try await keystore().entry(server) == [1])
        try await keystore().update(server) { $0 = [2] }
        #expect(try await keystore().entry(server) == [2])
        await #expect(throws: wrongPassphrase) { try await place.keystore().entry(server) }
    }

    @Test func `after a change of the passphrase the key is derived again, once`() async throws {
        try await keystore().update(server) { $0 = [1] }
        let next = place.folder.path("next")
        try place.permit(0o600, place.folder.write("another one altogether\n".utf8, to: "next"))
        try await place.keystore().changePassphrase(to: .file(path: next))
        await #expect(throws: wrongPassphrase) { try await keystore().entry(server) }
        try place.setPassphrase("another one altogether")
        #expect(try await keystore().entry(server) == [1])
        try place.setPassphrase("of no use to anyone who must derive")
        #expect(try await keystore().entry(server) == [1])
    }

    @Test func `a descriptor that is not this shared memory is left unchanged`() throws {
        let path = try place.folder.write([UInt8](repeating: 7, count: 4096), to: "file")
        let file = unsafe open(path, O_RDWR)
        for descriptor in [file, STDIN_FILENO, -1, 9999] { #expect(SharedKey(descriptor: descriptor) == nil) }
        close(file)
        #expect(place.bytes("file") == [UInt8](repeating: 7, count: 4096))
    }
}
