import Foundation
import Testing

/// The progress line, on a terminal that `script` provides.
struct ProgressTests {
    private let command: Command

    init() throws {
        command = try Command()
        _ = try command.run("generate", "-o", "export.xml", "--days", "120", "--quiet")
    }

    @Test func `a terminal shows the progress of a run, and the line disappears at the end`() throws {
        let text = try onTerminal("")
        #expect(text.contains(#/\[\u{1B}\[32m█*\u{1B}\[0m░*\] +\d+ %  \d+ of \d+ MB/#))
        #expect(text.contains("\r\u{1B}[Kexport.xml → /dev/null"))
    }

    @Test func `NO_COLOR and a locale without UTF-8 are respected`() throws {
        let text = try onTerminal("NO_COLOR=1 LC_ALL=C")
        #expect(text.contains(#/\r\u{1B}\[K\[#*-*\] +\d+ %/#))
        #expect(!text.contains("\u{1B}[32m"))
    }

    @Test(arguments: ["TERM=dumb", "QUIET=--quiet"])
    func `a dumb terminal and --quiet show no progress`(_ variables: String) throws {
        #expect(!(try onTerminal(variables)).contains("\u{1B}"))
    }

    @Test func `a background job does not write to the terminal`() throws {
        let text = try onTerminal("", before: "set -m;", behind: "& wait")
        #expect(text.contains("export.xml → /dev/null"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test func `no progress line is mixed into data on a terminal`() throws {
        let text = try onTerminal("", output: "-")
        #expect(text.contains(#""resourceType":"Bundle""#))
        #expect(!text.contains("\u{1B}"))
    }

    /// What a terminal of 80 columns receives; small chunks make the run long enough for a progress line.
    private func onTerminal(
        _ variables: String,
        before: String = "",
        output: String = "/dev/null",
        behind: String = ""
    ) throws -> String {
        let pghd = "'\(try Command.path)' convert export.xml --patient p1 -o \(output) --chunk-bytes 1000 --threads 1"
        let shell = "\(before) stty cols 80; export TERM=xterm \(variables); \(pghd) $QUIET \(behind)"
        let script = try command.process(["-qec", shell, "/dev/null"], executable: "/usr/bin/script")
        let output = Pipe()
        script.standardOutput = output
        script.standardInput = FileHandle.nullDevice
        try script.run()
        try output.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        script.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
