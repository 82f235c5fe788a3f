import Foundation
import TestSupport
import Testing

/// Output never replaces or damages anything else.
struct OutputSafetyTests {
    private let command: Command
    private let export: String

    init() throws {
        command = try Command()
        export = try command.write(SampleExport.varied, to: "export.xml")
    }

    @Test func `of two runs that write one file the first is whole, and the other reports that it exists`() throws {
        let wanted = try command.run("convert", export, "--patient", "p2", "-o", "-")
        let input = Pipe()
        let errors = Pipe()
        let late = try command.process(["convert", "-", "--patient", "p1", "-o", "out.ndjson", "--quiet"])
        late.standardInput = input
        late.standardError = errors
        try late.run()
        defer { kill(late.processIdentifier, SIGKILL) }
        // More than is read to recognize the kind of input.
        let text = SampleExport.varied + String(repeating: "\n", count: 100_000)
        DispatchQueue.global().async { try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }
        try waitUntil { try command.names().count > 1 }
        #expect(try command.run("convert", export, "--patient", "p2", "-o", "out.ndjson").status == 0)
        try input.fileHandleForWriting.close()
        late.waitUntilExit()
        try? errors.fileHandleForWriting.close()
        let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(
            said == "pghd: out.ndjson: exists already: choose another name with -o, or replace it with --force\n"
        )
        #expect(late.terminationStatus == 64)
        #expect(try command.contents(of: "out.ndjson") == wanted.output)
        #expect(try command.names() == ["export.xml", "out.ndjson"])
    }

    @Test func `of two runs that generate one file the first is whole, and the other reports that it exists`() throws {
        let wanted = try command.run("generate", "-o", "-", "--days", "1")
        let late = try command.process(["generate", "-o", "made.xml", "--days", "6000", "--quiet"])
        late.standardError = FileHandle.nullDevice
        try late.run()
        defer { kill(late.processIdentifier, SIGKILL) }
        try waitUntil { try command.names().count > 1 }
        #expect(late.suspend())
        #expect(try command.run("generate", "-o", "made.xml", "--days", "1").status == 0)
        #expect(late.resume())
        late.waitUntilExit()
        #expect(late.terminationStatus == 64)
        #expect(try command.contents(of: "made.xml") == wanted.output)
        #expect(try command.names() == ["export.xml", "made.xml"])
    }

