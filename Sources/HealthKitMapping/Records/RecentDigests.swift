/// Recently seen digests, so that the same message need not be hashed again.
///
/// Heart rates of 72 from one watch have the same digest, whenever they were measured. Looking one up costs some 5 ns,
/// SHA-256 45 ns and HMAC 180 ns. The result is what was remembered, or `nil`. Each of 2,048 messages takes half a
/// cache line, 64 KiB together; a new one replaces another.
@safe
struct RecentDigests: ~Copyable, @unchecked Sendable {  // sole owner of its memory
    private static let indexBitCount = 11

    private let entries: UnsafeMutableBufferPointer<Entry>

    /// Remembers nothing yet.
    init() {
        let count = 1 << Self.indexBitCount
        let byteCount = count * MemoryLayout<Entry>.stride
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
        unsafe entries = memory.bindMemory(to: Entry.self)
        removeAll()
    }

    deinit { unsafe UnsafeMutableRawBufferPointer(entries).deallocate() }

    /// Forgets all: from here on heads and rests have other numbers.
    mutating func removeAll() { unsafe entries.update(repeating: Entry()) }

    /// The digest of a message, if it is remembered.
    @inline(__always)
    func digest(of message: Message) -> UInt64? {
        let entry = unsafe entries[message.place(bits: Self.indexBitCount)]
        let difference =
            (entry.message.text.low ^ message.text.low) | (entry.message.text.high ^ message.text.high)
            | (entry.message.numbers ^ message.numbers)
        return difference == 0 ? entry.digest : nil
    }

    /// Remembers the digest of a message.
    mutating func remember(_ digest: UInt64, of message: Message) {
        unsafe entries[message.place(bits: Self.indexBitCount)] = Entry(message: message, digest: digest)
    }

    /// What distinguishes a message from all others: the numbers of a head and a rest, and a short text between them.
    struct Message: BitwiseCopyable {
        let text: ShortText
        /// The numbers of the head and the rest, and the count of the text's bytes.
        let numbers: UInt64

        /// A message, whose head and rest are given by numbers that nothing else has until all is forgotten.
        @inline(__always)
        init(head: Int, _ text: ShortText, rest: Int) {
            self.text = text
            let pair = UInt64(UInt32(truncatingIfNeeded: head)) << 32 | UInt64(UInt32(truncatingIfNeeded: rest)) << 8
            numbers = pair | UInt64(text.count)
        }

        fileprivate init() {
            text = ShortText()
            numbers = .max
        }

        /// Its place in the table: a multiplicative hash of all its words.
        @inline(__always)
        fileprivate func place(bits: Int) -> Int {
            let mixed = (text.low ^ numbers) &* 0x9E37_79B9_7F4A_7C15 ^ text.high &* 0xC2B2_AE3D_27D4_EB4F
            return Int(((mixed ^ mixed >> 32) &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - bits))
        }
    }

    /// Half a cache line.
    private struct Entry: BitwiseCopyable {
        /// A message that no record has, if the place is free.
        var message = Message()
        var digest: UInt64 = 0
    }
}
