/// Short digests of messages met of late, so that none of them is hashed again.
///
/// Heart rates of 72 from one watch have one digest, whenever they were. Looking up costs some 10 ns, where SHA-256 takes 45
/// and HMAC 180. It answers what the hash would have made, whatever was asked before. Of 1,024 messages each has a
/// cache line, 64 KiB together; a new one takes the place of another.
@safe
public struct RecentDigests: ~Copyable, @unchecked Sendable {  // owns its memory alone
    /// As long a tail as is remembered.
    public static let maximumByteCount = 48
    private static let indexBitCount = 10

    private let hash: KeyedSHA256
    private let entries: UnsafeMutableBufferPointer<Entry>

    /// Remembers nothing yet.
    ///
    /// - Parameter hash: makes the digests.
    public init(_ hash: KeyedSHA256) {
        self.hash = hash
        let count = 1 << Self.indexBitCount
        let byteCount = count * MemoryLayout<Entry>.stride
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
        unsafe entries = memory.bindMemory(to: Entry.self)
        removeAll()
    }

    deinit { unsafe UnsafeMutableRawBufferPointer(entries).deallocate() }

    /// Forgets all: heads get other numbers from here on.
    public mutating func removeAll() { unsafe entries.update(repeating: Entry()) }

    /// The first eight bytes of the digest of a head and a tail, as a big-endian number.
    ///
    /// - Parameters:
    ///   - number: the head's, 0 or more: until all is forgotten no other head has it.
    ///   - head: what the message begins with.
    ///   - tail: what it ends with; `SHA256Midstate.paddingByteCount` bytes behind it are written over.
    ///   - count: of the tail's bytes. One of more than 48 is hashed each time.
    /// - Returns: the number.
    public mutating func first(
        of number: Int,
        _ head: SHA256Midstate,
        paddingTail tail: UnsafeMutableRawPointer,
        count: Int
    ) -> UInt64 {
        guard count <= Self.maximumByteCount else {
            return unsafe hash.digest(head, paddingTail: tail, count: count).first
        }
        unsafe (tail + count).storeBytes(of: SIMD8<UInt64>(), as: SIMD8<UInt64>.self)
        let low = unsafe tail.loadUnaligned(as: SIMD4<UInt64>.self)
        let high = unsafe tail.loadUnaligned(fromByteOffset: 32, as: SIMD2<UInt64>.self)
        let key = UInt64(truncatingIfNeeded: number) << 8 | UInt64(count)
        let place = Self.index(key, low, high)
        let entry = unsafe entries[place]
        let differences = (entry.low ^ low) | SIMD4(lowHalf: entry.high ^ high, highHalf: SIMD2(entry.key ^ key, 0))
        if (differences[0] | differences[1]) | (differences[2] | differences[3]) == 0 { return entry.digest }
        let digest = unsafe hash.digest(head, paddingTail: tail, count: count).first
        unsafe entries[place] = Entry(low: low, high: high, key: key, digest: digest)
        return digest
    }

    /// Where a message has its place: a multiplicative hash of all its words.
    private static func index(_ key: UInt64, _ low: SIMD4<UInt64>, _ high: SIMD2<UInt64>) -> Int {
        let mixed =
            (low[0] ^ key) &* 0x9E37_79B9_7F4A_7C15 ^ (low[1] ^ high[0]) &* 0xC2B2_AE3D_27D4_EB4F
            ^ low[2] &* 0x1656_67B1_9E37_79F9 ^ (low[3] ^ high[1] << 32) &* 0xFF51_AFD7_ED55_8CCD
        return Int(((mixed ^ mixed >> 32) &* 0x9E37_79B9_7F4A_7C15) >> (64 - indexBitCount))
    }

    /// A cache line.
    private struct Entry: BitwiseCopyable {
        var low = SIMD4<UInt64>()
        var high = SIMD2<UInt64>()
        /// The head's number and the count of the tail's bytes, which none has where the place is free.
        var key = UInt64.max
        var digest: UInt64 = 0
    }
}
