import Foundation
import TestSupport
import Testing

struct InterruptionTests {
    private let command: Command

    init() throws { command = try Command() }

    @Test(arguments: [["-o", "out.ndjson"], ["-o", "out/", "--split"], ["-o", "out/", "--format", "resources"]])
    func `Ctrl-C ends a stream's conversion and leaves no file`(_ output: [String]) throws {
        let stream = Pipe()
        let errors = Pipe()
        let generator = try command.process(["generate", "-o", "-", "--days", "20000"])
        generator.standardOutput = stream
        // A pipe of its own, since Foundation closes a pipe's end after a process has received it.
        let generatorErrors = Pipe()
        generator.standardError = generatorErrors
        let converter = try command.process(["convert", "-", "--patient", "p1", "--quiet"] + output)
        converter.standardInput = stream
        converter.standardError = errors
        try generator.run()
        try converter.run()
        // The parent's ends are closed, so that each process notices when the other goes away.
        try? stream.fileHandleForReading.close()
        try? stream.fileHandleForWriting.close()
        try? errors.fileHandleForWriting.close()
        try waitUntil { try !command.names().isEmpty }
        converter.interrupt()
        converter.waitUntilExit()
        generator.waitUntilExit()
        #expect(converter.terminationReason == .exit)
        #expect(converter.terminationStatus == 130)
        #expect(try command.names() == [])
        // The generator's reader went away: no message, and the shell's exit code for it.
        #expect(generator.terminationStatus == 141)
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(
            text
                == "pghd: interrupted: the output is not complete (expected all of it), files that were begun are removed: "
                + "run the command again\n"
        )
    }

    /// The start of an export, longer than what is read at once.
    private static let start =
        "<HealthData>\n"
        + (0..<4000).map { number in
            "<Record type=\"HKQuantityTypeIdentifierStepCount\" unit=\"count\" value=\"\(number)\" sourceName=\"Phone\" "
                + "startDate=\"2024-03-01 08:00:00 +0000\" endDate=\"2024-03-01 08:\(10 + number % 50):00 +0000\"/>\n"
        }.joined()

    @Test(arguments: [
        "convert - --patient p1 -o out.ndjson", "convert - --patient p1 -o new/deep/out/ --split", "inspect -",
    ])
    func `SIGTERM ends a run whose input is silent, and leaves no file`(_ arguments: String) throws {
        try expectInterruption(of: arguments, after: Self.start, by: [SIGTERM])
    }

    /// `timeout` tells the process, and a moment later its group; a batch system warns before it kills.
    @Test(arguments: [
        [SIGTERM, SIGTERM], [SIGHUP, SIGHUP], [SIGINT, SIGTERM], [SIGXCPU], [SIGUSR1], [SIGUSR2],
    ])
    func `requests that come at once are one, and a batch system's are too`(_ numbers: [Int32]) throws {
        try expectInterruption(of: "convert - --patient p1 -o out.ndjson", after: Self.start, by: numbers)
    }

    @Test(arguments: ["convert - --patient p1 -o out.ndjson", "inspect -"])
    func `SIGTERM ends a run that waits for the rest of an electrocardiogram`(_ arguments: String) throws {
        let rows = [
            "Name,", "Date of Birth,", "Recorded Date,2024-06-16 09:31:02 +0100", "Classification,Sinus Rhythm",
            "Symptoms,", "Software Version,2.0", "Device,Watch7,12", "Sample Rate,511.562 hertz", "", "Lead,Lead I",
            "Unit,µV", "",
        ]
        // More than is read to find out what it is.
        let text = rows.joined(separator: "\n") + String(repeating: "-265.868\n", count: 20_000)
        try expectInterruption(of: arguments, after: text, by: [SIGTERM])
    }

