import ArgumentParser
import ExportPipeline

/// The root command: what `pghd` alone and `pghd --help` say.
struct Pghd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pghd",
        abstract: "Convert Apple Health exports to FHIR R4",
        discussion: """
            Reads Apple's export.zip (also unpacked, as bare XML, or XML on standard input) as a \
            stream and writes FHIR R4 transaction Bundles, in flat memory. Converting uses no \
            network. No message or report holds a number, text, name or date of a sample, or a birth \
            date; summaries and reports name Apple's types and values without a code, with their \
            counts, and 'pghd inspect' prints sources and dates: treat all that as health data.

              pghd inspect export.zip
              pghd convert export.zip --patient p123
              pghd sync export.zip --patient p123 --server https://fhir.example.org/r4

            What is given every time can stand in ~/.config/pghd/config.json, such as \
            {"server":"https://fhir.example.org/r4"}; options and PGHD_… variables win over it.

            Data goes to standard output or into files; messages go to standard error, on a terminal \
            with a line of progress that is rewritten: TERM=dumb leaves it out, NO_COLOR its colour.

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
