internal import Glibc

/// Numbers for runs of bytes: the same bytes get the same number.
///
/// A lookup costs a hash of the bytes, some 20 ns for 100 of them. The table only grows; its owner empties it at a
/// limit.
@safe
package struct InternedBytes: ~Copyable, Sendable {
    private let limit: Int
    private let slotCount: Int

    private var bytes = RawArray<UInt8>(capacity: 1 << 14)
    private var ranges = RawArray<AttributeRange>(capacity: 64)
    private var hashes = RawArray<UInt64>(capacity: 64)
    /// Open addressing: a number plus one, 0 where free.
    private var slots: RawArray<UInt32>
    /// The number found or added last: the next one is mostly the same.
    private var last = -1

    /// An empty table.
    ///
    /// - Parameter limit: the most runs it holds, a power of two.
    package init(limit: Int = 1 << 13) {
        self.limit = limit
        slotCount = limit * 2
        slots = RawArray(capacity: slotCount)
        clearSlots()
    }

    /// Whether no more may be added before `removeAll()`.
    package var isFull: Bool { ranges.count >= limit }

    /// The total size of the keys in bytes.
    package var byteCount: Int { bytes.count }

    /// The number of `key`, or `nil` if it is new.
    package mutating func number(of key: UnsafeRawBufferPointer) -> Int? {
        if last >= 0, unsafe matches(last, key) { return last }
        let hash = unsafe Self.hash(key)
        var slot = firstSlot(hash)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if hashes[number] == hash, unsafe matches(number, key) {
                last = number
                return number
            }
            slot = (slot + 1) & (slotCount - 1)
        }
        return nil
    }

    /// Adds `key`, which must be new, and returns its number: 0, 1, 2 and so on.
    package mutating func insert(_ key: UnsafeRawBufferPointer) -> Int {
        precondition(!isFull)
        let number = ranges.count
        let start = bytes.count
        if let base = key.baseAddress {
            unsafe bytes.append(copyOf: base.assumingMemoryBound(to: UInt8.self), count: key.count)
        }
        ranges.append(AttributeRange(start: UInt32(start), count: UInt32(key.count)))
        let hash = unsafe Self.hash(key)
        hashes.append(hash)
        var slot = firstSlot(hash)
        while slots[slot] != 0 { slot = (slot + 1) & (slotCount - 1) }
        slots[slot] = UInt32(number) + 1
        last = number
        return number
    }

    /// Forgets everything.
    package mutating func removeAll() {
        last = -1
        bytes.removeAll()
        ranges.removeAll()
        hashes.removeAll()
        clearSlots()
    }

    private mutating func clearSlots() {
        slots.removeAll()
        let start = unsafe slots.extend(by: slotCount)
        unsafe start.initialize(repeating: 0, count: slotCount)
    }

    private func matches(_ number: Int, _ key: UnsafeRawBufferPointer) -> Bool {
        let range = ranges[number]
        guard Int(range.count) == key.count, let base = key.baseAddress else { return false }
        return unsafe bytes.withElements { all in
            guard let start = all.baseAddress else { return false }
            return unsafe memcmp(start + Int(range.start), base, key.count) == 0
        }
    }

    private func firstSlot(_ hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash & UInt64(slotCount - 1))
    }

    /// A multiply-and-fold hash of eight bytes at a time; used by this table only.
    private static func hash(_ key: UnsafeRawBufferPointer) -> UInt64 {
        var state = UInt64(truncatingIfNeeded: key.count) &* 0x9E37_79B9_7F4A_7C15
        var index = 0
        func mix(_ word: UInt64) {
            let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
            state = product.high ^ product.low
        }
        while index &+ 8 <= key.count {
            unsafe mix(key.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index &+= 8
        }
        var tail: UInt64 = 0
        while index < key.count {
            tail = unsafe tail << 8 | UInt64(key[index])
            index &+= 1
        }
        mix(tail ^ 0xA076_1D64_78BD_642F)
        return state
    }
}
