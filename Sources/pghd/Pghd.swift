import ArgumentParser
import ExportPipeline

/// The root command: what `pghd` alone and `pghd --help` say.
struct Pghd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pghd",
        abstract: "Convert Apple Health exports to FHIR R4",
        discussion: """
            Reads Apple's export.zip (or its unpacked folder, the XML alone, or XML on standard input) as \
            a stream and writes FHIR R4 transaction Bundles, in flat memory. Converting uses no network.

            No message or report holds a number, text, name or date of a sample, or a birth date. \
            Summaries and reports do name Apple's types, and values without a code, with their counts, \
            and 'pghd inspect' prints sources and dates: treat all that as health data.

              pghd inspect export.zip
              pghd convert export.zip --patient p123
              pghd sync export.zip --patient p123 --server https://fhir.example.org/r4

            Settings for every run can stand in ~/.config/pghd/config.json, such as \
            {"server":"https://fhir.example.org/r4"}; options and PGHD_… variables win over it.

            Data goes to standard output or into files. Messages go to standard error, with a line of \
            progress on a terminal: TERM=dumb leaves it out, NO_COLOR its colour.

            \(ExitStatus.helpSection(ExitStatus.allCases))
            """,
        version: Release.version,
        subcommands: [
            InspectCommand.self, ConvertCommand.self, SendCommand.self, SyncCommand.self, WatchCommand.self,
            VerifyCommand.self, LoginCommand.self, LogoutCommand.self, StatusCommand.self, KeystoreCommand.self,
            ServeCommand.self, GenerateCommand.self,
            TypesCommand.self,
        ]
    )
}
