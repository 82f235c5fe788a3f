/// A complete answer; a redirect is one too, since none is followed.
package struct HTTPResponse: Sendable, Equatable {
    /// The status, such as 200.
    package var status: Int
    /// The header fields of the final answer, in order.
    package let headers: [HTTPHeader]
    /// The whole body, unpacked where it came as gzip, without a byte order mark.
    package let body: [UInt8]
    /// The time from when the request passed its gate until the answer's last byte.
    package let duration: Duration
    /// Whether the request had been sent before, on an old connection that closed without an answer: the server may
    /// have received it.
    package let wasRepeated: Bool

    /// An answer with these values.
    package init(
        status: Int,
        headers: [HTTPHeader],
        body: [UInt8],
        duration: Duration = .zero,
        wasRepeated: Bool = false
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.duration = duration
        self.wasRepeated = wasRepeated
    }

    /// The value of the first field of that name, without regard to case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its status and size: what is in it may be health data or a token.
    package var description: String { "answer \(status) of \(body.count) bytes" }
    /// The same as `description`.
    package var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
