import Testing

@testable import SyntheticExport

extension ZipHeaders {
    /// The directory of an archive that holds one member.
    fileprivate func directory(of member: Member, at offset: UInt64) -> [UInt8] {
        var directory = ZipDirectory()
        directory.append(self, of: member)
        return directory.bytes(at: offset)
    }
}

/// The offsets are from PKWARE's APPNOTE 6.3.10, sections 4.3.7, 4.3.9, 4.3.12 and 4.3.14 to 4.3.16.
struct ZipHeadersTests {
    private let headers = ZipHeaders(name: "a/b", date: CalendarDate(year: 2024, month: 7, day: 1), secondOfDay: 29_551)

    private func number(_ bytes: [UInt8], at offset: Int, width: Int) -> UInt64 {
        bytes[offset..<offset + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    @Test func `the local header leaves the sizes to the descriptor`() {
        let header = headers.localHeader
        #expect(number(header, at: 0, width: 4) == 0x0403_4B50)
        #expect(number(header, at: 6, width: 2) == 0x0808)
        #expect(number(header, at: 8, width: 2) == 8)
        // 08:12:30 on 2024-07-01, as MS-DOS packs it.
        #expect(number(header, at: 10, width: 2) == 8 << 11 | 12 << 5 | 15)
        #expect(number(header, at: 12, width: 2) == 44 << 9 | 7 << 5 | 1)
        #expect(number(header, at: 18, width: 8) == .max)
        #expect(header.count == 30 + 3 + 20)
    }

    @Test func `a small member needs no ZIP64 in the directory`() {
        let member = ZipHeaders.Member(checksum: 5, compressedByteCount: 70, byteCount: 900)
        let directory = headers.directory(of: member, at: 147)
        #expect(number(directory, at: 20, width: 4) == 70)
        #expect(number(directory, at: 24, width: 4) == 900)
        #expect(number(directory, at: 30, width: 2) == 0)
        #expect(directory.count == 46 + 3 + 22)
        #expect(number(directory, at: 49 + 12, width: 4) == 49)
        #expect(number(directory, at: 49 + 16, width: 4) == 147)
    }

    @Test func `only the size of a large member that compresses well is in 64 bits`() {
        let member = ZipHeaders.Member(checksum: 5, compressedByteCount: 70, byteCount: 5_000_000_000)
        let directory = headers.directory(of: member, at: 147)
        #expect(number(directory, at: 20, width: 4) == 70)
        #expect(number(directory, at: 24, width: 4) == UInt64(UInt32.max))
        #expect(number(directory, at: 49, width: 2) == 1)
        #expect(number(directory, at: 51, width: 2) == 8)
        #expect(number(directory, at: 53, width: 8) == 5_000_000_000)
        #expect(directory.count == 46 + 3 + 12 + 22)
    }

    @Test func `a directory beyond 4 GiB is found through the ZIP64 end records`() {
        let member = ZipHeaders.Member(checksum: 5, compressedByteCount: 6_000_000_000, byteCount: 90_000_000_000)
        let offset: UInt64 = 6_000_000_077
        let directory = headers.directory(of: member, at: offset)
        let entry = 46 + 3 + 20
        #expect(number(directory, at: 53, width: 8) == 90_000_000_000)
        #expect(number(directory, at: 61, width: 8) == 6_000_000_000)
        #expect(number(directory, at: entry, width: 4) == 0x0606_4B50)
        #expect(number(directory, at: entry + 40, width: 8) == UInt64(entry))
        #expect(number(directory, at: entry + 48, width: 8) == offset)
        #expect(number(directory, at: entry + 56, width: 4) == 0x0706_4B50)
        #expect(number(directory, at: entry + 64, width: 8) == offset + UInt64(entry))
        #expect(number(directory, at: entry + 76, width: 4) == 0x0605_4B50)
        #expect(number(directory, at: entry + 92, width: 4) == UInt64(UInt32.max))
        #expect(directory.count == entry + 56 + 20 + 22)
    }

    @Test func `a member that starts beyond 4 GiB has its offset in 64 bits`() {
        let member = ZipHeaders.Member(offset: 6_000_000_000, checksum: 5, compressedByteCount: 70, byteCount: 900)
        let directory = headers.directory(of: member, at: 147)
        #expect(number(directory, at: 42, width: 4) == UInt64(UInt32.max))
        #expect(number(directory, at: 49, width: 2) == 1)
        #expect(number(directory, at: 51, width: 2) == 8)
        #expect(number(directory, at: 53, width: 8) == 6_000_000_000)
    }

    @Test func `the directory lists members one after another, each with its offset`() {
        var directory = ZipDirectory()
        directory.append(headers, of: ZipHeaders.Member(offset: 0, compressedByteCount: 70, byteCount: 900))
        directory.append(headers, of: ZipHeaders.Member(offset: 147, compressedByteCount: 8, byteCount: 9))
        let bytes = directory.bytes(at: 232)
        let entry = 46 + 3
        #expect(number(bytes, at: 42, width: 4) == 0)
        #expect(number(bytes, at: entry, width: 4) == 0x0201_4B50)
        #expect(number(bytes, at: entry + 42, width: 4) == 147)
        #expect(number(bytes, at: 2 * entry + 8, width: 2) == 2)
        #expect(number(bytes, at: 2 * entry + 10, width: 2) == 2)
        #expect(number(bytes, at: 2 * entry + 12, width: 4) == UInt64(2 * entry))
        #expect(bytes.count == 2 * entry + 22)
    }

    @Test func `a number of members that does not fit into 16 bits is in the ZIP64 end records`() {
        var directory = ZipDirectory()
        for _ in 0..<70_000 { directory.append(headers, of: ZipHeaders.Member()) }
        let bytes = directory.bytes(at: 0)
        let end = 70_000 * 49
        #expect(number(bytes, at: end, width: 4) == 0x0606_4B50)
        #expect(number(bytes, at: end + 24, width: 8) == 70_000)
        #expect(number(bytes, at: end + 32, width: 8) == 70_000)
        #expect(number(bytes, at: end + 76 + 8, width: 2) == UInt64(UInt16.max))
    }

    @Test func `the data descriptor has sizes of eight bytes`() {
        let member = ZipHeaders.Member(checksum: 0xAABB_CCDD, compressedByteCount: 7, byteCount: 5_000_000_000)
        let descriptor = headers.dataDescriptor(of: member)
        #expect(number(descriptor, at: 4, width: 4) == 0xAABB_CCDD)
        #expect(number(descriptor, at: 16, width: 8) == 5_000_000_000)
        #expect(descriptor.count == 24)
    }
}
