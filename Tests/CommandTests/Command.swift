import Foundation
import TestSupport
import Testing

/// Runs of the built `pghd` in a folder of their own.
struct Command {
    /// What a run returned.
    struct Outcome {
        var status: Int32
        var wasKilled: Bool
        var output: Data
        var error: String

        /// Standard output as text.
        var text: String { String(decoding: output, as: UTF8.self) }

        /// Standard output as one JSON object.
        func object() throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any])
        }
    }

    /// The folder that the command runs in, removed with its owner.
    let folder: TemporaryFolder
    /// The command's environment, in addition to `PATH`.
    var environment = ["LC_ALL": "C.UTF-8"]

    init() throws { folder = try TemporaryFolder() }

    /// Runs `pghd` to its end, with `input` on standard input.
    func run(_ arguments: String..., input: Data = Data()) throws -> Outcome {
        try run(arguments, input: input)
    }

    /// Runs `pghd` to its end, with `input` on standard input.
    func run(_ arguments: [String], input: Data = Data()) throws -> Outcome {
        let number = UUID().uuidString
        let streams = ["in", "out", "err"].map { folder.path(".\($0)-\(number)") }
        defer { for path in streams { try? FileManager.default.removeItem(atPath: path) } }
        try input.write(to: URL(filePath: streams[0]))
        for path in streams[1...] { try Data().write(to: URL(filePath: path)) }
        let process = try self.process(arguments)
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: streams[0]))
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: streams[1]))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: streams[2]))
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            wasKilled: process.terminationReason == .uncaughtSignal,
            output: try Data(contentsOf: URL(filePath: streams[1])),
            error: String(decoding: try Data(contentsOf: URL(filePath: streams[2])), as: UTF8.self)
        )
    }

    /// A process that is set up but not started.
    func process(_ arguments: [String], executable: String? = nil) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: try executable ?? Self.path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder.path)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        process.environment = environment.merging(["PATH": path]) { given, _ in given }
        return process
    }

    /// Writes a file into the folder and returns its name.
    func write(_ text: String, to name: String) throws -> String {
        _ = try folder.write(text.utf8, to: name)
        return name
    }

    /// The bytes of a file in the folder.
    func contents(of name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.path(name))) }

    /// The names in the folder, or in one inside it, sorted.
    func names(in name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(name)).sorted()
    }

    /// The binary lies next to the test bundle, which is the running executable.
    static var path: String {
        get throws {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let path = URL(filePath: tests).deletingLastPathComponent().appending(path: "pghd").path
            try #require(FileManager.default.isExecutableFile(atPath: path))
            return path
        }
    }
}
