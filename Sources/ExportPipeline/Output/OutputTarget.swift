/// Where `-o` points.
public enum OutputTarget: Sendable, Equatable {
    /// `-o -`
    case standardOutput
    /// One file for all Bundles.
    case file(String)
    /// A folder, made if it does not exist.
    case folder(String)
}
