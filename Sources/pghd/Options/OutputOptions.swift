public import ArgumentParser
public import ExportPipeline

/// Where a conversion writes, and in which files.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "A file; a folder (it is there, or the path ends in /); - for standard output. "
                + "(default: \(OutputPlace.defaultName), in the current folder; none with --split or "
                + "--format resources)",
            valueName: "path"
        ),
        completion: .file()
    )
    var output: String?

    @Option(help: "bundles: a transaction Bundle a line; resources: FHIR Bulk Data files.")
    var format = ConversionOptions.Format.bundles

    @Flag(help: "A file for each Bundle, named by its key, and manifest.json, in a folder.")
    var split = false

    @Flag(help: "Compress what is written, as for a file whose name ends in .gz.")
    var gzip = false

    @Flag(name: [.short, .long], help: "Replace files that are there.")
    var force = false

    @Option(help: ArgumentHelp("Write the run's report as JSON.", valueName: "file"), completion: .file())
    var report: String?

    var reportFile: ReportFile? { report.map { ReportFile(path: $0, replaces: force) } }

    /// Where the output goes.
    ///
    /// - Parameters:
    ///   - input: the export.
    ///   - idKey: the file of `--id-key`.
    ///   - profiles: the folder of another mapping.
    /// - Returns: the place.
    /// - Throws: `ValidationError` where options contradict each other, or a file exists already or is used by the run.
    func place(forInput input: String, idKey: String?, profiles: String?) throws -> OutputPlace {
        let place = try OutputPlace(self)
        let export = FileIdentity(ofInput: input)
        var used = UsedFiles()
        used.add(idKey)
        used.addMembers(of: input)
        used.add(profiles: profiles)
        for file in place.files + place.removable {
            if let export, FileIdentity(file) == export {
                throw ValidationError("-o: '\(file)' is the export itself (expected another file): choose another name")
            }
            try used.check(file, of: "-o")
        }
        if let reportFile {
            try reportFile.checkName()
            used.add(input: input)
            for file in place.files { used.add(file) }
            if case .folder(let folder) = place.target { used.add(bundles: folder) }
            try used.check(reportFile.path, of: "--report")
            try reportFile.checkFree()
        }
        return place
    }
}

extension ConversionOptions.Format: ExpressibleByArgument {}
