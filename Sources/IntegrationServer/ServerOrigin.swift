/// The server's own origin: requests with another one are refused.
///
/// A page of another site, or a name that somebody pointed at this machine, must not reach a server on loopback.
struct ServerOrigin: Sendable {
    /// `http://127.0.0.1:8080`.
    let url: String
    private let hosts: Set<String>

    init(_ text: String, port: UInt16, isLoopback: Bool) throws(IntegrationServerError) {
        let url = text.hasSuffix("/") ? String(text.dropLast()) : text
        let parts = url.split(separator: "://", maxSplits: 1)
        guard parts.count == 2, parts[0] == "http" || parts[0] == "https", !parts[1].isEmpty,
            parts[1].utf8.allSatisfy({ byte in
                byte > 0x20 && byte < 0x7F && !"/?#@\\\"'<>;,".utf8.contains(byte)
            }),
            Self.hasUsablePort(parts[1])
        else { throw .notABaseURL(text) }
        self.url = url
        var hosts = Self.spellings(parts[1].lowercased(), defaultPort: parts[0] == "https" ? 443 : 80)
        for name in ["127.0.0.1", "localhost", "[::1]"] where isLoopback {
            hosts.formUnion(Self.spellings("\(name):\(port)", defaultPort: 80))
        }
        self.hosts = hosts
    }

    /// Whether that base URL only ever means the machine that uses it.
    static func isLoopback(_ url: String) -> Bool {
        guard let authority = url.split(separator: "://", maxSplits: 1).last?.split(separator: "/").first else {
            return false
        }
        let host = authority.lowercased().split(separator: ":").first ?? ""
        // Only digits: 127.example.org is somebody's name.
        return host == "localhost" || authority == "[::1]" || authority.hasPrefix("[::1]:")
            || host.hasPrefix("127.") && host.utf8.allSatisfy { "0123456789.".utf8.contains($0) }
    }

    /// Whether the host is followed by no port, or by one as clients write it; an IPv6 address has its colons in
    /// brackets.
    private static func hasUsablePort(_ authority: Substring) -> Bool {
        let end = authority[(authority.lastIndex(of: "]") ?? authority.startIndex)...]
        guard let colon = end.lastIndex(of: ":") else { return true }
        let text = end[end.index(after: colon)...]
        guard let port = UInt16(text) else { return false }
        return port > 0 && String(port) == text
    }

    /// The authority with and without its scheme's port, which clients leave out (RFC 9110, section 4.2.3).
    private static func spellings(_ authority: String, defaultPort: Int) -> Set<String> {
        let suffix = ":\(defaultPort)"
        if authority.hasSuffix(suffix) { return [authority, String(authority.dropLast(suffix.count))] }
        let hasPort = !authority.hasSuffix("]") && authority.contains(":")
        return hasPort ? [authority] : [authority, authority + suffix]
    }

    /// - Throws: status 421 for a foreign Host, 403 for a foreign Origin.
    func admit(_ request: HTTPRequest) throws(Refusal) {
        if let host = request.headers["host"], !hosts.contains(host.lowercased()) {
            throw Refusal(421, .forbidden, "Host is not this server's (expected the one of its base URL)")
        }
        guard let origin = request.headers["origin"] else { return }
        let host = origin.split(separator: "://", maxSplits: 1).last.map { $0.lowercased() } ?? ""
        guard origin.hasPrefix("http"), hosts.contains(host) else {
            throw Refusal(403, .forbidden, "Origin is not this server's: other sites' pages may not call it")
        }
    }
}
