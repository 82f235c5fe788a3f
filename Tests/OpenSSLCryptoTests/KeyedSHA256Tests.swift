import OpenSSLCrypto
import Testing

/// HMAC-SHA-256, checked with the test cases of RFC 4231, section 4.
struct KeyedSHA256Tests {
    @Test(arguments: [
        Case(
            key: [UInt8](repeating: 0x0b, count: 20),
            message: Array("Hi There".utf8),
            digest: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        Case(
            key: Array("Jefe".utf8),
            message: Array("what do ya want for nothing?".utf8),
            digest: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        Case(
            key: [UInt8](repeating: 0xaa, count: 20),
            message: [UInt8](repeating: 0xdd, count: 50),
            digest: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        Case(
            key: Array(1...25),
            message: [UInt8](repeating: 0xcd, count: 50),
            digest: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        // Case 5 is a truncated digest, of which RFC 4231 gives the first 16 bytes.
        Case(
            key: [UInt8](repeating: 0x0c, count: 20),
            message: Array("Test With Truncation".utf8),
            digest: "a3b6167473100ee06e0c796c2955552b"
        ),
        Case(
            key: [UInt8](repeating: 0xaa, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            digest: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        Case(
            key: [UInt8](repeating: 0xaa, count: 131),
            message: Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8
            ),
            digest: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ])
    func `the published cases give the published digests`(_ test: Case) {
        let hash = KeyedSHA256(key: test.key)
        let digest = unsafe test.message.withUnsafeBytes {
            unsafe hash.digest(hash.head(paddedWithZeros: []), tail: $0)
        }
        #expect(digest.hex.hasPrefix(test.digest))
    }

    @Test func `a message may begin with a stored head`() {
        let hash = KeyedSHA256(key: Array("Jefe".utf8))
        let head = Array("what do ya want for nothing?".utf8)
        let whole = head + [UInt8](repeating: 0, count: 36) + Array("tail".utf8)
        let one = unsafe whole.withUnsafeBytes { unsafe hash.digest(hash.head(paddedWithZeros: []), tail: $0) }
        let two = unsafe Array("tail".utf8).withUnsafeBytes {
            unsafe hash.digest(hash.head(paddedWithZeros: head), tail: $0)
        }
        #expect(one == two)
    }

    @Test func `without a key it is SHA-256, and an empty key counts as a key`() {
        let plain = KeyedSHA256(key: nil)
        let empty = KeyedSHA256(key: [])
        let message = Array("abc".utf8)
        unsafe message.withUnsafeBytes { bytes in
            let digest = unsafe plain.digest(plain.head(paddedWithZeros: []), tail: bytes)
            #expect(digest.hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
            #expect(unsafe empty.digest(empty.head(paddedWithZeros: []), tail: bytes) != digest)
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var key: [UInt8]
        var message: [UInt8]
        var digest: String
        var testDescription: String { String(digest.prefix(16)) }
    }
}
