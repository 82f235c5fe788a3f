import Foundation
import Testing

struct HelpTests {
    @Test(arguments: [
        [], ["convert"], ["send"], ["sync"], ["verify"], ["inspect"], ["generate"], ["types"], ["login"], ["logout"],
        ["status"], ["serve"], ["watch"], ["keystore"], ["keystore", "passphrase"],
    ])
    func `help lists a command's options and exit codes`(_ command: [String]) throws {
        let outcome = try Command().run(command + ["--help"])
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty)
        try expectSnapshot(outcome.text, (["help"] + command).joined(separator: "-") + ".txt")
    }

    @Test(arguments: [[], ["keystore"]])
    func `without a command the help is shown as an error`(_ arguments: [String]) throws {
        let command = try Command()
        let outcome = try command.run(arguments)
        #expect(try outcome.error == command.run(arguments + ["--help"]).text)
        #expect(outcome.output.isEmpty)
        #expect(outcome.status == 64)
    }

    @Test func `the version is printed`() throws {
        let outcome = try Command().run("--version")
        #expect(outcome.text.wholeMatch(of: #/\d+\.\d+\.\d+\n/#) != nil)
        #expect(outcome.status == 0)
    }

    @Test func `help with a command's name equals that command's --help`() throws {
        let command = try Command()
        #expect(try command.run("help", "convert").text == command.run("convert", "--help").text)
        #expect(try command.run("help", "keystore").text == command.run("keystore", "--help").text)
        #expect(try command.run("help", "keystore", "passphrase").status == 0)
        #expect(try command.run("help").text == command.run("--help").text)
        #expect(try command.run("help", "help").status == 0)
    }

    @Test(arguments: [
        (
            "--help",
            "pghd: standard output: cannot be written (No space left on device): give it another place\n"
        ),
        (
            "types",
            "pghd: standard output: cannot be written (No space left on device): give it another place\n"
        ),
        (
            "generate -o - --days 1",
            "pghd: standard output: cannot be written (No space left on device): check the free space and try again\n"
        ),
    ])
    func `unwritable standard output gives a message and exit code 2`(_ arguments: String, _ said: String) throws {
        let command = try Command()
        let shell = try command.process(
            ["-c", "\"$0\" \(arguments) >/dev/full 2>said", try Command.path],
            executable: "/bin/sh"
        )
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 2)
        #expect(String(decoding: try command.contents(of: "said"), as: UTF8.self) == said)
    }
}