    /// Signals a run whose pipe stays open and empty after `text`: it ends with 130 and leaves nothing.
    private func expectInterruption(of arguments: String, after text: String, by numbers: [Int32]) throws {
        let input = Pipe()
        let process = try command.process(arguments.split(separator: " ").map(String.init))
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        if arguments.hasPrefix("convert") { try waitUntil { try !command.names().isEmpty } }
        for number in numbers {
            kill(process.processIdentifier, number)
            // Two of one kind would be one if the first were not taken yet.
            usleep(20_000)
        }
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 130)
        #expect(try command.names() == [])
        try input.fileHandleForWriting.close()
    }

    @Test func `a reader that goes away ends a run whose input is silent`() throws {
        // This test writes to a run that may have ended.
        signal(SIGPIPE, SIG_IGN)
        let (input, output) = (Pipe(), Pipe())
        let process = try command.process(["convert", "-", "--patient", "p1", "-o", "-", "--quiet"])
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try output.fileHandleForReading.close()
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        try? input.fileHandleForWriting.write(contentsOf: Data(Self.start.utf8))
        try waitUntil { !process.isRunning }
        #expect(process.terminationStatus == 141)
        try input.fileHandleForWriting.close()
    }

    @Test func `a disk that becomes full ends a run whose input is silent, and leaves no file`() throws {
        signal(SIGPIPE, SIG_IGN)
        let input = Pipe()
        let process = try command.process(
            ["-c", "ulimit -f 2000; exec \"$0\" convert - --patient p1 -o out.ndjson --quiet", try Command.path],
            executable: "/bin/sh"
        )
        process.standardInput = input
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        try? input.fileHandleForWriting.write(contentsOf: Data(Self.start.utf8))
        try waitUntil { !process.isRunning }
        #expect(process.terminationStatus == 2)
        #expect(try command.names() == [])
        try input.fileHandleForWriting.close()
    }

    @Test func `Ctrl-C removes a generated file`() throws {
        let process = try command.process(["generate", "-o", "big.zip", "--days", "36500", "--quiet"])
        process.standardError = FileHandle.nullDevice
        try process.run()
        try waitUntil { try !command.names().isEmpty }
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
        #expect(try command.names() == [])
    }

    @Test(arguments: ["convert export.xml --patient p1 -o -", "inspect export.xml", "types", "generate -o -", "--help"])
    func `a closed pipe ends the run without a message`(_ arguments: String) throws {
        _ = try command.write(SampleExport.varied, to: "export.xml")
        let output = Pipe()
        let errors = Pipe()
        let process = try command.process(arguments.split(separator: " ").map(String.init))
        process.standardOutput = output
        process.standardError = errors
        try output.fileHandleForReading.close()
        try process.run()
        try errors.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 141)
        #expect(try errors.fileHandleForReading.readToEnd()?.isEmpty ?? true)
    }

    @Test(arguments: ["<&-", ">&-", "<&- >&-", "<&- >&- 2>&-"])
    func `closed standard streams do not mix with the output file`(_ closed: String) throws {
        _ = try command.write(SampleExport.varied, to: "export.xml")
        let wanted = try command.run("convert", "export.xml", "--patient", "p1", "-o", "wanted", "--quiet")
        #expect(wanted.status == 0)
        let shell = try command.process(
            ["-c", "\"$0\" convert export.xml --patient p1 -o found --quiet \(closed)", try Command.path],
            executable: "/bin/sh"
        )
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        #expect(try command.names() == ["export.xml", "found", "wanted"])
        func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: command.folder.path(name))) }
        #expect(try bytes("found") == bytes("wanted"))
    }

    @Test(arguments: [
        "convert export.xml --patient p1 -o pipe", "convert export.xml --patient p1 -o out.ndjson --report pipe",
        "generate -o pipe --days 1", "sync export.xml --patient p1 --dry-run --ledger ledger --report pipe",
    ])
    func `SIGTERM ends the wait for the reader of a pipe`(_ arguments: String) throws {
        _ = try command.write(SampleExport.varied, to: "export.xml")
        _ = try command.folder.makePipe("pipe")
        let server = try EmptyServer.start()
        let isSync = arguments.hasPrefix("sync")
        let awaitsReport = arguments.hasSuffix("--report pipe")
        func said(after seconds: Double) throws -> String {
            let process = try command.process(
                arguments.split(separator: " ").map(String.init) + (isSync ? ["--server", server.url] : [])
            )
            process.environment?["HOME"] = command.folder.path
            let errors = Pipe()
            process.standardError = errors
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            defer { kill(process.processIdentifier, SIGKILL) }
            try? errors.fileHandleForWriting.close()
            try waitUntil { try catchesTerminations(process.processIdentifier) }
            usleep(UInt32(seconds * 1e6))
            process.terminate()
            try waitUntil { !process.isRunning }
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 130)
            try? FileManager.default.removeItem(atPath: command.folder.path("out.ndjson"))
            let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            // The numbers of a completed run are printed all the same.
            return awaitsReport
                ? String(text[(text.firstRange(of: "pghd: ")?.lowerBound ?? text.endIndex)...]) : text
        }
        let wanted =
            "pghd: interrupted: the output is not complete (expected all of it), files that were begun are removed: "
            + "run the command again\n"
        var text = try said(after: 0.7)
        // On a busy machine the run may not have come to the pipe by then.
        for seconds in [3.0, 10, 30] where text != wanted { text = try said(after: seconds) }
        #expect(text == wanted)
    }

    /// Whether the process handles SIGTERM, according to its status in /proc.
    private func catchesTerminations(_ process: Int32) throws -> Bool {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") })
        let mask = try #require(UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16))
        return mask & 1 << (UInt64(SIGTERM) - 1) != 0
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
