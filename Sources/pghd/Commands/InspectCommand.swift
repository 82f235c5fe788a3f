import ArgumentParser
import ExportPipeline
import HealthExport

/// `pghd inspect`: shows what is in an export.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what is inside an export",
        discussion: """
            Lists types with their counts, dates, units and codes; sources; months; what has no standard \
            meaning; and damage of the XML, its records and the files next to it. Workouts and other \
            elements are counted, not converted: a conversion may find more damage in them. Sources and \
            dates are health data, and go to standard output alone.

              pghd inspect export.zip
              pghd inspect export.zip --json | python3 -m json.tool

            \(ExitStatus.helpSection([.done, .damaged, .unreadable, .usage, .interrupted, .outputClosed]))
            """
    )

    @Argument(help: .export, completion: .file())
    var export: String

    @Flag(help: "Print JSON instead of tables.")
    var json = false

    @OptionGroup(title: "How it runs") var running: RunningOptions

    @Flag(name: [.short, .long], help: "Show no progress.")
    var quiet = false

    func run() throws {
        let progress = ProgressLine(isQuiet: quiet)
        let input = try ExportInput.open(export)
        let inspection = try Inspection(running.runOptions)
        Program.forgetStart()
        let report = try inspection.run(
            input,
            cancellation: Interruption.beginRun(),
            progress: progress.show
        )
        progress.clear()
        let text = json ? report.json : report.text(title: input.displayName, style: Terminal.style)
        try StandardOutput.write(text)
        guard !report.damage.isEmpty else { return }
        // The tables show the damage themselves.
        if json { say("pghd: \(input.displayName): \(report.damage.sentence(isReported: true))") }
        throw ExitStatus.damaged
    }
}
