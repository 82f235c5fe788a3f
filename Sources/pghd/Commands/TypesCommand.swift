import ArgumentParser
import ExportPipeline
import HealthKitMapping

/// `pghd types`: prints the mapping as a table.
struct TypesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Show which types become which codes",
        discussion: """
            Every type of HealthKit that has a mapping, with its codes, units and values.

              pghd types | grep Glucose

            \(ExitStatus.helpSection([.done, .unreadable, .usage, .outputClosed]))
            """
    )

    @Flag(exclusivity: .exclusive, help: "Print JSON, or the page docs/supported-types.md.")
    var form: Form = .text

    @OptionGroup var mapping: ProfilesOptions

    /// The form of what is printed.
    enum Form: String, EnumerableFlag {
        case text, json, markdown

        static func help(for value: Form) -> ArgumentHelp? {
            switch value {
            case .text: "Print a table for people."
            case .json: "Print JSON."
            case .markdown: "Print the page docs/supported-types.md."
            }
        }
    }

    func run() throws {
        let table = try MappingTable.load(profilesFolder: try mapping.profilesFolder)
        switch form {
        case .text:
            let others = "--types also takes " + TypeNames.others(in: table).joined(separator: ", ")
            try StandardOutput.write(SupportedTypesTable.text(table) + "\n\(others)\n")
        case .json: try StandardOutput.write(SupportedTypesTable.json(table))
        case .markdown: try StandardOutput.write(SupportedTypesTable.markdown(table))
        }
    }
}
