/// The version of pghd, as `pghd --version` and each report state it.
package enum Release {
    /// A version by the rules of https://semver.org, such as `0.1.0`.
    package static let version = "0.1.0"
}
