public import ArgumentParser
import ExportPipeline
public import SyntheticExport

/// `pghd generate`: writes an export of an invented person.
struct GenerateCommand: ParsableCommand {
    static let defaultDayCount = 90

    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write a synthetic export of an invented person",
        usage: "pghd generate --output <file> [<options>]",
        discussion: """
            The same options give the same XML on every machine and every day.

              pghd generate -o export.zip
              pghd generate -o big.zip --size 1GB --seed 7
              pghd generate -o full.zip --shape full
              pghd generate -o - --days 7 | pghd inspect -

            \(ExitStatus.helpSection([.done, .unreadable, .usage, .interrupted, .outputClosed]))
            """
    )

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The file: a zip if its name ends in .zip, else XML; - for XML on standard output.",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: String

    @Option(help: ArgumentHelp("Days up to the last. (default: \(defaultDayCount))", valueName: "count"))
    var days: Int?

    @Option(
        help: ArgumentHelp(
            "Bytes of XML instead of days, met within 1 %: 100MB, 1GB. The other files of --shape full are not counted.",
            valueName: "size"
        )
    )
    var size: String?

    @Option(help: ArgumentHelp("Which person; all have the same birth date, sex and blood type.", valueName: "number"))
    var seed: UInt64 = 0

    @Option(name: .customLong("end"), help: ArgumentHelp("The last day.", valueName: "date"))
    var endDate = "\(SyntheticExport.Options.defaultEndDate)"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The offset written in every date, such as +0100.", valueName: "offset")
    )
    var utcOffset = "-0700"

    @Option(
        help: """
            apple: as the phone writes; plain: records without devices and metadata, and each day's summary; app: the \
            same, each record with metadata of its own, as other apps write it; full, for a .zip alone: as apple, and \
            what fewer people have: electrocardiograms, routes, clinical records, a hearing test, prescriptions for \
            the eyes, meals, a cycle, a triathlon, more symptoms. An export of 28 days has each of them.
            """
    )
    var shape = SyntheticExport.Shape.apple

    @Flag(name: [.short, .long], help: "Replace a file that is there.")
    var force = false

    @Flag(name: [.short, .long], help: "Say nothing but errors.")
    var quiet = false

    private var options = SyntheticExport.Options()

    private enum CodingKeys: CodingKey {
        case output, days, size, seed, endDate, utcOffset, shape, force, quiet
    }

    mutating func validate() throws {
        if output.isEmpty { throw ValidationError("-o: the path is empty (expected a file or -): give a name") }
        if days != nil, size != nil {
            throw ValidationError("--size: contradicts --days (expected one of them): leave one out")
        }
        options.extent = try size.map(SyntheticExport.Extent.bytes(parsing:)) ?? .days(days ?? Self.defaultDayCount)
        options.seed = seed
        options.endDate = try CalendarDate(parsing: endDate)
        guard let minutes = UTCOffset.minutes(utcOffset[...]) else {
            throw ValidationError("--utc-offset: '\(utcOffset)' is not an offset (expected ±hhmm): write it like +0100")
        }
        options.utcOffsetMinutes = minutes
        options.shape = shape
    }

    mutating func run() throws {
        let progress = ProgressLine(isQuiet: quiet || (output == "-" && Terminal.showsData))
        let export = try SyntheticExport(options)
        Program.forgetStart()
        let clock = ContinuousClock()
        let start = clock.now
        var lastProgress = start
        var byteCount: UInt64 = 0
        let total: UInt64? = if case .bytes(let size) = options.extent { size } else { nil }
        let cancellation = Interruption.beginRun()
        func note(_ written: UInt64) throws(SyntheticExportError) {
            if cancellation.isCancelled { throw .interrupted }
            byteCount = written
            let now = clock.now
            guard now - lastProgress > .milliseconds(100) else { return }
            lastProgress = now
            let seconds = (now - start) / .seconds(1)
            progress.show(RunProgress(bytesConsumed: written, bytesTotal: total, records: 0, seconds: seconds))
        }
        try export.write(toFile: output, replace: force, progress: note) { cancellation.isCancelled }
        progress.clear()
        if !quiet, output != "-" {
            let others = export.otherFileCount
            let files = others > 0 ? " and \(ReportText.grouped(UInt64(others))) other files" : ""
            say("\(output): \(ReportText.grouped(byteCount)) bytes of XML\(files), person \(seed), up to \(endDate)")
        }
    }
}

extension SyntheticExport.Shape: ExpressibleByArgument {}
