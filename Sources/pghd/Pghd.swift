import ArgumentParser

@main
struct Pghd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pghd",
        abstract: "Convert Apple Health exports to FHIR R4",
        discussion: """
            Reads Apple's export.zip (also unpacked, as bare XML, or XML on standard input) as a \
            stream and writes FHIR R4 transaction Bundles, in flat memory. Nothing leaves this \
            machine, and no health value, name or date is ever in a message.

              pghd inspect export.zip
              pghd convert export.zip --patient p123 -o bundles.ndjson

            EXIT STATUS
              0    done (records without a standard code are kept and count as done)
              1    the input was damaged; the rest was done
              2    the input can't be read
              64   wrong usage, or the output exists already
              130  interrupted
            """,
        version: "0.1.0",
        subcommands: [ConvertCommand.self])
}
