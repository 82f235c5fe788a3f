/// One request, sent as it stands and once.
public struct HTTPRequest: Sendable {
    /// A request's method (RFC 9110, section 9).
    public enum Method: String, Sendable, CaseIterable {
        /// Reads.
        case get = "GET"
        /// Hands something over.
        case post = "POST"
        /// Puts something in its place.
        case put = "PUT"
    }

    /// Which connections a request may travel on.
    public enum Connection: Sendable {
        /// One that is open already, else a new one that is kept. libcurl sends a request again by
        /// itself when an open connection turns out to be dead before any byte of an answer.
        case kept
        /// A new one, closed afterwards: for what must not be sent twice, such as a refresh token.
        case fresh
    }

    /// What to do.
    public var method: Method
    /// Where.
    public var url: HTTPURL
    /// Header fields in the order in which they are sent.
    public var headers: [HTTPHeader]
    /// The `Authorization` header.
    public var authorization: Authorization?
    /// The body; `nil` sends none.
    public var body: [UInt8]?
    /// How long and how large an answer may be.
    public var limits: HTTPLimits
    /// Which connections it may travel on.
    public var connection: Connection
    /// Where it waits until others have their answers; `nil` for a request that goes at once.
    public var gate: TransferGate?
    /// Whether a body may go again at once where an open connection ends without a word; else that is
    /// ``HTTPError/connectionLost(origin:)``.
    public var mayRepeat = true
    /// Whether it has its connection for itself, as HTTP/1.1 has it; else it may share one by HTTP/2.
    ///
    /// An answer that comes before the body was read, such as 413, is lost by libcurl where requests share a connection, and
    /// a server that gives one up breaks what is under way on it.
    public var isAlone = false

    /// A request with the usual limits, on a kept connection.
    public init(
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

/// Lets so many of a client's requests travel at once.
///
/// The one that waits begins on the client's own thread the moment another ends: no time is lost between two.
public final class TransferGate: Sendable {
    /// How many, at least one.
    public let maximumCount: Int

    /// A gate for one client's requests.
    public init(_ maximumCount: Int) { self.maximumCount = max(maximumCount, 1) }
}

/// One header field, such as `Accept: application/json`.
public struct HTTPHeader: Sendable, Equatable {
    /// The name as sent or received; names are equal whatever their case.
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
public struct HTTPLimits: Sendable, Equatable {
    /// Until the connection stands, TLS included.
    public var connect: Duration
    /// Without a byte in either direction; whole seconds, at least one.
    public var idle: Duration
    /// From the first step to the last byte.
    public var total: Duration
    /// Most bytes of an answer's body, unpacked.
    public var maximumBodyByteCount: Int

    /// Limits for an API call; 10 s, 60 s, 300 s and 16 MiB unless told otherwise.
    public init(
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

    /// Most bytes of an answer's header, all fields together.
    static let maximumHeaderByteCount = 64 << 10
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its method and where it goes, but nothing of a query or a body: both may tell of somebody.
    public var description: String { "\(method.rawValue) \(url.origin), \(body?.count ?? 0) bytes" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HTTPHeader: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its name: the value may be a key or a cookie.
    public var description: String { "\(name): <hidden>" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
