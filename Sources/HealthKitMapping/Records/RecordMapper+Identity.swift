internal import FHIRR4
internal import HealthExport
internal import OpenSSLCrypto

extension RecordMapper {
    /// The id and the digest of a record: docs/formats.md, "Observation of a Record".
    mutating func identity(
        _ template: UnsafePointer<RecordTemplate>,
        _ start: Int64,
        _ end: Int64,
        _ value: ExactDecimal?,
        _ valueText: UnsafeRawBufferPointer,
        _ metadata: RecordMetadata,
        _ entries: UnsafeBufferPointer<MetadataElement>,
        hasBeats: Bool,
        _ bytes: UnsafePointer<UInt8>
    ) -> (id: ResourceID, digest: UInt64) {
        tail.removeAll()
        appendTimes(start, end)
        let timeCount = tail.count
        if metadata.syncIdentifier.isPresent {
            // The sample keeps its id over its versions: neither time nor value is in it.
            tail.removeAll()
            tail.append(0x1F)
            tail.append(0x1F)
            unsafe appendToTail(metadata.syncIdentifier, bytes)
        } else {
            unsafe appendIdentityValue(template, value, metadata, bytes)
        }
        let name = unsafe tail.withBytes { unsafe hash.digest(template.pointee.identityHead, tail: $0) }
        if metadata.syncIdentifier.isPresent {
            tail.removeAll()
            appendTimes(start, end)
        } else {
            // Both hashes begin with the times.
            tail.truncate(to: timeCount)
        }
        unsafe tail.append(valueText)
        if !entries.isEmpty { unsafe appendMetadata(entries, bytes) }
        if hasBeats { unsafe beats.canonical.withBytes { unsafe tail.append($0) } }
        let digest = unsafe tail.withBytes { unsafe hash.digest(template.pointee.digestHead, tail: $0).first }
        return (ResourceID(high: name.first, low: name.second), digest)
    }

    /// What an identity says of a sample's value.
    private mutating func appendIdentityValue(
        _ template: UnsafePointer<RecordTemplate>,
        _ value: ExactDecimal?,
        _ metadata: RecordMetadata,
        _ bytes: UnsafePointer<UInt8>
    ) {
        if metadata.externalUUID.isPresent { return unsafe appendToTail(metadata.externalUUID, bytes) }
        if unsafe template.pointee.valueIsFixed {
            unsafe appendToTail(template.pointee.fixedIdentityValue)
        } else if let value {
            let canonical = unsafe template.pointee.canonicalUnit.canonical(value)
            let target = unsafe tail.reserve(448)
            tail.advance(by: unsafe canonical.write(to: target))
            unsafe appendToTail(template.pointee.identitySuffix)
        }
        if metadata.foodType.isPresent {
            tail.append(0x1F)
            unsafe appendToTail(metadata.foodType, bytes)
        }
    }

    /// Each pair once, in the order of its bytes: the file's order says nothing.
    private mutating func appendMetadata(
        _ entries: UnsafeBufferPointer<MetadataElement>,
        _ bytes: UnsafePointer<UInt8>
    ) {
        func text(_ range: AttributeRange) -> UnsafeBufferPointer<UInt8> {
            unsafe UnsafeBufferPointer(
                start: bytes + Int(range.isPresent ? range.start : 0),
                count: Int(range.count)
            )
        }
        func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
            for index in 0..<min(left.count, right.count) where unsafe left[index] != right[index] {
                return unsafe left[index] < right[index] ? -1 : 1
            }
            return left.count == right.count ? 0 : left.count < right.count ? -1 : 1
        }
        func order(_ left: Int, _ right: Int) -> Int {
            let byKey = unsafe order(text(entries[left].key), text(entries[right].key))
            return unsafe byKey != 0 ? byKey : order(text(entries[left].value), text(entries[right].value))
        }
        // Most have one entry, which needs no list.
        if entries.count == 1 { return unsafe appendEntry(entries[0], bytes) }
        let sorted = entries.indices.sorted { order($0, $1) < 0 }
        for (place, index) in sorted.enumerated() where place == 0 || order(sorted[place - 1], index) != 0 {
            unsafe appendEntry(entries[index], bytes)
        }
    }

    private mutating func appendEntry(_ entry: MetadataElement, _ bytes: UnsafePointer<UInt8>) {
        tail.append(0x1F)
        unsafe appendToTail(entry.key, bytes)
        tail.append(0x1F)
        let value = unsafe UnsafeRawBufferPointer(
            start: bytes + Int(entry.value.isPresent ? entry.value.start : 0),
            count: Int(entry.value.count)
        )
        if let seconds = unsafe ExportDate.seconds(value) {
            // The text of a date changes with the day of export.
            appendToTail(seconds)
        } else {
            unsafe tail.append(value)
        }
    }

    private mutating func appendToTail(_ range: AttributeRange, _ bytes: UnsafePointer<UInt8>) {
        unsafe tail.append(UnsafeRawBufferPointer(start: bytes + Int(range.start), count: Int(range.count)))
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
            return tail.advance(by: count)
        }
        appendToTail(end)
        tail.append(0x1F)
    }

    private mutating func appendToTail(_ number: Int64) {
        let target = unsafe tail.reserve(20)
        guard number >= 1_000_000_000, number < 10_000_000_000 else {
            return tail.append(String(number))
        }
        // Every instant from 2001 to 2286 has ten digits: five pairs, each two bytes.
        let high = UInt32(truncatingIfNeeded: number / 100_000_000)
        let low = UInt32(truncatingIfNeeded: number % 100_000_000)
        let (upper, lower) = (low / 10000, low % 10000)
        func put(_ pair: UInt32, _ place: Int) {
            let digits = UInt16(truncatingIfNeeded: 0x3030 &+ pair / 10 &+ (pair % 10) << 8)
            unsafe target.storeBytes(of: digits.littleEndian, toByteOffset: place, as: UInt16.self)
        }
        put(high, 0)
        put(upper / 100, 2)
        put(upper % 100, 4)
        put(lower / 100, 6)
        put(lower % 100, 8)
        tail.advance(by: 10)
    }
}
