import Foundation
import HealthExport
import TestSupport
import Testing

/// An input that is a bare file, a pipe or standard input.
@Suite(.serialized)
struct InputFileTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name = "export.xml"
        let bytes: [UInt8]
        let fault: String

        var testDescription: String { fault }
    }

    private static let first = ", and let its first line say encoding=\"UTF-8\""
    private static let giveTheZip = "give the zip that \"Export All Health Data\" made"
    private static let joinThePieces =
        "one piece of a zip, as its name says (expected one whole zip): "
        + "join the pieces with \"cat\", in the order of their numbers"
    private static let archive =
        "export.xml: another archive than a zip (expected a zip, a folder or plain XML): unpack it and give what was in it"
    private static let refused = [
        Case(
            bytes: [],
            fault: """
                export.xml: 0 bytes long (expected an Apple Health export): \
                export it again with "Export All Health Data"
                """
        ),
        Case(
            bytes: Array("<plist/>".utf8),
            fault: "export.xml: no Apple Health export (expected XML that begins with <HealthData>): \(giveTheZip)"
        ),
        Case(
            bytes: [0x1F, 0x8B, 0x08],
            fault:
                "export.xml: compressed with gzip (expected a zip or plain XML): unpack it with gunzip < FILE > OTHER"
        ),
        Case(
            bytes: Array("{\"resourceType\":\"Bundle\",".utf8),
            fault: """
                export.xml: FHIR resources (expected an Apple Health export): \
                send Bundles of 'pghd convert' with 'pghd send'
                """
        ),
        Case(
            bytes: [0x89, 0x50, 0x4E, 0x47, 0x00],
            fault: "export.xml: a binary file (expected a zip, or XML that begins with <HealthData>): \(giveTheZip)"
        ),
        Case(
            bytes: [UInt8](repeating: 0, count: 600),
            fault: """
                export.xml: zeros at its beginning, as of a file that is not whole \
                (expected a zip, or XML that begins with <HealthData>): download or copy it again
                """
        ),
        Case(bytes: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], fault: archive),
        Case(bytes: Array("Rar!".utf8) + [0x1A, 0x07, 0], fault: archive),
        Case(bytes: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], fault: archive),
        Case(bytes: [0x28, 0xB5, 0x2F, 0xFD, 0x24], fault: archive),
        Case(bytes: [UInt8](repeating: 0x61, count: 257) + Array("ustar".utf8) + [0], fault: archive),
        Case(
            bytes: Array("\n<!DOCTYPE html><html><title>Google Drive".utf8),
            fault: """
                export.xml: a web page (expected a zip, or XML that begins with <HealthData>): download the zip itself
                """
        ),
        // The first part of a split zip, and the last.
        Case(
            bytes: [0x50, 0x4B, 0x07, 0x08, 0x50, 0x4B, 0x03, 0x04],
            fault: "export.xml: one part of a split zip (expected one whole zip): join the parts with \"zip -s 0\""
        ),
        Case(
            bytes: [0, 1, 2, 0x50, 0x4B, 0x05, 0x06, 5, 0, 5, 0] + [UInt8](repeating: 0, count: 14),
            fault: "export.xml: one part of a split zip (expected one whole zip): join the parts with \"zip -s 0\""
        ),
        // The first piece, a middle one and the last one of a zip that was cut into pieces.
        Case(name: "export.zip.001", bytes: [0x50, 0x4B, 3, 4, 20, 0], fault: "export.zip.001: \(joinThePieces)"),
        Case(name: "export.zip.002", bytes: [0x89, 0x50, 0x4E, 0x00], fault: "export.zip.002: \(joinThePieces)"),
        Case(
            name: "export.zip.003",
            bytes: [0, 1, 2, 0x50, 0x4B, 0x05, 0x06, 5, 0, 5, 0] + [UInt8](repeating: 0, count: 14),
            fault: "export.zip.003: \(joinThePieces)"
        ),
        Case(
            name: "photo.001",
            bytes: [0x89, 0x50, 0x4E, 0x47, 0x00],
            fault: "photo.001: a binary file (expected a zip, or XML that begins with <HealthData>): \(giveTheZip)"
        ),
        Case(
            bytes: [0xFE, 0xFF, 0x00, 0x3C],
            fault: "export.xml: XML in UTF-16 (expected UTF-8): convert it with \"iconv -f UTF-16 -t UTF-8\"" + first
        ),
        Case(
            bytes: [0xFF, 0xFE, 0x00, 0x00, 0x3C, 0x00, 0x00, 0x00],
            fault: "export.xml: XML in UTF-32 (expected UTF-8): convert it with \"iconv -f UTF-32 -t UTF-8\"" + first
        ),
        Case(
            bytes: [0x00, 0x00, 0x00, 0x3C, 0x00, 0x00, 0x00, 0x3F],
            fault: "export.xml: XML in UTF-32 (expected UTF-8): convert it with \"iconv -f UTF-32BE -t UTF-8\"" + first
        ),
        Case(
            bytes: [0x3C, 0x00, 0x3F, 0x00],
            fault: "export.xml: XML in UTF-16 (expected UTF-8): convert it with \"iconv -f UTF-16LE -t UTF-8\"" + first
        ),
        Case(
            name: "ecg.csv",
            bytes: [0xFF, 0xFE] + Array("Name".utf8).flatMap { [$0, 0] },
            fault: "ecg.csv: text in UTF-16 (expected UTF-8): convert it with \"iconv -f UTF-16 -t UTF-8\""
        ),
        Case(
            name: "ecg_2024-03-31.CSV",
            bytes: Array("Name,\nDate of Birth,\"Jan 8, 2002\"\n".utf8),
            fault: """
                ecg_2024-03-31.CSV: no electrocardiogram \
                (expected a header with its recorded date in the third row): \
                give a file of the export's folder electrocardiograms, or the whole export
                """
        ),
        Case(
            bytes: Array("PK".utf8),
            fault: """
                export.xml: no zip directory at its end, the file is cut short (expected a whole zip): \
                download or copy it again
                """
        ),
        Case(
            name: "a\u{1B}[2J\u{202E}.xml",
            bytes: Array("text".utf8),
            fault: "a?[2J?.xml: no Apple Health export (expected XML that begins with <HealthData>): \(giveTheZip)"
        ),
    ]

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: refused)
    func `a file that is not an export is refused by its content`(_ refused: Case) throws {
        #expect(folder.openingFault(of: try folder.write(refused.bytes, to: refused.name)) == refused.fault)
    }

    @Test(arguments: [1, 7, 1 << 20])
    func `a bare XML file is read as it is`(bufferByteCount: Int) throws {
        let path = try folder.write([0xEF, 0xBB, 0xBF] + sampleXML, to: "health.backup")
        let input = try ExportInput(path: path)
        #expect(input.kind == .xml)
        #expect(input.mainMemberName == nil)
        #expect(input.otherMembers == MemberCounts())
        let source = try input.openMainXML()
        let total = UInt64(sampleXML.count + 3)
        #expect(source.progress == InputProgress(consumed: 0, total: total))
        #expect(folder.outcome(of: source, bufferByteCount: bufferByteCount).bytes == [0xEF, 0xBB, 0xBF] + sampleXML)
        #expect(source.progress == InputProgress(consumed: total, total: total))
    }

    @Test(arguments: [0, 1])
    func `a file that is written to while it is read is reported`(_ addedByteCount: Int) throws {
        let path = try folder.write(sampleXML, to: "export.xml")
        // Set to an earlier time, because file timestamps are coarse and the next write might get the same one.
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        let source = try ExportInput(path: path).openMainXML()
        // In place, like a copy in progress; also with the same length.
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: sampleXML + [UInt8](repeating: 0x20, count: addedByteCount))
        try handle.close()
        #expect(
            folder.outcome(of: source, bufferByteCount: 1 << 20).fault == """
                export.xml: the file was written to while it was read (expected the same one from its first byte to its \
                last): run again when it is fully written, and use no file that was made of this one; what was \
                sent the next sync puts right
                """
        )
        #expect(
            try folder.outcome(of: path) == Outcome(bytes: sampleXML + [UInt8](repeating: 0x20, count: addedByteCount))
        )
    }

    @Test func `a zip is recognized by its content, not by its name`() throws {
        let path = try folder.write(ZipBuilder([.stored("x", contents: sampleXML)]), to: "export.xml")
        #expect(try ExportInput(path: path).kind == .zip)
    }

    @Test func `a path that can't be opened is reported with the reason`() throws {
        let missing = """
            no such file or folder (expected a zip, a folder, an XML file, or - for standard input): check the path
            """
        #expect(folder.openingFault(of: folder.path("nowhere.zip")) == "nowhere.zip: \(missing)")
        #expect(folder.openingFault(of: "") == ": \(missing)")
        #expect(folder.openingFault(of: "\(try folder.write(sampleXML, to: "a"))\0b") == "a?b: \(missing)")
        #expect(folder.openingFault(of: "\(folder.path("a"))/b") == "a/b: \(missing)")
        try folder.link("loop", to: folder.path("loop"))
        #expect(
            folder.openingFault(of: folder.path("loop"))
                == """
                loop: reading failed with system error 40, Too many levels of symbolic links \
                (expected a readable file): check the disk and try again
                """
        )
    }

    @Test func `a pipe given by its path is read once`() throws {
        let file = try folder.write(longXML, to: "export.xml")
        let pipe = try folder.makePipe("pipe")
        let writer = Process()
        writer.executableURL = URL(filePath: "/bin/sh")
        writer.arguments = ["-c", "cat \"$0\" > \"$1\"", file, pipe]
        try writer.run()
        let input = try ExportInput(path: pipe)
        #expect(input.kind == .standardInput)
        let source = try input.openMainXML()
        #expect(source.progress == InputProgress(consumed: 0, total: nil))
        #expect(folder.outcome(of: source, bufferByteCount: 100_000).bytes == longXML)
        #expect(source.progress == InputProgress(consumed: UInt64(longXML.count), total: nil))
        writer.waitUntilExit()
        #expect(throws: HealthExportError.unreadableInput(.streamReadTwice, input: pipe)) { try input.openMainXML() }
    }

    @Test func `XML on standard input is read`() throws {
        try withStandardInput(sampleXML) {
            let input = try ExportInput(path: "-")
            #expect(input.kind == .standardInput)
            #expect(folder.outcome(of: try input.openMainXML(), bufferByteCount: 7).bytes == sampleXML)
        }
    }

    @Test func `non-blocking standard input is waited for`() throws {
        let writer = Process()
        writer.executableURL = URL(filePath: "/bin/cat")
        writer.arguments = [try folder.write(longXML, to: "export.xml")]
        let pipe = Pipe()
        writer.standardOutput = pipe
        let reading = pipe.fileHandleForReading.fileDescriptor
        #expect(fcntl(reading, F_SETFL, fcntl(reading, F_GETFL) | O_NONBLOCK) == 0)
        try withStandardInput(from: pipe) {
            try writer.run()
            try pipe.fileHandleForWriting.close()
            let source = try ExportInput(path: "-").openMainXML()
            #expect(folder.outcome(of: source, bufferByteCount: 1 << 20).bytes == longXML)
        }
        writer.waitUntilExit()
    }

    @Test func `a zip on standard input is refused`() throws {
        try withStandardInput(ZipBuilder([.stored("x", contents: sampleXML)]).bytes()) {
            #expect(
                folder.openingFault(of: "-")
                    == """
                    standard input: a zip (expected XML, since the directory of a zip is at its end): \
                    save it to a file and give its path
                    """
            )
        }
    }

    private var longXML: [UInt8] {
        sampleXML + [UInt8](repeating: 0x0A, count: 300_000)
    }

    /// Runs `body` with a pipe that holds `bytes`, at most 64 KiB, as standard input.
    private func withStandardInput(_ bytes: [UInt8], _ body: () throws -> Void) throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
        try pipe.fileHandleForWriting.close()
        try withStandardInput(from: pipe, body)
    }

    private func withStandardInput(from pipe: Pipe, _ body: () throws -> Void) throws {
        let saved = dup(STDIN_FILENO)
        dup2(pipe.fileHandleForReading.fileDescriptor, STDIN_FILENO)
        defer {
            dup2(saved, STDIN_FILENO)
            close(saved)
        }
        try body()
    }
}
