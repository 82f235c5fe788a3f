internal import Threads

/// Sends requests over libcurl, many at once, on one thread of its own.
///
///     let client = try HTTPClient(caFile: "/etc/ssl/own-ca.pem")
///
/// It uses HTTP/2 where the server offers it, keeps connections open, requires TLS 1.2 or later (OpenSSL), and takes
/// proxies from the environment (`https_proxy`, `no_proxy`; never for this machine itself). It never follows redirects
/// and never keeps cookies. The thread ends with the client.
public final class HTTPClient: Sendable {
    private let loop: TransferLoop
    private let ownHeaders: OriginHeaders?

    /// A client that trusts the system's authorities, or those of `caFile` alone.
    ///
    /// - Parameters:
    ///   - caFile: the path of a PEM file; read when the first connection is made.
    ///   - ownHeaders: header fields that are added to each request to their origin.
    ///   - userAgent: the `User-Agent` header (RFC 9110, section 10.1.5), such as `pghd/0.1.0`: some gateways refuse
    ///     requests without one. A `User-Agent` among `ownHeaders` or in a request takes precedence.
    ///
    /// Where the system gives no thread, the process ends with exit status 2, as in ``OwnThread/start(_:)``.
    ///
    /// - Throws: ``HTTPError/noLibrary(reason:)`` where libcurl can't be loaded.
    public init(
        caFile: String? = nil,
        ownHeaders: OriginHeaders? = nil,
        userAgent: String = "pghd"
    ) throws(HTTPError) {
        self.ownHeaders = ownHeaders
        loop = try TransferLoop(caFile: caFile, userAgent: userAgent)
        OwnThread.start { [loop] in loop.run() }
    }

    deinit { loop.close() }

    /// Sends `request` and waits for the whole answer, whatever its status.
    ///
    ///     let response = try await client.send(HTTPRequest(.get, HTTPURL("https://fhir.example.org/metadata")))
    ///
    /// Cancelling the task stops the transfer, but the server may have seen the request already.
    ///
    /// - Throws: ``HTTPError`` where no complete answer arrives within the request's limits.
    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let request = ownHeaders?.added(to: request) ?? request
        try request.checkHeaders()
        let ticket = TransferTicket()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.submit(TransferOrder(ticket: ticket, request: request, continuation: continuation))
            }
        } onCancel: {
            loop.cancel(ticket)
        }
        return try result.get()
    }
}

extension HTTPRequest {
    /// A line feed in a value would begin another header or another request.
    fileprivate func checkHeaders() throws(HTTPError) {
        func isClean(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
        // A value may hold tabs (RFC 9110, section 5.5).
        for header in headers where !isClean(header.name) || !isClean(header.value.replacing("\t", with: "")) {
            throw .unsendableHeader(name: isClean(header.name) ? header.name : "given")
        }
        if let authorization, !isClean(authorization.value) { throw .unsendableHeader(name: "Authorization") }
    }
}
