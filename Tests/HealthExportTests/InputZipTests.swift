import Foundation
import HealthExport
import TestSupport
import Testing

/// What a zip may hold in addition to, or instead of, what Apple's zips hold.
struct InputZipTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        ZipBuilder.Member.stored("apple_health_export/export.xml", contents: sampleXML),
        ZipBuilder.Member.deflated("apple_health_export/export.xml", contents: sampleXML),
    ])
    func `the main XML comes out of a zip unchanged`(_ member: ZipBuilder.Member) throws {
        let path = try folder.write(ZipBuilder([member]))
        let input = try ExportInput(path: path)
        #expect(input.kind == .zip)
        #expect(input.mainMemberName == "apple_health_export/export.xml")
        #expect(try folder.outcome(of: path) == Outcome(bytes: sampleXML))
    }

    /// The checksum was right when it was checked, and the bytes that follow are another zip's.
    @Test(arguments: [true, false])
    func `if a zip is overwritten while it is read, none of the new bytes are given out`(_ isDeflated: Bool) throws {
        // Long enough for several reads.
        func export(_ byte: UInt8) -> ZipBuilder {
            let contents = sampleXML + [UInt8](repeating: byte, count: 2_000_000)
            let name = "export.xml"
            return ZipBuilder([isDeflated ? .deflated(name, contents: contents) : .stored(name, contents: contents)])
        }
        let path = try folder.write(export(0x20))
        let whole = try folder.outcome(of: path).bytes
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        let source = try ExportInput(path: path).openMainXML()
        var bytes = [UInt8](repeating: 0, count: 300_000)
        let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe source.read(into: $0) }
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: export(0x0A).bytes())
        try handle.close()
        let rest = folder.outcome(of: source, bufferByteCount: 1 << 16)
        #expect(rest.fault?.contains("the file was written to while it was read") == true)
        #expect(whole.starts(with: bytes.prefix(count) + rest.bytes))
    }

    @Test(arguments: [
        Array("../../../etc/export.xml".utf8), Array("/export.xml".utf8), Array("导出.xml".utf8),
        Array("サ\u{3099}.xml".utf8), [0x8B, 0xFF, 0x80], Array("a\u{1B}[2Jb".utf8), [], Array("export".utf8),
        Array("export.xml\0.txt".utf8), [UInt8](repeating: 0x41, count: 65_535),
    ])
    func `a member is found whatever its name`(_ name: [UInt8]) throws {
        var member = ZipBuilder.Member.stored("", contents: sampleXML)
        member.name = name
        let path = try folder.write(ZipBuilder([member]))
        #expect(try folder.outcome(of: path) == Outcome(bytes: sampleXML))
    }

    @Test func `a name that is not printable ASCII is not shown`() throws {
        var member = ZipBuilder.Member.stored("экспорт.xml", contents: sampleXML)
        member.flags = 0x800
        #expect(try ExportInput(path: folder.write(ZipBuilder([member]))).mainMemberName == nil)
        member.flags = 0
        member.name = Array("a\u{1B}[2J.xml".utf8)
        #expect(try ExportInput(path: folder.write(ZipBuilder([member]))).mainMemberName == nil)
    }

    @Test func `decoys are skipped`() throws {
        let clinicalDocument = Array(
            "<?xml version=\"1.0\"?><ClinicalDocument>\(String(repeating: " ", count: 9_000))</ClinicalDocument>".utf8
        )
        let appleDouble: [UInt8] = [0, 5, 22, 7, 0, 2, 0, 0] + Array("Mac OS X        <HealthData>".utf8)
        let path = try folder.write(
            ZipBuilder([
                .stored("apple_health_export/", contents: []),
                .stored("apple_health_export/export_cda.xml", contents: clinicalDocument),
                .stored("apple_health_export/documents/cda_20240601.xml", contents: clinicalDocument),
                .stored("apple_health_export/documents/cda_20240601_01.xml", contents: clinicalDocument),
                .stored("apple_health_export/empty.xml", contents: []),
                .stored("apple_health_export/plist.xml", contents: Array("<plist><HealthData/></plist>".utf8)),
                .stored("apple_health_export/HealthDataset.xml", contents: Array("<HealthDataset/>".utf8)),
                .stored("__MACOSX/apple_health_export/._export.xml", contents: appleDouble),
                .stored("__MACOSX/apple_health_export/._export 2.xml", contents: sampleXML + sampleXML),
                .deflated("apple_health_export/Exportieren.xml", contents: sampleXML),
                .stored("apple_health_export/electrocardiograms/ecg_2024-03-31.csv", contents: [0x4E]),
                .stored("apple_health_export/workout-routes/route_2024-03-31_6.51pm.gpx", contents: [0x3C]),
                .stored("apple_health_export/workout-routes/route_2024-04-01_6.51pm.gpx", contents: [0x3C]),
                .stored("apple_health_export/clinical-records/Condition-1.json", contents: [0x7B]),
                .stored("apple_health_export/attachments/eye.pdf", contents: [0x25]),
            ])
        )
        let input = try ExportInput(path: path)
        #expect(input.mainMemberName == "apple_health_export/Exportieren.xml")
        #expect(try folder.outcome(of: path) == Outcome(bytes: sampleXML))
        #expect(input.otherMembers[.electrocardiogram] == 1)
        #expect(input.otherMembers[.workoutRoute] == 2)
        #expect(input.otherMembers[.clinicalRecord] == 1)
        #expect(input.otherMembers[.clinicalDocument] == 3)
        #expect(input.otherMembers[.attachment] == 1)
        #expect(input.otherMembers[.other] == 3)
    }

    /// Nobody could tell which person the other files belong to.
    @Test(arguments: [
        ("anna/apple_health_export/export.xml", "bob/apple_health_export/export.xml"),
        ("apple_health_export/export.xml", "apple_health_export/export 2.xml"),
        ("attachments/export.xml", "export.xml"), ("a/export_cda.xml", "b/导出"),
    ])
    func `a zip with two exports is refused, whichever is larger`(_ first: String, _ second: String) throws {
        for names in [[first, second], [second, first]] {
            let path = try folder.write(
                ZipBuilder([
                    .deflated(names[0], contents: sampleXML), .stored(names[1], contents: Array("<HealthData/>".utf8)),
                ])
            )
            #expect(folder.openingFault(of: path) == "export.zip: \(severalExports)")
        }
    }

    @Test func `only files below the folder of the main XML belong to it`() throws {
        let path = try folder.write(
            ZipBuilder([
                .stored("anna/apple_health_export/export.xml", contents: sampleXML),
                .stored("anna/apple_health_export/electrocardiograms/ecg_1.csv", contents: [0x4E]),
                .stored("anna\\apple_health_export\\electrocardiograms\\ecg_2.csv", contents: [0x4E]),
                .stored("./anna/apple_health_export/attachments/eye.pdf", contents: [0x25]),
                .stored("anna/apple_health_export_2/electrocardiograms/ecg_3.csv", contents: [0x4E]),
                .stored("bob/apple_health_export/electrocardiograms/ecg_1.csv", contents: [0x4E]),
                .stored("bob/apple_health_export/workout-routes/route.gpx", contents: [0x3C]),
                .stored("workout-routes/route.gpx", contents: [0x3C]),
                .stored("bob/", contents: []),
                .stored("__MACOSX/bob/._export.xml", contents: [1]),
            ])
        )
        let input = try ExportInput(path: path)
        #expect(input.members(of: .electrocardiogram).count == 2)
        #expect(input.member(at: "/workout-routes/route.gpx") == nil)
        let counts = ExportMember.Kind.allCases.map { input.otherMembers[$0] }
        #expect(counts == [2, 0, 0, 0, 1, 4])
    }

    @Test(arguments: [
        "\u{FEFF}<HealthData>", "\n <!-- a > b --><!----><HealthData\n", "<?xml version=\"1.0\"?><?x?><HealthData/>",
        "<!DOCTYPE\tHealthData[", "<!DOCTYPE HealthData>", "<HealthData", "<!DOCTYPE HealthData SYSTEM 'x'",
        "<!--\(String(repeating: "-", count: 60_000)) --><HealthData>",
    ])
    func `an export begins with HealthData after the prolog`(_ beginning: String) throws {
        let path = try folder.write(ZipBuilder([.stored("x", contents: Array(beginning.utf8))]))
        #expect(try folder.outcome(of: path).bytes == Array(beginning.utf8))
    }

    @Test(arguments: [
        "HealthData", "<healthdata>", "<!DOCTYPEHealthData>", "<!-- <HealthData> -->", "<!-- <HealthData>",
        "<?xml <HealthData>", "< HealthData>", "<x:HealthData>", "<a/><HealthData>", "\u{0}<HealthData>",
        "<!--\(String(repeating: " ", count: 66_000)) --><HealthData>", "<", "<!DOCTYPE", "<HealthDat",
    ])
    func `anything else is not an export`(_ beginning: String) throws {
        let path = try folder.write(ZipBuilder([.stored("export.xml", contents: Array(beginning.utf8))]))
        #expect(
            folder.openingFault(of: path)
                == """
                export.zip: no Apple Health export inside (expected an XML file with <HealthData>): \
                give the zip or the folder that holds it, or export it again with "Export All Health Data"
                """
        )
    }

    @Test func `sizes in ZIP64 fields and data descriptors are taken from the directory`() throws {
        var member = ZipBuilder.Member.deflated("export.xml", contents: sampleXML)
        member.usesZip64 = true
        member.flags = 0x8
        var zip = ZipBuilder([member])
        zip.usesZip64Directory = true
        #expect(try folder.outcome(of: folder.write(zip)) == Outcome(bytes: sampleXML))
    }

    @Test func `each opening gives an independent source`() throws {
        let input = try ExportInput(path: folder.write(ZipBuilder([.stored("a", contents: sampleXML)])))
        let (first, second) = (try input.openMainXML(), try input.openMainXML())
        #expect(folder.outcome(of: first, bufferByteCount: 5).bytes == sampleXML)
        #expect(folder.outcome(of: second, bufferByteCount: 5).bytes == sampleXML)
    }

    @Test func `progress counts the compressed bytes of the main XML`() throws {
        let member = ZipBuilder.Member.deflated("export.xml", contents: sampleXML)
        let path = try folder.write(ZipBuilder([.stored("other", contents: Array("other".utf8)), member]))
        let source = try ExportInput(path: path).openMainXML()
        #expect(source.progress == InputProgress(consumed: 0, total: member.compressedByteCount))
        _ = folder.outcome(of: source, bufferByteCount: 1 << 20)
        let all = member.compressedByteCount
        #expect(source.progress == InputProgress(consumed: all, total: all))
    }
}
