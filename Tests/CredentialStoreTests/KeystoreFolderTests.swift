import Glibc
import Synchronization
import TestSupport
import Testing

@testable import CredentialStore

/// Which files are accepted by owner and mode, and which are refused before a byte of them is read.
struct KeystoreFolderTests {
    private let place: KeystorePlace

    init() throws { place = try KeystorePlace() }

    @Test func `S31 folders are made for their owner only, and so are the files`() async throws {
        let path = place.folder.path("a/b/keystore")
        let keystore = Keystore(path: path, passphrase: .file(path: place.folder.path("passphrase")))
        try await keystore.update("a") { $0 = [1] }
        #expect(place.mode("a") == S_IFDIR | 0o700)
        #expect(place.mode("a/b") == S_IFDIR | 0o700)
        #expect(place.mode("a/b/keystore") == S_IFREG | 0o600)
        #expect(place.mode("a/b/keystore.lock") == S_IFREG | 0o600)
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o601] as [mode_t])
    func `S31 a keystore that others may open is refused`(_ mode: mode_t) throws {
        try write("pghd/keystore")
        try place.permit(mode, place.path)
        #expect(refusal == .file(path: place.path, .looseMode(mode)))
    }

    @Test(arguments: [0o750, 0o705, 0o711, 0o1777] as [mode_t])
    func `S31 a folder that others may enter is refused`(_ mode: mode_t) throws {
        try write("pghd/keystore")
        try place.permit(mode, place.folder.path("pghd"))
        #expect(refusal == .file(path: place.folder.path("pghd"), .looseFolder(mode)))
    }

    @Test func `S31 a keystore behind a symbolic link is refused`() throws {
        try write("pghd/other")
        try place.folder.link("pghd/keystore", to: "other")
        #expect(refusal == .file(path: place.path, .symbolicLink))
    }

    @Test func `S31 a folder behind a symbolic link is refused`() throws {
        try write("pghd/keystore")
        try place.folder.link("link", to: "pghd")
        let path = place.folder.path("link/keystore")
        #expect(throws: KeystoreError.file(path: place.folder.path("link"), .symbolicLink)) {
            _ = try KeystoreFolder(path: path).read()
        }
    }

    @Test(arguments: ["pghd/keystore", "pghd/keystore/", "pghd/keystore//"])
    func `a folder is not a keystore, and no keystore is made in it or next to it`(_ name: String) throws {
        try place.folder.makeFolder("pghd")
        try place.folder.makeFolder("pghd/keystore")
        let store = KeystoreFolder(path: place.folder.path(name))
        #expect(throws: KeystoreError.file(path: place.path, .notAFile)) { _ = try store.openLock().number }
        #expect(throws: KeystoreError.file(path: place.path, .notAFile)) { _ = try store.read() }
        #expect(place.mode("pghd/keystore.lock") == 0)
        #expect(place.mode("pghd/keystore/.lock") == 0)
    }

    @Test func `S31 a lock file behind a symbolic link is refused, and its target is not created`() throws {
        try place.folder.makeFolder("pghd")
        try place.folder.link("pghd/keystore.lock", to: place.folder.path("elsewhere"))
        #expect(throws: KeystoreError.file(path: "\(place.path).lock", .symbolicLink)) {
            _ = try KeystoreFolder(path: place.path).openLock().number
        }
        #expect(place.mode("elsewhere") == 0)
    }

    @Test func `S31 a link in place of the next file is not followed`() async throws {
        try await place.keystore().update("a") { $0 = [1] }
        try place.folder.write("mine".utf8, to: "elsewhere")
        try place.folder.link("pghd/keystore.next", to: place.folder.path("elsewhere"))
        try await place.keystore().update("a") { $0 = [2] }
        #expect(place.bytes("elsewhere") == Array("mine".utf8))
        #expect(try await place.keystore().entry("a") == [2])
    }

    /// Another keystore next to it would remove it.
    @Test(arguments: ["pghd/keystore.next", "pghd/keystore.lock"])
    func `S31 a keystore named like a keystore's lock or next file is refused`(_ name: String) async throws {
        let path = place.folder.path(name)
        let keystore = Keystore(path: path, passphrase: .file(path: place.folder.path("passphrase")))
        await #expect(throws: KeystoreError.file(path: path, .reservedName)) {
            try await keystore.update("a") { $0 = [1] }
        }
        #expect(place.mode(name) == 0)
    }

    @Test func `S31 a keystore with a second hard link is refused`() throws {
        try write("pghd/keystore")
        try #require(unsafe link(place.path, place.folder.path("second")) == 0)
        #expect(refusal == .file(path: place.path, .hardLinked))
    }

    @Test func `S31 a keystore that is not a file is refused, and a pipe is not waited for`() throws {
        try place.folder.makeFolder("pghd")
        _ = try place.folder.makePipe("pghd/keystore")
        #expect(refusal == .file(path: place.path, .notAFile))
        try #require(unsafe unlink(place.path) == 0)
        try place.folder.makeFolder("pghd/keystore")
        #expect(refusal == .file(path: place.path, .notAFile))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `S31 a keystore or folder of another user is refused`() throws {
        try write("pghd/keystore")
        try #require(unsafe chown(place.path, 65534, 65534) == 0)
        #expect(refusal == .file(path: place.path, .foreignOwner(userID: 65534)))
        try #require(unsafe chown(place.folder.path("pghd"), 65534, 65534) == 0)
        #expect(refusal == .file(path: place.folder.path("pghd"), .foreignOwner(userID: 65534)))
    }

    @Test func `S31 a lock file that is open to others is refused`() throws {
        try write("pghd/keystore")
        try place.permit(0o644, place.folder.write([], to: "pghd/keystore.lock"))
        #expect(throws: KeystoreError.file(path: "\(place.path).lock", .looseMode(0o644))) {
            _ = try KeystoreFolder(path: place.path).openLock()
        }
    }

    @Test func `S31 what is written to is closed to others from the beginning`() async throws {
        let mode = try await place.keystore().update("a") { [place] entry in
            entry = [1]
            return place.mode("pghd/keystore.next")
        }
        #expect(mode == S_IFREG | 0o600)
    }

    @Test func `S30 the file that a killed process has left is replaced`() async throws {
        try place.folder.makeFolder("pghd")
        try place.folder.write([1, 2, 3], to: "pghd/keystore.next")
        try await place.keystore().update("a") { $0 = [1] }
        #expect(place.mode("pghd/keystore.next") == 0)
        #expect(try await place.keystore().entry("a") == [1])
    }

    @Test func `S30 a full disk leaves the old keystore`() async throws {
        let keystore = place.keystore()
        try await keystore.update("a") { $0 = [1] }
        let before = place.bytes()
        await #expect(processExitsWith: .exitCode(0)) {
            [path = place.path as String, folder = place.folder.path as String] in
            // A write beyond 100 bytes fails as on a full disk, with EFBIG instead of ENOSPC.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100, rlim_max: 100)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let keystore = Keystore(path: path, passphrase: .file(path: "\(folder)/passphrase"))
            await #expect(throws: KeystoreError.file(path: path, .system("write", EFBIG))) {
                try await keystore.update("a") { $0 = [UInt8](repeating: 2, count: 500) }
            }
            // S24: a token that can't be stored could not be had again, so none is requested.
            await #expect(throws: KeystoreError.file(path: path, .system("write", EFBIG))) {
                try await keystore.update("a") { _ in throw CancellationError() }
            }
            // S25: a token is revoked all the same.
            let wasRun = Mutex(false)
            await #expect(throws: KeystoreError.file(path: path, .system("write", EFBIG))) {
                try await keystore.update("a", isRemoval: true) { entry in
                    entry = nil
                    wasRun.withLock { $0 = true }
                }
            }
            #expect(wasRun.withLock { $0 })
        }
        #expect(place.bytes() == before)
        #expect(place.mode("pghd/keystore.next") == 0)
    }

    @Test func `S30 a keystore that can't be replaced leaves no file next to it`() async throws {
        let keystore = place.keystore()
        try await keystore.unlock()
        await #expect(throws: KeystoreError.file(path: place.path, .system("write", EISDIR))) {
            try await keystore.update("a") { [place] entry in
                try place.folder.makeFolder("pghd/keystore")
                entry = [1]
            }
        }
        #expect(place.mode("pghd/keystore.next") == 0)
    }

    private func write(_ name: String) throws {
        try place.folder.makeFolder("pghd")
        try place.permit(0o600, place.folder.write(SampleKeystore.bytes(), to: name))
    }

    /// Why the keystore is not read.
    private var refusal: KeystoreError? {
        do throws(KeystoreError) {
            _ = try KeystoreFolder(path: place.path).read()
            return nil
        } catch {
            return error
        }
    }
}
