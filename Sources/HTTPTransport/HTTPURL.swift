internal import CCurl

/// An absolute `http` or `https` URL, such as `https://fhir.example.org/r4`.
///
/// libcurl parses it, and libcurl also connects: so what is compared here is where a request goes, and no second parser
/// can see another host. User names, fragments, spaces, control characters and bytes beyond ASCII are refused.
///
/// Source: RFC 3986, section 3.
public struct HTTPURL: Sendable, Hashable {
    /// The URL as it was given.
    public let text: String
    /// Whether the scheme is `https`.
    public let isSecure: Bool
    /// The host in lower case; an IPv6 address stands in brackets.
    public let host: String
    /// The port: the scheme's default where the URL names none.
    public let port: UInt16
    /// The path, at least `/`, with percent-encoding as given.
    public let path: String
    /// The query without its question mark.
    public let query: String?

    /// Reads a URL.
    ///
    /// - Throws: ``HTTPURLError`` where it is not absolute, has another scheme or no host, or contains something that
    ///   is refused (see above), and `.noLibrary` where libcurl can't be loaded.
    public init(_ text: String) throws(HTTPURLError) {
        if let reason = Libcurl.load() { throw .noLibrary(reason: reason) }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .strangeCharacter }
        // libcurl would also take `https:/host` and `https:///host`.
        guard let mark = text.firstRange(of: "://"), !text[mark.upperBound...].hasPrefix("/") else {
            throw .notAbsolute
        }
        let parts = try URLParts(text)
        guard parts.scheme == "https" || parts.scheme == "http" else { throw .otherScheme }
        // libcurl does not report an empty fragment.
        guard !text.contains("#") else { throw .fragment }
        guard let host = parts.host, !host.isEmpty else { throw .noHost }
        guard parts.zone == nil else { throw .zone }
        guard let port = parts.port.flatMap(UInt16.init), port > 0 else { throw .noPort }
        self.text = text
        isSecure = parts.scheme == "https"
        self.host = host.lowercased()
        self.port = port
        path = parts.path ?? "/"
        query = parts.query
    }

    /// Scheme, host and port, without the scheme's default port: `https://fhir.example.org`.
    ///
    /// Source: RFC 6454, section 6.
    public var origin: String {
        let isDefault = port == (isSecure ? 443 : 80)
        return (isSecure ? "https://" : "http://") + host + (isDefault ? "" : ":\(port)")
    }

    /// The same address in one spelling, for what is stored about a server: scheme and host in lower case, no default
    /// port, no slash at the end.
    ///
    ///     HTTPS://FHIR.example.org:443/r4/     https://fhir.example.org/r4
    package var normalized: HTTPURL {
        var base = origin + path
        while base.hasSuffix("/") { base.removeLast() }
        // This can't fail: the parts come from a valid URL.
        return (try? HTTPURL(base + (query.map { "?" + $0 } ?? ""))) ?? self
    }

    /// Whether the host is this machine: `127.0.0.0/8`, `[::1]`, or `localhost`, which libcurl never looks up.
    package var isLoopback: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        // Any other spelling of a number may be looked up as a name.
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in UInt8(part).map { "\($0)" == part } ?? false }
    }
}

extension HTTPURL: CustomStringConvertible {
    /// The URL without its query, which may hold a code or a state.
    public var description: String { origin + path }
}

/// Why a text is not a URL that a request can be sent to.
public enum HTTPURLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A byte outside ASCII, a space or a control character.
    case strangeCharacter
    /// No scheme, or nothing after it.
    case notAbsolute
    /// Neither `https` nor, where that is allowed, `http`.
    case otherScheme
    /// `http` to another machine, where everybody on the way can read along.
    case insecure
    /// `user@` before the host.
    case userName
    /// A `#`, with or without something after it.
    case fragment
    /// Something after `?`.
    case query
    /// Nothing where the host should stand.
    case noHost
    /// A port that is not a number from 1 to 65535.
    case noPort
    /// An IPv6 address with the name of an interface (a zone), which means something on one machine only.
    case zone
    /// A segment `.` or `..` in the path, which could lead anywhere.
    case dots
    /// libcurl, which reads URLs, can't be loaded; the reason is the system's.
    case noLibrary(reason: String)

    /// What is wrong and what was expected.
    public var description: String {
        switch self {
        case .strangeCharacter: "a character that no URL holds (expected ASCII without spaces)"
        case .notAbsolute: "not an absolute URL (expected https://HOST/PATH)"
        case .otherScheme: "another scheme (expected https)"
        case .insecure: "http is not safe here (expected https; http for this machine alone)"
        case .userName: "a user name in the URL (expected none)"
        case .fragment: "a fragment in the URL (expected none)"
        case .query: "a query in the URL (expected none)"
        case .noHost: "no host in the URL (expected https://HOST/PATH)"
        case .noPort: "a wrong port in the URL (expected 1 to 65535)"
        case .zone: "a zone in the URL's address (expected an address without %)"
        case .dots: "a segment of dots in the URL's path (expected where it leads)"
        case .noLibrary(let reason): Libcurl.sentence(reason)
        }
    }
}

/// What libcurl's parser says.
private struct URLParts {
    let scheme, host, zone, port, path, query: String?

    init(_ text: String) throws(HTTPURLError) {
        guard let handle = unsafe pghd_url() else { throw .notAbsolute }
        defer { unsafe pghd_url_cleanup(handle) }
        let flags = UInt32(CURLU_PATH_AS_IS | CURLU_DISALLOW_USER)
        switch unsafe pghd_url_set(handle, CURLUPART_URL, text, flags) {
        case CURLUE_OK: break
        case CURLUE_USER_NOT_ALLOWED: throw .userName
        case CURLUE_UNSUPPORTED_SCHEME: throw .otherScheme
        case CURLUE_BAD_PORT_NUMBER: throw .noPort
        case CURLUE_NO_HOST, CURLUE_BAD_HOSTNAME: throw .noHost
        default: throw .notAbsolute
        }
        func part(_ part: CURLUPart) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard unsafe pghd_url_get(handle, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK else { return nil }
            defer { unsafe pghd_free(text) }
            return unsafe text.map { unsafe String(cString: $0) }
        }
        scheme = part(CURLUPART_SCHEME)
        host = part(CURLUPART_HOST)
        zone = part(CURLUPART_ZONEID)
        port = part(CURLUPART_PORT)
        path = part(CURLUPART_PATH)
        query = part(CURLUPART_QUERY)
    }
}
