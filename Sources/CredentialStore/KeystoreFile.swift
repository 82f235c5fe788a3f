internal import OpenSSLCrypto

/// The keystore's bytes: a header in the clear, followed by the entries, encrypted and bound to it.
///
/// Byte by byte in docs/formats.md. The header is the associated data of the encryption, so no byte of the file can
/// change without being noticed.
struct KeystoreFile {
    static let magic = Array("pghdkeys".utf8)
    static let version: UInt8 = 1
    static let headerByteCount = 80
    /// The fewest bytes of a file: the header and a tag, with no entries between them.
    static let minimumByteCount = headerByteCount + AES256GCM.tagByteCount
    /// The most bytes of a file: 1 MiB, some hundred sign-ins.
    static let maximumByteCount = 1 << 20

    /// How the key is derived from the passphrase.
    let derivation: KeyDerivation
    /// How often the store has been written; a smaller number than before means an old copy.
    let counter: UInt64
    private let nonce: [UInt8]
    private let header: [UInt8]
    private let sealed: [UInt8]

    /// Reads the header; what follows it is ``entries(key:)``'s business.
    ///
    /// - Throws: where it is not a keystore, is one of a later version, is cut short, or asks for a derivation that is
    ///   too cheap to be safe or too expensive to run.
    init(parsing bytes: [UInt8]) throws(KeystoreFault) {
        guard bytes.count <= Self.maximumByteCount else { throw .tooLarge }
        guard bytes.starts(with: Self.magic.prefix(bytes.count)) else { throw .notAKeystore }
        guard bytes.count >= Self.minimumByteCount else {
            throw .truncated(byteCount: bytes.count)
        }
        guard bytes[8] == Self.version else { throw .unknownVersion(bytes[8]) }
        derivation = KeyDerivation(
            scrypt: Scrypt(
                costExponent: bytes[9],
                blockSize: UInt32(bytes[10]),
                parallelization: UInt32(bytes[11])
            ),
            salt: Array(bytes[12..<44]),
            check: Array(bytes[44..<60])
        )
        try derivation.checkBounds()
        counter = bytes[60..<68].reduce(0) { $0 << 8 | UInt64($1) }
        nonce = Array(bytes[68..<80])
        header = Array(bytes[..<Self.headerByteCount])
        sealed = Array(bytes[Self.headerByteCount...])
    }

    /// The entries.
    ///
    /// - Throws: `.replaced` where `key` was derived for another header, `.damaged` where a bit
    ///   of the file is not as it was written.
    func entries(key: KeystoreKey) throws(KeystoreFault) -> KeystoreEntries {
        guard key.derivation == derivation else { throw .replaced }
        let plaintext = try mappingError { () throws(CryptoError) in
            try AES256GCM.open(sealed, key: key.secret, nonce: nonce, associatedData: header)
        }
        guard let entries = KeystoreEntries(decoding: plaintext) else { throw .damaged }
        return entries
    }

    /// The bytes of a file, under a fresh nonce.
    static func bytes(
        of entries: KeystoreEntries,
        key: KeystoreKey,
        counter: UInt64
    ) throws(KeystoreFault) -> [UInt8] {
        let derivation = key.derivation
        let scrypt = derivation.scrypt
        let nonce = try mappingError { () throws(CryptoError) in
            try SecureRandom.bytes(AES256GCM.nonceByteCount)
        }
        var header = magic + [version, scrypt.costExponent]
        header += [UInt8(scrypt.blockSize), UInt8(scrypt.parallelization)]
        header += derivation.salt + derivation.check
        header += (0..<8).map { UInt8(truncatingIfNeeded: counter >> UInt64(56 - 8 * $0)) }
        header += nonce
        let sealed = try mappingError { () throws(CryptoError) in
            try AES256GCM.seal(entries.encoded(), key: key.secret, nonce: nonce, associatedData: header)
        }
        guard header.count + sealed.count <= maximumByteCount else { throw .full }
        return header + sealed
    }
}

/// Runs `body`; bytes that are not authentic mean that the file is damaged.
func mappingError<Result: ~Copyable>(
    _ body: () throws(CryptoError) -> Result
) throws(KeystoreFault) -> Result {
    do throws(CryptoError) {
        return try body()
    } catch {
        throw error == .notAuthentic ? .damaged : KeystoreFault(error)
    }
}
