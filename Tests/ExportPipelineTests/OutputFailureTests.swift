@testable import ExportPipeline
import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// What a run that fails at its end leaves of an output with several files.
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

    /// A run that calls `meanwhile` before its end and then fails.
    private func fail(replace: Bool, meanwhile: () throws -> Void) throws {
        let output = try BulkDataOutput(folder: OutputFolder(path), isGzip: false, replace: replace)
        try meanwhile()
        #expect(throws: ExportPipelineError.self) { try output.finish(exportDate: nil) }
    }

    @Test func `a file that appeared meanwhile is kept, and no new one is left next to it`() throws {
        try fail(replace: false) { try folder.write("theirs".utf8, to: "out/Observation.ndjson") }
        #expect(try names() == ["Observation.ndjson"])
        #expect(try contents("Observation.ndjson") == "theirs")
    }

    @Test func `if a file can't be replaced, none of the new run's files is left`() throws {
        let options = ConversionOptions.sample.with { $0.mapping.form = .resource }
        _ = try Conversion(options).run(ExportInput(path: Samples.path("two-sources")), to: .folder(path))
        try fail(replace: true) {
            try FileManager.default.removeItem(atPath: "\(path)/Observation.ndjson")
            try folder.makeFolder("out/Observation.ndjson")
        }
        // Of the former files the manifest went first: it would say that the folder is whole.
        #expect(try names() == ["Device.ndjson", "Observation.ndjson"])
    }

    @Test(arguments: [true, false])
    func `two runs can't write into one folder`(_ isSplit: Bool) throws {
        let options = ConversionOptions.sample.with {
            $0.isSplit = isSplit
            if !isSplit { $0.mapping.form = .resource }
            $0.replacesFiles = true
        }
        func convert() throws {
            _ = try Conversion(options).run(ExportInput(path: Samples.path("two-sources")), to: .folder(path))
        }
        var other: OutputFolder? = try OutputFolder(path)
        #expect(throws: ExportPipelineError.outputBusy(path: path)) { try convert() }
        #expect(try names() == [])
        other?.keep()
        other = nil
        try convert()
        #expect(try names().contains("manifest.json"))
    }

    @Test func `a folder that a failed run removed is created again by the next`() throws {
        let place = folder.path("new/out")
        var other: OutputFolder? = try OutputFolder(place)
        #expect(throws: ExportPipelineError.outputBusy(path: place)) { try OutputFolder(place) }
        withExtendedLifetime(other) {}
        other = nil
        #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
        try OutputFolder(place).keep()
        #expect(FileManager.default.fileExists(atPath: place))
    }

    @Test func `only a missing manifest means that there is no former output`() throws {
        _ = try FormerOutput(manifest: path + "/manifest.json")
        try folder.write("{}".utf8, to: "file")
        let manifest = folder.path("file/manifest.json")
        #expect(throws: ExportPipelineError.output(path: manifest, reason: "Not a directory")) {
            try FormerOutput(manifest: manifest)
        }
    }

    @Test(arguments: [true, false])
    func `if a file of the former run can't be removed, the run fails and the manifest still names it`(
        _ isSplit: Bool
    ) throws {
        let name = isSplit ? String(repeating: "a", count: 64) + ".json" : "Immunization.ndjson"
        let manifest = "{\"bundles\":[\"\(name)\"]}"
        try folder.write(manifest.utf8, to: "out/manifest.json")
        try folder.makeFolder("out/\(name)")
        let options = ConversionOptions.sample.with {
            $0.isSplit = isSplit
            if !isSplit { $0.mapping.form = .resource }
            $0.replacesFiles = true
        }
        #expect(throws: ExportPipelineError.output(path: "\(path)/\(name)", reason: "Is a directory")) {
            try Conversion(options).run(ExportInput(path: Samples.path("two-sources")), to: .folder(path))
        }
        #expect(try names() == [name, "manifest.json"])
        #expect(try contents("manifest.json") == manifest)
    }

    @Test func `a symbolic link is kept, and a device is written to directly`() throws {
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
