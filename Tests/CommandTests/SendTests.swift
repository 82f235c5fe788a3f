import TestSupport
import Testing

struct SendTests {
    private var command: Command

    init() throws {
        command = try Command()
        command.environment["HOME"] = command.folder.path
    }

    @Test func `damaged files, and folders that can't be sent, are refused before anything is sent`() throws {
        let export = try command.write(SampleExport.varied, to: "export.xml")
        for arguments in [
            ["--gzip"], ["--format", "resources", "-o", "files/"], ["--split", "-o", "parts/"], ["-o", "whole/"],
        ] {
            #expect(try command.run(["convert", export, "--patient", "p1", "--quiet"] + arguments).status == 0)
        }
        let packed = try command.contents(of: "bundles.ndjson.gz")
        try command.folder.write(packed.dropLast(), to: "cut.gz")
        try command.folder.write(Array("{\"bundles\":[\"../whole/bundles.ndjson\"]}".utf8), to: "parts/manifest.json")
        try command.folder.makeFolder("empty")
        let server = try ScriptedServer { _ in .response(404) }
        let lost = "its gzip is damaged, or cut off (expected all of it): copy it again, or convert the export again"
        for (path, message) in [
            ("cut.gz", "cut.gz: \(lost)"), ("-", "standard input: \(lost)"),
            (
                "empty",
                "empty: a folder without manifest.json (expected a file of Bundles, or all that 'pghd convert --split' wrote): "
                    + "convert the export again; a run that was broken off has written no manifest"
            ),
            (
                "parts",
                "parts/manifest.json: not what 'pghd convert --split' writes (expected {\"bundles\":[\"KEY.json\",…]}): "
                    + "convert the export again"
            ),
            ("whole", "whole: a folder (expected a file of Bundles): send 'whole/bundles.ndjson'"),
            (
                "files",
                "files: files of resources (expected a file of Bundles): convert the export again, without --format resources"
            ),
        ] {
            let requestCount = server.requests.count
            let arguments = ["send", path, "--server", server.url, "--ledger", "ledger"]
            let outcome = try command.run(arguments, input: packed.prefix(300))
            #expect(outcome.error == "pghd: \(message)\n")
            #expect(outcome.status == 2)
            #expect(server.requests.allSatisfy { $0.method == "GET" })
            // A fault at the beginning of a file is reported before any request to the server.
            if !["-", "cut.gz"].contains(path) { #expect(server.requests.count == requestCount) }
        }
    }
}
