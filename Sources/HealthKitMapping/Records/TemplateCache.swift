internal import FHIRR4
internal import HealthExport

/// Record templates by the raw bytes of the fields that they share.
///
/// Looking one up costs a hash of some 200 bytes, or one comparison where a record shares them with the record before
/// it, as most do. Bounded: past `limit` templates, or 32 MiB of keys and JSON, the cache is emptied, which costs time
/// and changes nothing that is written.
struct TemplateCache: ~Copyable {
    static let limit = 1 << 14
    /// In an export that no phone has made each field may have megabytes.
    private static let maximumByteCount = 32 << 20

    private(set) var templates = RawArray<RecordTemplate>(capacity: 64)
    /// Names for counting, by `RecordTemplate.info`.
    var infos: [TemplateInfo] = []
    /// Fixed JSON of all templates.
    var pieces = PieceArena()

    private var keys = InternedBytes(limit: limit)

    /// The number of the template with this key, or -1.
    mutating func find(_ key: UnsafeRawBufferPointer) -> Int { unsafe keys.number(of: key) ?? -1 }

    /// Adds a template, and returns its number.
    mutating func insert(_ key: UnsafeRawBufferPointer, _ template: RecordTemplate, _ info: TemplateInfo) -> Int {
        var template = template
        template.info = Int32(infos.count)
        infos.append(info)
        templates.append(template)
        return unsafe keys.insert(key)
    }

    /// Whether it is time to empty the cache.
    var isFull: Bool { Self.isFull(keys, pieces: pieces.bytes.count) }

    /// The same for some keys, and so many bytes of JSON.
    static func isFull(_ keys: borrowing InternedBytes, pieces byteCount: Int) -> Bool {
        keys.isFull || keys.byteCount + byteCount > maximumByteCount
    }

    /// Empties the cache; the caller has taken the counts.
    mutating func removeAll() {
        templates.removeAll()
        infos.removeAll()
        pieces.removeAll()
        keys.removeAll()
    }

    /// Where a template is, until the next `insert` or `removeAll`.
    mutating func pointer(_ number: Int) -> UnsafeMutablePointer<RecordTemplate> {
        unsafe templates.withMutableElements { all in
            guard let base = all.baseAddress else { preconditionFailure("a cache without memory was asked") }
            return unsafe base + number
        }
    }

    /// Sets a template's counts to 0.
    mutating func resetCounts(_ number: Int) {
        unsafe templates.withMutableElements { all in
            unsafe all[number].records = 0
            unsafe all[number].written = 0
            unsafe all[number].filtered = 0
        }
    }
}
