/// The headers of one member of an archive, as in PKWARE's APPNOTE 6.3.10.
///
/// The member is streamed, so its sizes follow it in a data descriptor (bit 3). Since it is not known
/// beforehand whether they need 64 bits, the local header always has the ZIP64 field and the descriptor
/// always has the long form (APPNOTE 4.3.9.2); the directory uses ZIP64 only if needed.
struct ZipHeaders {
    /// UTF-8, such as `apple_health_export/export.xml`.
    let name: String
    /// The member's date and time, which have no zone.
    let date: CalendarDate
    let secondOfDay: Int

    /// What is known of the member once it has been written.
    struct Member {
        /// Where its local header starts in the archive.
        var offset: UInt64 = 0
        var checksum: UInt32 = 0
        var compressedByteCount: UInt64 = 0
        var byteCount: UInt64 = 0
    }

    /// Version 4.5, the first with ZIP64.
    static let versionNeeded: UInt16 = 45
    /// Bit 3, the sizes are in the descriptor; bit 11, the name is UTF-8.
    private static let flags: UInt16 = 0x0808
    private static let deflateMethod: UInt16 = 8
    /// The smallest number that does not fit into a 32-bit field: there it means "see the ZIP64 field".
    static let limit = UInt64(UInt32.max)

    var localHeader: [UInt8] {
        var bytes = LittleEndianBytes()
        bytes.append(0x0403_4B50 as UInt32)
        bytes.append(Self.versionNeeded)
        appendCommonFields(to: &bytes)
        bytes.append(0 as UInt32)
        // "See the ZIP64 field", whose zeros mean "see the descriptor".
        bytes.append(UInt32.max)
        bytes.append(UInt32.max)
        bytes.append(UInt16(name.utf8.count))
        bytes.append(20 as UInt16)
        bytes.append(name)
        bytes.append(1 as UInt16)
        bytes.append(16 as UInt16)
        bytes.append(0 as UInt64)
        bytes.append(0 as UInt64)
        return bytes.bytes
    }

    func dataDescriptor(of member: Member) -> [UInt8] {
        var bytes = LittleEndianBytes()
        bytes.append(0x0807_4B50 as UInt32)
        bytes.append(member.checksum)
        bytes.append(member.compressedByteCount)
        bytes.append(member.byteCount)
        return bytes.bytes
    }

    /// The member's entry in the archive's directory.
    func directoryEntry(of member: Member) -> [UInt8] {
        // The order in the ZIP64 field is fixed: size, compressed size, offset, each only if it does not fit.
        let long = [member.byteCount, member.compressedByteCount, member.offset].filter { $0 >= Self.limit }
        var bytes = LittleEndianBytes()
        bytes.append(0x0201_4B50 as UInt32)
        // Made on Unix, which gives the permissions below their meaning.
        bytes.append(0x0300 | Self.versionNeeded)
        bytes.append(Self.versionNeeded)
        appendCommonFields(to: &bytes)
        bytes.append(member.checksum)
        bytes.append(UInt32(min(member.compressedByteCount, Self.limit)))
        bytes.append(UInt32(min(member.byteCount, Self.limit)))
        bytes.append(UInt16(name.utf8.count))
        bytes.append(UInt16(long.isEmpty ? 0 : 4 + 8 * long.count))
        // No comment, first disk, no internal attributes.
        bytes.append(0 as UInt16)
        bytes.append(0 as UInt16)
        bytes.append(0 as UInt16)
        // A regular file, rw-r--r--.
        bytes.append(0o100644 << 16 as UInt32)
        bytes.append(UInt32(min(member.offset, Self.limit)))
        bytes.append(name)
        if !long.isEmpty {
            bytes.append(1 as UInt16)
            bytes.append(UInt16(8 * long.count))
            for number in long { bytes.append(number) }
        }
        return bytes.bytes
    }

    private func appendCommonFields(to bytes: inout LittleEndianBytes) {
        bytes.append(Self.flags)
        bytes.append(Self.deflateMethod)
        // MS-DOS counts years from 1980, and seconds in steps of two.
        bytes.append(UInt16((secondOfDay / 3600) << 11 | (secondOfDay / 60 % 60) << 5 | secondOfDay % 60 / 2))
        bytes.append(UInt16((date.year - 1980) << 9 | date.month << 5 | date.day))
    }
}
