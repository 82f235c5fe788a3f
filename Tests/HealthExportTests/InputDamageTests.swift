import HealthExport
import TestSupport
import Testing

/// Small archives, cut or changed at every byte: they give an error or the right bytes, and never a crash.
struct InputDamageTests {
    private static let archives = [
        ZipBuilder([.stored("export.xml", contents: sampleXML)]),
        ZipBuilder([.deflated("a/export.xml", contents: sampleXML), .stored("b", contents: [1])]),
        {
            var member = ZipBuilder.Member.deflated("export.xml", contents: sampleXML)
            member.usesZip64 = true
            member.flags = 0x8
            var zip = ZipBuilder([member])
            zip.usesZip64Directory = true
            return zip
        }(),
    ]

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: archives)
    func `a zip cut at any byte is reported as cut short`(_ zip: ZipBuilder) throws {
        let bytes = zip.bytes()
        for count in 0..<bytes.count {
            let path = try folder.write(bytes[..<count], to: "export.zip")
            // Anything shorter than "PK" can't be recognized as a zip.
            guard count >= 2 else {
                #expect(folder.openingFault(of: path) != nil)
                continue
            }
            #expect(
                folder.openingFault(of: path)
                    == """
                    export.zip: no zip directory at its end, the file is cut short (expected a whole zip): \
                    download or copy it again
                    """
            )
        }
    }

    @Test(arguments: archives)
    func `a changed byte gives an error or the right XML`(_ zip: ZipBuilder) throws {
        let bytes = zip.bytes()
        let masks: [UInt8] = [0x01, 0x10, 0x80, 0xFF]
        for (position, mask) in bytes.indices.flatMap({ index in masks.map { (index, $0) } }) {
            var changed = bytes
            changed[position] ^= mask
            let outcome = try folder.outcome(of: folder.write(changed, to: "export.zip"), bufferByteCount: 1_000)
            #expect(outcome.fault != nil || outcome.bytes == sampleXML, "byte \(position) changed by \(mask)")
        }
    }
}
