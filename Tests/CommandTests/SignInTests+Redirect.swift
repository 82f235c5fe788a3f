import Foundation
import TestSupport
import Testing

/// The redirect of a sign-in by browser: its port, and pasting the address.
extension SignInTests {
    /// Starts a sign-in by pasting, waits until the address for the browser is shown, then pastes `answer`, if any.
    private func paste(
        _ arguments: [String],
        _ server: ScriptedServer,
        answer: ((_ state: String) -> String)? = nil
    ) throws -> (redirectPort: String, status: Int32) {
        _ = try command.write("", to: "talk")
        let input = Pipe()
        let login = try command.process(["login", "--server", server.url + "/r4", "--no-browser"] + arguments)
        login.standardInput = input
        login.standardOutput = FileHandle.nullDevice
        login.standardError = try FileHandle(forWritingTo: URL(filePath: command.folder.path("talk")))
        try login.run()
        defer { login.terminate() }
        let limit = ContinuousClock.now + .seconds(300)
        while true {
            try #require(ContinuousClock.now < limit && login.isRunning)
            let talk = String(decoding: try command.contents(of: "talk"), as: UTF8.self)
            if let port = talk.firstMatch(of: #/127\.0\.0\.1%3A(\d+)%2Fcallback/#)?.1,
                let state = talk.firstMatch(of: #/[?&]state=([^&\s]+)[&\s]/#)?.1
            {
                if let answer { input.fileHandleForWriting.write(Data((answer(String(state)) + "\n").utf8)) }
                if answer == nil { login.terminate() }
                login.waitUntilExit()
                return (String(port), login.terminationStatus)
            }
            usleep(10_000)
        }
    }

    @Test func `a fixed port of the redirect is kept for the next sign-in`() throws {
        let server = try server()
        // After its server has ended nobody uses this port.
        let port = try ScriptedServer { _ in .response(404) }.port
        let first = try paste(["--client-id", "pghd", "--redirect-port", "\(port)"], server) { state in
            "http://127.0.0.1:\(port)/callback?code=c&state=\(state)"
        }
        #expect(first == ("\(port)", 0))
        #expect(try paste([], server).redirectPort == "\(port)")
    }

    @Test func `a port of the redirect that is in use is wrong usage`() throws {
        let server = try server()
        let login = ["login", "--server", server.url + "/r4", "--no-browser", "--client-id", "pghd"]
        let outcome = try command.run(login + ["--redirect-port", "\(server.port)"])
        #expect(
            outcome.error
                == "pghd: --redirect-port: port \(server.port) is taken or not allowed (expected a free one): "
                + "choose another, or close what uses it\n"
        )
        #expect(outcome.status == 64)
    }

    @Test func `a sign-in without standard input says what it still waits for`() throws {
        let server = try server()
        let login = try command.process(
            [
                "-c", "exec \"$0\" login --server \"$1\" --no-browser --client-id pghd </dev/null 2>talk",
                try Command.path, server.url + "/r4",
            ],
            executable: "/bin/sh"
        )
        try login.run()
        defer { login.terminate() }
        let wanted =
            "Standard input has ended, so no address can be pasted: waiting 180 s for a browser on this machine …\n"
        let limit = ContinuousClock.now + .seconds(300)
        // The file may not exist at first.
        while (try? command.contents(of: "talk"))?.suffix(wanted.utf8.count) != Data(wanted.utf8) {
            try #require(ContinuousClock.now < limit)
            usleep(10_000)
        }
        #expect(login.isRunning)
        login.interrupt()
        login.waitUntilExit()
        #expect(login.terminationStatus == 130)
    }
}
