internal import FHIRR4
internal import HealthExport

extension RecordMapper {
    /// How many metadata that tell a place were left out since it was asked last.
    public mutating func takeLeftOutPlaces() -> UInt64 {
        defer { leftOutPlaces = 0 }
        return leftOutPlaces
    }

    /// How many rates and times of beats could not be read since it was asked last.
    public mutating func takeUnreadableBeats() -> UInt64 { beats.takeUnreadable() }

    /// Maps a record as if it had no metadata that tell a place: only --routes writes them.
    mutating func mapWithoutPlaces(
        _ record: RecordElement,
        _ bytes: UnsafePointer<UInt8>,
        _ entries: UnsafeBufferPointer<MetadataElement>,
        _ batch: borrowing ElementBatch,
        _ nestedRole: EncodedResource.Role?,
        _ nutrientsAlone: Bool,
        _ json: inout JSONBytes,
        _ rows: inout RawArray<EncodedResource>
    ) -> Malformation.Kind? {
        let rest = unsafe entries.filter { unsafe !RecordMetadata.tellsPlace($0, bytes) }
        let count = rows.count
        let fault = unsafe rest.withUnsafeBufferPointer { rest in
            unsafe map(record, bytes, rest, batch, nestedRole, nutrientsAlone, &json, &rows)
        }
        if metadataMapper.keepsRest, rows.count > count { leftOutPlaces += UInt64(entries.count - rest.count) }
        return fault
    }

    /// What a record's metadata adds to its Observation.
    mutating func metadataJSON(
        _ metadata: RecordMetadata,
        _ entries: UnsafeBufferPointer<MetadataElement>,
        _ bytes: UnsafePointer<UInt8>,
        of template: UnsafePointer<RecordTemplate>
    ) -> MetadataJSON {
        var hasZone = true
        if metadata.timeZone.isPresent {
            hasZone = unsafe zones.hasZone(named: bytes.bytes(of: metadata.timeZone))
        }
        guard metadata.hasMore || !hasZone else { return MetadataJSON() }
        let places = unsafe MetadataPlaces.record(
            isVitalSign: template.pointee.isVitalSign,
            hasNumber: !template.pointee.valueIsFixed
        )
        let isSingle = metadata.externalUUID.isPresent || metadata.syncIdentifier.isPresent
        var meaning = MetadataCache.Meaning(places: places, hasZone: hasZone)
        if metadata.hasReferenceRange {
            // A range is in the unit of its record's number, which is no part of the entries.
            meaning.template = unsafe template.pointee.info
            meaning.unit = cache.infos[Int(meaning.template)].valueUnit
        }
        return unsafe entryOrder.withElements { order in
            unsafe metadataCache.json(
                MetadataCache.Entries(all: entries, order: order, bytes: bytes),
                meaning,
                isSingle: isSingle,
                by: metadataMapper
            )
        }
    }
}
