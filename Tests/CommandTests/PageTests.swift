import Foundation
import Testing

@testable import pghd

/// Pages that list what the command has, compared with the command.
struct PageTests {
    private static func text(_ page: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        return try String(contentsOf: root.appending(path: page), encoding: .utf8)
    }

    @Test(arguments: Setting.allCases)
    func `the page of the sign-in lists each setting with its option, variable and key`(_ setting: Setting) throws {
        let option = setting.variable.dropFirst(5).lowercased().replacing("_", with: "-")
        let row = "\n| `--\(option)` | `\(setting.variable)` | `\(setting.rawValue)` | "
        #expect(try Self.text("docs/sign-in.md").contains(row))
    }

    @Test(arguments: pghd.ExitStatus.allCases)
    func `README says what a nightly job should do at each exit code`(_ status: pghd.ExitStatus) throws {
        let rows = try Self.text("README.md").split(separator: "\n").map { $0.split(separator: " | ") }
        #expect(rows.contains { $0.count > 2 && $0[0].prefix { $0 != "," } == "| \(status.rawValue)" })
    }

    @Test func `the page of options lists the names that --types also takes`() throws {
        let last = try #require(try Command().run("types").text.split(separator: "\n").last)
        let names = last.replacing("--types also takes ", with: "").split(separator: ", ")
        #expect(names.count == 10)
        let page = try Self.text("docs/options.md")
        #expect(names.filter { !page.contains("`\($0)`") } == [])
    }
}
