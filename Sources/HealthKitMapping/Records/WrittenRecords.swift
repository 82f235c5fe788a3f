internal import Glibc
internal import HealthExport

/// A record that was written in full, with what is needed to write others as copies of it.
struct WrittenRecord: BitwiseCopyable {
    /// Its template's number; -1 for no record.
    var template = -1
    /// Its metadata in the batch: at most one entry, which adds to the resource and changes nothing else.
    var firstEntry = 0
    var entryCount = 0
    /// The number of that entry among all of the run, 1 or more; 0 without an entry, -1 if it has no number.
    var metadataNumber = 0
    /// Whether it has an `effectivePeriod`.
    var isPeriod = false
    /// Where its JSON is in the output.
    var start = 0
    var count = 0
    /// Where parts of that are.
    var places = RecordMapper.WrittenPlaces()
}

/// Records of one batch that were written in full, at most sixteen.
///
/// Each has a place given by its form and the last character of its metadata: heart rates have one entry, whose three
/// values take turns.
struct WrittenRecords: ~Copyable {
    // An inline array would be copied as a whole for each look at a record.
    private var records = RawArray<WrittenRecord>(capacity: 16)

    init() {
        for _ in 0..<16 { records.append(WrittenRecord()) }
    }

    /// Forgets all.
    mutating func removeAll() {
        for place in 0..<records.count { records[place].template = -1 }
    }

    subscript(place: Int) -> WrittenRecord {
        get { records[place] }
        set { records[place] = newValue }
    }

    /// The place for a record of this form with these entries.
    func place(
        isPeriod: Bool,
        _ entries: UnsafeBufferPointer<MetadataElement>,
        _ bytes: UnsafePointer<UInt8>
    ) -> Int {
        let form = isPeriod ? 1 : 0
        guard let value = unsafe entries.first?.value, value.count > 0 else { return form }
        return unsafe form | 8 | Int(bytes[Int(value.start &+ value.count) &- 1] & 3) << 1
    }

    /// Whether the record at a place has this template and form, and the same metadata byte for byte: `entries` are
    /// those of the current record, at most one, read by the scanner; `metadata` those of the whole batch.
    func isLike(
        _ place: Int,
        _ template: Int,
        isPeriod: Bool,
        _ entries: UnsafeBufferPointer<MetadataElement>,
        _ metadata: UnsafeBufferPointer<MetadataElement>,
        _ bytes: UnsafePointer<UInt8>
    ) -> Bool {
        guard records[place].template == template, records[place].isPeriod == isPeriod,
            records[place].entryCount == entries.count
        else { return false }
        guard let entry = unsafe entries.first else { return true }
        let other = unsafe metadata[records[place].firstEntry]
        func isEqual(_ left: AttributeRange, _ right: AttributeRange) -> Bool {
            unsafe left.count == right.count
                && memcmp(bytes + Int(left.start), bytes + Int(right.start), Int(left.count)) == 0
        }
        return isEqual(entry.key, other.key) && isEqual(entry.value, other.value)
    }
}
