import Foundation
import Glibc
import OpenSSLCrypto
import Synchronization
import TestSupport
import Testing

@testable import CredentialStore

struct KeystoreTests {
    private let place: KeystorePlace
    private let server = "https://fhir.example.org/r4"

    init() throws { place = try KeystorePlace() }

    @Test func `an entry written by one process is read by the next`() async throws {
        try await place.keystore().update(server) { $0 = [1, 2, 3] }
        let next = place.keystore()
        #expect(try await next.entry(server) == [1, 2, 3])
        #expect(try await next.names() == [server])
        #expect(try await next.entry("https://other.example.org") == nil)
    }

    @Test func `S22 an update sees what others have written since, and returns its result`() async throws {
        let (one, other) = (place.keystore(), place.keystore())
        try await one.update(server) { $0 = [1] }
        try await other.update(server) { $0?.append(2) }
        let seen = try await one.update(server) { entry in
            entry?.append(3)
            return entry
        }
        #expect(seen == [1, 2, 3])
        #expect(try await other.entry(server) == [1, 2, 3])
    }

    @Test func `S23 an update that changes nothing is not written`() async throws {
        let keystore = place.keystore()
        try await keystore.update(server) { $0 = [1] }
        let before = place.bytes()
        _ = try await keystore.update(server) { $0 }
        #expect(try names(in: "pghd") == ["keystore", "keystore.lock"])
        await #expect(throws: Refused.self) {
            try await keystore.update(server) { entry in
                entry = [2]
                throw Refused()
            }
        }
        #expect(try names(in: "pghd") == ["keystore", "keystore.lock"])
        #expect(place.bytes() == before)
        #expect(try await keystore.entry(server) == [1])
    }

    @Test func `S24 if the keystore is full an update is not started, but any entry can still be removed`() async throws
    {
        let keystore = place.keystore()
        try await keystore.update(server) { $0 = [UInt8](repeating: 1, count: 1_000_000) }
        let full = KeystoreError.file(path: place.path, .full)
        await #expect(throws: full) { try await keystore.update("other") { _ in throw Refused() } }
        try await keystore.update(server, isRemoval: true) { $0 = nil }
        try await keystore.update("other") { $0 = [1] }
        #expect(try await keystore.names() == ["other"])
    }

    @Test func `S24 an update is in the file when it returns`() async throws {
        let keystore = place.keystore()
        try await keystore.update(server) { $0 = [1] }
        let counter = try KeystoreFile(parsing: #require(place.bytes())).counter
        try await keystore.update(server) { $0 = [2] }
        #expect(try KeystoreFile(parsing: #require(place.bytes())).counter == counter + 1)
        #expect(try await place.keystore().entry(server) == [2])
    }

    @Test func `without a keystore there are no entries, and no passphrase is asked for`() async throws {
        let keystore = Keystore(path: place.path, passphrase: .file(path: place.folder.path("missing")))
        #expect(try await keystore.names() == [])
        #expect(try await keystore.entry(server) == nil)
        #expect(place.bytes() == nil)
    }

    @Test func `a keystore is made with its first entry, and not before`() async throws {
        let keystore = place.keystore()
        try await keystore.unlock()
        await #expect(throws: Refused.self) { try await keystore.update(server) { _ in throw Refused() } }
        #expect(try names(in: "pghd") == ["keystore.lock"])
        try await keystore.update(server) { $0 = [1] }
        #expect(try await place.keystore().entry(server) == [1])
    }

    @Test func `S22 two processes that start before there is a keystore share the one that is made first`() async throws
    {
        let (one, other) = (place.keystore(), place.keystore())
        try await one.unlock()
        try await other.unlock()
        try await one.update("a") { $0 = [1] }
        try await other.update("b") { $0 = [2] }
        #expect(try await one.names() == ["a", "b"])
    }

    @Test func `S26 the passphrase is asked for once in a process, whichever task needs it first`() async throws {
        try place.folder.write("\(SampleKeystore.passphrase)\n".utf8, to: "line")
        let descriptor = unsafe open(place.folder.path("line"), O_RDONLY)
        defer { close(descriptor) }
        let keystore = Keystore(path: place.path, passphrase: .descriptor(descriptor))
        // A second question would find no line.
        try await withThrowingTaskGroup { group in
            for number in 0..<10 {
                group.addTask { try await keystore.update("entry \(number)") { $0 = [UInt8(number)] } }
            }
            try await group.waitForAll()
        }
        #expect(try await place.keystore().names() == (0..<10).map { "entry \($0)" })
    }

    @Test func `S26 after a wrong passphrase another can be given`() async throws {
        try await place.keystore().update(server) { $0 = [1] }
        try place.folder.write("wrong\n\(SampleKeystore.passphrase)\n".utf8, to: "lines")
        let descriptor = unsafe open(place.folder.path("lines"), O_RDONLY)
        defer { close(descriptor) }
        let keystore = Keystore(path: place.path, passphrase: .descriptor(descriptor))
        await #expect(throws: KeystoreError.file(path: place.path, .wrongPassphrase)) { try await keystore.unlock() }
        #expect(try await keystore.entry(server) == [1])
    }

    @Test func `S22 a keystore that stays locked for too long is an error, and the wait can be cancelled`() async throws
    {
        try await place.keystore().unlock()
        let folder = KeystoreFolder(path: place.path)
        let holder = try await KeystoreLock.acquire(in: folder)
        await #expect(throws: KeystoreError.file(path: place.path, .busy)) {
            _ = try await KeystoreLock.acquire(in: folder, patience: .zero)
        }
        let waiting = Task { [keystore = place.keystore(), server] in try await keystore.update(server) { $0 = [1] } }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        holder.release()
        try await place.keystore().update(server) { $0 = [2] }
        #expect(try await place.keystore().entry(server) == [2])
    }

    @Test func `S22 a process that waited for a removed lock file takes the lock that others find`() async throws {
        try await place.keystore().unlock()
        let folder = KeystoreFolder(path: place.path)
        let holder = try await KeystoreLock.acquire(in: folder)
        let waiting = Task { try await KeystoreLock.acquire(in: folder) }
        // Long enough for it to have opened the file.
        try await Task.sleep(for: .milliseconds(100))
        try #require(unsafe unlink(place.path + ".lock") == 0)
        holder.release()
        let lock = try await waiting.value
        await #expect(throws: KeystoreError.file(path: place.path, .busy)) {
            _ = try await KeystoreLock.acquire(in: folder, patience: .zero)
        }
        lock.release()
        try await KeystoreLock.acquire(in: folder, patience: .zero).release()
    }

    @Test func `S22 if the system gives no lock there is no wait`() throws {
        // A descriptor that is not open.
        guard let file = FileDescriptor(.max) else { return }
        let lock = KeystoreLock(file)
        #expect(throws: KeystoreError.file(path: "/k.lock", .system("lock", EBADF))) {
            try lock.take(in: KeystoreFolder(path: "/k"))
        }
    }

    @Test func `S29 a wrong passphrase is distinguished from damage`() async throws {
        try await place.keystore().update(server) { $0 = [1] }
        try place.setPassphrase("correct horse battery stapl")
        await #expect(throws: KeystoreError.file(path: place.path, .wrongPassphrase)) {
            _ = try await place.keystore().entry(server)
        }
        try place.setPassphrase(SampleKeystore.passphrase)
        var bytes = try #require(place.bytes())
        bytes[bytes.count - 1] ^= 1
        try place.permit(0o600, place.folder.write(bytes, to: "pghd/keystore"))
        await #expect(throws: KeystoreError.file(path: place.path, .damaged)) {
            _ = try await place.keystore().entry(server)
        }
    }

    // With the real derivation: 2^16 and 2^20 would succeed if they were run; 2^18 is run and fails.
    @Test(arguments: [(16, nil), (20, nil), (18, KeystoreFault.wrongPassphrase)] as [(UInt8, KeystoreFault?)])
    func `S27 a header with another cost opens nothing`(_ exponent: UInt8, _ fault: KeystoreFault?) async throws {
        var bytes = try SampleKeystore.bytes()
        bytes[9] = exponent
        try place.folder.makeFolder("pghd")
        try place.permit(0o600, place.folder.write(bytes, to: "pghd/keystore"))
        let expected = fault ?? .derivationOutOfBounds(costExponent: exponent)
        await #expect(throws: KeystoreError.file(path: place.path, expected)) {
            _ = try await place.keystore().entry(server)
        }
    }

    @Test func `S33 without a passphrase nothing is written`() async throws {
        try place.setPassphrase("")
        await #expect(throws: KeystoreError.passphrase(.empty)) {
            try await place.keystore().update(server) { $0 = [1] }
        }
        #expect(place.bytes() == nil)
    }

    /// A sign-in must not end with a token and no passphrase to keep it with.
    @Test func `S33 the passphrase is asked for before a sign-in, and before an update's body`() async throws {
        try place.setPassphrase("")
        await #expect(throws: KeystoreError.passphrase(.empty)) { try await place.keystore().unlock() }
        let wasRun = Mutex(false)
        await #expect(throws: KeystoreError.passphrase(.empty)) {
            try await place.keystore().update(server) { _ in wasRun.withLock { $0 = true } }
        }
        #expect(!wasRun.withLock { $0 })
    }

    @Test func `S35 neither entries nor server names can be found in files or their names`() async throws {
        let canary = "canary-refresh-token"
        try await place.keystore().update(server) { $0 = Array(canary.utf8) }
        #expect(try names(in: "pghd") == ["keystore", "keystore.lock"])
        let bytes = try #require(place.bytes()) + #require(place.bytes("pghd/keystore.lock"))
        for secret in [canary, server, "fhir.example", SampleKeystore.passphrase] {
            #expect(!contains(bytes, Array(secret.utf8)))
        }
    }

    @Test func `S36 after a change the new passphrase opens the keystore and the old one does not`() async throws {
        let keystore = place.keystore()
        try await keystore.update(server) { $0 = [1] }
        let before = try #require(place.bytes())
        try place.permit(0o600, place.folder.write("another\n".utf8, to: "new"))
        try await keystore.changePassphrase(to: .file(path: place.folder.path("new")))
        // This process continues with the new key.
        try await keystore.update(server) { $0?.append(2) }
        await #expect(throws: KeystoreError.file(path: place.path, .wrongPassphrase)) {
            _ = try await place.keystore().entry(server)
        }
        try place.setPassphrase("another")
        #expect(try await place.keystore().entry(server) == [1, 2])
        let after = try #require(place.bytes())
        #expect(after[12..<44] != before[12..<44])
        #expect(try names(in: "pghd") == ["keystore", "keystore.lock"])
        // The old key opens nothing in it.
        let old = try KeystoreKey.derive(
            KeystoreFile(parsing: before).derivation,
            from: SecretBytes(copying: SampleKeystore.passphrase.utf8)
        )
        let current = try KeystoreFile(parsing: after)
        let forged = KeystoreKey(derivation: current.derivation, secret: try old.secret.part(0..<32))
        #expect(throws: KeystoreFault.damaged) { _ = try current.entries(key: forged) }
    }

    @Test func `S36 a process that still has the old key gets an error that the passphrase was changed`() async throws {
        let keystore = place.keystore()
        try await keystore.update(server) { $0 = [1] }
        try place.permit(0o600, place.folder.write("another\n".utf8, to: "new"))
        try await place.keystore().changePassphrase(to: .file(path: place.folder.path("new")))
        await #expect(throws: KeystoreError.file(path: place.path, .replaced)) {
            try await keystore.update(server) { $0 = [2] }
        }
    }

    @Test func `S36 without a keystore there is no passphrase to change`() async throws {
        await #expect(throws: KeystoreError.missing(path: place.path)) {
            try await place.keystore().changePassphrase(to: .file(path: place.folder.path("passphrase")))
        }
        #expect(place.bytes() == nil)
    }

    @Test func `S37 an older copy of the file is noticed by a process that has seen a later one`() async throws {
        let keystore = place.keystore()
        try await keystore.update(server) { $0 = [1] }
        let older = try #require(place.bytes())
        try await keystore.update(server) { $0 = [2] }
        try place.folder.write(older, to: "pghd/keystore")
        await #expect(throws: KeystoreError.file(path: place.path, .rolledBack)) {
            _ = try await keystore.entry(server)
        }
        await #expect(throws: KeystoreError.file(path: place.path, .rolledBack)) {
            try await keystore.update(server) { $0 = [3] }
        }
        #expect(place.bytes() == older)
    }

    @Test func `S37 an older copy of the file is noticed by a process that has only read a later one`() async throws {
        let (writing, reading) = (place.keystore(), place.keystore())
        try await writing.update(server) { $0 = [1] }
        let older = try #require(place.bytes())
        try await writing.update(server) { $0 = [2] }
        #expect(try await reading.entry(server) == [2])
        try place.folder.write(older, to: "pghd/keystore")
        await #expect(throws: KeystoreError.file(path: place.path, .rolledBack)) {
            _ = try await reading.entry(server)
        }
    }

    @Test func `S37 a file that another task replaces during a read is not mistaken for an older copy`() async throws {
        let keystore = place.keystore()
        // Decryption takes a while.
        let large = [UInt8](repeating: 7, count: 900_000)
        try await keystore.update("large") { $0 = large }
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<40 { _ = try await keystore.entry("large") } }
            }
            group.addTask { for number in 0..<20 { try await keystore.update("small") { $0 = [UInt8(number)] } } }
            try await group.waitForAll()
        }
        #expect(try await keystore.entry("small") == [19])
    }

    @Test func `S26 every format ever written opens`() async throws {
        for version in [1] {
            let keystore = try KeystoreFile(parsing: SampleKeystore.committed(version: version))
            let key = try KeystoreKey.derive(
                keystore.derivation,
                from: SecretBytes(copying: SampleKeystore.passphrase.utf8)
            )
            #expect(try keystore.entries(key: key) == SampleKeystore.entries)
        }
    }

    private struct Refused: Error {}

    private func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place.folder.path(name)).sorted()
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }
}
