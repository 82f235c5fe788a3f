/// Which pghd this is: what `pghd --version` and each report say.
public enum Release {
    /// By the rules of https://semver.org, such as `0.1.0`.
    public static let version = "0.1.0"
}
