import TestSupport
import Testing

struct SendTests {
    private var command: Command

    init() throws {
        command = try Command()
        command.environment["HOME"] = command.folder.path
    }

    @Test func `packed Bundles and folders are told as such`() throws {
        let export = try command.write(SampleExport.varied, to: "export.xml")
        #expect(try command.run("convert", export, "--patient", "p1", "--gzip", "--quiet").status == 0)
        let resources = ["convert", export, "--patient", "p1", "--format", "resources", "-o", "files/", "--quiet"]
        #expect(try command.run(resources).status == 0)
        #expect(try command.run("convert", export, "--patient", "p1", "--split", "-o", "parts/", "--quiet").status == 0)
        #expect(try command.run("convert", export, "--patient", "p1", "-o", "whole/", "--quiet").status == 0)
        let server = try ScriptedServer { _ in .response(404) }
        let packed = try command.contents(of: "bundles.ndjson.gz")
        for (path, message) in [
            (
                "bundles.ndjson.gz",
                "bundles.ndjson.gz: packed with gzip (expected lines of JSON): "
                    + "run 'gunzip -c FILE | pghd send -' with the same options"
            ),
            (
                "-",
                "standard input: packed with gzip (expected lines of JSON): "
                    + "run 'gunzip -c FILE | pghd send -' with the same options"
            ),
            (
                "parts",
                "parts: a folder (expected a file of Bundles): send its files in the order of its manifest.json, joined: "
                    + "jq -r '.bundles[]' manifest.json | xargs cat | pghd send -, in that folder, with the same options"
            ),
            ("whole", "whole: a folder (expected a file of Bundles): send 'bundles.ndjson', which is in it"),
            (
                "files",
                "files: files of resources (expected a file of Bundles): convert the export again, without --format resources"
            ),
        ] {
            let requestCount = server.requests.count
            let arguments = ["send", path, "--server", server.url, "--ledger", "ledger"]
            let outcome = try command.run(arguments, input: packed)
            #expect(outcome.error == "pghd: \(message)\n")
            #expect(outcome.status == 2)
            #expect(server.requests.allSatisfy { $0.method == "GET" })
            // A file is looked at before the server is asked for anything.
            if path != "-" { #expect(server.requests.count == requestCount) }
        }
    }
}
