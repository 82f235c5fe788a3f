import Foundation
import TestSupport
import Testing

@testable import HealthExport

/// A member whose size has overflowed its field, as above 4 GiB in zips of macOS's Archive Utility; here at 256 bytes.
struct InputZipWrapTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var byteCount = 1_000
        let fault: InputFault?
        var change: @Sendable (inout ZipBuilder.Member) -> Void = { _ in }
    }

    private static let cases = [
        Case(testDescription: "its end is where the upper bits would say", fault: nil),
        Case(testDescription: "a multiple", byteCount: 1_024, fault: nil),
        Case(testDescription: "its end is elsewhere", fault: .longMember(statedByteCount: 231)) { $0.byteCount = 231 },
        Case(testDescription: "its end is near by", fault: .longMember(statedByteCount: 233)) { $0.byteCount = 233 },
        Case(testDescription: "a wrong CRC-32", fault: .wrongChecksum) { $0.checksum ^= 1 },
        Case(testDescription: "no more than is stated", byteCount: 200, fault: nil),
    ]

    /// A sparse file: its directory lies 4 GiB and some bytes from its start, and its end record states only those
    /// bytes.
    @Test func `a zip whose own size has overflowed must be unpacked`() throws {
        let folder = try TemporaryFolder()
        let zip = ZipBuilder([.stored("export.xml", contents: Array("<HealthData/>".utf8))]).bytes()
        let start = 30 + 10 + 13
        let path = try folder.write(zip[..<start], to: "export.zip")
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: UInt64(1 << 32) + UInt64(start))
        try file.seekToEnd()
        try file.write(contentsOf: Data(zip[start...]))
        try file.close()
        #expect(
            folder.openingFault(of: path)
                == """
                export.zip: no zip directory where its end says \
                (expected one, in ZIP64 form since there are \((1 << 32) + zip.count) bytes): \
                unpack it and give the folder, or download or copy it again
                """
        )
    }

    @Test(arguments: cases)
    func `a stream longer than stated is read to its end and checked against its CRC-32`(_ wrapped: Case) throws {
        let folder = try TemporaryFolder()
        let contents = (0..<wrapped.byteCount).map { UInt8($0 % 251) }
        var member = ZipBuilder.Member.deflated("export.xml", contents: contents)
        member.byteCount %= 256
        wrapped.change(&member)
        let archive = try ZipArchive(FileDescriptor(path: folder.write(ZipBuilder([member]))))
        var reader = try ZipMemberReader(archive.member(at: 0), in: archive, sizeModulus: 256)
        let (bytes, fault) = reader.head(upTo: 10_000)
        #expect(bytes == contents)
        #expect(fault == wrapped.fault)
    }
}
