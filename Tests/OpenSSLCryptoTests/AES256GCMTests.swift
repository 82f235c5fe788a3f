import OpenSSLCrypto
import Testing

/// AES-256-GCM, checked with test cases 13 to 16 of McGrew and Viega, "The Galois/Counter Mode of Operation", appendix
/// B, which NIST's SP 800-38D refers to.
struct AES256GCMTests {
    private static let plaintext =
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"
    private static let ciphertext =
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
        + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad"
    private static let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"

    @Test(arguments: [
        Case(
            number: 13,
            key: String(repeating: "0", count: 64),
            nonce: String(repeating: "0", count: 24),
            plaintext: "",
            associatedData: "",
            sealed: "530f8afbc74536b9a963b4f1c4cb738b"
        ),
        Case(
            number: 14,
            key: String(repeating: "0", count: 64),
            nonce: String(repeating: "0", count: 24),
            plaintext: String(repeating: "0", count: 32),
            associatedData: "",
            sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
        ),
        Case(
            number: 15,
            key: key,
            nonce: "cafebabefacedbaddecaf888",
            plaintext: plaintext,
            associatedData: "",
            sealed: ciphertext + "b094dac5d93471bdec1a502270e3cc6c"
        ),
        Case(
            number: 16,
            key: key,
            nonce: "cafebabefacedbaddecaf888",
            plaintext: String(plaintext.dropLast(8)),
            associatedData: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            sealed: ciphertext.dropLast(8) + "76fc6ece0f4e1768cddf8853bb2d551b"
        ),
    ])
    func `S28 the published cases can be sealed and opened`(_ test: Case) throws {
        let key = try SecretBytes(copying: bytes(test.key))
        let plaintext = try SecretBytes(copying: bytes(test.plaintext))
        let nonce = bytes(test.nonce)
        let data = bytes(test.associatedData)
        let sealed = try AES256GCM.seal(plaintext, key: key, nonce: nonce, associatedData: data)
        #expect(hex(sealed) == test.sealed)
        let opened = try AES256GCM.open(sealed, key: key, nonce: nonce, associatedData: data)
        #expect(hex(of: opened) == test.plaintext)
    }

    @Test func `S28 with a single changed bit anywhere nothing opens`() throws {
        let key = bytes(Self.key)
        let nonce = bytes("cafebabefacedbaddecaf888")
        let data = bytes("feedfacedeadbeef")
        let plaintext = try SecretBytes(copying: "a refresh token".utf8)
        let sealed = try AES256GCM.seal(
            plaintext,
            key: SecretBytes(copying: key),
            nonce: nonce,
            associatedData: data
        )
        let parts = [key, nonce, data, sealed]
        for part in parts.indices {
            for bit in 0..<parts[part].count * 8 {
                var changed = parts
                changed[part][bit / 8] ^= 1 << (bit % 8)
                let error = #expect(throws: CryptoError.self) {
                    _ = try AES256GCM.open(
                        changed[3],
                        key: SecretBytes(copying: changed[0]),
                        nonce: changed[1],
                        associatedData: changed[2]
                    )
                }
                #expect(error == .notAuthentic)
            }
        }
    }

    @Test(arguments: 0..<31)
    func `S29 a message cut short does not open`(_ count: Int) throws {
        let key = try SecretBytes(copying: bytes(Self.key))
        let nonce = bytes("cafebabefacedbaddecaf888")
        let plaintext = try SecretBytes(copying: "a refresh token".utf8)
        let sealed = try AES256GCM.seal(plaintext, key: key, nonce: nonce, associatedData: [])
        let error = #expect(throws: CryptoError.self) {
            _ = try AES256GCM.open(sealed.prefix(count), key: key, nonce: nonce, associatedData: [])
        }
        #expect(error == .notAuthentic)
    }

    @Test(arguments: [(31, 12), (33, 12), (32, 11), (32, 13)])
    func `a key or nonce of another length is refused`(_ keyByteCount: Int, _ nonceByteCount: Int) throws {
        let key = try SecretBytes(count: keyByteCount)
        let plaintext = try SecretBytes(count: 1)
        let error = #expect(throws: CryptoError.self) {
            _ = try AES256GCM.seal(
                plaintext,
                key: key,
                nonce: [UInt8](repeating: 0, count: nonceByteCount),
                associatedData: []
            )
        }
        #expect(error == .refused(operation: "AES-256-GCM with this key or nonce"))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var number: Int
        var key: String
        var nonce: String
        var plaintext: String
        var associatedData: String
        var sealed: String
        var testDescription: String { "case \(number)" }
    }
}
