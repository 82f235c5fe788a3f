import ArgumentParser
import ExportPipeline
import FHIRR4
import HealthExport
import HealthKitMapping

/// `pghd convert`: writes an export as Bundles or resources.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Write an export as FHIR R4",
        discussion: """
            Reads the export once, in flat memory, and writes transaction Bundles. However often those \
            are sent, each resource is stored once. No network is used. A zip that was damaged on its way \
            is converted too (1): if the report has an inputFault, delete the Bundles and don't send them.

              pghd convert export.zip --patient p123
              pghd convert export.zip --patient p123 --split -o bundles/
              pghd convert export.zip --patient p123 -o bundles.ndjson.gz

            \(ExitStatus.helpSection(
                [.done, .damaged, .unreadable, .unreachable, .usage, .interrupted, .outputClosed],
                saying: [.done: ExitStatus.doneWithAll, .unreachable: "another run writes into the folder"]
            ))
            """
    )

    @Argument(help: .export, completion: .file())
    var export: String

    @OptionGroup(title: "Whose data (required)") var subject: PatientOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Which samples") var selection: SelectionOptions
    @OptionGroup(title: "How they are written") var writing: WritingOptions
    @OptionGroup(title: "How it runs") var running: RunningOptions
    @OptionGroup(title: "What is said") var talk: TalkOptions

    private var options: ConversionOptions?
    private var place: OutputPlace?

    private enum CodingKeys: CodingKey {
        case export, subject, output, selection, writing, running, talk
    }

    mutating func validate() throws {
        let place = try output.place(forInput: export, idKey: writing.idKey, profiles: running.mapping.profilesFolder)
        if talk.json, place.isStandardOutput {
            throw ValidationError("--json: standard output holds the data (expected -o FILE): use --report FILE")
        }
        // A missing patient is reported in `run`, after the parser has reported options that it does not know.
        var mapping = MappingOptions(patientID: "")
        try writing.apply(to: &mapping)
        mapping.includesPatient = subject.includePatient
        if writing.conditional { try subject.refusePatient(with: "--conditional") }
        try selection.apply(to: &mapping, profilesFolder: try running.mapping.profilesFolder)
        if output.format == .resources {
            guard !writing.conditional else {
                throw ValidationError("--conditional: needs Bundles (expected --format bundles): leave one of them out")
            }
            mapping.form = .resource
        }
        var options = ConversionOptions(mapping: mapping)
        options.isSplit = output.split
        options.isGzip = output.gzip || place.isGzip
        options.replacesFiles = output.force
        options.limits = writing.limits
        options.run = try running.runOptions
        self.options = options
        self.place = place
    }

    mutating func run() throws {
        guard var options, let place else { preconditionFailure("run before validate") }
        options.mapping.patientID = try subject.checkedPatient()
        let progress = ProgressLine(isQuiet: talk.quiet || (place.target == .standardOutput && Terminal.showsData))
        let input = try ExportInput.open(export)
        // An output folder, where the report may go, may not exist yet.
        if case .folder = place.target {} else { try output.reportFile?.checkWritable() }
        let conversion = try Conversion(options)
        try output.reportFile?.removeOld()
        Program.forgetStart()
        let report = try conversion.run(
            input,
            to: place.target,
            cancellation: Interruption.beginRun(),
            progress: progress.show
        )
        progress.clear()
        var isReported = false
        try write {
            try writeReport(report.json, to: output.report, replace: output.force, talk) {
                report.summary(
                    input: input.displayName,
                    output: place.name,
                    hasBundles: options.format == .bundles,
                    isVerbose: talk.verbose,
                    style: Terminal.style
                )
            }
            isReported = talk.json || output.report != nil
        } thenJudge: {
            guard !report.damage.isEmpty else { return }
            if talk.quiet || talk.json {
                say("pghd: \(input.displayName): \(report.damage.sentence(isReported: isReported))")
            }
            throw ExitStatus.damaged
        }
    }
}
