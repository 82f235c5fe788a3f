internal import FHIRR4
internal import Glibc
internal import HealthExport

/// What a record's metadata says about its identity, its time and its digest.
struct RecordMetadata: BitwiseCopyable {
    /// The IANA zone it was taken in: `HKTimeZone`.
    var timeZone = AttributeRange.absent
    /// An app's own id for the sample: `HKExternalUUID`.
    var externalUUID = AttributeRange.absent
    /// The same in all versions of the sample: `HKMetadataKeySyncIdentifier`.
    var syncIdentifier = AttributeRange.absent
    /// Which version is newer: `HKMetadataKeySyncVersion`.
    var syncVersion: UInt64 = 0
    /// What was eaten: `HKFoodType`.
    var foodType = AttributeRange.absent
    /// At which meal: `HKFoodMeal`, which many apps write.
    var foodMeal = AttributeRange.absent
    /// Whether insulin was basal or a bolus: `HKInsulinDeliveryReason`.
    var insulinReason = AttributeRange.absent
    /// The serial number of the device that measured: `HKDeviceSerialNumber`.
    var serialNumber = AttributeRange.absent
    /// The FDA's identifier of that device: `HKUDIDeviceIdentifier`.
    var udi = AttributeRange.absent
    /// Who made it: `HKDeviceManufacturerName`.
    var manufacturer = AttributeRange.absent
    /// What it is called: `HKDeviceName`.
    var deviceName = AttributeRange.absent
    /// Whether a laboratory took the sample: `HKWasTakenInLab`.
    var wasTakenInLab = false
    /// Whether it has a reference range, in the unit of this record.
    var hasReferenceRange = false
    /// Whether it shows a place, which only `--routes` writes.
    var hasPlace = false
    /// Whether it has more than a time zone.
    var hasMore = false

    /// Nothing.
    init() {}

    /// Reads the entries that matter.
    ///
    /// An empty value counts as none. If a key occurs twice the greater value counts, byte by byte (of versions the
    /// higher one): the order of entries has no meaning.
    init(_ entries: UnsafeBufferPointer<MetadataElement>, _ bytes: UnsafePointer<UInt8>) {
        func isBlank(_ range: AttributeRange) -> Bool { unsafe FHIRText.isBlank(bytes.bytes(of: range)) }
        func take(_ value: AttributeRange, into range: inout AttributeRange) {
            guard unsafe !range.isPresent || bytes.bytes(of: range).lexicographicallyPrecedes(bytes.bytes(of: value))
            else { return }
            range = value
        }
        for index in entries.indices {
            let entry = unsafe entries[index]
            if entry.key.count == 51 || entry.key.count == 52, unsafe Self.tellsPlace(entry, bytes) { hasPlace = true }
            guard entry.key.count > 0 && entry.value.count > 0 else { continue }
            let key = unsafe bytes.bytes(of: entry.key)
            switch key.count {
            case 10 where unsafe Self.equals(key, "HKTimeZone"):
                let isSecond = timeZone.isPresent
                take(entry.value, into: &timeZone)
                if !isSecond { continue }
            case 10 where unsafe Self.equals(key, "HKFoodType"): take(entry.value, into: &foodType)
            case 10 where unsafe Self.equals(key, "HKFoodMeal"): take(entry.value, into: &foodMeal)
            case 12 where unsafe Self.equals(key, "HKDeviceName") && !isBlank(entry.value):
                take(entry.value, into: &deviceName)
            case 15 where unsafe Self.equals(key, "HKWasTakenInLab"):
                if unsafe Self.equals(bytes.bytes(of: entry.value), "1") { wasTakenInLab = true }
            case 20 where unsafe Self.equals(key, "HKDeviceSerialNumber") && !isBlank(entry.value):
                take(entry.value, into: &serialNumber)
            case 21 where unsafe Self.equals(key, "HKUDIDeviceIdentifier") && !isBlank(entry.value):
                take(entry.value, into: &udi)
            case 14 where unsafe Self.equals(key, "HKExternalUUID"): take(entry.value, into: &externalUUID)
            case 23 where unsafe Self.equals(key, "HKInsulinDeliveryReason"): take(entry.value, into: &insulinReason)
            case 24 where unsafe Self.equals(key, "HKDeviceManufacturerName") && !isBlank(entry.value):
                take(entry.value, into: &manufacturer)
            case 26 where unsafe Self.isReferenceRange(key): hasReferenceRange = true
            case 27 where unsafe Self.equals(key, "HKMetadataKeySyncIdentifier"):
                take(entry.value, into: &syncIdentifier)
            case 24 where unsafe Self.equals(key, "HKMetadataKeySyncVersion"):
                syncVersion = max(syncVersion, unsafe Self.syncVersion(bytes.bytes(of: entry.value)))
            default: break
            }
            hasMore = true
        }
    }

    /// Whether an entry shows a place.
    static func tellsPlace(_ entry: MetadataElement, _ bytes: UnsafePointer<UInt8>) -> Bool {
        guard entry.key.isPresent else { return false }
        return MetadataRule.tellsPlace(unsafe String(decoding: bytes.bytes(of: entry.key), as: UTF8.self))
    }

    /// Whether it changes what the template says.
    var changesTemplate: Bool {
        wasTakenInLab || serialNumber.isPresent || udi.isPresent || manufacturer.isPresent || deviceName.isPresent
    }

    /// Whether it adds to the resource and the digest, but changes neither id nor rank, time or template.
    var onlyAdds: Bool {
        !(timeZone.isPresent || externalUUID.isPresent || syncIdentifier.isPresent || foodType.isPresent
            || foodMeal.isPresent || insulinReason.isPresent || hasPlace || changesTemplate) && syncVersion == 0
    }

    private static func isReferenceRange(_ key: UnsafeRawBufferPointer) -> Bool {
        unsafe equals(key, "HKReferenceRangeLowerLimit") || equals(key, "HKReferenceRangeUpperLimit")
    }

    static func equals(_ key: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
        guard key.count == name.utf8CodeUnitCount, let base = key.baseAddress else { return false }
        return unsafe memcmp(base, name.utf8Start, key.count) == 0
    }

    /// A `SyncVersion`: the whole number that the text begins with, 0 for none, at most 10^18.
    static func syncVersion(_ text: some Sequence<UInt8>) -> UInt64 {
        var result: UInt64 = 0
        for byte in text {
            guard byte &- 48 < 10 else { break }
            result = min(result &* 10 &+ UInt64(byte &- 48), 1_000_000_000_000_000_000)
        }
        return result
    }
}
