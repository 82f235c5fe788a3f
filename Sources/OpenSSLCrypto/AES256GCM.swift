internal import COpenSSL

/// AES-256-GCM: encrypts bytes, and notices if they or the data next to them were changed.
///
/// A nonce must never be used twice with one key: draw 12 random bytes for each message (NIST SP 800-38D, 8.2.2, allows
/// 2^32 of them).
///
/// Source: NIST SP 800-38D; test vectors of McGrew and Viega in `AES256GCMTests`.
public enum AES256GCM {
    /// Bytes of a key.
    public static let keyByteCount = 32
    /// Bytes of a nonce.
    public static let nonceByteCount = 12
    /// Bytes of the tag after the encrypted bytes.
    public static let tagByteCount = 16

    /// The encrypted bytes of `plaintext`, followed by the tag.
    ///
    /// What `associatedData` holds, such as a header, is bound to the message but not encrypted.
    ///
    /// - Throws: ``CryptoError/refused(operation:)`` for a key or nonce of another length.
    public static func seal(
        _ plaintext: borrowing SecretBytes,
        key: borrowing SecretBytes,
        nonce: [UInt8],
        associatedData: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let context = try CipherContext()
        try context.begin(key: key, nonce: nonce, isSealing: true)
        try context.takeAssociatedData(associatedData)
        var sealed = [UInt8](repeating: 0, count: plaintext.count + tagByteCount)
        let isDone = unsafe sealed.withUnsafeMutableBytes { output in
            unsafe plaintext.withBytes { unsafe context.seal($0, into: output) }
        }
        guard isDone else { throw .refused(operation: name) }
        return sealed
    }

    /// The bytes that ``seal(_:key:nonce:associatedData:)`` encrypted; nothing at all where a bit differs.
    ///
    /// - Throws: ``CryptoError/notAuthentic`` where anything is not as it was sealed,
    ///   ``CryptoError/refused(operation:)`` for a key or nonce of another length.
    public static func open(
        _ sealed: some Collection<UInt8>,
        key: borrowing SecretBytes,
        nonce: [UInt8],
        associatedData: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        guard sealed.count >= tagByteCount else { throw .notAuthentic }
        let context = try CipherContext()
        try context.begin(key: key, nonce: nonce, isSealing: false)
        try context.takeAssociatedData(associatedData)
        let bytes = Array(sealed)
        // On failure the owner overwrites what was decrypted, before anyone has seen it.
        var plaintext = try SecretBytes(count: bytes.count - tagByteCount)
        let isAuthentic = unsafe plaintext.withMutableBytes { output in
            unsafe bytes.withUnsafeBytes { unsafe context.open($0, into: output) }
        }
        guard isAuthentic else { throw .notAuthentic }
        return plaintext
    }

    fileprivate static let name = "AES-256-GCM"
}

/// Owns one `EVP_CIPHER_CTX` and frees it, which clears the key schedule.
@safe
private struct CipherContext: ~Copyable {
    private let context: OpaquePointer

    init() throws(CryptoError) {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .outOfMemory }
        unsafe self.context = context
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    func begin(key: borrowing SecretBytes, nonce: [UInt8], isSealing: Bool) throws(CryptoError) {
        guard key.count == AES256GCM.keyByteCount, nonce.count == AES256GCM.nonceByteCount else {
            throw .refused(operation: "\(AES256GCM.name) with this key or nonce")
        }
        let isReady = unsafe key.withBytes { key in
            unsafe EVP_CipherInit_ex(
                context,
                EVP_aes_256_gcm(),
                nil,
                key.baseAddress?.assumingMemoryBound(to: UInt8.self),
                nonce,
                isSealing ? 1 : 0
            ) == 1
        }
        guard isReady else { throw .refused(operation: AES256GCM.name) }
    }

    func takeAssociatedData(_ bytes: [UInt8]) throws(CryptoError) {
        let isTaken = unsafe bytes.withUnsafeBytes { unsafe update($0, into: nil) }
        guard isTaken else { throw .refused(operation: AES256GCM.name) }
    }

    /// `output` is 16 bytes longer than `plaintext`.
    func seal(_ plaintext: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Bool {
        guard unsafe update(plaintext, into: output.baseAddress), finish(),
            let tag = unsafe output.baseAddress?.advanced(by: plaintext.count)
        else { return false }
        return unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(AES256GCM.tagByteCount), tag) == 1
    }

    /// `output` is 16 bytes shorter than `sealed`.
    func open(_ sealed: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Bool {
        let hidden = unsafe UnsafeRawBufferPointer(rebasing: sealed[..<output.count])
        var tag = unsafe Array(sealed[output.count...])
        let isTagSet = unsafe tag.withUnsafeMutableBytes {
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32($0.count), $0.baseAddress) == 1
        }
        return unsafe isTagSet && update(hidden, into: output.baseAddress) && finish()
    }

    /// OpenSSL counts in 32 bits; nothing here comes near that, and anything longer is refused.
    private func update(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer?) -> Bool {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return true }
        guard let count = Int32(exactly: bytes.count) else { return false }
        var written: Int32 = 0
        return unsafe EVP_CipherUpdate(
            context,
            output?.assumingMemoryBound(to: UInt8.self),
            &written,
            base.assumingMemoryBound(to: UInt8.self),
            count
        ) == 1
    }

    private func finish() -> Bool {
        var block = [UInt8](repeating: 0, count: 16)
        var written: Int32 = 0
        return unsafe EVP_CipherFinal_ex(context, &block, &written) == 1
    }
}
