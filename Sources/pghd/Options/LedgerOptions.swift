import ArgumentParser

/// Where the ledgers lie.
struct LedgerOptions: ParsableArguments {
    @Option(
        name: .customLong("ledger"),
        help: ArgumentHelp(
            "The folder that keeps in mind what each server has, or PGHD_LEDGER (default: ~/.local/state/pghd).",
            valueName: "dir"
        )
    )
    var path: String?

    /// The folder; it need not be there yet.
    ///
    /// - Throws: `ValidationError` where neither an option nor the environment tells.
    var folder: String {
        get throws {
            if let path = try Setting.ledger.value(path) { return path }
            if let state = Environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/pghd" }
            if let home = Environment["HOME"] { return "\(home)/.local/state/pghd" }
            throw ValidationError("--ledger: missing, and HOME is not set (expected a folder): add --ledger DIR")
        }
    }
}
