import Glibc
import OpenSSLCrypto
import TestSupport
import Testing

@testable import CredentialStore

/// Several processes with one keystore, and processes that end at the wrong moment.
@Suite(.serialized)
struct KeystoreProcessTests {
    private let place: KeystorePlace

    init() throws { place = try KeystorePlace() }

    @Test func `S22 twenty processes that update at once lose nothing`() async throws {
        // The first process makes the keystore; each one adds an entry and increments a common one.
        await withTaskGroup { group in
            for number in 0..<20 {
                group.addTask { [path = place.path, folder = place.folder.path] in
                    await #expect(processExitsWith: .success) {
                        [path = path as String, folder = folder as String, number = number as Int] in
                        let keystore = Keystore(path: path, passphrase: .file(path: "\(folder)/passphrase"))
                        try await keystore.update("entry \(number)") { $0 = [UInt8(number)] }
                        try await keystore.update("common") { $0 = [($0?.first ?? 0) + 1] }
                    }
                }
            }
        }
        let keystore = place.keystore()
        #expect(try await keystore.names().count == 21)
        #expect(try await keystore.entry("common") == [20])
        for number in 0..<20 { #expect(try await keystore.entry("entry \(number)") == [UInt8(number)]) }
    }

    @Test func `S30 a process killed at any of 200 moments of a write leaves the old or the new keystore`() async throws
    {
        try place.folder.makeFolder("pghd")
        let key = try SampleKeystore.quickKey()
        var random = SystemRandomNumberGenerator()
        var last: UInt64 = 0
        for _ in 0..<200 {
            let delay = UInt32.random(in: 0..<3000, using: &random)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = place.path as String, delay = delay as UInt32, last = last as UInt64] in
                let folder = KeystoreFolder(path: path)
                let lock = try await KeystoreLock.acquire(in: folder)
                let key = try SampleKeystore.quickKey()
                KeystoreProcessTests.killThisProcess(afterMicroseconds: delay)
                var counter = last
                while true {
                    counter += 1
                    let entries = KeystoreProcessTests.entries(counter)
                    let bytes = try KeystoreFile.bytes(of: entries, key: key, counter: counter)
                    try folder.prepare(1 << 10, under: lock)
                    try folder.replace(with: bytes, under: lock)
                }
            }
            // If it is killed before the first write, there is no keystore yet.
            guard let bytes = place.bytes() else {
                #expect(last == 0)
                continue
            }
            let file = try KeystoreFile(parsing: bytes)
            #expect(file.counter >= last)
            #expect(try file.entries(key: key) == Self.entries(file.counter))
            last = file.counter
        }
        #expect(last > 0)
    }

    @Test func `S22 a lock ends with its process`() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = place.path as String] in
            let lock = try await KeystoreLock.acquire(in: KeystoreFolder(path: path))
            kill(getpid(), SIGKILL)
            lock.release()
        }
        try await place.keystore().update("a") { $0 = [1] }
        #expect(try await place.keystore().entry("a") == [1])
    }

    @Test func `S34 a process that forbids core dumps leaves none, and no other may look inside`() async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            CoreDumps.forbid()
            var limit = rlimit()
            try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0)
            #expect(limit.rlim_cur == 0)
            #expect(limit.rlim_max == 0)
            // In /proc a process that may not be dumped belongs to root, no matter who runs it.
            var status = stat()
            try #require(unsafe stat("/proc/self/mem", &status) == 0)
            #expect(status.st_uid == 0)
        }
    }

    /// Entries that show which write they come from, longer than one page.
    private static func entries(_ counter: UInt64) -> KeystoreEntries {
        var entries = KeystoreEntries()
        entries["a"] = [UInt8](repeating: UInt8(truncatingIfNeeded: counter), count: 20_000)
        entries["b"] = Array("\(counter)".utf8)
        return entries
    }

    private static func killThisProcess(afterMicroseconds delay: UInt32) {
        Task.detached {
            usleep(delay)
            kill(getpid(), SIGKILL)
        }
    }
}
