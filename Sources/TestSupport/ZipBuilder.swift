/// Builds a zip in memory, byte by byte, as wrong as a test needs it.
///
/// ```swift
/// var zip = ZipBuilder()
/// zip.members.append(.stored("export.xml", contents: xml))
/// zip.members[0].checksum = 0
/// let bytes = zip.bytes()
/// ```
public struct ZipBuilder: Sendable {
    /// One member; every field is written into the archive unchanged.
    public struct Member: Sendable {
        /// The name's bytes, in any encoding or none.
        public var name: [UInt8]
        /// General purpose flags: bit 0 encrypted, 3 data descriptor, 11 name in UTF-8.
        public var flags: UInt16 = 0
        /// The compression method: 0 stored, 8 deflated.
        public var method: UInt16 = 0
        /// The compressed bytes in the archive.
        public var rawBytes: [UInt8]
        /// The CRC-32 that the directory states.
        public var checksum: UInt32
        /// The size that the directory states.
        public var byteCount: UInt64
        /// The compressed size that the directory states.
        public var compressedByteCount: UInt64
        /// Writes the sizes in a ZIP64 field, which is the rule from 4 GiB on.
        public var usesZip64 = false

        /// A member that stores `contents` uncompressed.
        public static func stored(_ name: String, contents: [UInt8]) -> Member {
            Member(
                name: Array(name.utf8),
                rawBytes: contents,
                checksum: zipChecksum(of: contents),
                byteCount: UInt64(contents.count),
                compressedByteCount: UInt64(contents.count)
            )
        }

        /// A member whose `rawBytes` are deflate data for `contents`; by default in blocks without compression.
        public static func deflated(_ name: String, contents: [UInt8], rawBytes: [UInt8]? = nil) -> Member {
            let rawBytes = rawBytes ?? deflateBlocks(of: contents)
            var member = Member.stored(name, contents: contents)
            member.method = 8
            member.rawBytes = rawBytes
            member.compressedByteCount = UInt64(rawBytes.count)
            return member
        }
    }

    /// The members, in the order of the directory.
    public var members: [Member] = []
    /// Writes the end of the directory in its ZIP64 form too.
    public var usesZip64Directory = false
    /// The number of members that the directory claims; `nil` for the right one.
    public var statedMemberCount: UInt64?
    /// The size of the directory that its end claims; `nil` for the right one.
    public var statedDirectoryByteCount: UInt64?
    /// The place where the directory begins, according to its end; `nil` for the right place.
    public var statedDirectoryOffset: UInt64?
    /// The number of this part of a split zip.
    public var diskNumber: UInt16 = 0

    /// An empty zip.
    public init() {}

    /// A zip of `members`.
    public init(_ members: [Member]) {
        self.members = members
    }

    /// The archive.
    public func bytes() -> [UInt8] {
        var archive: [UInt8] = []
        var directory: [UInt8] = []
        for member in members {
            let offset = UInt64(archive.count)
            archive += localHeader(of: member) + member.rawBytes + dataDescriptor(of: member)
            directory += directoryEntry(of: member, at: offset)
        }
        let offset = statedDirectoryOffset ?? UInt64(archive.count)
        let byteCount = statedDirectoryByteCount ?? UInt64(directory.count)
        archive += directory
        if usesZip64Directory {
            archive += zip64End(offset, byteCount, recordOffset: UInt64(archive.count)) + end(.max, .max)
        } else {
            archive += end(offset, byteCount)
        }
        return archive
    }

    private func localHeader(of member: Member) -> [UInt8] {
        let hasDescriptor = member.flags & 0x8 != 0
        let extra = member.usesZip64 ? zip64Field(of: member, hasDescriptor: hasDescriptor) : []
        let sizes: [UInt8] =
            if member.usesZip64 {
                little(UInt32.max) + little(UInt32.max)
            } else if hasDescriptor {
                little(UInt64(0))
            } else {
                short(member.compressedByteCount) + short(member.byteCount)
            }
        return little(UInt32(0x0403_4B50)) + little(UInt16(45)) + little(member.flags) + little(member.method)
            + little(UInt32(0x5A21_0000)) + little(hasDescriptor ? 0 : member.checksum) + sizes
            + little(UInt16(member.name.count)) + little(UInt16(extra.count)) + member.name + extra
    }

