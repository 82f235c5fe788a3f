internal import COpenSSL
internal import Glibc

/// Owns a secret (a passphrase, a key) in memory of its own, and overwrites it when it goes away.
///
/// The pages are kept out of swap and out of core dumps where the system allows it, and are never printed: the type has
/// no description. What a `String` or an array held before can't be wiped, so read a secret straight into one of these.
///
/// Cost: at least one page and three system calls each.
///
/// Source: OpenSSL's `OPENSSL_cleanse`; mlock(2), madvise(2).
@safe
public struct SecretBytes: ~Copyable, Sendable {
    /// Bytes of the secret.
    public let count: Int
    // Accessed only through the closures below, and written only by its sole owner.
    private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

    /// A secret of `count` zero bytes, to be written into.
    ///
    /// - Throws: ``CryptoError/outOfMemory`` where the system has no page left.
    public init(count: Int) throws(CryptoError) {
        let page = max(sysconf(Int32(_SC_PAGESIZE)), 4096)
        let byteCount = (max(count, 1) + page - 1) / page * page
        let address = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let address = unsafe address, unsafe address != MAP_FAILED else { throw .outOfMemory }
        // Best effort: RLIMIT_MEMLOCK may be 0.
        _ = unsafe mlock(address, byteCount)
        _ = unsafe madvise(address, byteCount, MADV_DONTDUMP)
        unsafe memory = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
        self.count = count
    }

    /// A copy of `bytes`; the array itself stays as it is.
    ///
    /// - Throws: ``CryptoError/outOfMemory`` where the system has no page left.
    public init(copying bytes: some Collection<UInt8>) throws(CryptoError) {
        try self.init(count: bytes.count)
        unsafe memory.copyBytes(from: bytes)
    }

    deinit {
        unsafe OPENSSL_cleanse(memory.baseAddress, memory.count)
        _ = unsafe munmap(memory.baseAddress, memory.count)
    }

    /// Whether there is no byte.
    public var isEmpty: Bool { count == 0 }

    /// Lends the bytes to `body`, which must not keep them.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
    }

    /// Lends the bytes to `body` for writing.
    public mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]))
    }

    /// The bytes of `range` as a secret of their own.
    ///
    /// - Throws: ``CryptoError/outOfMemory`` where the system has no page left.
    public borrowing func part(_ range: Range<Int>) throws(CryptoError) -> SecretBytes {
        try unsafe withBytes { bytes throws(CryptoError) in
            try unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }

    /// Whether both secrets are the same, in a time that depends only on their lengths.
    public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
        unsafe withBytes { mine in
            unsafe other.withBytes { unsafe ConstantTime.isEqual(mine, $0) }
        }
    }
}
