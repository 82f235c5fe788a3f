/// Short digests of messages met of late, so that none of them is hashed again.
///
/// Ten heart rates of 72 in a row have one digest each, and the same one. Looking up costs a
/// few ns, where SHA-256 takes 45 and HMAC 180. A pure memory: what it answers is what the hash
/// would have made, whatever was asked before. It holds 1,024 messages in 112 KiB; a new one takes the
/// place of another.
@safe
public struct RecentDigests: ~Copyable, @unchecked Sendable {  // owns its memory alone
    /// As long a tail as is remembered.
    public static let maximumByteCount = 64
    private static let indexBitCount = 10

    private let hash: KeyedSHA256
    private let entries: UnsafeMutablePointer<Entry>

    /// Remembers nothing yet.
    ///
    /// - Parameter hash: makes the digests.
    public init(_ hash: KeyedSHA256) {
        self.hash = hash
        unsafe entries = .allocate(capacity: 1 << Self.indexBitCount)
        unsafe entries.initialize(repeating: Entry(), count: 1 << Self.indexBitCount)
    }

    deinit { unsafe entries.deallocate() }

    /// The first eight bytes of the digest of `head` and the tail, as a big-endian number.
    ///
    /// - Parameters:
    ///   - head: what the message begins with.
    ///   - tail: what it ends with; `SHA256Midstate.paddingByteCount` bytes behind it are written over.
    ///   - count: of the tail's bytes. One of more than 64 is hashed each time.
    /// - Returns: the number.
    public mutating func first(
        _ head: SHA256Midstate,
        paddingTail tail: UnsafeMutableRawPointer,
        count: Int
    ) -> UInt64 {
        guard count <= Self.maximumByteCount else {
            return unsafe hash.digest(head, paddingTail: tail, count: count).first
        }
        unsafe (tail + count).storeBytes(of: Block(), as: Block.self)
        let block = unsafe tail.loadUnaligned(as: Block.self)
        let entry = unsafe entries + Self.index(head.words, block)
        if unsafe entry.pointee.count == count, unsafe entry.pointee.block == block,
            unsafe entry.pointee.head == head.words
        {
            return unsafe entry.pointee.digest
        }
        let digest = unsafe hash.digest(head, paddingTail: tail, count: count).first
        unsafe entry.pointee = Entry(head: head.words, block: block, count: count, digest: digest)
        return digest
    }

    /// Where a message has its place: a multiplicative hash of all its words.
    private static func index(_ head: SIMD4<UInt64>, _ block: Block) -> Int {
        let high = block.highHalf
        let folded = block.lowHalf ^ (high &<< 23 | high &>> 41) ^ head
        let mixed =
            folded[0] &* 0x9E37_79B9_7F4A_7C15 ^ folded[1] &* 0xC2B2_AE3D_27D4_EB4F
            ^ folded[2] &* 0x1656_67B1_9E37_79F9 ^ folded[3] &* 0xFF51_AFD7_ED55_8CCD
        return Int(((mixed ^ mixed >> 32) &* 0x9E37_79B9_7F4A_7C15) >> (64 - indexBitCount))
    }

    private typealias Block = SIMD8<UInt64>

    private struct Entry: BitwiseCopyable {
        var head = SIMD4<UInt64>()
        var block = Block()
        /// Of the tail's bytes; -1 where the place is free.
        var count = -1
        var digest: UInt64 = 0
    }
}
