internal import COpenSSL

/// The scrypt key derivation: a passphrase becomes a key, at a price in memory and time.
///
/// `Scrypt(costExponent: 17, blockSize: 8, parallelization: 1)` takes 128 MiB and about 0.4 s.
///
/// Source: RFC 7914; its test vectors are in `ScryptTests`.
public struct Scrypt: Sendable, Equatable {
    /// N is 2 to this; 1 to 31.
    public let costExponent: UInt8
    /// r: units of 128 bytes; at least 1.
    public let blockSize: UInt32
    /// p: how many mixes; at least 1.
    public let parallelization: UInt32

    /// The parameters, unchecked: ``deriveKey(from:salt:byteCount:)`` refuses impossible ones.
    public init(costExponent: UInt8, blockSize: UInt32, parallelization: UInt32) {
        self.costExponent = costExponent
        self.blockSize = blockSize
        self.parallelization = parallelization
    }

    /// Bytes that a derivation needs: 128 · r · (N + p + 2), as OpenSSL counts them.
    package var memoryByteCount: UInt64 {
        let blocks = (UInt64(1) << UInt64(min(costExponent, 31))) + UInt64(parallelization) + 2
        return 128 * UInt64(blockSize) * blocks
    }

    /// Derives `byteCount` bytes from `passphrase` and `salt`.
    ///
    /// Blocks the thread for as long as it takes: keep it off Swift's cooperative pool.
    ///
    /// - Throws: ``CryptoError/refused(operation:)`` for parameters that RFC 7914 forbids, ``CryptoError/outOfMemory``
    ///   where there is too little memory.
    public func deriveKey(
        from passphrase: borrowing SecretBytes,
        salt: [UInt8],
        byteCount: Int
    ) throws(CryptoError) -> SecretBytes {
        guard (1...31).contains(costExponent), blockSize > 0, parallelization > 0,
            UInt64(blockSize) * UInt64(parallelization) < 1 << 30
        else { throw .refused(operation: "scrypt with these parameters") }
        var key = try SecretBytes(count: byteCount)
        let isDone = unsafe key.withMutableBytes { key in
            unsafe passphrase.withBytes { passphrase in
                // OpenSSL's own limit of 32 MiB would refuse the keystore's parameters.
                unsafe EVP_PBE_scrypt(
                    passphrase.baseAddress?.assumingMemoryBound(to: CChar.self),
                    passphrase.count,
                    salt,
                    salt.count,
                    UInt64(1) << UInt64(costExponent),
                    UInt64(blockSize),
                    UInt64(parallelization),
                    memoryByteCount,
                    key.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    key.count
                ) == 1
            }
        }
        guard isDone else { throw .outOfMemory }
        return key
    }
}
