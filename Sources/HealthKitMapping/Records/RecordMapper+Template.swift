internal import FHIRR4
internal import HealthExport
internal import OpenSSLCrypto

extension RecordMapper {
    /// The number of the record's template, made if it is new.
    mutating func templateNumber(
        of input: RecordInput,
        isFixed: Bool,
        isCategory: Bool,
        isSuspect: Bool = false
    ) -> Int {
        makeKey(input, isFixed: isFixed, isSuspect: isSuspect)
        let number = unsafe key.withBytes { unsafe cache.find($0) }
        if number >= 0 { return number }
        return insertTemplate(input, isFixed: isFixed, isCategory: isCategory, isSuspect: isSuspect)
    }

    /// The shared fields of a record, as one run of bytes by which its template is looked up.
    private mutating func makeKey(_ input: RecordInput, isFixed: Bool, isSuspect: Bool) {
        let (record, metadata, bytes) = unsafe (input.record, input.metadata, input.bytes)
        key.removeAll()
        unsafe addToKey(record.type, 0, bytes)
        unsafe addToKey(record.unit, 0, bytes)
        unsafe addToKey(record.sourceName, 0, bytes)
        unsafe addToKey(record.sourceVersion, 0, bytes)
        let device = unsafe bytes.bytes(of: record.device)
        let start = unsafe DeviceText.stableStart(of: device, isRaw: record.isRaw)
        unsafe addToKey(record.device, start, bytes)
        // What follows a device's pointer means something else where there is no pointer.
        let hasPointer: UInt8 = start > 0 ? 8 : 0
        key.append((record.isRaw ? 1 : 0) | (isSuspect ? 2 : 0) | (metadata.wasTakenInLab ? 4 : 0) | hasPointer)
        if metadata.changesTemplate {
            unsafe addToKey(metadata.serialNumber, 0, bytes)
            unsafe addToKey(metadata.udi, 0, bytes)
            unsafe addToKey(metadata.manufacturer, 0, bytes)
            unsafe addToKey(metadata.deviceName, 0, bytes)
        }
        if isFixed { unsafe addToKey(record.value, 0, bytes) }
    }

    private mutating func addToKey(_ range: AttributeRange, _ skipped: Int, _ bytes: UnsafePointer<UInt8>) {
        let count = Int(range.count) - skipped
        let target = unsafe key.reserve(count + 1)
        if count > 0 {
            unsafe target.copyMemory(from: bytes + Int(range.start) + skipped, byteCount: count)
        }
        unsafe target.storeBytes(of: range.isPresent ? 0x1F : 0x1E, toByteOffset: count, as: UInt8.self)
        unsafe key.advance(by: count + 1)
    }

    private mutating func insertTemplate(
        _ input: RecordInput,
        isFixed: Bool,
        isCategory: Bool,
        isSuspect: Bool
    ) -> Int {
        let (record, metadata) = (input.record, input.metadata)
        if cache.isFull {
            settle()
            cache.removeAll()
            digests.removeAll()
            metadataCache.removeAll()
            // They name their templates by number.
            written.removeAll()
        }
        func text(_ range: AttributeRange) -> String? {
            guard range.isPresent else { return nil }
            let text = unsafe String(decoding: input.bytes.bytes(of: range), as: UTF8.self)
            return record.isRaw ? PredefinedEntities.resolved(text) : text
        }
        // An empty value counts as absent: FHIR has no empty text.
        let value = text(record.value).flatMap { $0.isEmpty ? nil : $0 }
        let (template, info) = writer.make(
            RecordKey(
                type: text(record.type) ?? "",
                unit: text(record.unit),
                sourceName: text(record.sourceName) ?? "",
                sourceVersion: text(record.sourceVersion) ?? "",
                device: text(record.device) ?? "",
                deviceMetadata: DeviceMetadata(
                    serialNumber: text(metadata.serialNumber) ?? "",
                    udiDeviceIdentifier: text(metadata.udi) ?? "",
                    manufacturer: text(metadata.manufacturer) ?? "",
                    name: text(metadata.deviceName) ?? ""
                ),
                wasTakenInLab: metadata.wasTakenInLab,
                isSuspectPercent: isSuspect,
                fixedValue: isFixed ? (isCategory ? .category(value) : .text(value)) : nil
            ),
            arena: &cache.pieces
        )
        return unsafe key.withBytes { unsafe cache.insert($0, template, info) }
    }
}
