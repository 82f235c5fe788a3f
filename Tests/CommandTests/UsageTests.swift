import Foundation
import TestSupport
import Testing

/// Unusable arguments, and the one line that reports them.
struct WrongUsage: CustomTestStringConvertible {
    let arguments: String
    let message: String

    init(_ arguments: String, _ message: String) {
        self.arguments = arguments
        self.message = message
    }

    var testDescription: String { arguments }
}

struct UsageTests {
    @Test(arguments: [
        WrongUsage(
            "convert export.xml",
            "--patient is missing: the export does not say which patient of the server it belongs to (expected an id): "
                + "give the patient's id there, such as --patient p123"
        ),
        WrongUsage(
            "convert export.xml --patient a_b",
            "--patient: this is not a FHIR id (expected 1 to 64 letters, digits, - or .): "
                + "use the id that the patient has on the server, such as p123"
        ),
        WrongUsage(
            "convert export.xml --patient alice --patient bob",
            "--patient: several ids (expected one, since all of an export is one person's): leave the others out"
        ),
        WrongUsage(
            "sync export.xml --patient alice --patient bob --server http://127.0.0.1:9",
            "--patient: several ids (expected one, since all of an export is one person's): leave the others out"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --report .",
            "--report: '.' is a folder (expected a file): give a name in it"
        ),
        WrongUsage(
            "sync export.xml --patient p1 --server http://127.0.0.1:9 --report .",
            "--report: '.' is a folder (expected a file): give a name in it"
        ),
        WrongUsage(
            "send bundles.ndjson --server http://127.0.0.1:9 --report .",
            "--report: '.' is a folder (expected a file): give a name in it"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --include-patient --conditional",
            "--include-patient: can't be joined with --conditional (there the server chooses ids, and would choose "
                + "another than --patient): create the Patient on the server first"
        ),
        WrongUsage(
            "sync export.xml --patient p1 --server http://127.0.0.1:9 --include-patient --conditional",
            "--include-patient: can't be joined with --conditional (there the server chooses ids, and would choose "
                + "another than --patient): create the Patient on the server first"
        ),
        WrongUsage(
            "verify export.xml --patient p1 --server http://127.0.0.1:9 --include-patient --api observations",
            "--include-patient: can't be joined with --api observations (there the server chooses ids, and would choose "
                + "another than --patient): create the Patient on the server first"
        ),
        WrongUsage("convert --patient p1", "missing expected argument '<export>': see 'pghd convert --help'"),
        WrongUsage("convert export.xml --patient p1 --xyzzy", "unknown option '--xyzzy': see 'pghd convert --help'"),
        WrongUsage(
            "convert export.xml --patient p1 --thread 2",
            "unknown option '--thread' (did you mean '--threads'?): see 'pghd convert --help'"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --format csv",
            "the value 'csv' is invalid for '--format <format>' (please provide one of 'bundles' and 'resources'): "
                + "see 'pghd convert --help'"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --split",
            "-o is missing: --split writes several files (expected a folder): add -o NAME/"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --format resources",
            "-o is missing: --format resources writes several files (expected a folder): add -o NAME/"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --split -o -",
            "-o: - is not a folder (expected one, for --split): write -o NAME/"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --format resources -o out",
            "-o: 'out' is not a folder (expected one, for --format resources): write -o out/"
        ),
        WrongUsage(
            "login --server https://fhir.example.org/r4 --scope a\"b",
            "--scope: no scopes (expected words with spaces between, such as 'openid offline_access'): correct it"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --split --format resources -o out/",
            "--split: needs Bundles (expected --format bundles): leave --format resources out"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --conditional --format resources -o out/",
            "--conditional: needs Bundles (expected --format bundles): leave one of them out"
        ),
        WrongUsage(
            "convert export.xml --patient p1 -o export.xml --force",
            "-o: 'export.xml' is the export itself (expected another file): choose another name"
        ),
        WrongUsage(
            "convert export.xml --patient p1 -o - --json",
            "--json: standard output holds the data (expected -o FILE): use --report FILE"
        ),
        WrongUsage(
            "convert export.xml --patient p1 -o /dev/stdout --json",
            "--json: standard output holds the data (expected -o FILE): use --report FILE"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --split -o /dev/null",
            "-o: '/dev/null' is not a folder (expected one, for --split): choose another name, and end it with /"
        ),
        WrongUsage(
            "convert export.xml --patient p1 -o out.ndjson.ZST",
            "-o: 'out.ndjson.ZST' would not be compressed so (expected .gz, or no such ending): write to - and compress "
                + "that, or leave .zst out"
        ),
        WrongUsage(
            "verify export.xml --patient p1 --server http://127.0.0.1:9 --confirm-patient",
            "--confirm-patient: says nothing without --rebuild (expected both, or neither): leave it out"
        ),
        WrongUsage(
            "convert export.xml --patient p1 -o out.ndjson --report out.ndjson",
            "--report: 'out.ndjson' is used already (expected another file): choose another name"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --types HeartRate,stepcoun",
            "--types: 'stepcoun' is not a type in the table (expected StepCount): see 'pghd types'"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --types Aura",
            "--types: 'Aura' is not a type in the table (expected names such as HeartRate,StepCount): see 'pghd types'"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --since 2024-02-30",
            "--since: '2024-02-30' is not a time (expected YYYY-MM-DD or a date-time with offset): "
                + "write it like 2024-03-31 or 2024-03-31T01:30:00+02:00"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --since 2024-02-02 --until 2024-02-02",
            "--until: not after --since (expected a later time): exchange them or widen the span"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --time-zone CET5",
            "--time-zone: 'CET5' is not an IANA time zone of a region (expected a name such as Europe/Paris): check its spelling"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --max-entries 0",
            "--max-entries: 0 is out of range (expected 1 to 30,000): choose a number inside"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --max-bytes 9999",
            "--max-bytes: 9999 is out of range (expected 10,000 to 1,000,000,000): choose a number inside"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --threads 65",
            "--threads: 65 is out of range (expected 1 to 64): choose a number inside"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --quiet --verbose",
            "--quiet: contradicts --verbose (expected one of them): leave one out"
        ),
        WrongUsage(
            "convert export.xml --patient p1 --profiles nowhere",
            "--profiles: 'nowhere' is not a folder (expected one with the files of profiles/): check the path"
        ),
        WrongUsage(
            "types --profiles nowhere",
            "--profiles: 'nowhere' is not a folder (expected one with the files of profiles/): check the path"
        ),
        WrongUsage(
            "send bundles.ndjson --server http://127.0.0.1:9 --key-lifetime=-1",
            "--key-lifetime: -1 is out of range (expected 0 to 8,760 hours): choose a number inside"
        ),
        WrongUsage(
            "sync export.xml --patient p1 --server http://127.0.0.1:9 --key-lifetime 6",
            "--key-lifetime: no keys are remembered without --api observations (expected both): add --api observations"
        ),
        WrongUsage(
            "convert export.xml --pateint p1",
            "unknown option '--pateint' (did you mean '--patient'?): see 'pghd convert --help'"
        ),
        WrongUsage(
            "convrt export.xml --patient p1",
            "unexpected argument 'convrt' (did you mean 'convert'?): see 'pghd --help'"
        ),
        WrongUsage(
            "send a.ndjson b.ndjson --server http://127.0.0.1:1",
            "unexpected argument 'b.ndjson' (expected one file, or a folder of Bundles; several files: "
                + "'cat FILES | pghd send -'): see 'pghd send --help'"
        ),
        WrongUsage("Sync export.xml", "unexpected argument 'Sync' (did you mean 'sync'?): see 'pghd --help'"),
        WrongUsage(
            "sync export.xml --server http://127.0.0.1:9 --no-sign-in",
            "--patient is missing: the export does not say which patient of the server it belongs to (expected an id): "
                + "give the patient's id there, such as --patient p123"
        ),
        WrongUsage(
            "sync export.xml --patient p1 --server http://127.0.0.1:9 --max-delete 5",
            "--max-delete: nothing is deleted without --delete (expected both): add --delete"
        ),
        WrongUsage(
            "sync export.xml --patient p1 --server http://127.0.0.1:9 --concurrency 65",
            "--concurrency: 65 is out of range (expected 1 to 64): choose a number inside"
        ),
        WrongUsage(
            "login --server http://127.0.0.1:9 --backend --key-algorithm RS384",
            "--key-algorithm: no key is made without --new-key (expected both): add it, or leave this out"
        ),
        WrongUsage(
            "login --server http://127.0.0.1:9 --force",
            "--force: no key is made without --new-key (expected both): add it, or leave this out"
        ),
        WrongUsage(
            "login --server http://127.0.0.1:9 --new-key --backend",
            "--backend: contradicts --new-key (expected one of them): leave one out"
        ),
        WrongUsage(
            "login --server http://127.0.0.1:9 --new-key --client-id nightly",
            "--client-id: contradicts --new-key (expected one of them): leave one out"
        ),
        WrongUsage(
            "login --server http://127.0.0.1:9 --new-key --redirect-port 8080",
            "--redirect-port: contradicts --new-key (expected one of them): leave one out"
        ),
        WrongUsage(
            "watch . --server http://127.0.0.1:9 --rarely-after 0",
            "--rarely-after, --settling-milliseconds: out of range (expected 1 s, 0 ms or more): choose another"
        ),
        WrongUsage("inspect", "missing expected argument '<export>': see 'pghd inspect --help'"),
        WrongUsage(
            "generate -o x.xml --days 3 --size 1MB",
            "--size: contradicts --days (expected one of them): leave one out"
        ),
        WrongUsage(
            "generate -o x.xml --size 1.5GB",
            "--size: '1.5GB' is not a size (expected a whole number of B, KB, MB, GB, TB, KiB, MiB or GiB): "
                + "write it like '1GB'"
        ),
        WrongUsage(
            "generate -o x.xml --days 0",
            "--days: 0 is out of range (expected 1 to 36500): choose a number inside"
        ),
        WrongUsage(
            "generate -o x.xml --end yesterday",
            "--end: 'yesterday' is not a date (expected YYYY-MM-DD): write it like '2024-06-30'"
        ),
        WrongUsage(
            "sync export.xml --patient p1 --server https://fhir.example.org/r4?a=b",
            "--server: a query in the URL (expected none): check the address"
        ),
        WrongUsage(
            "generate -o x.xml --utc-offset 1",
            "--utc-offset: '1' is not an offset (expected ±hhmm): write it like +0100"
        ),
        WrongUsage(
            "types --json --markdown",
            "value to be set with flag '--markdown' had already been set with flag '--json': see 'pghd types --help'"
        ),
        WrongUsage(
            "serve",
            "--data is missing: there is no place to store (expected a folder): add --data DIR or --memory"
        ),
        WrongUsage(
            "serve --memory --data here",
            "--memory: contradicts --data (expected one of them): leave one out"
        ),
        WrongUsage(
            "watch . --server http://127.0.0.1:9 --try-again-after 3601",
            "--try-again-after: 3601 is out of range (expected 1 to 3,600): choose a number inside"
        ),
        WrongUsage(
            "serve --memory --faults rules.json",
            "--faults: works only where faults may be asked for (expected --test): add --test"
        ),
        WrongUsage(
            "serve --memory --token-lifetime 0",
            "--token-lifetime: 0 is out of range (expected 1 to 86,400): choose a number inside"
        ),
        WrongUsage(
            "serve --memory --address 0.0.0.0 --auto-approve",
            "--auto-approve: lets in anyone who reaches this server (expected loopback in --address and --base-url): "
                + "leave it out, or those"
        ),
        WrongUsage(
            "serve --memory --base-url https://fhir.example.org --test",
            "--test: lets in anyone who reaches this server (expected loopback in --address and --base-url): "
                + "leave it out, or those"
        ),
        WrongUsage(
            "serve --memory --patient a_b",
            "--patient: this is not a FHIR id (expected 1 to 64 letters, digits, - or .): use one such as p123"
        ),
        WrongUsage(
            "serve --memory --address 0.0.0.0",
            "--base-url is missing: clients can't guess how to reach an address that is not loopback: "
                + "give it, such as https://fhir.example.org"
        ),
        WrongUsage("upload", "unexpected argument 'upload': see 'pghd --help'"),
        WrongUsage("help bogus", "unexpected argument 'bogus': see 'pghd --help'"),
        WrongUsage("help keystore bogus", "unexpected argument 'bogus': see 'pghd keystore --help'"),
        WrongUsage("help convert inspect", "unexpected argument 'inspect': see 'pghd convert --help'"),
    ])
    func `wrong usage gives one line and exit code 64`(_ usage: WrongUsage) throws {
        let command = try Command()
        _ = try command.write(SampleExport.varied, to: "export.xml")
        let outcome = try command.run(usage.arguments.split(separator: " ").map(String.init))
        #expect(outcome.error == "pghd: \(usage.message)\n")
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(try command.names() == ["export.xml"])
    }

