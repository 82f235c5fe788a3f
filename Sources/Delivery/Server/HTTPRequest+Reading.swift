internal import HTTPTransport

extension HTTPRequest {
    /// A GET of what a FHIR server has now.
    ///
    /// Without `Cache-Control: no-cache` the answer may be an earlier one, from a cache on the way or from the server's
    /// own, and know nothing of what was sent since: HAPI answers a search that it had within the last minute with what
    /// it found then.
    ///
    /// - Parameters:
    ///   - url: a resource, or a search.
    ///   - headers: further headers, such as `Prefer`.
    ///   - limits: how long and how large an answer may be.
    /// - Returns: the request.
    ///
    /// Source: RFC 9111, section 5.2.1.4; HAPI FHIR, "Search result caching".
    static func reading(
        _ url: HTTPURL,
        headers: [HTTPHeader] = [],
        limits: HTTPLimits = HTTPLimits()
    ) -> HTTPRequest {
        let usual = [HTTPHeader("Accept", "application/fhir+json"), HTTPHeader("Cache-Control", "no-cache")]
        return HTTPRequest(.get, url, headers: usual + headers, limits: limits)
    }
}

extension HTTPHeader {
    /// Wants a search refused if the server does not know a parameter, instead of answered without it.
    static let strict = HTTPHeader("Prefer", "handling=strict")
}

extension DeliveryError {
    /// The error for a read's answer that is neither what was asked for nor says that it is not there.
    static func unreadable(_ response: HTTPResponse, url: String) -> DeliveryError {
        // A redirection is never followed, least of all with a token.
        (300..<400).contains(response.status)
            ? .redirected(url: url, location: response.redirection)
            : .unreadableServer(url: url, status: response.status)
    }
}

extension HTTPResponse {
    /// The origin that a redirection leads to: the rest of the address may hold anything; `nil` where it names none.
    var redirection: String? { header("Location").flatMap { try? HTTPURL($0).origin } }
}
