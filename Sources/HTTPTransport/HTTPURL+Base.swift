extension HTTPURL {
    /// The base of a FHIR server, as a person types it: `https`, or `http` to this machine.
    ///
    /// It is stored and compared in one spelling, without slashes at its end.
    ///
    /// - Throws: ``HTTPURLError``: as ``init(_:)``, `.insecure` for `http` to another machine, and `.query` or `.dots`
    ///   for what a base can't have.
    public init(serverBase text: String) throws(HTTPURLError) {
        var base = text[...]
        while base.hasSuffix("/") { base.removeLast() }
        try self.init(String(base))
        guard isSecure || isLoopback else { throw .insecure }
        guard query == nil else { throw .query }
        self = normalized
        guard contains(self) else { throw .dots }
    }

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
