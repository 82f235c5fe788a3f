/// One request, sent once and unchanged.
package struct HTTPRequest: Sendable {
    /// A request's method (RFC 9110, section 9).
    package enum Method: String, Sendable, CaseIterable {
        /// Reads a resource.
        case get = "GET"
        /// Submits something.
        case post = "POST"
        /// Replaces a resource.
        case put = "PUT"
    }

    /// Which connections a request may travel on.
    package enum Connection: Sendable {
        /// An open one, or else a new one that is kept. libcurl repeats a request by itself when an open connection
        /// turns out to be dead before any byte of an answer has come.
        case kept
        /// A new one that is closed afterwards: for what must not be sent twice, such as a refresh token.
        case fresh
    }

    /// The method.
    package var method: Method
    /// Where the request goes.
    package var url: HTTPURL
    /// Header fields in the order in which they are sent.
    package var headers: [HTTPHeader]
    /// The `Authorization` header.
    package var authorization: Authorization?
    /// The body; `nil` sends none.
    package var body: [UInt8]?
    /// How long and how large an answer may be.
    package var limits: HTTPLimits
    /// Which connections the request may travel on.
    package var connection: Connection
    /// The gate at which it waits until other requests have their answers; `nil` for a request that is sent at once.
    package var gate: TransferGate?
    /// Whether a body may be sent again at once where a kept connection closes without an answer; otherwise that is
    /// ``HTTPError/connectionLost(origin:)``.
    package var mayRepeat = true
    /// Whether it uses a connection alone (HTTP/1.1); otherwise it may share one (HTTP/2).
    ///
    /// Where requests share a connection, libcurl loses an answer that comes before the body was read, such as 413, and
    /// a server that gives up one request breaks the others on that connection.
    package var isAlone = false

    /// A request with the usual limits, on a kept connection.
    package init(
        _ method: Method,
        _ url: HTTPURL,
        headers: [HTTPHeader] = [],
        authorization: Authorization? = nil,
        body: [UInt8]? = nil,
        limits: HTTPLimits = HTTPLimits(),
        connection: Connection = .kept,
        gate: TransferGate? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.authorization = authorization
        self.body = body
        self.limits = limits
        self.connection = connection
        self.gate = gate
    }
}

/// Limits how many of a client's requests are on the wire at once.
///
/// A waiting request begins on the client's own thread the moment another ends, so no time is lost between the two.
package final class TransferGate: Sendable {
    /// How many requests it lets through at once, at least one.
    package let maximumCount: Int

    /// A gate for one client's requests.
    package init(_ maximumCount: Int) { self.maximumCount = max(maximumCount, 1) }
}

/// One header field, such as `Accept: application/json`.
public struct HTTPHeader: Sendable, Equatable {
    /// The name as sent or received; names are compared without regard to case.
    public let name: String
    /// The value without the white space around it.
    public let value: String

    /// A field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// How long and how large an answer may be.
package struct HTTPLimits: Sendable, Equatable {
    /// The longest time to establish the connection, TLS included.
    package var connect: Duration
    /// The longest time without a byte in either direction; whole seconds, at least one.
    package var idle: Duration
    /// The longest time from the first step to the last byte.
    package var total: Duration
    /// The largest body of an answer, in bytes after unpacking.
    package var maximumBodyByteCount: Int

    /// Limits for an API call: by default 10 s, 60 s, 300 s and 16 MiB.
    package init(
        connect: Duration = .seconds(10),
        idle: Duration = .seconds(60),
        total: Duration = .seconds(300),
        maximumBodyByteCount: Int = 16 << 20
    ) {
        self.connect = connect
        self.idle = idle
        self.total = total
        self.maximumBodyByteCount = maximumBodyByteCount
    }

    /// The largest header of an answer, in bytes, all fields together.
    static let maximumHeaderByteCount = 64 << 10
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its method and origin and the size of its body, but no query and no content: those may be about a person.
    package var description: String { "\(method.rawValue) \(url.origin), \(body?.count ?? 0) bytes" }
    /// The same as `description`.
    package var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HTTPHeader: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its name: the value may be a key or a cookie.
    public var description: String { "\(name): <hidden>" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