    @Test func `an existing file with the ending part is not touched`() throws {
        _ = try command.write("mine", to: "out.ndjson.part")
        _ = try command.write("mine too", to: "far")
        try command.folder.link("report.json.part", to: "far")
        let arguments = ["convert", export, "--patient", "p1", "-o", "out.ndjson", "--report", "report.json"]
        #expect(try command.run(arguments).status == 0)
        #expect(try command.contents(of: "out.ndjson.part") == Data("mine".utf8))
        #expect(try command.contents(of: "far") == Data("mine too".utf8))
        #expect(
            try command.names() == [
                "export.xml", "far", "out.ndjson", "out.ndjson.part", "report.json", "report.json.part",
            ]
        )
        for name in ["out.ndjson", "report.json"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: command.folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(attributes[.type] as? FileAttributeType == .typeRegular)
        }
    }

    @Test func `folders created for an output that can't be created are removed again`() throws {
        let name = String(repeating: "x", count: 256)
        let outcome = try command.run("convert", export, "--patient", "p1", "--split", "-o", "new/deep/\(name)/")
        #expect(outcome.status == 2)
        #expect(
            outcome.error
                == "pghd: new/deep/\(name): cannot be written (File name too long): choose another place with -o\n"
        )
        #expect(try command.names() == ["export.xml"])
    }

    @Test func `the longest file name that a folder allows can be written`() throws {
        let name = String(repeating: "é", count: 124) + ".ndjson"
        #expect(name.utf8.count == 255)
        #expect(try command.run("convert", export, "--patient", "p1", "-o", name).status == 0)
        #expect(try command.names() == ["export.xml", name])
    }

    @Test(arguments: ["far/out", "far/new"])
    func `a symbolic link is kept, and its target is written`(_ target: String) throws {
        try command.folder.makeFolder("far")
        _ = try command.write("old", to: "far/out")
        for name in ["output", "report", "made"] {
            _ = try command.write("old", to: "far/out-\(name)")
            try command.folder.link(name, to: "\(target)-\(name)")
        }
        let force = target == "far/out" ? ["--force"] : []
        let arguments = ["convert", export, "--patient", "p1", "-o", "output", "--report", "report"]
        #expect(try command.run(arguments + force).status == 0)
        #expect(try command.run(["generate", "-o", "made", "--days", "1"] + force).status == 0)
        #expect(try command.names() == ["export.xml", "far", "made", "output", "report"])
        for name in ["output", "report", "made"] {
            let link = try FileManager.default.destinationOfSymbolicLink(atPath: command.folder.path(name))
            #expect(link == "\(target)-\(name)")
            #expect(try command.contents(of: "\(target)-\(name)").count > 100)
        }
    }

    @Test func `links to links are kept, and the last one's target is written`() throws {
        try command.folder.makeFolder("far")
        _ = try command.write("old", to: "far/out")
        try command.folder.link("far/near", to: "out")
        try command.folder.link("output", to: "far/near")
        #expect(try command.run("convert", export, "--patient", "p1", "-o", "output", "--force").status == 0)
        #expect(try command.names() == ["export.xml", "far", "output"])
        #expect(try command.names(in: "far") == ["near", "out"])
        for (name, target) in [("output", "far/near"), ("far/near", "out")] {
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: command.folder.path(name)) == target)
        }
        let wanted = try command.run("convert", export, "--patient", "p1", "-o", "-")
        #expect(try command.contents(of: "far/out") == wanted.output)
    }

    @Test func `with --split a link in place of a Bundle is replaced, and its target is kept`() throws {
        let arguments = ["convert", export, "--patient", "p1", "--split", "-o", "out/"]
        #expect(try command.run(arguments).status == 0)
        let name = try #require(try command.names(in: "out").first)
        let wanted = try command.contents(of: "out/\(name)")
        try FileManager.default.removeItem(atPath: command.folder.path("out"))
        try command.folder.makeFolder("out")
        _ = try command.write("mine", to: "far")
        try command.folder.link("out/\(name)", to: "../far")
        #expect(try command.run(arguments + ["--force"]).status == 0)
        #expect(try command.contents(of: "far") == Data("mine".utf8))
        #expect(try command.contents(of: "out/\(name)") == wanted)
    }

    /// Otherwise anyone who takes all files of the folder would mix up two patients.
    @Test func `Bundles without a manifest are reported, and removed with --force`() throws {
        let arguments = ["convert", export, "--split", "-o", "out/", "--patient"]
        let key = String(repeating: "0f", count: 32)
        try command.folder.makeFolder("out")
        let left = ["\(key).json", "\(key).json.gz", "\(key).json.00c0ffee.part"]
        let others = ["notes.json", "\(key).txt", "\(key).json.part", "manifest.json.bak"]
        for name in left + others { _ = try command.write("{}", to: "out/\(name)") }
        let refused = try command.run(arguments + ["p1"])
        #expect(refused.status == 64)
        #expect(
            refused.error
                == "pghd: out/\(key).json: exists already: choose another name with -o, or replace it with --force\n"
        )
        #expect(try command.names(in: "out") == (left + others).sorted())
        #expect(try command.run(arguments + ["p1", "--force"]).status == 0)
        let names = try command.names(in: "out")
        #expect(Set(names).intersection(left) == [])
        #expect(Set(names).isSuperset(of: others))
    }

    /// Its manifest was never completed: a batch system repeats such a job as it is.
    @Test func `what a killed run with --split has left is replaced`() throws {
        let key = String(repeating: "0f", count: 32)
        try command.folder.makeFolder("out")
        let left = ["\(key).json", "\(key).json.gz", "\(key).json.00c0ffee.part", "manifest.json.00c0ffee.part"]
        let others = ["notes.json", "\(key).txt", "\(key).json.part", "manifest.json.bak"]
        for name in left + others { _ = try command.write("{}", to: "out/\(name)") }
        #expect(try command.run(["convert", export, "--split", "-o", "out/", "--patient", "p1"]).status == 0)
        let names = try command.names(in: "out")
        #expect(Set(names).intersection(left) == [])
        #expect(Set(names).isSuperset(of: others))
    }

    @Test func `other resource files in the folder are reported, and removed with --force`() throws {
        let arguments = ["convert", export, "--format", "resources", "-o", "out/", "--patient", "p1"]
        try command.folder.makeFolder("out")
        let left = ["VisionPrescription.ndjson", "Observation.ndjson.gz", "Patient.ndjson.00c0ffee.part"]
        for name in left + ["Mine.ndjson"] { _ = try command.write("{}", to: "out/\(name)") }
        let refused = try command.run(arguments)
        #expect(refused.status == 64)
        #expect(
            refused.error
                == "pghd: out/Observation.ndjson.gz: exists already: choose another name with -o, or replace it with --force\n"
        )
        #expect(try command.names(in: "out") == (left + ["Mine.ndjson"]).sorted())
        #expect(try command.run(arguments + ["--force"]).status == 0)
        let names = try command.names(in: "out")
        #expect(Set(names).intersection(left) == [])
        #expect(names.contains("Mine.ndjson"))
    }

    @Test(arguments: [
        ("convert export.xml --patient p1 -o old --force", true), ("generate -o old --days 1 --force", true),
        ("convert export.xml --patient p1 -o /dev/null --report old --force --quiet", false),
    ])
    func `a limit on file sizes is an error, and an existing output stays, but no report of an earlier run`(
        _ arguments: String,
        _ stays: Bool
    ) throws {
        _ = try command.write("old", to: "old")
        let shell = try command.process(
            ["-c", "ulimit -f 2; exec \"$0\" \(arguments) 2>errors", try Command.path],
            executable: "/bin/sh"
        )
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationReason == .exit)
        #expect(shell.terminationStatus == 2)
        let errors = String(decoding: try command.contents(of: "errors"), as: UTF8.self)
        #expect(errors.contains(": cannot be written (File too large): "))
        #expect(try command.names() == ["errors", "export.xml"] + (stays ? ["old"] : []))
        if stays { #expect(try command.contents(of: "old") == Data("old".utf8)) }
    }

    /// A compressed file's last bytes are written when it is completed, so the disk becomes full exactly there.
    @Test func `a disk that becomes full at the end leaves the former run's files as they were`() throws {
        let arguments = ["convert", export, "--format", "resources", "--gzip", "-o", "out/", "--patient"]
        #expect(try command.run(arguments + ["p1"]).status == 0)
        let names = try command.names(in: "out")
        let before = try names.map { try command.contents(of: "out/\($0)") }
        // In blocks of 512 bytes; the Devices need fewer of them than the Observations.
        let blocks = try #require(before.map { ($0.count - 1) / 512 }.max())
        let shell = try command.process(
            ["-c", "ulimit -f \(blocks); exec \"$0\" \"$@\" 2>errors", try Command.path] + arguments + [
                "p2", "--force",
            ],
            executable: "/bin/sh"
        )
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 2)
        let errors = String(decoding: try command.contents(of: "errors"), as: UTF8.self)
        #expect(errors.hasPrefix("pghd: out/Observation.ndjson.gz: cannot be written (File too large): "))
        #expect(try command.names(in: "out") == names)
        #expect(try names.map { try command.contents(of: "out/\($0)") } == before)
    }

    /// Another process of a pipeline may have set this, since it belongs to the open pipe and not to the process.
    @Test(arguments: ["convert export.xml --patient p1 -o -", "generate --days 1 -o -", "types"])
    func `a full non-blocking pipe is waited for`(_ arguments: String) throws {
        let words = arguments.split(separator: " ").map(String.init)
        let wanted = try command.run(words).output
        #expect(wanted.count > 4096)
        let pipe = Pipe()
        let end = pipe.fileHandleForWriting.fileDescriptor
        // F_SETPIPE_SZ: the smallest size of a pipe.
        #expect(fcntl(end, 1031, 4096) == 4096)
        #expect(fcntl(end, F_SETFL, O_WRONLY | O_NONBLOCK) == 0)
        let process = try command.process(words)
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        try? pipe.fileHandleForWriting.close()
        // Long enough for the pipe to become full.
        usleep(300_000)
        let output = try pipe.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(output == wanted)
    }

    /// Waits until the condition holds; a minute is more than any of them takes.
    private func waitUntil(_ condition: () throws -> Bool) throws {
        let limit = ContinuousClock.now + .seconds(60)
        while try !condition() {
            try #require(ContinuousClock.now < limit)
            usleep(1000)
        }
    }
}
