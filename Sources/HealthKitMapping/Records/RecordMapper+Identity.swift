internal import FHIRR4
internal import Glibc
internal import HealthExport
internal import OpenSSLCrypto

extension RecordMapper {
    /// The id and the digest of a record: docs/formats.md, "Observation of a Record".
    mutating func identity(_ input: RecordInput, _ resolved: ResolvedRecord) -> (id: ResourceID, digest: UInt64) {
        let metadata = input.metadata
        var head = unsafe resolved.template.pointee.identityHead
        tail.removeAll()
        if metadata.syncIdentifier.isPresent {
            // The sample keeps its id in all its versions: neither its time nor its value is part of it.
            tail.append(0x1F)
            tail.append(0x1F)
            unsafe appendToTail(metadata.syncIdentifier, input.bytes)
            if metadata.syncIdentifier.count < IdentityScheme.uniqueByteCount {
                tail.append(0x1F)
                unsafe appendToTail(resolved.template.pointee.sourceName)
            } else {
                head = unsafe resolved.template.pointee.unsourcedHead
            }
        } else {
            appendTimes(resolved.start, resolved.end)
            appendIdentityValue(input, resolved)
        }
        let name = digest(head)
        tail.removeAll()
        // Any other id includes the times already.
        if metadata.syncIdentifier.isPresent { appendTimes(resolved.start, resolved.end) }
        unsafe tail.append(input.value)
        if unsafe !input.entries.isEmpty { unsafe appendMetadata(input.entries, input.bytes) }
        if input.hasBeats { unsafe beats.canonical.withBytes { unsafe tail.append($0) } }
        if metadata.timeZone.isPresent {
            let name = unsafe input.bytes.bytes(of: metadata.timeZone)
            if let offsets = unsafe zones.ownOffsets(resolved.start, resolved.writtenEnd, in: name) {
                tail.append(0x1F)
                tail.append(offsets)
            }
        }
        let digest = unsafe digest(resolved.template.pointee.digestHead).first
        return (ResourceID(high: name.first, low: name.second), digest)
    }

    /// Appends what the id depends on besides the times: the value, and metadata that distinguish samples.
    private mutating func appendIdentityValue(_ input: RecordInput, _ resolved: ResolvedRecord) {
        let (metadata, bytes, template) = unsafe (input.metadata, input.bytes, resolved.template)
        if unsafe template.pointee.valueIsFixed {
            unsafe appendToTail(template.pointee.fixedIdentityValue)
        } else if unsafe template.pointee.isCanonical && Self.isShortWhole(input.value) {
            // Most values are already in the form that a conversion would give them.
            unsafe tail.append(input.value)
            unsafe appendToTail(template.pointee.identitySuffix)
        } else if let value = resolved.value {
            let canonical = unsafe template.pointee.canonicalUnit.canonical(value)
            let target = unsafe tail.reserve(448)
            unsafe tail.advance(by: canonical.write(to: target))
            unsafe appendToTail(template.pointee.identitySuffix)
        }
        if metadata.foodType.isPresent {
            tail.append(0x1F)
            unsafe appendToTail(metadata.foodType, bytes)
        }
        if metadata.insulinReason.isPresent {
            tail.append(0x1F)
            unsafe appendToTail(metadata.insulinReason, bytes)
        }
        if metadata.foodMeal.isPresent {
            tail.append(0x1F)
            tail.append(0x1F)
            unsafe appendToTail(metadata.foodMeal, bytes)
        }
        if metadata.externalUUID.isPresent {
            tail.append(0x1F)
            tail.append(0x1F)
            tail.append(0x1F)
            unsafe appendToTail(metadata.externalUUID, bytes)
        }
    }

    /// Whether the text is a number of at most three digits, without a sign, a point or a leading zero.
    static func isShortWhole(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count > 0, text.count <= 3 else { return false }
        for index in text.indices where unsafe text[index] &- 48 > 9 { return false }
        return unsafe text[0] != UInt8(ascii: "0") || text.count == 1
    }

