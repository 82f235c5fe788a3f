internal import FHIRR4
internal import Glibc
internal import HealthExport

/// The JSON that a record's metadata adds, for each place where it is added.
struct MetadataJSON: BitwiseCopyable {
    /// Further identifiers, each with a comma before it.
    var identifiers = RecordTemplate.Piece()
    /// Elements after `device`, each with a comma before it.
    var elements = RecordTemplate.Piece()
    /// Components, each with a comma before it.
    var components = RecordTemplate.Piece()
    /// Extensions, each with a comma before it.
    var extensions = RecordTemplate.Piece()
    /// `,"comparator":"<="`, or nothing.
    var comparator = RecordTemplate.Piece()
    /// Whether the pieces are in the store of those that are kept.
    var isKept = false
    /// Whether something in the entries had no meaning, and, for kept pieces, its place in the list of such things.
    var hasUnmapped = false
    var unmapped: Int32 = 0

    var byteCount: Int {
        Int(identifiers.count + elements.count + components.count + extensions.count + comparator.count)
    }
}

/// Metadata JSON by the raw bytes of the entries: watches write the same few again and again.
struct MetadataCache: ~Copyable {
    /// A record's entries, and their places in the order of their keys, then of their values.
    @safe
    struct Entries {
        var all: UnsafeBufferPointer<MetadataElement>
        var order: UnsafeBufferPointer<UInt32>
        var bytes: UnsafePointer<UInt8>

        /// The bytes of a key or a value.
        func text(_ range: AttributeRange) -> UnsafeRawBufferPointer {
            unsafe bytes.bytes(of: range)
        }

        /// Whether two ranges, both present, hold the same bytes.
        func isEqual(_ left: AttributeRange, _ right: AttributeRange) -> Bool {
            guard left.count == right.count else { return false }
            return unsafe memcmp(bytes + Int(left.start), bytes + Int(right.start), Int(left.count)) == 0
        }
    }

    /// What the record says about the meaning of its entries.
    struct Meaning {
        var places: MetadataPlaces
        /// Whether its `HKTimeZone` is a zone.
        var hasZone: Bool
        /// The unit of its number and the place of its template, if a reference range needs them.
        var unit: ValueUnit?
        var template: Int32 = -1
    }

    /// Few and small: what comes again and again is soon found again, and a larger cache would grow with the export.
    private static let limit = 1 << 10
    private static let maximumByteCount = 256 << 10
    private static let maximumKeyByteCount = 4 << 10

    /// The pieces that are kept.
    private var kept = JSONBytes(capacity: 1 << 12)
    /// Those of one record whose metadata no other record has.
    private var single = JSONBytes(capacity: 1 << 12)
    private var key = JSONBytes(capacity: 1 << 12)
    private var keys = InternedBytes(limit: limit)
    private var found = RawArray<MetadataJSON>(capacity: 64)
    /// What had no meaning, for the pieces that are kept.
    private var unmapped: [UnmappedCounts] = []
    private var entryCache = MetadataEntryCache()

    /// The JSON of these entries, made if it is new.
    mutating func json(
        _ entries: Entries,
        _ meaning: Meaning,
        isSingle: Bool,
        by mapper: MetadataMapper
    ) -> MetadataJSON {
        if !isSingle { makeKey(entries, meaning) }
        if isSingle || key.count > Self.maximumKeyByteCount {
            single.removeAll()
            return Self.write(entries, meaning, by: mapper, &entryCache, to: &single)
        }
        if let number = unsafe key.withBytes({ unsafe keys.number(of: $0) }) { return found[number] }
        if keys.isFull || kept.count > Self.maximumByteCount { removeAll() }
        var json = Self.write(entries, meaning, by: mapper, &entryCache, to: &kept)
        json.isKept = true
        if json.hasUnmapped {
            json.unmapped = Int32(unmapped.count)
            unmapped.append(UnmappedCounts(Self.elements(of: entries, meaning, by: mapper).unmapped))
        }
        _ = unsafe key.withBytes { unsafe keys.insert($0) }
        found.append(json)
        return json
    }

    private mutating func makeKey(_ entries: Entries, _ meaning: Meaning) {
        key.removeAll()
        key.append(meaning.places.rawValue)
        unsafe withUnsafeBytes(of: meaning.template) { unsafe key.append($0) }
        for index in unsafe entries.all.indices {
            unsafe key.append(entries.text(entries.all[index].key))
            key.append(0x1F)
            unsafe key.append(entries.text(entries.all[index].value))
            key.append(0x1F)
        }
    }

    /// Forgets what is kept, for example when templates get other places.
    mutating func removeAll() {
        keys.removeAll()
        found.removeAll()
        kept.removeAll()
        unmapped.removeAll()
    }

    /// What had no meaning in the entries from which `json` was made.
    func unmapped(
        _ json: MetadataJSON,
        of entries: Entries,
        _ meaning: Meaning,
        by mapper: MetadataMapper
    ) -> UnmappedCounts {
        json.isKept
            ? unmapped[Int(json.unmapped)]
            : UnmappedCounts(Self.elements(of: entries, meaning, by: mapper).unmapped)
    }

    /// Lends the bytes that hold the pieces of `json`.
    func withPieces<Result>(of json: MetadataJSON, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        json.isKept ? unsafe kept.withBytes { unsafe body($0) } : unsafe single.withBytes { unsafe body($0) }
    }

    /// Writes entry by entry where that is enough, else all together.
    private static func write(
        _ entries: Entries,
        _ meaning: Meaning,
        by mapper: MetadataMapper,
        _ cache: inout MetadataEntryCache,
        to json: inout JSONBytes
    ) -> MetadataJSON {
        if let result = cache.write(entries, meaning, by: mapper, to: &json) { return result }
        let elements = elements(of: entries, meaning, by: mapper)
        var result = MetadataJSON()
        result.identifiers = json.piece { MetadataElements.write(elements.identifiers, to: &$0) }
        result.elements = json.piece { elements.writeElements(to: &$0) }
        result.components = json.piece { MetadataElements.write(elements.components, to: &$0) }
        result.extensions = json.piece { MetadataElements.write(elements.extensions, to: &$0) }
        result.comparator = json.piece { json in
            if let comparator = elements.comparator { json.append(",\"comparator\":\"\(comparator)\"") }
        }
        result.hasUnmapped = !elements.unmapped.isEmpty
        return result
    }

    /// What the entries mean, all together.
    private static func elements(of entries: Entries, _ meaning: Meaning, by mapper: MetadataMapper) -> MetadataElements
    {
        let pairs = unsafe entries.all.map { entry in
            unsafe (
                key: String(decoding: entries.text(entry.key), as: UTF8.self),
                value: String(decoding: entries.text(entry.value), as: UTF8.self)
            )
        }
        return mapper.map(
            MetadataMapper.distinct(pairs),
            places: meaning.places,
            unit: meaning.unit,
            hasZone: meaning.hasZone
        )
    }
}

extension JSONBytes {
    /// The piece that `body` appends.
    mutating func piece(_ body: (inout JSONBytes) -> Void) -> RecordTemplate.Piece {
        let start = count
        body(&self)
        return RecordTemplate.Piece(start: UInt32(start), count: UInt32(count - start))
    }
}
