/// Checks the end of a zip before libzip does, and refuses what would cost libzip minutes or gigabytes.
///
/// libzip tries every end record (APPNOTE.TXT, 4.3.16) in the last 64 KiB and reads the whole directory that each
/// points to: a 3 MB file with 2,900 of them takes it ten minutes. It also keeps the whole directory in memory.
struct ZipDirectoryCheck {
    /// A real zip has one end record, and a few more if its last member is a stored zip.
    private static let maximumEndRecordCount = 16
    private static let endRecordByteCount = 22
    private static let zip64LocatorByteCount = 20
    private static let zip64RecordByteCount = 56
    private static let maximumCommentByteCount = 65_535

    /// The first bytes of a split zip's first part (APPNOTE.TXT, 8.5.4).
    private static let splitMarker: [UInt8] = [0x50, 0x4B, 0x07, 0x08]
    private static let endSignature: UInt64 = 0x0605_4B50
    private static let zip64LocatorSignature: UInt64 = 0x0706_4B50

    /// Throws if the zip in `descriptor` has too many end records or too large a directory.
    ///
    /// Other errors in it are left for libzip to find.
    static func check(_ descriptor: borrowing FileDescriptor) throws(InputFault) {
        let fileByteCount = try descriptor.status().byteCount
        let tailByteCount = maximumCommentByteCount + endRecordByteCount + zip64LocatorByteCount
        let tailOffset = fileByteCount - min(fileByteCount, UInt64(tailByteCount))
        let tail = try descriptor.bytes(at: tailOffset, count: tailByteCount)
        let records = endRecords(in: tail)
        guard records.count <= maximumEndRecordCount else { throw .damagedArchive }
        let last = records.last { endOfRecord($0, in: tail) == tail.count }
        for record in records {
            let (offset, byteCount) = try directory(of: record, in: tail, descriptor)
            let (end, overflows) = offset.addingReportingOverflow(byteCount)
            // A range that extends past its own end record is not a directory, and libzip does not read it: the
            // signature can also occur by chance in compressed data.
            guard !overflows, end <= tailOffset + UInt64(record) else { continue }
            // A whole zip followed by another, such as a download that was appended to an older file: libzip reads the
            // first.
            if let last, record < last, byteCount > 0, end == tailOffset + UInt64(record) { throw .damagedArchive }
            guard byteCount <= ArchiveLimits.maximumDirectoryByteCount else {
                throw .largeDirectory(byteCount: byteCount)
            }
        }
    }

    /// Whether the file seems to be one part of a split zip: it begins like the first or ends like the last.
    static func isPart(_ descriptor: borrowing FileDescriptor) throws(InputFault) -> Bool {
        if try descriptor.bytes(at: 0, count: 4).elementsEqual(splitMarker) { return true }
        let byteCount = min(try descriptor.status().byteCount, UInt64(endRecordByteCount))
        let end = try descriptor.bytes(at: try descriptor.status().byteCount - byteCount, count: endRecordByteCount)
        return endRecords(in: end).contains { integer(of: 2, at: $0 + 4, in: end) != 0 }
    }

    private static func endRecords(in tail: [UInt8]) -> [Int] {
        guard tail.count >= endRecordByteCount else { return [] }
        return (0...(tail.count - endRecordByteCount)).filter { position in
            tail[position] == UInt8(ascii: "P") && integer(of: 4, at: position, in: tail) == endSignature
        }
    }

    /// Where the end record at `position` ends, its comment included.
    private static func endOfRecord(_ position: Int, in tail: [UInt8]) -> Int {
        position + endRecordByteCount + Int(integer(of: 2, at: position + 20, in: tail))
    }

    /// The directory's place according to the end record at `position`, or to the ZIP64 record that replaces it.
    private static func directory(
        of position: Int,
        in tail: [UInt8],
        _ descriptor: borrowing FileDescriptor
    ) throws(InputFault) -> (offset: UInt64, byteCount: UInt64) {
        let locator = position - zip64LocatorByteCount
        guard locator >= 0, integer(of: 4, at: locator, in: tail) == zip64LocatorSignature else {
            return (integer(of: 4, at: position + 16, in: tail), integer(of: 4, at: position + 12, in: tail))
        }
        let recordOffset = integer(of: 8, at: locator + 8, in: tail)
        let record = try descriptor.bytes(at: recordOffset, count: zip64RecordByteCount)
        guard record.count == zip64RecordByteCount else { return (0, 0) }
        return (integer(of: 8, at: 48, in: record), integer(of: 8, at: 40, in: record))
    }

    /// A little-endian number of `byteCount` bytes.
    private static func integer(of byteCount: Int, at position: Int, in bytes: [UInt8]) -> UInt64 {
        bytes[position..<position + byteCount].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
