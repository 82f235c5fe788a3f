internal import FHIRR4
internal import HealthExport

extension RecordMapper {
    /// How many metadata entries that show a place were left out since the last call.
    package mutating func takeLeftOutPlaces() -> UInt64 {
        defer { leftOutPlaces = 0 }
        return leftOutPlaces
    }

    /// What had no meaning in the metadata of records that were written since the last call.
    package mutating func takeUnmappedMetadata() -> UnmappedCounts {
        defer { unmappedMetadata = UnmappedCounts() }
        return unmappedMetadata
    }

    /// How many rates and times of beats could not be read since the last call.
    package mutating func takeUnreadableBeats() -> UInt64 { beats.takeUnreadable() }

    /// Maps a record as if it had no metadata that show a place: only `--routes` writes them.
    mutating func mapWithoutPlaces(
        _ input: RecordInput,
        _ batch: borrowing ElementBatch,
        _ nesting: Nesting,
        _ json: inout JSONBytes,
        _ rows: inout RawArray<EncodedResource>
    ) -> Malformation.Kind? {
        let rest = unsafe input.entries.filter { unsafe !RecordMetadata.tellsPlace($0, input.bytes) }
        let count = rows.count
        let fault = unsafe rest.withUnsafeBufferPointer { rest in
            unsafe map(RecordInput(input.record, input.bytes, rest), batch, nesting, &json, &rows)
        }
        if metadataMapper.keepsRest, rows.count > count {
            leftOutPlaces += unsafe UInt64(input.entries.count - rest.count)
        }
        return fault
    }

    /// What a record's metadata adds to its Observation.
    mutating func metadataJSON(of input: RecordInput, _ template: UnsafePointer<RecordTemplate>) -> MetadataJSON {
        let metadata = input.metadata
        var hasZone = true
        if metadata.timeZone.isPresent {
            hasZone = unsafe zones.hasZone(named: input.bytes.bytes(of: metadata.timeZone))
        }
        guard metadata.hasMore || !hasZone else { return MetadataJSON() }
        let isSingle = metadata.externalUUID.isPresent || metadata.syncIdentifier.isPresent
        var meaning = unsafe MetadataCache.Meaning(places: template.pointee.metadataPlaces, hasZone: hasZone)
        if metadata.hasReferenceRange {
            // A range is in the unit of its record's number, which the entries do not contain.
            meaning.template = unsafe template.pointee.info
            meaning.unit = cache.infos[Int(meaning.template)].valueUnit
        }
        return unsafe entryOrder.withElements { order in
            let entries = unsafe MetadataCache.Entries(all: input.entries, order: order, bytes: input.bytes)
            let json = metadataCache.json(entries, meaning, isSingle: isSingle, by: metadataMapper)
            if json.hasUnmapped {
                unmappedMetadata.add(metadataCache.unmapped(json, of: entries, meaning, by: metadataMapper))
            }
            return json
        }
    }
}
