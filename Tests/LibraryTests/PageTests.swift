import Foundation
import Testing

/// The examples in docs/library.md are code that compiles.
struct PageTests {
    @Test func `the examples of the page are exactly those of Examples.swift`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let page = try String(contentsOf: folder.appending(path: "../../docs/library.md"), encoding: .utf8)
        let file = try String(contentsOf: folder.appending(path: "Examples.swift"), encoding: .utf8)
        let examples = page.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        let code = file.drop { $0 != "\n" }.dropFirst()
        #expect(examples.joined(separator: "\n") == code)
    }
}
