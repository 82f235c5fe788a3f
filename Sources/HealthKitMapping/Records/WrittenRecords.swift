internal import Glibc
internal import HealthExport

/// A record that was written the long way, as far as others can be written as it was.
struct WrittenRecord: BitwiseCopyable {
    /// Its template's number; -1 for no record.
    var template = -1
    /// Its metadata in the batch: one entry at most, which adds to the resource and changes nothing else.
    var firstEntry = 0
    var entryCount = 0
    /// Names that entry beside all others of the run, 1 or more; 0 without one, -1 where it has no number.
    var metadataNumber = 0
    /// Whether it has an `effectivePeriod`.
    var isPeriod = false
    /// Where its JSON stands in the output.
    var start = 0
    var count = 0
    /// Where parts of that stand.
    var places = RecordMapper.WrittenPlaces()
}

/// Records of one batch that were written the long way, sixteen at most.
///
/// Each has one place, by its form and the last character of its metadata: heart rates have
/// one entry, of three values, in turns.
struct WrittenRecords: ~Copyable {
    // An array in place would be copied whole for each look at a record.
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

    /// Where a record of this form, with these entries, has its place.
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
    /// those of the record at hand, one at most, read by the scanner; `metadata` those of the whole batch.
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
