import Foundation
import TestSupport
import Testing

/// `~/.config/pghd/config.json`, as the command reads it.
struct SettingsFileTests {
    private var command: Command

    init() throws {
        command = try Command()
        command.environment["HOME"] = command.folder.path
        try FileManager.default.createDirectory(
            atPath: command.folder.path(".config/pghd"),
            withIntermediateDirectories: true
        )
        _ = try command.write(
            """
            <?xml version="1.0"?><HealthData><Record type="HKQuantityTypeIdentifierHeartRate" sourceName="W" \
            unit="count/min" startDate="2024-06-01 10:00:00 +0200" endDate="2024-06-01 10:00:00 +0200" \
            value="72"/></HealthData>
            """,
            to: "export.xml"
        )
    }

    private func write(_ text: String) throws { _ = try command.write(text, to: ".config/pghd/config.json") }

    /// The outcome of a conversion with these arguments.
    private func convert(_ arguments: String...) throws -> Command.Outcome {
        try command.run(["convert", "export.xml", "-o", "-", "--quiet"] + arguments)
    }

    @Test func `a setting counts as if it were given on the command line`() throws {
        try write(#"{"patient":"p9","timeZone":"Europe/Paris"}"#)
        let outcome = try convert()
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty)
        #expect(outcome.output == (try convert("--patient", "p9", "--time-zone", "Europe/Paris")).output)
        #expect(outcome.text.contains("\"effectiveDateTime\":\"2024-06-01T10:00:00+02:00\""))
    }

    @Test func `an option overrides the environment, and the environment overrides the file`() throws {
        try write(#"{"patient":"file"}"#)
        var command = command
        command.environment["PGHD_PATIENT"] = "variable"
        let arguments = ["convert", "export.xml", "-o", "-", "--quiet"]
        #expect(try command.run(arguments).text.contains("\"Patient/variable\""))
        #expect(try command.run(arguments + ["--patient", "option"]).text.contains("\"Patient/option\""))
        #expect(try convert().text.contains("\"Patient/file\""))
    }

    @Test func `a path in the home folder works in the file, in a variable and after an option's equals sign`()
        throws
    {
        try write(#"{"patient":"p1"}"#)
        let key = String(repeating: "k", count: 16)
        _ = try command.write(key, to: "none")
        try FileManager.default.createDirectory(
            atPath: command.folder.path("mapping"),
            withIntermediateDirectories: true
        )
        let fault = "mapping/CodeSystem-healthkit.json"
        #expect(try convert("--profiles=~/mapping").error.contains("\(command.folder.path)/\(fault)"))
        var command = command
        command.environment["PGHD_PROFILES"] = "~/mapping"
        let outcome = try command.run(["convert", "export.xml", "-o", "-", "--quiet"])
        #expect(outcome.error.contains("\(command.folder.path)/\(fault)"))
    }

    @Test func `a faulty setting is reported with the place where it was made`() throws {
        let said =
            "this is not a FHIR id (expected 1 to 64 letters, digits, - or .): "
            + "use the id that the patient has on the server, such as p123\n"
        try write(#"{"patient":"no id"}"#)
        #expect(try convert().error == "pghd: config.json: patient: \(said)")
        #expect(try convert("--patient", "no id").error == "pghd: --patient: \(said)")
        var command = command
        command.environment["PGHD_PATIENT"] = "no id"
        #expect(try command.run("convert", "export.xml", "-o", "-").error == "pghd: PGHD_PATIENT: \(said)")
    }

    @Test func `the file is looked for in XDG_CONFIG_HOME`() throws {
        try FileManager.default.createDirectory(
            atPath: command.folder.path("settings/pghd"),
            withIntermediateDirectories: true
        )
        _ = try command.write(#"{"patient":"elsewhere"}"#, to: "settings/pghd/config.json")
        var command = command
        command.environment["XDG_CONFIG_HOME"] = command.folder.path("settings")
        let outcome = try command.run("convert", "export.xml", "-o", "-", "--quiet")
        #expect(outcome.text.contains("\"Patient/elsewhere\""))
    }

    @Test func `a path may begin in the home folder`() throws {
        try write(#"{"keystore":"~/keys/none","server":"https://fhir.example.org"}"#)
        #expect(try command.run("status").text == "nobody is signed in\n")
        try write(#"{"profiles":"~/no-such-folder","patient":"p1"}"#)
        let outcome = try convert()
        #expect(outcome.status == 64)
        #expect(outcome.error.contains(command.folder.path("no-such-folder")))
    }

    static let faults: [(text: String, message: String)] = [
        (#"{"pateint":"p1"}"#, "'pateint' is not a setting (expected server, patient, "),
        (#"{"patient":17}"#, "'patient' is not text (expected a string in quotes, not empty): correct it"),
        (#"{"patient":""}"#, "'patient' is not text (expected a string in quotes, not empty): correct it"),
        (#"{"patient":"canary-1""#, "not JSON of settings (expected an object such as "),
        (#"["patient"]"#, "not JSON of settings (expected an object such as "),
        ("", "not JSON of settings (expected an object such as "),
        (#"{"profiles":"canary/x"}"#, "'profiles' is a relative path (expected one that begins with / or ~/): "),
        (#"{"passphrase":"canary-2"}"#, "'passphrase' would be a secret (expected none in this file): remove it "),
        (#"{"accessToken":"canary-3"}"#, "'accessToken' would be a secret (expected none in this file): remove it "),
        (#"{"clientSecret":"canary-4"}"#, "'clientSecret' would be a secret (expected none in this file): remove it "),
    ]

    @Test(arguments: faults)
    func `a faulty file is refused with one line that quotes no value`(_ text: String, _ message: String) throws {
        try write(text)
        for arguments in [["convert", "export.xml", "-o", "-"], ["status"], ["types"]] {
            let outcome = try command.run(arguments)
            #expect(outcome.status == 64)
            #expect(outcome.text.isEmpty)
            let place = "pghd: \(command.folder.path(".config/pghd/config.json")): "
            #expect(outcome.error.hasPrefix(place + message), "\(outcome.error)")
            #expect(outcome.error.split(separator: "\n").count == 1)
            #expect(!outcome.error.contains("canary"))
        }
    }

    /// Whoever can change the file says which server gets the data, and which certificates are trusted.
    @Test func `a file that others may change is refused`() throws {
        try write(#"{"patient":"p9"}"#)
        let path = command.folder.path(".config/pghd/config.json")
        try FileManager.default.setAttributes([.posixPermissions: 0o646], ofItemAtPath: path)
        let outcome = try convert()
        #expect(outcome.status == 64)
        #expect(
            outcome.error
                == "pghd: \(path): others may change it (expected a file that only you or root can change, since it says where "
                + "data goes): run 'chmod go-w' on it if it is yours, else use a copy of your own\n"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(try convert().status == 0)
    }

    @Test func `help needs no settings`() throws {
        try write("{")
        #expect(try command.run("convert", "--help").status == 0)
        #expect(try command.run("--version").status == 0)
    }

    @Test func `without a file there are no settings`() throws {
        let outcome = try convert()
        #expect(outcome.status == 64)
        #expect(outcome.error.hasPrefix("pghd: --patient is missing: "))
    }
}
