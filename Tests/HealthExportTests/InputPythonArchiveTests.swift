import HealthExport
import TestSupport
import Testing

/// Archives made by Python's `zipfile`, which shares no code with the reader or the builder.
struct InputPythonArchiveTests {
    /// Writes 1.3 MB of XML and a zip of it, so that every kind of deflate block and match occurs.
    private static let makeArchive = """
        import random, sys, zipfile
        folder, method, zip64 = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "zip64"
        random.seed(1)
        lines = [b'<?xml version="1.0" encoding="UTF-8"?>\\n<HealthData locale="de_DE">\\n']
        while len(lines) < 10000:
            lines.append(b' <Record type="HKQuantityTypeIdentifier%d" value="%f" startDate="2024-01-%02d"/>\\n'
                         % (random.randrange(9), random.random(), random.randrange(31)))
        lines.append(random.randbytes(200000).hex().encode() + b'\\n</HealthData>')
        xml = b''.join(lines)
        open(folder + '/expected.xml', 'wb').write(xml)
        with zipfile.ZipFile(folder + '/export.zip', 'w', method) as archive:
            archive.writestr('apple_health_export/export_cda.xml', '<ClinicalDocument/>' + ' ' * 4000000)
            with archive.open('apple_health_export/Exportieren.xml', 'w', force_zip64=zip64) as member:
                member.write(xml)
        """

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["0", "8"], ["zip32", "zip64"])
    func `an archive that Python made is read`(method: String, form: String) throws {
        try runPython(Self.makeArchive, folder.path, method, form)
        let expected = try folder.outcome(of: folder.path("expected.xml"))
        let path = folder.path("export.zip")
        #expect(expected.bytes.count > 1_200_000)
        for bufferByteCount in [1, 7, 65_537, 128 << 10, 1 << 20, 8 << 20] {
            #expect(try folder.outcome(of: path, bufferByteCount: bufferByteCount) == expected)
        }
    }

    @Test func `damaged deflate data gives the same bytes and error in any buffer`() throws {
        try runPython(Self.makeArchive, folder.path, "8", "zip32")
        // Changes single bytes in the second member's compressed data, far from both ends.
        try runPython(
            """
            import sys
            folder = sys.argv[1]
            data = bytearray(open(folder + '/export.zip', 'rb').read())
            for n in range(12):
                at = len(data) * (n + 2) // 15
                changed = bytearray(data)
                changed[at] ^= 0x55
                open(f'{folder}/{n}.zip', 'wb').write(changed)
            """,
            folder.path
        )
        let expected = try folder.outcome(of: folder.path("expected.xml")).bytes
        for number in 0..<12 {
            let path = folder.path("\(number).zip")
            let outcome = try folder.outcome(of: path)
            #expect(outcome.fault != nil && outcome.bytes.count <= expected.count)
            #expect(outcome.bytes.starts(with: "<?xml".utf8))
            for bufferByteCount in [1, 7, 4_096, 200_000] {
                #expect(try folder.outcome(of: path, bufferByteCount: bufferByteCount) == outcome)
            }
        }
    }

    @Test(arguments: ["apple_health_export/書き出したデータ.xml", "../../up.xml"])
    func `names that Python reads as CP437 and names with the UTF-8 flag are found`(_ name: String) throws {
        try runPython(
            """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], 'w') as archive:
                for name in 'apple_health_export/書き出したデータ.xml', '../../up.xml':
                    archive.writestr(name, '<HealthData> </HealthData>' if name == sys.argv[2] else '<a/>')
            """,
            folder.path("export.zip"),
            name
        )
        let path = folder.path("export.zip")
        #expect(try folder.outcome(of: path).bytes == Array("<HealthData> </HealthData>".utf8))
        #expect(try ExportInput(path: path).otherMembers[.other] == 1)
    }
}