    @Test(arguments: ["sync", "verify"])
    func `with neither a sign-in nor a patient the message asks for one of them`(_ name: String) throws {
        var command = try Command()
        command.environment["HOME"] = command.folder.path
        let export = try command.write(SampleExport.varied, to: "export.xml")
        let outcome = try command.run(name, export, "--server", "http://127.0.0.1:9/r4")
        #expect(
            outcome.error
                == "pghd: http://127.0.0.1:9/r4: nobody is signed in (expected a sign-in that names the patient): run "
                + "'pghd login --server http://127.0.0.1:9/r4 --client-id ID', or give --patient where the server wants no sign-in\n"
        )
        #expect(outcome.status == 4)
    }

    @Test func `a report with an empty name is refused at once`() throws {
        let command = try Command()
        let outcome = try command.run("convert", "nowhere.xml", "--patient", "p1", "--report", "")
        #expect(outcome.error == "pghd: --report: the path is empty (expected a file): give a name\n")
        #expect(outcome.status == 64)
    }

    @Test func `a generated export with an empty name is refused`() throws {
        let outcome = try Command().run("generate", "-o", "")
        #expect(outcome.error == "pghd: -o: the path is empty (expected a file or -): give a name\n")
        #expect(outcome.status == 64)
    }

    @Test func `a key file must be private to its owner and of a sensible length`() throws {
        let command = try Command()
        let export = try command.write(SampleExport.varied, to: "export.xml")
        let key = try command.write("0123456789abcdef", to: "key")
        let arguments = ["convert", export, "--patient", "p1", "-o", "out.ndjson", "--id-key", key]
        try permit(0o640, command.folder.path(key))
        let open = try command.run(arguments)
        #expect(
            open.error
                == "pghd: --id-key: 'key' is open to others (expected a file for its owner alone): chmod 600 it\n"
        )
        #expect(open.status == 64)
        try permit(0o600, command.folder.path(key))
        #expect(try command.run(arguments).status == 0)
        _ = try command.write("0123456789abcde", to: "key")
        #expect(try command.run(arguments + ["--force"]).error.contains("has the wrong length (expected 16 to 4096"))
    }

    private func permit(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}
