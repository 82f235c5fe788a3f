import OpenSSLCrypto
import Testing

/// FIPS 180-4, checked with the examples of NIST (CSRC, "SHA-256") and of RFC 6234, section 8.5.
struct SHA256Tests {
    @Test(arguments: [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        (
            "0123456701234567012345670123456701234567012345670123456701234567", 10,
            "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5"
        ),
    ])
    func `the published examples give the published digests`(_ text: String, _ times: Int, _ digest: String) {
        var hash = SHA256()
        for _ in 0..<times { hash.update(text) }
        #expect(hash.digest().hex == digest)
        #expect(midstate(Array(repeating: Array(text.utf8), count: times).flatMap(\.self)) == digest)
    }

    @Test func `RFC 6234's other messages of whole bytes give their digests`() {
        // TEST8_256 and TEST10_256.
        let eight: [UInt8] = [
            0xe3, 0xd7, 0x25, 0x70, 0xdc, 0xdd, 0x78, 0x7c, 0xe3, 0x88, 0x7a, 0xb2, 0xcd, 0x68, 0x46, 0x52,
        ]
        #expect(midstate([0x19]) == "68aa2e2ee5dff96e3355e6c7ee373e3d6a4e17f75f9518d843709c0c9bc3e3d4")
        #expect(midstate(eight) == "175ee69b02ba9b58e2b0a5fd13819cea573f3940a94f825128cf4209beabb4e8")
        for message in [[0x19], eight] {
            var hash = SHA256()
            hash.update(message)
            #expect(hash.digest().hex == midstate(message))
        }
    }

    @Test func `a state can be stored and continued, and computing a digest does not change it`() {
        var hash = SHA256()
        hash.update("ab")
        let kept = hash
        hash.update("c")
        #expect(hash.digest().hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(hash.digest() == hash.digest())
        var other = kept
        other.update([UInt8(ascii: "c")])
        #expect(other.digest() == hash.digest())
        #expect(kept.digest() != hash.digest())
    }

    @Test func `a digest's words are its bytes in big-endian order`() {
        var hash = SHA256()
        hash.update("abc")
        let digest = hash.digest()
        #expect(digest.first == 0xba78_16bf_8f01_cfea)
        #expect(digest.second == 0x4141_40de_5dae_2223)
        #expect(digest.third == 0xb003_61a3_9617_7a9c)
        #expect(digest.fourth == 0xb410_ff61_f200_15ad)
        #expect(digest.bytes.prefix(4) == [0xba, 0x78, 0x16, 0xbf])
        #expect(digest.bytes.count == 32)
    }

    @Test func `heads and tails of every length join to one message`() {
        for headCount in [0, 1, 55, 63, 64, 65, 127, 128, 200] {
            for tailCount in Array(0...130) {
                let head = (0..<headCount).map { UInt8(truncatingIfNeeded: $0 &* 7) }
                let tail = (0..<tailCount).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ 1) }
                var whole = SHA256()
                whole.update(head + [UInt8](repeating: 0, count: (64 - headCount % 64) % 64) + tail)
                let state = SHA256Midstate(paddedWithZeros: head)
                let digest = unsafe tail.withUnsafeBytes { unsafe state.digest(tail: $0) }
                #expect(digest == whole.digest(), "\(headCount) and \(tailCount) bytes")
                #expect(state.byteCount == UInt64((headCount + 63) / 64 * 64))
            }
        }
    }

    @Test(arguments: [nil, Array("key".utf8)], 0...55)
    func `a tail passed by value gives the same digest as its bytes`(_ key: [UInt8]?, _ count: Int) {
        let hash = KeyedSHA256(key: key)
        let head = hash.head(paddedWithZeros: [1, 2, 3])
        let tail = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ 1) }
        let block = tail + [0x80] + [UInt8](repeating: 0, count: 63 - count)
        var words = SIMD8<UInt64>()
        for place in block.indices { words[place / 8] |= UInt64(block[place]) << UInt64(place % 8 * 8) }
        let expected = unsafe tail.withUnsafeBytes { unsafe hash.digest(head, tail: $0) }
        #expect(hash.digest(head, closedTail: words, count: count) == expected)
    }

    /// The digest by way of a stored state: whole blocks as the head, the rest as the tail.
    private func midstate(_ message: [UInt8]) -> String {
        let head = Array(message.prefix(message.count / 64 * 64))
        let state = SHA256Midstate(paddedWithZeros: head)
        let tail = Array(message.dropFirst(head.count))
        return unsafe tail.withUnsafeBytes { unsafe state.digest(tail: $0).hex }
    }
}
