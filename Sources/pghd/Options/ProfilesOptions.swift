import ArgumentParser

/// Which mapping a command uses.
struct ProfilesOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Another mapping: a folder with the files of profiles/, or PGHD_PROFILES.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var profiles: String?

    /// The other mapping's folder; `nil` for the program's own.
    ///
    /// - Throws: `ValidationError` where it is not a folder.
    var profilesFolder: String? {
        get throws {
            guard let path = try Setting.profiles.value(profiles) else { return nil }
            guard FileKind(of: path) == .folder else {
                throw ValidationError(
                    "--profiles: '\(path)' is not a folder (expected one with the files of profiles/): check the path"
                )
            }
            return path
        }
    }
}
