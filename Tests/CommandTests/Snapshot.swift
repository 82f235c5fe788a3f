import Foundation
import Testing

/// Compares `text` with the whole committed file `Snapshots/NAME`.
///
/// `RECORD_SNAPSHOTS=1` writes the file instead; read the difference before you commit it.
func expectSnapshot(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snapshots")
    let file = folder.appending(path: name)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try Data(text.utf8).write(to: file)
    }
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(text == expected, "Snapshots/\(name) differs", sourceLocation: sourceLocation)
}

extension String {
    /// The text, with the times and memory that differ from run to run replaced.
    var withoutTimes: String {
        replacing(#/\d[\d,.]* s, \d[\d,]* MB of memory/#, with: "TIME s, SIZE MB of memory")
            .replacing(#/"seconds": [\d.]+/#, with: "\"seconds\": TIME")
            .replacing(#/"peakMemoryBytes": \d+/#, with: "\"peakMemoryBytes\": SIZE")
            .replacing(#/"started": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/#, with: "\"started\": INSTANT")
            .replacing(#/"version": "\d+\.\d+\.\d+"/#, with: "\"version\": VERSION")
    }
}
