internal import FHIRR4
internal import HealthExport

/// Record templates by the raw bytes of the fields that they share.
///
/// Looking one up costs a hash of some 200 bytes, or one comparison where a record shares
/// them with the record before it, as most do. Bounded: past `limit` templates the cache
/// starts anew, which costs time and changes nothing that is written.
struct TemplateCache: ~Copyable {
    static let limit = 1 << 14

    private(set) var templates = RawArray<RecordTemplate>(capacity: 64)
    /// Names for counting, by `RecordTemplate.info`.
    var infos: [TemplateInfo] = []
    /// Fixed JSON of all templates.
    var pieces = PieceArena()

    private var keys = RawArray<UInt8>(capacity: 1 << 14)
    private var keyRanges = RawArray<AttributeRange>(capacity: 64)
    private var hashes = RawArray<UInt64>(capacity: 64)
    /// Open addressing: a template's number plus one, 0 where free.
    private var slots = RawArray<UInt32>(capacity: 1 << 15)
    private var last = -1

    init() { clearSlots() }

    /// The number of the template whose key is `key`, or -1.
    mutating func find(_ key: UnsafeRawBufferPointer) -> Int {
        if last >= 0, unsafe matches(last, key) { return last }
        let hash = unsafe Self.hash(key)
        var slot = Int(truncatingIfNeeded: hash & UInt64(Self.slotCount - 1))
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if hashes[number] == hash, unsafe matches(number, key) {
                last = number
                return number
            }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return -1
    }

    /// Adds a template and answers its number.
    mutating func insert(_ key: UnsafeRawBufferPointer, _ template: RecordTemplate, _ info: TemplateInfo) -> Int {
        var template = template
        template.info = Int32(infos.count)
        infos.append(info)
        let number = templates.count
        templates.append(template)
        let start = keys.count
        if let base = key.baseAddress {
            unsafe keys.append(copyOf: base.assumingMemoryBound(to: UInt8.self), count: key.count)
        }
        keyRanges.append(AttributeRange(start: UInt32(start), count: UInt32(key.count)))
        let hash = unsafe Self.hash(key)
        hashes.append(hash)
        var slot = Int(truncatingIfNeeded: hash & UInt64(Self.slotCount - 1))
        while slots[slot] != 0 { slot = (slot + 1) & (Self.slotCount - 1) }
        slots[slot] = UInt32(number) + 1
        last = number
        return number
    }

    /// Whether it is time to start anew.
    var isFull: Bool { templates.count >= Self.limit }

    /// Starts anew; the caller has taken the counts.
    mutating func removeAll() {
        templates.removeAll()
        infos.removeAll()
        pieces.removeAll()
        keys.removeAll()
        keyRanges.removeAll()
        hashes.removeAll()
        clearSlots()
        last = -1
    }

    /// Where a template stands, until the next `insert` or `removeAll`.
    mutating func pointer(_ number: Int) -> UnsafeMutablePointer<RecordTemplate> {
        unsafe templates.withMutableElements { all in
            guard let base = all.baseAddress else { preconditionFailure("a cache without memory was asked") }
            return unsafe base + number
        }
    }

    /// Begins counting anew.
    mutating func resetCounts(_ number: Int) {
        unsafe templates.withMutableElements { all in
            unsafe all[number].records = 0
            unsafe all[number].written = 0
        }
    }

    private static let slotCount = 1 << 15

    private mutating func clearSlots() {
        slots.removeAll()
        let start = unsafe slots.extend(by: Self.slotCount)
        unsafe start.initialize(repeating: 0, count: Self.slotCount)
    }

    private func matches(_ number: Int, _ key: UnsafeRawBufferPointer) -> Bool {
        let range = keyRanges[number]
        guard Int(range.count) == key.count, let base = key.baseAddress else { return false }
        return unsafe keys.withElements { all in
            guard let start = all.baseAddress else { return false }
            return unsafe Self.equal(UnsafeRawPointer(start + Int(range.start)), base, key.count)
        }
    }

    private static func equal(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
        var index = 0
        while index &+ 8 <= count {
            let one = unsafe left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard unsafe one == right.loadUnaligned(fromByteOffset: index, as: UInt64.self) else { return false }
            index &+= 8
        }
        while index < count {
            let one = unsafe left.load(fromByteOffset: index, as: UInt8.self)
            guard unsafe one == right.load(fromByteOffset: index, as: UInt8.self) else { return false }
            index &+= 1
        }
        return true
    }

    /// A multiply-and-fold hash of eight bytes at a time; seen by this table only.
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
