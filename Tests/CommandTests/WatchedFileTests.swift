import Foundation
import TestSupport
import Testing

@testable import pghd

/// A watched export, as it is opened.
struct WatchedFileTests {
    /// The owner of one patient's folder may exchange it for a link to another's, between two looks.
    @Test func `an export behind a link in place of the patient's folder is not opened`() throws {
        let folder = try TemporaryFolder()
        for name in ["p1", "p2"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        try Data("PK".utf8).write(to: URL(filePath: folder.path("p2/export.zip")))
        let seen = try WatchedFolder(path: folder.path).exports { _, _ in }
        #expect(seen.map(\.patientID) == ["p2"])
        var export = try #require(seen.first)
        #expect(try WatchedFile(export) != nil)
        try FileManager.default.removeItem(atPath: folder.path("p1"))
        try FileManager.default.createSymbolicLink(atPath: folder.path("p1"), withDestinationPath: folder.path("p2"))
        export.patientID = "p1"
        export.path = folder.path("p1/export.zip")
        #expect(try WatchedFile(export) == nil)
    }
}
