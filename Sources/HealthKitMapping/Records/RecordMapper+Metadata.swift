internal import FHIRR4
internal import HealthExport

/// The JSON that a record's metadata adds, in the places where it is added.
struct MetadataJSON: BitwiseCopyable {
    /// Further identifiers, each with a comma before it.
    var identifiers = RecordTemplate.Piece()
    /// Elements behind `device`, each with a comma before it.
    var elements = RecordTemplate.Piece()
    /// Components, each with a comma before it.
    var components = RecordTemplate.Piece()
    /// Extensions, each with a comma before it.
    var extensions = RecordTemplate.Piece()
    /// `,"comparator":"<="`, or nothing.
    var comparator = RecordTemplate.Piece()
    /// Whether the pieces stand in the store of those that are kept.
    var isKept = false

    var byteCount: Int {
        Int(identifiers.count + elements.count + components.count + extensions.count + comparator.count)
    }
}

/// Metadata JSON by the raw bytes of the entries: watches write the same few over and over.
struct MetadataCache: ~Copyable {
    /// Few and small: what comes over and over is found again at once, and all else would grow with the export.
    private static let limit = 1 << 10
    private static let maximumByteCount = 256 << 10

    /// The pieces that are kept.
    private var kept = JSONBytes(capacity: 1 << 12)
    /// Those of one record whose metadata no other has.
    private var single = JSONBytes(capacity: 1 << 12)
    private var keys = InternedBytes(limit: limit)
    private var found = RawArray<MetadataJSON>(capacity: 64)

    /// The JSON of these entries, made by `make` if it is new.
    mutating func json(
        _ key: UnsafeRawBufferPointer,
        isSingle: Bool,
        make: () -> MetadataElements
    ) -> MetadataJSON {
        if isSingle {
            single.removeAll()
            return Self.write(make(), to: &single)
        }
        if let number = unsafe keys.number(of: key) { return found[number] }
        if keys.isFull || kept.count > Self.maximumByteCount {
            keys.removeAll()
            found.removeAll()
            kept.removeAll()
        }
        var json = Self.write(make(), to: &kept)
        json.isKept = true
        _ = unsafe keys.insert(key)
        found.append(json)
        return json
    }

    /// Lends the bytes in which the pieces of `json` stand.
    func withPieces<Result>(of json: MetadataJSON, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        json.isKept ? unsafe kept.withBytes { unsafe body($0) } : unsafe single.withBytes { unsafe body($0) }
    }

    private static func write(_ elements: MetadataElements, to json: inout JSONBytes) -> MetadataJSON {
        func piece(_ body: (inout JSONBytes) -> Void) -> RecordTemplate.Piece {
            let start = json.count
            body(&json)
            return RecordTemplate.Piece(start: UInt32(start), count: UInt32(json.count - start))
        }
        var result = MetadataJSON()
        result.identifiers = piece { MetadataElements.write(elements.identifiers, to: &$0) }
        result.elements = piece { elements.writeElements(to: &$0) }
        result.components = piece { MetadataElements.write(elements.components, to: &$0) }
        result.extensions = piece { MetadataElements.write(elements.extensions, to: &$0) }
        result.comparator = piece { json in
            if let comparator = elements.comparator { json.append(",\"comparator\":\"\(comparator)\"") }
        }
        return result
    }
}

extension RecordMapper {
    /// How many metadata that tell a place were left out since it was asked last.
    public mutating func takeLeftOutPlaces() -> UInt64 {
        defer { leftOutPlaces = 0 }
        return leftOutPlaces
    }

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
        isRaw: Bool,
        of template: UnsafePointer<RecordTemplate>
    ) -> MetadataJSON {
        func text(_ range: AttributeRange) -> UnsafeRawBufferPointer {
            let start = unsafe bytes + Int(range.isPresent ? range.start : 0)
            return unsafe UnsafeRawBufferPointer(start: start, count: Int(range.count))
        }
        let hasZone = unsafe !metadata.timeZone.isPresent || zones.hasZone(named: text(metadata.timeZone))
        guard metadata.hasMore || !hasZone else { return MetadataJSON() }
        let places = unsafe MetadataPlaces.record(
            isVitalSign: template.pointee.isVitalSign,
            hasNumber: !template.pointee.valueIsFixed
        )
        metadataKey.removeAll()
        metadataKey.append((isRaw ? 1 : 0) | UInt8(places.rawValue << 1))
        for index in entries.indices {
            unsafe metadataKey.append(text(entries[index].key))
            metadataKey.append(0x1F)
            unsafe metadataKey.append(text(entries[index].value))
            metadataKey.append(0x1F)
        }
        // A range is in the unit of its record's number, which is not in the key.
        let unit = unsafe metadata.hasReferenceRange ? cache.infos[Int(template.pointee.info)].valueUnit : nil
        let isSingle =
            metadata.externalUUID.isPresent || metadata.syncIdentifier.isPresent || metadata.hasReferenceRange
        return unsafe metadataKey.withBytes { key in
            unsafe metadataCache.json(key, isSingle: isSingle) {
                var pairs: [(key: String, value: String)] = []
                for index in entries.indices {
                    var key = unsafe String(decoding: text(entries[index].key), as: UTF8.self)
                    var value = unsafe String(decoding: text(entries[index].value), as: UTF8.self)
                    if isRaw {
                        key = PredefinedEntities.resolved(key)
                        value = PredefinedEntities.resolved(value)
                    }
                    pairs.append((key, value))
                }
                return metadataMapper.map(MetadataMapper.distinct(pairs), places: places, unit: unit, hasZone: hasZone)
            }
        }
    }
}
