/// Digests met of late, so that none of their messages is hashed again.
///
/// Heart rates of 72 from one watch have one digest, whenever they were. Looking up costs some 5 ns, where SHA-256 takes 45
/// and HMAC 180. It answers what it was told, or nothing. Of 2,048 messages each has half a cache line, 64 KiB together;
/// a new one takes the place of another.
@safe
struct RecentDigests: ~Copyable, @unchecked Sendable {  // owns its memory alone
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

    /// Forgets all: heads and rests get other numbers from here on.
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

    /// Remembers what the digest of a message is.
    mutating func remember(_ digest: UInt64, of message: Message) {
        unsafe entries[message.place(bits: Self.indexBitCount)] = Entry(message: message, digest: digest)
    }

    /// What tells a message from any other: a head and a rest by their numbers, and a short text between them.
    struct Message: BitwiseCopyable {
        let text: ShortText
        /// Of the head, the rest and the count of the text's bytes.
        let numbers: UInt64

        /// A message: what stands before the text and what stands behind it by numbers that until all is forgotten nothing
        /// else has.
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

        /// Where it has its place: a multiplicative hash of all its words.
        @inline(__always)
        fileprivate func place(bits: Int) -> Int {
            let mixed = (text.low ^ numbers) &* 0x9E37_79B9_7F4A_7C15 ^ text.high &* 0xC2B2_AE3D_27D4_EB4F
            return Int(((mixed ^ mixed >> 32) &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - bits))
        }
    }

    /// Half a cache line.
    private struct Entry: BitwiseCopyable {
        /// That which no record has, where the place is free.
        var message = Message()
        var digest: UInt64 = 0
    }
}
