import Foundation
import Glibc
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

    @Test func `a zip holds the same bytes as the XML file, under Apple's name`() throws {
        let folder = try TemporaryFolder()
        try export.get().write(toFile: folder.path("export.xml"))
        try export.get().write(toFile: folder.path("export.ZIP"))
        // Python's reader checks the CRC and shares no code with this writer.
        let script = """
            import sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            assert archive.namelist() == ['apple_health_export/export.xml']
            assert archive.read(archive.namelist()[0]) == open(sys.argv[2], 'rb').read()
            assert archive.infolist()[0].date_time == (2024, 7, 1, 8, 12, 30)
            """
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", "-c", script, folder.path("export.ZIP"), folder.path("export.xml")]
        try python.run()
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
    }

    @Test func `a zip also holds the other files, each complete and in Apple's folder`() throws {
        let folder = try TemporaryFolder()
        let full = try SyntheticExport(.init(extent: .days(28), shape: .full))
        try full.write(toFile: folder.path("export.zip"))
        let script = """
            import re, sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            names = archive.namelist()
            assert names[0] == 'apple_health_export/export.xml'
            assert len(set(names)) == len(names) == int(sys.argv[2]) + 1
            kinds = 'electrocardiograms/ecg_.*[.]csv|workout-routes/route_.*[.]gpx|clinical-records/.*[.]json'
            assert all(re.fullmatch('apple_health_export/(' + kinds + ')', name) for name in names[1:])
            assert all(info.file_size > 200 for info in archive.infolist())
            """
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", "-c", script, folder.path("export.zip"), "\(full.otherFileCount)"]
        try python.run()
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
    }

    @Test(arguments: ["export.xml", "-", "zip"])
    func `the shape full is written to a zip or not at all`(_ name: String) throws {
        let folder = try TemporaryFolder()
        let path = name == "-" ? name : folder.path(name)
        let full = try SyntheticExport(.init(extent: .days(1), shape: .full))
        #expect(throws: SyntheticExportError.archiveNeeded(path: path)) {
            try full.write(toFile: path) { _ in Issue.record("something was written") }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func `a full disk is reported when a zip is written`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.path("full.zip"), withDestinationPath: "/dev/full")
        let full = try SyntheticExport(.init(extent: .days(1), shape: .full))
        #expect(
            throws: SyntheticExportError.cannotWrite(path: folder.path("full.zip"), reason: "No space left on device")
        ) {
            try full.write(toFile: folder.path("full.zip"))
        }
    }

    @Test func `an existing file is overwritten only if that was asked for`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("export.xml")
        try Data("mine".utf8).write(to: URL(filePath: path))
        #expect(throws: SyntheticExportError.fileExists(path: path)) {
            // It is refused before all the work, not after it.
            try export.get().write(toFile: path) { _ in Issue.record("something was written") }
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
        try export.get().write(toFile: path, replace: true)
        #expect(try Data(contentsOf: URL(filePath: path)).count > 500_000)
    }

    @Test func `a missing folder is reported with the system's reason`() throws {
        let path = "/nowhere/export.zip"
        #expect(throws: SyntheticExportError.cannotOpen(path: path, reason: "No such file or directory")) {
            try export.get().write(toFile: path)
        }
    }

    @Test func `a symbolic link to itself is reported with the system's reason, and stays`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("export.xml")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "export.xml")
        #expect(throws: SyntheticExportError.cannotOpen(path: path, reason: "Too many levels of symbolic links")) {
            try export.get().write(toFile: path, replace: true)
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "export.xml")
    }

    @Test func `an export has the permissions of any new file, since its person is invented`() throws {
        let folder = try TemporaryFolder()
        try export.get().write(toFile: folder.path("export.xml"))
        close(unsafe open(folder.path("other"), O_WRONLY | O_CREAT, 0o644))
        func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
        }
        #expect(try mode("export.xml") == mode("other"))
    }

    @Test func `a pipe with a slow reader gets the whole export`() throws {
        let folder = try TemporaryFolder()
        try #require(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
        let reader = Process()
        reader.executableURL = URL(filePath: "/bin/sh")
        reader.arguments = ["-c", "exec < \"$1/pipe\"; sleep 0.5; cat > \"$1/read\"", "sh", folder.url.path]
        try reader.run()
        try export.get().write(toFile: folder.path("pipe"))
        reader.waitUntilExit()
        try export.get().write(toFile: folder.path("export.xml"))
        #expect(FileManager.default.contentsEqual(atPath: folder.path("read"), andPath: folder.path("export.xml")))
    }

    @Test func `a full disk is reported`() throws {
        #expect(throws: SyntheticExportError.cannotWrite(path: "/dev/full", reason: "No space left on device")) {
            try export.get().write(toFile: "/dev/full")
        }
    }

    @Test func `progress never goes back, and ends at the size of the XML`() throws {
        let folder = try TemporaryFolder()
        var reports: [UInt64] = []
        try export.get().write(toFile: folder.path("export.xml")) { reports.append($0) }
        let size = try Data(contentsOf: URL(filePath: folder.path("export.xml"))).count
        #expect(reports.last == UInt64(size))
        #expect(reports == reports.sorted())
    }
}
