internal import OpenSSLCrypto

/// The key of a keystore: derived from the passphrase once, and wiped with its last owner.
final class KeystoreKey: Sendable {
    let derivation: KeyDerivation
    let secret: SecretBytes

    init(derivation: KeyDerivation, secret: consuming SecretBytes) {
        self.derivation = derivation
        self.secret = secret
    }

    /// The key that an existing file asks for.
    ///
    /// - Throws: `.wrongPassphrase` where the check value differs.
    static func derive(
        _ derivation: KeyDerivation,
        from passphrase: borrowing SecretBytes
    ) throws(KeystoreFault) -> KeystoreKey {
        let derived = try DerivedBytes(derivation.scrypt, salt: derivation.salt, passphrase: passphrase)
        guard ConstantTime.isEqual(derived.check, derivation.check) else { throw .wrongPassphrase }
        return KeystoreKey(derivation: derivation, secret: try derived.secret())
    }

    /// A key of the current cost, with a salt of its own.
    static func derive(from passphrase: borrowing SecretBytes) throws(KeystoreFault) -> KeystoreKey {
        let salt = try mappingError { () throws(CryptoError) in
            try SecureRandom.bytes(KeyDerivation.saltByteCount)
        }
        let derived = try DerivedBytes(KeyDerivation.current, salt: salt, passphrase: passphrase)
        let derivation = KeyDerivation(scrypt: KeyDerivation.current, salt: salt, check: derived.check)
        return KeystoreKey(derivation: derivation, secret: try derived.secret())
    }
}

/// The part of a header that leads from a passphrase to the key.
struct KeyDerivation: Equatable, Sendable {
    /// For writing: 128 MiB and about 0.4 s for each guess.
    static let current = Scrypt(costExponent: 17, blockSize: 8, parallelization: 1)
    /// For reading: with less, guessing is too cheap; with more (over 512 MiB), a forged file would stop the machine.
    static let costExponents: ClosedRange<UInt8> = 17...19
    static let saltByteCount = 32
    static let checkByteCount = 16

    let scrypt: Scrypt
    let salt: [UInt8]
    /// Derived along with the key, so that a wrong passphrase can be distinguished from a damaged file.
    let check: [UInt8]

    /// Refuses what only an attacker would have written.
    func checkBounds() throws(KeystoreFault) {
        guard Self.costExponents.contains(scrypt.costExponent), scrypt.blockSize == Self.current.blockSize,
            scrypt.parallelization == Self.current.parallelization
        else { throw .derivationOutOfBounds(costExponent: scrypt.costExponent) }
    }
}

/// What one derivation gives: 32 bytes of key, 16 of check value.
private struct DerivedBytes: ~Copyable {
    private let bytes: SecretBytes
    let check: [UInt8]

    init(_ scrypt: Scrypt, salt: [UInt8], passphrase: borrowing SecretBytes) throws(KeystoreFault) {
        do throws(CryptoError) {
            let count = AES256GCM.keyByteCount + KeyDerivation.checkByteCount
            bytes = try scrypt.deriveKey(from: passphrase, salt: salt, byteCount: count)
        } catch {
            throw KeystoreFault(error)
        }
        check = unsafe bytes.withBytes { unsafe Array($0[AES256GCM.keyByteCount...]) }
    }

    func secret() throws(KeystoreFault) -> SecretBytes {
        try mappingError { () throws(CryptoError) in try bytes.part(0..<AES256GCM.keyByteCount) }
    }
}
