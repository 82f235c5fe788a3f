import HealthExport
import TestSupport
import Testing

/// A faulty zip, and what the user is told.
struct InputZipFaultTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let zip: ZipBuilder
        let bytes: [UInt8]
        let fault: String

        /// A zip with one deflated main XML, changed by `change`.
        init(
            _ name: String,
            delivers bytes: [UInt8] = [],
            fault: String,
            _ change: (inout ZipBuilder.Member, inout ZipBuilder) -> Void
        ) {
            var zip = ZipBuilder()
            var member = ZipBuilder.Member.deflated("export.xml", contents: sampleXML)
            change(&member, &zip)
            zip.members.insert(member, at: 0)
            testDescription = name
            self.zip = zip
            self.bytes = bytes
            self.fault = "export.zip: \(fault)"
        }
    }

    private static let again = "download or copy it again"
    private static let whole = "\(again), and use nothing that was made of this one"
    private static let unpack = "unpack it and give the folder"
    private static let size = sampleXML.count

    private static let openingCases = [
        Case("encrypted", fault: "the main XML is encrypted (expected a zip without a password): \(unpack)") {
            member,
            _ in member.flags = 0x1
        },
        Case("strongly encrypted", fault: "the main XML is encrypted (expected a zip without a password): \(unpack)") {
            member,
            _ in member.flags = 0x41
        },
        Case(
            "zstd",
            fault: "the main XML is compressed by zip method 93 (expected 0, stored, or 8, deflated): \(unpack)"
        ) { member, _ in member.method = 93 },
        Case(
            "only an empty XML",
            fault: """
                the XML inside is 0 bytes long (expected an XML file with <HealthData>): \
                export it again with "Export All Health Data"
                """
        ) { member, _ in member = .stored("apple_health_export/export.XML", contents: []) },
        Case(
            "UTF-16",
            fault: """
                XML in UTF-16 (expected UTF-8): convert it with "iconv -f UTF-16 -t UTF-8", \
                and let its first line say encoding="UTF-8"
                """
        ) {
            member,
            _ in member = .stored("export.xml", contents: [0xFF, 0xFE, 0x3C, 0x00])
        },
        Case("split", fault: "one part of a split zip (expected one whole zip): join the parts with \"zip -s 0\"") {
            $1.diskNumber = 1
        },
        Case(
            "a count that can't be",
            fault: "its zip directory is damaged (expected a whole zip): \(again), or \(unpack)"
        ) {
            $1.usesZip64Directory = true
            $1.statedMemberCount = 1 << 40
        },
        Case(
            "a name that is not the UTF-8 it claims",
            fault: "its zip directory is damaged (expected a whole zip): \(again), or \(unpack)"
        ) {
            member,
            _ in
            member.name = [0xFF]
            member.flags = 0x800
        },
        Case(
            "a bomb",
            fault: """
                its files claim to inflate from 1000000 to 1073741825 bytes (expected at most 250 to 1): \
                if you trust it, \(unpack)
                """
        ) { member, _ in
            member.byteCount = 1 << 30 + 1
            member.rawBytes += [UInt8](repeating: 0, count: 1_000_000 - member.rawBytes.count)
            member.compressedByteCount = 1_000_000
        },
        Case(
            "a bomb of several files",
            fault: """
                its files claim to inflate from 1000000 to \((1 << 30) + 8 + size) bytes (expected at most 250 to 1): \
                if you trust it, \(unpack)
                """
        ) { member, zip in
            member.rawBytes += [UInt8](repeating: 0, count: 1_000_000 - 1800 - member.rawBytes.count)
            member.compressedByteCount = 1_000_000 - 1800
            for name in ["electrocardiograms/#.csv", "workout-routes/#.gpx", "clinical-records/#.json"] {
                for number in 0..<6 {
                    var file = ZipBuilder.Member.stored(
                        name.replacing("#", with: "\(number)"),
                        contents: [UInt8](repeating: 0, count: 100)
                    )
                    file.byteCount = (1 << 30) / 18 + 1
                    zip.members.append(file)
                }
            }
            // A route that is left out of the sum, since it is larger than any that is read.
            var route = ZipBuilder.Member.stored("workout-routes/long.gpx", contents: [])
            route.byteCount = 1 << 40
            route.usesZip64 = true
            zip.members.append(route)
            // Attachments are not read.
            var picture = ZipBuilder.Member.stored("attachments/a.png", contents: [1])
            picture.byteCount = 1 << 40
            picture.usesZip64 = true
            zip.members.append(picture)
        },
        Case(
            "files that share their bytes",
            fault: """
                its files claim to inflate from 444 to 1073741825 bytes (expected at most 250 to 1): \
                if you trust it, \(unpack)
                """
        ) { member, _ in
            member.byteCount = 1 << 30 + 1
            member.compressedByteCount = 1 << 30
        },
        Case(
            "an immense member",
            fault: """
                its files claim to inflate to 68719476737 bytes (expected at most 68719476736): \
                if you trust it, \(unpack)
                """
        ) { member, _ in
            member.byteCount = 64 << 30 + 1
            member.compressedByteCount = 64 << 30
            member.usesZip64 = true
        },
        Case(
            "the largest sizes there are",
            fault: """
                its files claim to inflate to 18446744073709551615 bytes (expected at most 68719476736): \
                if you trust it, \(unpack)
                """
        ) { member, _ in
            member.byteCount = .max
            member.compressedByteCount = 1 << 40
            member.usesZip64 = true
        },
    ]

    private static let readingCases = [
        Case(
            "wrong CRC-32",
            delivers: sampleXML,
            fault: "the main XML has a wrong CRC-32 (expected the one in the zip directory): \(whole)"
        ) { member, _ in member.checksum ^= 1 },
        Case(
            "stored, wrong CRC-32",
            delivers: sampleXML,
            fault: "the main XML has a wrong CRC-32 (expected the one in the zip directory): \(whole)"
        ) { member, _ in
            member = .stored("export.xml", contents: sampleXML)
            member.checksum ^= 1
        },
        Case(
            "longer than stated",
            delivers: Array(sampleXML.prefix(100)),
            fault:
                "the main XML continues after byte 100 (expected its end there as the zip directory states): \(whole)"
        ) { member, _ in member.byteCount = 100 },
        Case(
            "stored, longer than stated",
            delivers: Array(sampleXML.prefix(100)),
            fault:
                "the main XML continues after byte 100 (expected its end there as the zip directory states): \(whole)"
        ) { member, _ in
            member = .stored("export.xml", contents: sampleXML)
            member.byteCount = 100
        },
        Case(
            "shorter than stated",
            delivers: sampleXML,
            fault: "the main XML ends after byte \(size) (expected 9999 bytes as the zip directory states): \(whole)"
        ) { member, _ in member.byteCount = 9_999 },
        Case(
            "stored, shorter than stated",
            delivers: sampleXML,
            fault: "the main XML ends after byte \(size) (expected 9999 bytes as the zip directory states): \(whole)"
        ) { member, _ in
            member = .stored("export.xml", contents: sampleXML)
            member.byteCount = 9_999
        },
        Case(
            "compressed bytes cut short",
            delivers: Array(sampleXML.prefix(200)),
            fault: "the main XML ends after byte 200 (expected \(size) bytes as the zip directory states): \(whole)"
        ) { member, _ in member.compressedByteCount = 205 },
        Case(
            "an unknown block",
            delivers: Array(sampleXML.prefix(60)),
            fault: "the main XML is damaged after byte 60 (expected whole compressed data): \(whole)"
        ) { member, _ in
            member.rawBytes = deflateBlocks(of: sampleXML, blockByteCount: 60)
            member.rawBytes[65] = 7
            member.compressedByteCount = UInt64(member.rawBytes.count)
        },
    ]

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: openingCases)
    func `a zip that can't be read is refused at once`(_ refused: Case) throws {
        let path = try folder.write(refused.zip)
        #expect(folder.openingFault(of: path) == refused.fault)
    }

    @Test(arguments: readingCases, [1, 7, 1 << 20])
    func `damage is reported after the good bytes, with any buffer size`(_ damaged: Case, bufferByteCount: Int) throws {
        let path = try folder.write(damaged.zip)
        let outcome = try folder.outcome(of: path, bufferByteCount: bufferByteCount)
        #expect(outcome == Outcome(bytes: damaged.bytes, fault: damaged.fault))
    }

    @Test(arguments: [false, true])
    func `a directory that would fill the memory is refused`(usesZip64Directory: Bool) throws {
        var member = ZipBuilder.Member.stored("export.xml", contents: sampleXML)
        member.rawBytes = [UInt8](repeating: 0, count: 34_000_000)
        var zip = ZipBuilder([member])
        zip.usesZip64Directory = usesZip64Directory
        zip.statedDirectoryOffset = 0
        zip.statedDirectoryByteCount = 33_554_433
        #expect(
            folder.openingFault(of: try folder.write(zip))
                == """
                export.zip: a zip directory of 33554433 bytes (expected at most 33554432): \
                unpack it and give the folder
                """
        )
    }

    @Test func `bytes that look like an end record by chance are not taken for one`() throws {
        var record = [UInt8](repeating: 0, count: 22)
        record.replaceSubrange(0..<4, with: [0x50, 0x4B, 5, 6])
        // An offset of a gigabyte, which is past the record itself.
        record[15] = 0x40
        let zip = ZipBuilder([.stored("export.xml", contents: sampleXML), .stored("y", contents: record)])
        #expect(try folder.outcome(of: folder.write(zip)) == Outcome(bytes: sampleXML))
    }

    @Test func `a zip with thousands of end records is refused, without trying each of them`() throws {
        let zip = ZipBuilder(.init(repeating: .stored("a", contents: []), count: 60_000)).bytes()
        let ends = [[UInt8]](repeating: zip.suffix(22), count: 2_900).joined()
        #expect(
            folder.openingFault(of: try folder.write(zip + ends, to: "export.zip"))
                == "export.zip: its zip directory is damaged (expected a whole zip): \(Self.again), or \(Self.unpack)"
        )
    }

    @Test func `a zip inside the zip does not hide the directory`() throws {
        let inner = ZipBuilder([.stored("a", contents: Array("<HealthData/>".utf8))]).bytes()
        let path = try folder.write(ZipBuilder([.stored("x", contents: sampleXML), .stored("y.zip", contents: inner)]))
        #expect(try folder.outcome(of: path) == Outcome(bytes: sampleXML))
    }

    @Test func `compressed bytes that reach past the end of the file are damage`() throws {
        var member = ZipBuilder.Member.stored("export.xml", contents: sampleXML)
        (member.byteCount, member.compressedByteCount) = (1 << 30, 1 << 30)
        let archive = ZipBuilder([member]).bytes()
        let start = 30 + member.name.count
        let outcome = try folder.outcome(of: folder.write(archive, to: "export.zip"))
        #expect(outcome.bytes == Array(archive[start...]))
        #expect(
            outcome.fault
                == """
                export.zip: the main XML is damaged after byte \(archive.count - start) \
                (expected whole compressed data): download or copy it again, and use nothing that was made of this one
                """
        )
    }

    @Test func `every later read throws the same fault again`() throws {
        var member = ZipBuilder.Member.stored("export.xml", contents: sampleXML)
        member.checksum = 0
        let source = try ExportInput(path: folder.write(ZipBuilder([member]))).openMainXML()
        let first = folder.outcome(of: source, bufferByteCount: 1 << 20)
        #expect(first.bytes == sampleXML)
        #expect(folder.outcome(of: source, bufferByteCount: 1 << 20) == Outcome(fault: first.fault))
        #expect(try unsafe source.read(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) == 0)
    }

    @Test func `an empty zip contains no export`() throws {
        #expect(
            folder.openingFault(of: try folder.write(ZipBuilder()))
                == """
                export.zip: no Apple Health export inside (expected an XML file with <HealthData>): \
                give the zip or the folder that holds it, or export it again with "Export All Health Data"
                """
        )
    }

    /// As `curl -C -` leaves it if an older export already has the name of the new one.
    @Test func `a zip that is continued with another zip's bytes is not read as the first`() throws {
        let old = ZipBuilder([.stored("export.xml", contents: sampleXML)]).bytes()
        let notes = [UInt8](repeating: 0x61, count: 2 * old.count)
        let new = ZipBuilder([.stored("notes", contents: notes), .stored("export.xml", contents: sampleXML)]).bytes()
        for bytes in [old + new.dropFirst(old.count), old + new] {
            #expect(
                folder.openingFault(of: try folder.write(bytes, to: "export.zip"))
                    == """
                    export.zip: its zip directory is damaged (expected a whole zip): \
                    download or copy it again, or unpack it and give the folder
                    """
            )
        }
    }

    @Test func `damage in another file does not hide the export`() throws {
        var picture = ZipBuilder.Member.deflated("eye.png", contents: [UInt8](repeating: 9, count: 9_999))
        picture.rawBytes = [7, 7, 7]
        let path = try folder.write(ZipBuilder([picture, .stored("export.xml", contents: sampleXML)]))
        #expect(try folder.outcome(of: path).bytes == sampleXML)
    }

    @Test func `too many members are refused`() throws {
        let member = ZipBuilder.Member.stored("a", contents: [])
        var zip = ZipBuilder(.init(repeating: member, count: 200_001))
        zip.usesZip64Directory = true
        #expect(
            folder.openingFault(of: try folder.write(zip))
                == "export.zip: 200001 files in the zip (expected at most 200000): unpack it and give the folder"
        )
    }

    @Test func `a zip that is replaced between opening and reading is noticed`() throws {
        let path = try folder.write(ZipBuilder([.stored("export.xml", contents: sampleXML)]))
        let input = try ExportInput(path: path)
        _ = try folder.write(ZipBuilder([.stored("export.xml", contents: sampleXML + [0x0A])]))
        #expect(throws: HealthExportError.unreadableInput(.archiveChanged, input: path)) { try input.openMainXML() }
    }
}