    private func dataDescriptor(of member: Member) -> [UInt8] {
        guard member.flags & 0x8 != 0 else { return [] }
        let sizes =
            member.usesZip64
            ? little(member.compressedByteCount) + little(member.byteCount)
            : short(member.compressedByteCount) + short(member.byteCount)
        return little(UInt32(0x0807_4B50)) + little(member.checksum) + sizes
    }

    private func directoryEntry(of member: Member, at offset: UInt64) -> [UInt8] {
        let extra = member.usesZip64 ? zip64Field(of: member, hasDescriptor: false) : []
        let sizes =
            member.usesZip64
            ? little(UInt32.max) + little(UInt32.max)
            : short(member.compressedByteCount) + short(member.byteCount)
        return little(UInt32(0x0201_4B50)) + little(UInt16(0x032D)) + little(UInt16(45)) + little(member.flags)
            + little(member.method) + little(UInt32(0x5A21_0000)) + little(member.checksum) + sizes
            + little(UInt16(member.name.count)) + little(UInt16(extra.count))
            + [UInt8](repeating: 0, count: 2 + 2 + 2 + 4) + short(offset) + member.name + extra
    }

    private func zip64Field(of member: Member, hasDescriptor: Bool) -> [UInt8] {
        little(UInt16(1)) + little(UInt16(16))
            + (hasDescriptor
                ? little(UInt64(0)) + little(UInt64(0))
                : little(member.byteCount) + little(member.compressedByteCount))
    }

    private func zip64End(_ offset: UInt64, _ byteCount: UInt64, recordOffset: UInt64) -> [UInt8] {
        let count = statedMemberCount ?? UInt64(members.count)
        let record =
            little(UInt32(0x0606_4B50)) + little(UInt64(44)) + little(UInt16(45)) + little(UInt16(45))
            + little(UInt64(0)) + little(count) + little(count) + little(byteCount) + little(offset)
        let locator =
            little(UInt32(0x0706_4B50)) + little(UInt32(0)) + little(recordOffset) + little(UInt32(1))
        return record + locator
    }

    private func end(_ offset: UInt64, _ byteCount: UInt64) -> [UInt8] {
        let count = UInt16(clamping: statedMemberCount ?? UInt64(members.count))
        return little(UInt32(0x0605_4B50)) + little(diskNumber) + little(diskNumber) + little(count) + little(count)
            + short(byteCount) + short(offset) + little(UInt16(0))
    }
}

/// The CRC-32 of `bytes` as a zip states it, computed bit by bit from its definition.
public func zipChecksum(of bytes: [UInt8]) -> UInt32 {
    var remainder = UInt32.max
    for byte in bytes {
        remainder ^= UInt32(byte)
        for _ in 0..<8 { remainder = (remainder >> 1) ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~remainder
}

/// Deflate data for `contents` (RFC 1951, 3.2.4): blocks without compression, of at most `blockByteCount` bytes.
public func deflateBlocks(of contents: [UInt8], blockByteCount: Int = 65_535) -> [UInt8] {
    var blocks: [UInt8] = []
    var rest = contents[...]
    repeat {
        let block = rest.prefix(blockByteCount)
        rest = rest.dropFirst(block.count)
        blocks += [rest.isEmpty ? 1 : 0] + little(UInt16(block.count)) + little(~UInt16(block.count)) + block
    } while !rest.isEmpty
    return blocks
}

private func little(_ value: some FixedWidthInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe Array($0) }
}

/// A size in a 32-bit field.
private func short(_ value: UInt64) -> [UInt8] {
    little(UInt32(clamping: value))
}
