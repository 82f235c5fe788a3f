internal import HealthExport

/// What a record's metadata says about its identity, its time and its digest.
struct RecordMetadata: BitwiseCopyable {
    /// The IANA zone it was taken in: `HKTimeZone`.
    var timeZone = AttributeRange.absent
    /// An app's own id for the sample: `HKExternalUUID`.
    var externalUUID = AttributeRange.absent
    /// Stable over versions of the sample: `HKMetadataKeySyncIdentifier`.
    var syncIdentifier = AttributeRange.absent
    /// Which of them is newer: `HKMetadataKeySyncVersion`.
    var syncVersion: UInt64 = 0
    /// What was eaten: `HKFoodType`.
    var foodType = AttributeRange.absent

    /// Nothing.
    init() {}

    /// Reads the entries that matter; the last of a doubled key counts.
    init(_ entries: UnsafeBufferPointer<MetadataElement>, _ bytes: UnsafePointer<UInt8>) {
        for unsafe entry in unsafe entries where entry.key.count >= 10 {
            let key = unsafe UnsafeBufferPointer(start: bytes + Int(entry.key.start), count: Int(entry.key.count))
            switch key.count {
            case 10:
                if unsafe Self.equals(key, "HKTimeZone") { timeZone = entry.value }
                if unsafe Self.equals(key, "HKFoodType") { foodType = entry.value }
            case 14 where unsafe Self.equals(key, "HKExternalUUID"): externalUUID = entry.value
            case 27 where unsafe Self.equals(key, "HKMetadataKeySyncIdentifier"): syncIdentifier = entry.value
            case 24 where unsafe Self.equals(key, "HKMetadataKeySyncVersion"):
                guard entry.value.isPresent else { continue }
                let text = unsafe UnsafeBufferPointer(
                    start: bytes + Int(entry.value.start), count: Int(entry.value.count))
                syncVersion = unsafe Self.number(text)
            default: break
            }
        }
    }

    private static func equals(_ key: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
        name.withUTF8Buffer { unsafe $0.elementsEqual(key) }
    }

    /// The whole number that the text begins with, 0 for none; saturates.
    private static func number(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var result: UInt64 = 0
        for unsafe byte in unsafe text {
            guard byte &- 48 < 10 else { break }
            result = result > UInt64.max / 100 ? result : result &* 10 &+ UInt64(byte &- 48)
        }
        return result
    }
}
