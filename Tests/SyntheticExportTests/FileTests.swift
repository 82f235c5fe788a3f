import Foundation
import SyntheticExport
import Testing

/// A folder that is removed with the test.
private struct TemporaryFolder: ~Copyable {
    let url = FileManager.default.temporaryDirectory.appending(path: "synthetic-\(UUID().uuidString)")
    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }
    func path(_ name: String) -> String { url.appending(path: name).path }
}

struct FileTests {
    private let export = Result { try SyntheticExport(.init(extent: .days(2))) }

    @Test func `the archive holds the bytes of the XML under Apple's name`() throws {
        let folder = try TemporaryFolder()
        try export.get().write(toFile: folder.path("export.xml"))
        try export.get().write(toFile: folder.path("export.zip"))
        // Python's reader checks the CRC and knows nothing of this writer.
        let script = """
            import sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            assert archive.namelist() == ['apple_health_export/export.xml']
            assert archive.read(archive.namelist()[0]) == open(sys.argv[2], 'rb').read()
            """
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", "-c", script, folder.path("export.zip"), folder.path("export.xml")]
        try python.run()
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
    }

    @Test func `a file that is there is not overwritten unless asked`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("export.xml")
        try Data("mine".utf8).write(to: URL(filePath: path))
        #expect(throws: SyntheticExportError.fileExists(path: path)) { try export.get().write(toFile: path) }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
        try export.get().write(toFile: path, replace: true)
        #expect(try Data(contentsOf: URL(filePath: path)).count > 500_000)
    }

    @Test func `a folder that is not there is named with the system's reason`() throws {
        let path = "/nowhere/export.zip"
        #expect(throws: SyntheticExportError.cannotOpen(path: path, reason: "No such file or directory")) {
            try export.get().write(toFile: path)
        }
    }

    @Test func `a full disk is reported`() throws {
        #expect(throws: SyntheticExportError.cannotWrite(path: "/dev/full", reason: "No space left on device")) {
            try export.get().write(toFile: "/dev/full")
        }
    }

    @Test func `progress ends at the size of the XML`() throws {
        let folder = try TemporaryFolder()
        var reports: [UInt64] = []
        try export.get().write(toFile: folder.path("export.xml")) { reports.append($0) }
        let size = try Data(contentsOf: URL(filePath: folder.path("export.xml"))).count
        #expect(reports.last == UInt64(size))
        #expect(reports == reports.sorted())
    }
}
