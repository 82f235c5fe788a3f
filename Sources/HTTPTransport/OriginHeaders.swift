/// Header fields that are added to each request to one origin, such as the key that an API gateway in front of it
/// requires.
///
///     OriginHeaders([HTTPHeader("X-Api-Key", "…")], for: server)
///
/// Their values are never printed, and no other origin gets them.
public struct OriginHeaders: Sendable {
    let headers: [HTTPHeader]
    let origin: String

    /// Fields for requests to the origin of `url`.
    public init(_ headers: [HTTPHeader], for url: HTTPURL) {
        self.headers = headers
        origin = url.origin
    }

    /// `request`, with the fields added if it goes to their origin.
    func added(to request: HTTPRequest) -> HTTPRequest {
        guard request.url.origin == origin else { return request }
        var request = request
        request.headers += headers
        return request
    }
}

extension OriginHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<headers>`.
    public var description: String { "<headers>" }
    /// Always `<headers>`.
    public var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
