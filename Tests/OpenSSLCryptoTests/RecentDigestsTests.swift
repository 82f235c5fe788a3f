import OpenSSLCrypto
import Testing

/// What is remembered is what would have been made.
struct RecentDigestsTests {
    @Test(arguments: [nil, Array("key".utf8)])
    func `whatever was asked before, a digest is the one that the hash makes`(_ key: [UInt8]?) {
        let hash = KeyedSHA256(key: key)
        let heads = ["", "a", "b"].map { hash.head(paddedWithZeros: Array($0.utf8)) }
        var digests = RecentDigests(hash)
        // Few bytes, so that most messages come again and places are fought for.
        var state: UInt64 = 1
        func random(below limit: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % limit)
        }
        for _ in 0..<20_000 {
            let number = random(below: 3)
            var tail = [UInt8](repeating: 0, count: random(below: 4) == 0 ? 44 + random(below: 10) : random(below: 4))
            for index in tail.indices where index < 3 || index > 45 { tail[index] = UInt8(random(below: 12)) }
            #expect(digests.first(of: number, heads[number], tail) == Self.first(hash, heads[number], tail))
        }
    }

    @Test func `messages that differ in one byte, in their head or in a zero byte at the end differ`() {
        let hash = KeyedSHA256(key: nil)
        let (head, other) = (hash.head(paddedWithZeros: [1]), hash.head(paddedWithZeros: [2]))
        var digests = RecentDigests(hash)
        let tail = [UInt8](repeating: 7, count: 40)
        var seen: Set = [
            digests.first(of: 1, head, tail), digests.first(of: 2, other, tail), digests.first(of: 1, head, tail + [0]),
        ]
        for index in tail.indices {
            var changed = tail
            changed[index] = 8
            seen.insert(digests.first(of: 1, head, changed))
        }
        #expect(seen.count == 43)
        #expect(seen.contains(digests.first(of: 1, head, tail)))
    }

    @Test func `once all is forgotten a head may have another's number`() {
        let hash = KeyedSHA256(key: nil)
        let (head, other) = (hash.head(paddedWithZeros: [1]), hash.head(paddedWithZeros: [2]))
        var digests = RecentDigests(hash)
        let tail = Array("72".utf8)
        #expect(digests.first(of: 0, head, tail) == Self.first(hash, head, tail))
        digests.removeAll()
        #expect(digests.first(of: 0, other, tail) == Self.first(hash, other, tail))
    }

    private static func first(_ hash: KeyedSHA256, _ head: SHA256Midstate, _ tail: [UInt8]) -> UInt64 {
        unsafe tail.withUnsafeBytes { unsafe hash.digest(head, tail: $0) }.first
    }
}

extension RecentDigests {
    mutating func first(of number: Int, _ head: SHA256Midstate, _ tail: [UInt8]) -> UInt64 {
        // What stands behind it says nothing.
        var room = tail + [UInt8](repeating: 0xEE, count: SHA256Midstate.paddingByteCount)
        return unsafe room.withUnsafeMutableBytes { room in
            guard let base = room.baseAddress else { return 0 }
            return unsafe first(of: number, head, paddingTail: base, count: tail.count)
        }
    }
}
