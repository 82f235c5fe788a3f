import Foundation
import TestSupport
import Testing

/// `--force` replaces what an earlier run wrote, but never what this run reads or writes.
struct UsedFileTests {
    private let command: Command
    private static let server = "--server http://127.0.0.1:9"
    private static let ledger = "0123456789abcdef0123456789abcdef.ledger"
    private static let bundle = String(repeating: "a", count: 64) + ".json"
    private static let newBundle = String(repeating: "b", count: 64) + ".json.gz"
    private static let files = [
        "export.xml", "health/apple_health_export/export.xml", "b.nd", "keystore", "keystore.lock", "passphrase", "key",
        "ledger/\(ledger)", "out/manifest.json", "old.nd", "authority.pem", "split/\(bundle)", "types/Foo.ndjson",
    ]

    init() throws {
        command = try Command()
        let hearts = "health/apple_health_export/electrocardiograms"
        for folder in ["health", "health/apple_health_export", hearts, "ledger", "out", "split", "types"] {
            try command.folder.makeFolder(folder)
        }
        for file in Self.files { _ = try command.write(SampleExport.varied, to: file) }
        try command.folder.link("link", to: "health/../export.xml")
        try command.folder.link("new", to: "rep.nd")
        for key in ["key", "split/\(Self.bundle)"] {
            _ = try command.write("0123456789abcdef", to: key)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: command.folder.path(key))
        }
    }

    @Test(arguments: [
        WrongUsage(
            "convert health -o health/apple_health_export/export.xml",
            isExport("health/apple_health_export/export.xml")
        ),
        WrongUsage("convert - -o export.xml", isExport("export.xml")),
        WrongUsage("convert export.xml -o link", isExport("link")),
        WrongUsage("convert - -o out.nd --report ./export.xml", isUsed("./export.xml")),
        WrongUsage(
            "convert health -o out.nd --report health/apple_health_export/export.xml",
            isUsed("health/apple_health_export/export.xml")
        ),
        WrongUsage("convert export.xml -o ./rep.nd --report rep.nd", isUsed("rep.nd")),
        WrongUsage("convert export.xml -o rep.nd --report new", isUsed("new")),
        WrongUsage("convert export.xml -o old.nd --report out/../old.nd", isUsed("out/../old.nd")),
        WrongUsage("convert export.xml -o none/ --report none/bundles.ndjson", isUsed("none/bundles.ndjson")),
        WrongUsage("convert export.xml -o none/ --report none/./bundles.ndjson", isUsed("none/./bundles.ndjson")),
        WrongUsage(
            "convert export.xml --format resources -o out/ --report out/manifest.json",
            isUsed("out/manifest.json")
        ),
        WrongUsage(
            "convert export.xml --format resources -o out/ --report out/Device.ndjson",
            isUsed("out/Device.ndjson")
        ),
        WrongUsage(
            "convert export.xml --format resources -o out/ --report out/VisionPrescription.ndjson",
            isUsed("out/VisionPrescription.ndjson")
        ),
        WrongUsage("convert export.xml -o out.nd --id-key key --report key", isUsed("key")),
        WrongUsage(
            "convert export.xml -o key --id-key key",
            "-o: 'key' is used already (expected another file): choose another name"
        ),
        // The name alone makes --split take this file for a Bundle of an earlier run.
        WrongUsage(
            "convert export.xml --split -o split/ --id-key split/\(bundle)",
            "-o: 'split/\(bundle)' is used already (expected another file): choose another name"
        ),
        WrongUsage("convert export.xml --split -o split/ --report split/\(bundle)", isUsed("split/\(bundle)")),
        WrongUsage(
            "convert export.xml --split -o split/ --report split/\(newBundle)",
            wouldBePart("--report", "split/\(newBundle)")
        ),
        WrongUsage("convert split/\(bundle) --split -o split/", isExport("split/\(bundle)")),
        WrongUsage("convert types/Foo.ndjson --format resources -o types/", isExport("types/Foo.ndjson")),
        WrongUsage(
            "convert health -o health/apple_health_export/electrocardiograms/out.nd",
            wouldBePart("-o", "health/apple_health_export/electrocardiograms/out.nd")
        ),
        WrongUsage(
            "convert health --split -o health/apple_health_export/clinical-records/new/",
            wouldBePart("-o", "health/apple_health_export/clinical-records/new/manifest.json")
        ),
        WrongUsage(
            "sync health \(server) --report health/apple_health_export/electrocardiograms/r.csv",
            wouldBePart("--report", "health/apple_health_export/electrocardiograms/r.csv")
        ),
        WrongUsage("sync export.xml \(server) --keystore keystore --report keystore.lock", isUsed("keystore.lock")),
        WrongUsage("sync export.xml \(server) --keystore keystore --report keystore.next", isUsed("keystore.next")),
        WrongUsage("sync export.xml \(server) --report ./export.xml", isUsed("./export.xml")),
        WrongUsage("sync - \(server) --report export.xml", isUsed("export.xml")),
        WrongUsage(
            "sync health \(server) --report health/apple_health_export/export.xml",
            isUsed("health/apple_health_export/export.xml")
        ),
        WrongUsage("verify export.xml \(server) --report link", isUsed("link")),
        WrongUsage("sync export.xml \(server) --keystore keystore --report keystore", isUsed("keystore")),
        WrongUsage("sync export.xml \(server) --passphrase-file passphrase --report passphrase", isUsed("passphrase")),
        WrongUsage("verify export.xml \(server) --id-key key --report key", isUsed("key")),
        WrongUsage("sync export.xml \(server) --ca-file authority.pem --report authority.pem", isUsed("authority.pem")),
        WrongUsage("sync export.xml \(server) --header-file key --report key", isUsed("key")),
        WrongUsage(
            "verify export.xml \(server) --ledger ledger --report ./ledger/\(ledger)",
            isUsed("./ledger/\(ledger)")
        ),
        WrongUsage("send b.nd \(server) --report b.nd", isUsed("b.nd")),
        WrongUsage("send - \(server) --report export.xml", isUsed("export.xml")),
        WrongUsage("send b.nd \(server) --ledger ledger --report ledger/\(ledger)", isUsed("ledger/\(ledger)")),
    ])
    func `no run replaces a file that it uses`(_ usage: WrongUsage) throws {
        let before = try contents()
        let patient = usage.arguments.hasPrefix("send") ? "" : "--patient p1"
        let shell = try command.process(
            ["-c", "\"$0\" \(usage.arguments) \(patient) --force <export.xml 2>errors", try Command.path],
            executable: "/bin/sh"
        )
        try shell.run()
        shell.waitUntilExit()
        #expect(String(decoding: try command.contents(of: "errors"), as: UTF8.self) == "pghd: \(usage.message)\n")
        #expect(shell.terminationStatus == 64)
        #expect(try contents() == before)
    }

    @Test func `with --force an earlier run's output is replaced`() throws {
        let arguments = ["convert", "export.xml", "--patient", "p1", "-o", "old.nd", "--report", "b.nd", "--force"]
        #expect(try command.run(arguments).status == 0)
        #expect(try command.contents(of: "b.nd").starts(with: Data("{".utf8)))
    }

    @Test(arguments: [[], ["--once"]])
    func `a watch whose report could be written only once does not start`(_ once: [String]) throws {
        let outcome = try command.run(
            ["watch", "out", "--server", "http://127.0.0.1:9", "--report", "r.json"] + once
        )
        #expect(
            outcome.error
                == "pghd: --report: the first export alone could write it (expected --force too, with which it holds the last "
                + "one's): add --force\n"
        )
        #expect(outcome.status == 64)
        let other = ["watch", "ledger", "--server", "http://127.0.0.1:9", "--ledger", "kept", "--once", "--report"]
        #expect(try command.run(other + ["r.json", "--force"]).status == 0)
        #expect(try command.run(other + ["/dev/null"]).status == 0)
    }

    private func contents() throws -> [Data] { try Self.files.map { try command.contents(of: $0) } }

    private static func isExport(_ path: String) -> String {
        "-o: '\(path)' is the export itself (expected another file): choose another name"
    }

    private static func wouldBePart(_ option: String, _ path: String) -> String {
        "\(option): '\(path)' would be taken for a part of what is read (expected another folder): choose one"
    }

    private static func isUsed(_ path: String) -> String {
        "--report: '\(path)' is used already (expected another file): choose another name"
    }
}
