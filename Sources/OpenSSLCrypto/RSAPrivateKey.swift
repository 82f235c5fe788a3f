internal import COpenSSL

/// Makes RSA keys as PEM, which is what signing with them reads.
public enum RSAPrivateKey {
    /// A new key of `bitCount` bits as unencrypted PKCS #8 PEM; takes about half a second for 3072.
    ///
    /// - Throws: ``CryptoError/refused(operation:)`` when OpenSSL can't make one.
    public static func newPEM(bitCount: Int) throws(CryptoError) -> String {
        guard let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil) else { throw .refused(operation: "RSA") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, CInt(bitCount)) == 1,
            unsafe EVP_PKEY_keygen(context, &key) == 1
        else { throw .refused(operation: "RSA") }
        defer { unsafe EVP_PKEY_free(key) }
        // Secure memory is cleansed when freed; the string is not, and goes into the keystore.
        guard let memory = unsafe BIO_new(BIO_s_secmem()) else { throw .refused(operation: "RSA") }
        defer { unsafe BIO_free(memory) }
        guard unsafe PEM_write_bio_PKCS8PrivateKey(memory, key, nil, nil, 0, nil, nil) == 1 else {
            throw .refused(operation: "RSA")
        }
        var pem = [UInt8](repeating: 0, count: 8192)
        let count = unsafe BIO_read(memory, &pem, CInt(pem.count))
        guard count > 0 else { throw .refused(operation: "RSA") }
        return String(decoding: pem[..<Int(count)], as: UTF8.self)
    }
}
