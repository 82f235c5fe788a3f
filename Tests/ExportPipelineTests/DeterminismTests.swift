import ExportPipeline
import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import SyntheticExport
import TestSupport
import Testing

/// The same export and options give the same bytes, however they are read.
struct DeterminismTests {
    private let folder = try? TemporaryFolder()

    @Test(arguments: Samples.names + [Samples.kitchenSink])
    func `threads, chunk sizes and the scanner do not change a byte of a sample`(_ name: String) throws {
        for form in [EntryForm.update, .conditionalCreate] {
            let wanted = try Run(Samples.path(name), options: .sample.with { $0.mapping.form = form })
            for (threads, chunk, scans) in [
                (1, 64, true), (2, 100, false), (8, 64, true), (2, 1000, true), (8, 1000, false), (3, 4096, true),
                (1, 1 << 20, true), (2, 1 << 20, false),
            ] {
                let run = try Run(
                    Samples.path(name),
                    options: .sample.with {
                        $0.mapping.form = form
                        $0.run.threads = threads
                        $0.run.chunkByteCount = chunk
                        $0.run.scansCanonicalRecords = scans
                    }
                )
                let words = "\(threads) threads, chunks of \(chunk), scanner \(scans)"
                #expect(run.bytes == wanted.bytes, "\(words)")
                #expect(run.report.comparable == wanted.report.comparable, "\(words)")
            }
        }
    }

    @Test func `threads and chunk sizes do not change a byte of a long export`() throws {
        let path = try #require(folder).path("long.xml")
        try SyntheticExport(.init(extent: .bytes(4_000_000), seed: 7)).write(toFile: path)
        let wanted = try Run(path)
        #expect(wanted.report.bundles > 30)
        for (threads, chunk) in [(1, 5000), (2, 1 << 20), (8, 20000), (8, 3000), (4, 256 << 10)] {
            let run = try Run(
                path,
                options: .sample.with {
                    $0.run.threads = threads
                    $0.run.chunkByteCount = chunk
                }
            )
            #expect(run.bytes == wanted.bytes, "\(threads) threads, chunks of \(chunk)")
            #expect(run.report.comparable == wanted.report.comparable)
        }
    }

    @Test(arguments: ["two-sources", "damaged-control-bytes", "damaged-truncated", "names", "bundle-cuts"])
    func `XML, folder, zip and pipe give the same bytes`(_ name: String) throws {
        let folder = try #require(folder)
        let xml = try [UInt8](Data(contentsOf: URL(filePath: Samples.path(name))))
        let wanted = try Run(Samples.path(name))
        try folder.makeFolder("unpacked")
        try folder.makeFolder("unpacked/apple_health_export")
        try folder.write(xml, to: "unpacked/apple_health_export/Exportieren.xml")
        try folder.write("<ClinicalDocument/>".utf8, to: "unpacked/apple_health_export/export_cda.xml")
        #expect(try Run(folder.path("unpacked")).bytes == wanted.bytes)
        let zip = ZipBuilder([
            .stored("apple_health_export/export_cda.xml", contents: Array("<ClinicalDocument/>".utf8)),
            .deflated("apple_health_export/\u{5C0E}\u{51FA}.xml", contents: xml),
        ])
        #expect(try Run(folder.write(zip.bytes(), to: "export.zip")).bytes == wanted.bytes)
        let pipe = try folder.makePipe("pipe")
        let writer = Thread {
            guard let handle = FileHandle(forWritingAtPath: pipe) else { return }
            // Written in pieces, as by another program.
            for start in stride(from: 0, to: xml.count, by: 777) {
                try? handle.write(contentsOf: xml[start..<min(start + 777, xml.count)])
            }
            try? handle.close()
        }
        writer.start()
        #expect(try Run(pipe).bytes == wanted.bytes)
    }

    @Test(arguments: [EntryForm.update, .conditionalCreate])
    func `a whole export gives the same bytes as a folder, inside a folder and as a zip`(_ form: EntryForm) throws {
        let folder = try #require(folder)
        let options = ConversionOptions.sample.with {
            $0.mapping.form = form
            $0.mapping.includesRoutes = true
            $0.mapping.summarizes = true
        }
        let sample = URL(filePath: Samples.path(Samples.kitchenSink))
        let wanted = try Run(sample.path, options: options)
        #expect(wanted.report.resources["DocumentReference"] == 5)
        try folder.makeFolder("around")
        try FileManager.default.copyItem(
            at: sample,
            to: URL(filePath: folder.path("around/apple_health_export"))
        )
        #expect(try Run(folder.path("around"), options: options).bytes == wanted.bytes)
        // The order of a zip's members must not matter.
        let names = try FileManager.default.subpathsOfDirectory(atPath: sample.path).filter { $0.contains(".") }
        let members = try names.sorted().reversed().map { name in
            ZipBuilder.Member.deflated(
                "apple_health_export/" + name,
                contents: [UInt8](try Data(contentsOf: sample.appending(path: name)))
            )
        }
        let zip = try folder.write(ZipBuilder(members).bytes(), to: "whole.zip")
        let run = try Run(zip, options: options)
        #expect(run.bytes == wanted.bytes)
        #expect(run.report.missingFiles == wanted.report.missingFiles)
    }

    @Test func `a compressed output holds the same bytes`() throws {
        let folder = try #require(folder)
        let plain = try Run(Samples.path("bundle-cuts"))
        let output = folder.path("bundles.ndjson.gz")
        _ = try Conversion(.sample.with { $0.isGzip = true })
            .run(ExportInput(path: Samples.path("bundle-cuts")), to: .file(output))
        let process = Process()
        process.executableURL = URL(filePath: "/bin/gzip")
        process.arguments = ["-dc", output]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = [UInt8](try pipe.fileHandleForReading.readToEnd() ?? Data())
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(bytes == plain.bytes)
    }

    @Test func `two runs of one conversion write the same bytes`() throws {
        let conversion = try Conversion(.sample)
        let folder = try #require(folder)
        for name in ["one", "two"] {
            _ = try conversion.run(ExportInput(path: Samples.path("devices")), to: .file(folder.path(name)))
        }
        let one = try Data(contentsOf: URL(filePath: folder.path("one")))
        #expect(try one == Data(contentsOf: URL(filePath: folder.path("two"))))
    }
}

extension RunReport {
    /// The report without the fields that differ from run to run.
    var comparable: RunReport {
        var report = self
        report.seconds = 0
        report.peakMemoryBytes = 0
        report.started = 0
        return report
    }
}
