import ArgumentParser

/// How much a command says.
struct TalkOptions: ParsableArguments {
    @Flag(name: [.short, .long], help: "Say nothing but errors.")
    var quiet = false

    @Flag(name: [.short, .long], help: "Say more: records of each type, all places of damage.")
    var verbose = false

    @Flag(help: "Print the report as JSON on standard output instead of the summary.")
    var json = false

    func validate() throws {
        if quiet, verbose {
            throw ValidationError("--quiet: contradicts --verbose (expected one of them): leave one out")
        }
    }
}
