/// One answer.
struct HTTPResponse: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// Whether nothing of it is sent and the connection is cut: a fault on request.
    var isWithheld = false
    /// What was read for it, until the client has taken it.
    var held: HeldBytes?

    init(_ status: Int, _ headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    static func json(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status,
            [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: Array(text.utf8)
        )
    }

    static func fhir(_ status: Int, _ body: [UInt8], _ headers: [(name: String, value: String)] = []) -> HTTPResponse {
        HTTPResponse(
            status,
            [("Content-Type", "application/fhir+json; charset=utf-8"), ("Cache-Control", "no-store")] + headers,
            body: body
        )
    }

    /// Adds headers in place of those with the same names.
    mutating func replaceHeaders(_ replacements: [(name: String, value: String)]) {
        let names = Set(replacements.map { $0.name.lowercased() })
        headers.removeAll { names.contains($0.name.lowercased()) }
        headers += replacements
    }

    /// Status line, headers and body; `HEAD` has the length of a body that it doesn't send.
    ///
    /// A length that a fault on request gives is sent instead of the true one.
    ///
    /// - Returns: what to send, piece by piece: a long body is not copied, which would hold it twice for as long as the
    ///   client takes.
    func encoded(forHead isHead: Bool, keepsConnection: Bool) -> [[UInt8]] {
        var head = "HTTP/1.1 \(status) \(HTTPStatus.phrase(status))\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        let names = Set(headers.map { $0.name.lowercased() })
        if status != 304, status != 204, !names.contains("content-length") {
            head += "Content-Length: \(body.count)\r\n"
        }
        if !keepsConnection, !names.contains("connection") { head += "Connection: close\r\n" }
        let bytes = Array((head + "\r\n").utf8)
        if isHead { return [bytes] }
        return body.count < Self.longByteCount ? [bytes + body] : [bytes, body]
    }

    private static let longByteCount = 64 << 10
}

/// Names of the status codes used here (RFC 9110, section 15).
enum HTTPStatus {
    static func phrase(_ status: Int) -> String { phrases[status] ?? "Status" }

    private static let phrases = [
        200: "OK", 201: "Created", 204: "No Content", 303: "See Other", 304: "Not Modified",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
        412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
        417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported", 507: "Insufficient Storage",
    ]
}