    /// Puts the entries in the order of their bytes, keys first: their order in the file has no meaning.
    mutating func orderEntries(_ entries: UnsafeBufferPointer<MetadataElement>, _ bytes: UnsafePointer<UInt8>) {
        entryOrder.removeAll()
        func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
            unsafe Self.order(entries[Int(left)], entries[Int(right)], bytes) < 0
        }
        // A few entries are nearly in order each time; a hostile file may hold many.
        guard entries.count <= 16 else {
            for index in entries.indices.map({ UInt32($0) }).sorted(by: precedes) { entryOrder.append(index) }
            return
        }
        for index in 0..<UInt32(entries.count) {
            var place = Int(index)
            entryOrder.append(index)
            while place > 0, precedes(index, entryOrder[place - 1]) {
                entryOrder[place] = entryOrder[place - 1]
                place -= 1
            }
            entryOrder[place] = index
        }
    }

    /// Negative, 0 or positive: the order of keys, then of values, byte by byte.
    private static func order(
        _ left: MetadataElement,
        _ right: MetadataElement,
        _ bytes: UnsafePointer<UInt8>
    ) -> Int {
        func order(_ left: AttributeRange, _ right: AttributeRange) -> Int {
            let count = Int(min(left.count, right.count))
            let common = count == 0 ? 0 : Int(unsafe memcmp(bytes + Int(left.start), bytes + Int(right.start), count))
            return common != 0 ? common : Int(left.count) - Int(right.count)
        }
        let byKey = order(left.key, right.key)
        return byKey != 0 ? byKey : order(left.value, right.value)
    }

    /// Appends each pair once.
    private mutating func appendMetadata(
        _ entries: UnsafeBufferPointer<MetadataElement>,
        _ bytes: UnsafePointer<UInt8>
    ) {
        for place in 0..<entryOrder.count {
            let entry = unsafe entries[Int(entryOrder[place])]
            if place > 0, unsafe Self.order(entries[Int(entryOrder[place - 1])], entry, bytes) == 0 { continue }
            unsafe appendEntry(entry, bytes)
        }
    }

    private mutating func appendEntry(_ entry: MetadataElement, _ bytes: UnsafePointer<UInt8>) {
        tail.append(0x1F)
        unsafe appendToTail(entry.key, bytes)
        tail.append(0x1F)
        let value = unsafe bytes.bytes(of: entry.value)
        if let seconds = unsafe ExportDate.seconds(value), FHIRDateTime.range.contains(seconds) {
            // A date's text depends on the day of the export.
            appendToTail(seconds)
        } else {
            unsafe tail.append(value)
        }
    }

    private mutating func appendToTail(_ range: AttributeRange, _ bytes: UnsafePointer<UInt8>) {
        unsafe tail.append(bytes.bytes(of: range))
    }

    private mutating func appendToTail(_ piece: RecordTemplate.Piece) {
        guard piece.count > 0 else { return }
        unsafe cache.pieces.bytes.withBytes { all in
            unsafe tail.append(UnsafeRawBufferPointer(rebasing: all[Int(piece.start)..<Int(piece.start + piece.count)]))
        }
    }

    private mutating func appendTimes(_ start: Int64, _ end: Int64) {
        appendToTail(start)
        tail.append(0x1F)
        if start == end {
            let count = tail.count
            let target = unsafe tail.reserve(count)
            unsafe target.copyMemory(from: target - count, byteCount: count)
            return unsafe tail.advance(by: count)
        }
        appendToTail(end)
        tail.append(0x1F)
    }

    private mutating func appendToTail(_ number: Int64) {
        let target = unsafe tail.reserve(20)
        guard Self.hasTenDigits(number) else { return tail.append(String(number)) }
        unsafe Self.writeTenDigits(number, to: target)
        unsafe tail.advance(by: 10)
    }

    /// Whether a number has ten digits, as every instant from 2001 to 2286 does.
    @inline(__always)
    static func hasTenDigits(_ number: Int64) -> Bool { number >= 1_000_000_000 && number < 10_000_000_000 }

    /// Writes a number of ten digits: two, then eight at once.
    @inline(__always)
    static func writeTenDigits(_ number: Int64, to target: UnsafeMutableRawPointer) {
        let digits = tenDigits(number)
        unsafe target.storeBytes(of: UInt16(truncatingIfNeeded: digits.two).littleEndian, as: UInt16.self)
        unsafe target.storeBytes(of: digits.eight.littleEndian, toByteOffset: 2, as: UInt64.self)
    }

    /// The text of a number of ten digits: two, then eight, the first digit the lowest byte of each.
    @inline(__always)
    static func tenDigits(_ number: Int64) -> (two: UInt64, eight: UInt64) {
        let high = UInt64(truncatingIfNeeded: number / 100_000_000)
        let low = UInt64(truncatingIfNeeded: number % 100_000_000)
        // Four digits in each half, then two in each quarter, then one in each byte.
        let halves = low / 10_000 | (low % 10_000) << 32
        let hundreds = (halves &* 10_486) >> 20 & 0x7F_0000_007F
        let quarters = hundreds | (halves &- hundreds &* 100) << 16
        let tens = (quarters &* 103) >> 10 & 0x000F_000F_000F_000F
        let digits = (tens | (quarters &- tens &* 10) << 8) &+ 0x3030_3030_3030_3030
        return (0x3030 &+ high / 10 &+ (high % 10) << 8, digits)
    }

    /// The digest of a head and the tail, which is padded in place.
    mutating func digest(_ head: SHA256Midstate) -> SHA256Digest {
        let count = tail.count
        let end = unsafe tail.reserve(SHA256Midstate.paddingByteCount)
        return unsafe hash.digest(head, paddingTail: end - count, count: count)
    }
}
