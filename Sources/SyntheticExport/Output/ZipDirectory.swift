/// The directory at the end of an archive, which lists its members and where they are.
///
/// It uses ZIP64 only if a number does not fit (APPNOTE 4.3.14 to 4.3.16).
struct ZipDirectory {
    private var entries = LittleEndianBytes()
    private var count: UInt64 = 0

    /// Adds a member that has been written.
    mutating func append(_ headers: ZipHeaders, of member: ZipHeaders.Member) {
        entries.append(headers.directoryEntry(of: member))
        count += 1
    }

    /// All entries and the end records; `offset` is where the directory starts.
    func bytes(at offset: UInt64) -> [UInt8] {
        var bytes = entries
        let byteCount = UInt64(entries.bytes.count)
        if offset >= ZipHeaders.limit || byteCount >= ZipHeaders.limit || count >= UInt16.max {
            bytes.append(0x0606_4B50 as UInt32)
            bytes.append(44 as UInt64)
            bytes.append(0x0300 | ZipHeaders.versionNeeded)
            bytes.append(ZipHeaders.versionNeeded)
            bytes.append(0 as UInt64)
            bytes.append(count)
            bytes.append(count)
            bytes.append(byteCount)
            bytes.append(offset)
            bytes.append(0x0706_4B50 as UInt32)
            bytes.append(0 as UInt32)
            bytes.append(offset + byteCount)
            bytes.append(1 as UInt32)
        }
        bytes.append(0x0605_4B50 as UInt32)
        bytes.append(0 as UInt32)
        bytes.append(UInt16(min(count, UInt64(UInt16.max))))
        bytes.append(UInt16(min(count, UInt64(UInt16.max))))
        bytes.append(UInt32(min(byteCount, ZipHeaders.limit)))
        bytes.append(UInt32(min(offset, ZipHeaders.limit)))
        bytes.append(0 as UInt16)
        return bytes.bytes
    }
}

/// Bytes of text and of numbers, low byte first.
struct LittleEndianBytes {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: 0, to: type(of: number).bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func append(_ other: [UInt8]) { bytes.append(contentsOf: other) }
}
