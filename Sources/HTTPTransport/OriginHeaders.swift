/// Header fields that go with each request to one origin, such as the key that an API gateway in front of it wants.
///
///     OriginHeaders([HTTPHeader("X-Api-Key", "…")], for: server)
///
/// They never print themselves, and no other origin gets them.
public struct OriginHeaders: Sendable {
    let headers: [HTTPHeader]
    let origin: String

    /// Fields for requests to wherever `url` is.
    public init(_ headers: [HTTPHeader], for url: HTTPURL) {
        self.headers = headers
        origin = url.origin
    }

    /// `request` with the fields that go to its origin.
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
