extension HTTPURL {
    /// Whether `other` is this base or below it, with the same scheme, host and port.
    ///
    /// Dot segments in the path could lead out of the base again: encoded or not, after a slash in any spelling, or
    /// before a parameter (`..;x`). Servers and gateways decode these and drop parameters before they resolve the path.
    package func contains(_ other: HTTPURL) -> Bool {
        guard origin == other.origin else { return false }
        let base = path == "/" ? "" : path
        guard other.path == base || other.path.hasPrefix(base + "/") else { return false }
        var path = other.path.lowercased()
        for (spelling, character) in [("%2e", "."), ("%2f", "/"), ("%5c", "/"), ("\\", "/"), ("%3b", ";")] {
            path = path.replacing(spelling, with: character)
        }
        return !path.split(separator: "/").contains { segment in
            let name = segment.prefix { $0 != ";" }
            return name == ".." || name == "."
        }
    }
}
