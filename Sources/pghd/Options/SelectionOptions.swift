import ArgumentParser
import ExportPipeline
import HealthKitMapping

/// Which samples are converted.
struct SelectionOptions: ParsableArguments {
    /// Given again, it adds more types.
    @Option(
        help: ArgumentHelp(
            "Only these types, such as HeartRate,StepCount,Workout; 'pghd types' lists them.",
            valueName: "names"
        )
    )
    var types: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only samples that start then or later: YYYY-MM-DD, a day of --time-zone or else of UTC, or a date-time with offset.",
            valueName: "time"
        )
    )
    var since: String?

    @Option(
        help: ArgumentHelp("Only samples that start before: a day or date-time, as with --since.", valueName: "time")
    )
    var until: String?

    @Flag(help: "Also workouts' routes: places and times, which tell where someone lives.")
    var routes = false

    /// Whether anything is left out.
    var isFilter: Bool { !types.isEmpty || since != nil || until != nil }

    /// Puts the selection into `options`.
    ///
    /// - Throws: `ValidationError` for unknown types, for text that is not a time, and for an empty span.
    func apply(to options: inout MappingOptions, profilesFolder: String?) throws {
        if !types.isEmpty {
            let table = try MappingTable.load(profilesFolder: profilesFolder)
            options.types = try TypeNames.resolve(types.joined(separator: ","), in: table)
        }
        options.includesRoutes = routes
        options.since = try since.map { try SampleInstant.seconds($0, option: "--since", zone: options.timeZone) }
        options.until = try until.map { try SampleInstant.seconds($0, option: "--until", zone: options.timeZone) }
        if let since = options.since, let until = options.until, since >= until {
            throw ValidationError("--until: not after --since (expected a later time): exchange them or widen the span")
        }
    }
}
