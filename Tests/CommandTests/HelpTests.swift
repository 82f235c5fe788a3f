import Testing

struct HelpTests {
    @Test(arguments: [
        [], ["convert"], ["send"], ["sync"], ["verify"], ["inspect"], ["generate"], ["types"], ["login"], ["logout"],
        ["status"], ["serve"], ["watch"],
    ])
    func `help says what a command takes and what its exit codes mean`(_ command: [String]) throws {
        let outcome = try Command().run(command + ["--help"])
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty)
        try expectSnapshot(outcome.text, "help\(command.first.map { "-\($0)" } ?? "").txt")
    }

    @Test func `without a command the help is shown`() throws {
        let command = try Command()
        #expect(try command.run().text == command.run("--help").text)
    }

    @Test func `the version is printed`() throws {
        let outcome = try Command().run("--version")
        #expect(outcome.text.wholeMatch(of: #/\d+\.\d+\.\d+\n/#) != nil)
        #expect(outcome.status == 0)
    }

    @Test func `help of a command is its help`() throws {
        let command = try Command()
        #expect(try command.run("help", "convert").text == command.run("convert", "--help").text)
        #expect(try command.run("help", "keystore", "passphrase").status == 0)
        #expect(try command.run("help").text == command.run("--help").text)
        #expect(try command.run("help", "help").status == 0)
    }
}
