internal import CGlibc
internal import Glibc
internal import OpenSSLCrypto

/// A keystore's key in memory that a process shares with those it starts: the first one to derive it does so for all.
///
/// It is in no file system, is kept out of swap and core dumps where the system allows it, and is gone with the last
/// process that has it open. Anyone who has it can open the keystore as long as its passphrase stays the same.
///
///     let shared = SharedKey()                                     // in the process that starts others
///     let keystore = Keystore(path: path, passphrase: source, sharedKey: SharedKey(descriptor: 3))
///
/// Cost: a page of memory; each process that finds the key here saves 0.4 s and 128 MiB.
///
/// Source: memfd_create(2).
@safe
package final class SharedKey: Sendable {
    /// The descriptor, which a process that is started gets under the same number.
    package let descriptor: Int32
    // Processes that share it run one after another.
    private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

    /// Makes room for a key; `nil` where the system has none, so that each process derives its own.
    package convenience init?() {
        let descriptor = unsafe pghd_make_memory("pghd-key", Self.pageByteCount)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor: descriptor)
    }

    /// The shared key that this process was started with; `nil` where the descriptor is anything else, such as a file.
    package init?(descriptor: Int32) {
        guard pghd_is_memory(descriptor, Self.pageByteCount) != 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let address = unsafe mmap(nil, Self.pageByteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let address = unsafe address, unsafe address != MAP_FAILED else { return nil }
        _ = unsafe mlock(address, Self.pageByteCount)
        _ = unsafe madvise(address, Self.pageByteCount, MADV_DONTDUMP)
        unsafe memory = UnsafeMutableRawBufferPointer(start: address, count: Self.pageByteCount)
        self.descriptor = descriptor
    }

    deinit {
        _ = unsafe munmap(memory.baseAddress, memory.count)
        close(descriptor)
    }

    private static let pageByteCount = max(sysconf(Int32(_SC_PAGESIZE)), 4096)

    /// Where the key is: after the byte that says whether all is there, and its cost, salt and check value.
    private static let keyPlace = 2 + KeyDerivation.saltByteCount + KeyDerivation.checkByteCount

    /// The key that a file asks for, if it is the one here.
    func key(for derivation: KeyDerivation) throws(KeystoreFault) -> KeystoreKey? {
        let wanted = Self.bytes(of: derivation)
        let isIt = unsafe memory[0] == 1 && memory[1..<Self.keyPlace].elementsEqual(wanted)
        guard isIt else { return nil }
        do throws(CryptoError) {
            let place = Self.keyPlace..<Self.keyPlace + AES256GCM.keyByteCount
            let secret = try unsafe SecretBytes(copying: memory[place])
            return KeystoreKey(derivation: derivation, secret: secret)
        } catch {
            throw KeystoreFault(error)
        }
    }

    /// Keeps a key for others, in place of any that was there.
    func keep(_ key: KeystoreKey) {
        unsafe memory[0] = 0
        let beginning = Self.bytes(of: key.derivation)
        for (place, byte) in beginning.enumerated() { unsafe memory[1 + place] = byte }
        unsafe key.secret.withBytes { secret in
            for place in 0..<secret.count { unsafe memory[Self.keyPlace + place] = secret[place] }
        }
        unsafe memory[0] = 1
    }

    private static func bytes(of derivation: KeyDerivation) -> [UInt8] {
        [derivation.scrypt.costExponent] + derivation.salt + derivation.check
    }
}
