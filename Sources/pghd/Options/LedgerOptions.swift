import ArgumentParser
import Delivery
import FileOutput

/// Where the ledgers are.
struct LedgerOptions: ParsableArguments {
    @Option(
        name: .customLong("ledger"),
        help: ArgumentHelp(
            "The folder of the ledgers, which list what was sent where, or PGHD_LEDGER (default: ~/.local/state/pghd).",
            valueName: "dir"
        ),
        completion: .directory
    )
    var path: String?

    /// The folder; it need not exist yet.
    ///
    /// - Throws: `ValidationError` where it is empty, or neither an option, a setting nor the environment names it.
    var folder: String {
        get throws {
            if let path = try Setting.ledger.value(path) {
                guard !path.isEmpty else {
                    throw ValidationError("--ledger: empty (expected a folder): name one, or leave it out")
                }
                return path
            }
            if let folder = Environment.folder("XDG_STATE_HOME", orHome: ".local/state") { return "\(folder)/pghd" }
            throw ValidationError("--ledger: missing, and HOME is not set (expected a folder): add --ledger DIR")
        }
    }

    /// The path in the folder with the last name of `path`, where that is the name of a ledger, its lock or its log.
    func file(named path: String) throws -> String? {
        let name = ((try? PartFile.place(of: path)) ?? path).split(separator: "/").last ?? ""
        guard StoredLedgers.isLedgerFile(String(name)) else { return nil }
        return try "\(folder)/\(name)"
    }
}
