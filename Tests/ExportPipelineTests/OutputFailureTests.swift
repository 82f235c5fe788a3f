@testable import ExportPipeline
import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// What a run that fails at its end leaves of an output of several files.
struct OutputFailureTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.makeFolder("out")
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    private func contents(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    /// A run that comes to its end after `meanwhile`.
    private func fail(replace: Bool, meanwhile: () throws -> Void) throws {
        let output = try BulkDataOutput(folder: OutputFolder(path), isGzip: false, replace: replace)
        try meanwhile()
        #expect(throws: ExportPipelineError.self) { try output.finish(exportDate: nil) }
    }

    @Test func `a file that came meanwhile is kept, and no new one stays beside it`() throws {
        try fail(replace: false) { try folder.write("theirs".utf8, to: "out/Observation.ndjson") }
        #expect(try names() == ["Observation.ndjson"])
        #expect(try contents("Observation.ndjson") == "theirs")
    }

    @Test func `where a file can't be replaced, none of the new run's stays beside the former`() throws {
        let options = ConversionOptions.sample.with { $0.mapping.form = .resource }
        _ = try Conversion(options).run(ExportInput(path: Samples.path("two-sources")), to: .folder(path))
        let manifest = try contents("manifest.json")
        try fail(replace: true) {
            try FileManager.default.removeItem(atPath: "\(path)/Observation.ndjson")
            try folder.makeFolder("out/Observation.ndjson")
        }
        #expect(try names() == ["Observation.ndjson", "manifest.json"])
        #expect(try contents("manifest.json") == manifest)
    }

    @Test func `a link is kept, and a device is written as it is`() throws {
        try folder.makeFolder("far")
        try folder.write("old".utf8, to: "far/observations")
        try folder.link("out/Observation.ndjson", to: "../far/observations")
        try folder.link("out/Device.ndjson", to: "/dev/null")
        let output = try BulkDataOutput(folder: OutputFolder(path), isGzip: false, replace: true)
        try output.finish(exportDate: nil)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/Device.ndjson") == "/dev/null")
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/Observation.ndjson")
                == "../far/observations"
        )
        #expect(try contents("Observation.ndjson").isEmpty)
    }
}
