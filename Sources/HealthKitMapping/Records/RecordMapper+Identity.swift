internal import FHIRR4
internal import HealthExport
internal import OpenSSLCrypto

extension RecordMapper {
    /// The id of a record: docs/formats.md, "Observation of a Record".
    mutating func identity(
        _ template: UnsafePointer<RecordTemplate>, _ start: Int64, _ end: Int64, _ value: ExactDecimal?,
        _ metadata: RecordMetadata, _ bytes: UnsafePointer<UInt8>
    ) -> ResourceID {
        tail.removeAll()
        if metadata.syncIdentifier.isPresent {
            // The sample keeps its id over its versions: neither time nor value is in it.
            tail.append(0x1F)
            tail.append(0x1F)
            unsafe appendToTail(metadata.syncIdentifier, bytes)
        } else {
            appendToTail(start)
            tail.append(0x1F)
            appendToTail(end)
            tail.append(0x1F)
            if metadata.externalUUID.isPresent {
                unsafe appendToTail(metadata.externalUUID, bytes)
            } else if unsafe template.pointee.valueIsFixed {
                appendToTail(unsafe template.pointee.fixedIdentityValue)
            } else if let value {
                let canonical = unsafe template.pointee.canonicalUnit.canonical(value)
                let target = unsafe tail.reserve(448)
                tail.advance(by: unsafe canonical.write(to: target))
                appendToTail(unsafe template.pointee.identitySuffix)
            }
            if metadata.foodType.isPresent, !metadata.externalUUID.isPresent {
                tail.append(0x1F)
                unsafe appendToTail(metadata.foodType, bytes)
            }
        }
        let digest = unsafe tail.withBytes { unsafe hash.digest(template.pointee.identityHead, tail: $0) }
        return ResourceID(high: digest.first, low: digest.second)
    }

    /// The digest of what a record's bytes depend on and its id does not cover.
    mutating func digest(
        _ template: UnsafePointer<RecordTemplate>, _ start: Int64, _ end: Int64, _ value: UnsafeRawBufferPointer,
        _ entries: UnsafeBufferPointer<MetadataElement>, _ bytes: UnsafePointer<UInt8>
    ) -> UInt64 {
        tail.removeAll()
        appendToTail(start)
        tail.append(0x1F)
        appendToTail(end)
        tail.append(0x1F)
        unsafe tail.append(value)
        if !entries.isEmpty { unsafe appendMetadata(entries, bytes) }
        return unsafe tail.withBytes { unsafe hash.digest(template.pointee.digestHead, tail: $0).first }
    }

    /// Each pair once, in the order of its bytes: the file's order says nothing.
    private mutating func appendMetadata(
        _ entries: UnsafeBufferPointer<MetadataElement>, _ bytes: UnsafePointer<UInt8>
    ) {
        func text(_ range: AttributeRange) -> UnsafeBufferPointer<UInt8> {
            unsafe UnsafeBufferPointer(
                start: bytes + Int(range.isPresent ? range.start : 0), count: Int(range.count))
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
        let sorted = entries.indices.sorted { order($0, $1) < 0 }
        for (place, index) in sorted.enumerated() where place == 0 || order(sorted[place - 1], index) != 0 {
            tail.append(0x1F)
            unsafe appendToTail(entries[index].key, bytes)
            tail.append(0x1F)
            if unsafe entries[index].value.isPresent { unsafe appendToTail(entries[index].value, bytes) }
        }
    }

    private mutating func appendToTail(_ range: AttributeRange, _ bytes: UnsafePointer<UInt8>) {
        unsafe tail.append(UnsafeRawBufferPointer(start: bytes + Int(range.start), count: Int(range.count)))
    }

    private mutating func appendToTail(_ piece: RecordTemplate.Piece) {
        guard piece.count > 0 else { return }
        unsafe cache.pieces.withBytes { all in
            unsafe tail.append(UnsafeRawBufferPointer(rebasing: all[Int(piece.start)..<Int(piece.start + piece.count)]))
        }
    }

    private mutating func appendToTail(_ number: Int64) {
        let target = unsafe tail.reserve(20)
        var cursor = 0
        if number < 0 {
            unsafe target.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
            cursor = 1
        }
        var rest = number.magnitude
        var length = 1
        var limit: UInt64 = 10
        while rest >= limit, length < 19 {
            limit &*= 10
            length += 1
        }
        for place in (0..<length).reversed() {
            unsafe target.storeBytes(
                of: UInt8(truncatingIfNeeded: 48 &+ rest % 10), toByteOffset: cursor + place, as: UInt8.self)
            rest /= 10
        }
        tail.advance(by: cursor + length)
    }
}
