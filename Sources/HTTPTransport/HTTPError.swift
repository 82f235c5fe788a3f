/// Why a request has no answer.
///
/// Each case names only the origin: paths and queries may contain a code, an id or a patient, and libcurl's own
/// messages may contain a proxy's password.
public enum HTTPError: Error, Sendable, Equatable {
    /// libcurl, which sends requests, can't be loaded; the reason is the system's.
    case noLibrary(reason: String)
    /// The host name has no address.
    case unresolvedHost(origin: String)
    /// Nothing listens at that address, or the network does not reach it.
    case noConnection(origin: String)
    /// The process has no file descriptor left for a connection.
    case noDescriptor(origin: String)
    /// The certificate was not issued by a known authority (by one in `caFile`, where one was given).
    case untrustedCertificate(origin: String, caFile: String? = nil)
    /// The certificate is for another host than this one.
    case certificateForAnotherHost(origin: String, host: String)
    /// The certificate, or its authority's, has expired or is not valid yet.
    case certificateOutOfDate(origin: String, hasExpired: Bool)
    /// The server requires a client certificate.
    case clientCertificateWanted(origin: String)
    /// The server and this client could not agree on TLS 1.2 or later.
    case noTLS(origin: String)
    /// The file of certificates can't be used.
    case unusableCAFile(path: String)
    /// The system has no file of certificates, and none was given.
    case noAuthorities(origin: String)
    /// The proxy named in the environment can't be used, or refuses.
    case proxy(origin: String, fault: ProxyFault)
    /// One of the request's time limits has passed.
    case timedOut(origin: String)
    /// The connection broke before the end of the answer.
    case connectionLost(origin: String)
    /// The answer is larger than the request allows.
    case responseTooLarge(origin: String, maximumByteCount: Int)
    /// What came is not HTTP.
    case malformedResponse(origin: String)
    /// A header to be sent contains a control character.
    case unsendableHeader(name: String)
    /// The task was cancelled.
    case cancelled
    /// Anything else; the code is libcurl's (<https://curl.se/libcurl/c/libcurl-errors.html>).
    case other(origin: String, curlCode: UInt32)
}

extension HTTPError {
    /// Whether the server cannot have received any of the request's body, on this connection or an earlier one.
    package var isBeforeSending: Bool {
        switch self {
        case .noLibrary, .unresolvedHost, .noConnection, .noDescriptor, .untrustedCertificate,
            .certificateForAnotherHost, .certificateOutOfDate, .clientCertificateWanted, .noTLS, .unusableCAFile,
            .noAuthorities, .proxy, .unsendableHeader:
            true
        case .timedOut, .connectionLost, .responseTooLarge, .malformedResponse, .cancelled, .other: false
        }
    }
}

extension HTTPError: CustomStringConvertible {
    /// Where the fault is, what is wrong, and what to do next.
    public var description: String {
        switch self {
        case .noLibrary(let reason): Libcurl.sentence(reason)
        case .unresolvedHost(let origin):
            "\(origin): the host has no address (expected a name that DNS knows): check its spelling and the network"
        case .noConnection(let origin):
            "\(origin): no connection (expected a server that listens there): check the address, the network and the proxy"
        case .noDescriptor(let origin):
            "\(origin): no file descriptor is left (expected one for each connection): raise 'ulimit -n', or lower "
                + "--concurrency"
        case .untrustedCertificate(let origin, let caFile):
            "\(origin): its certificate \(UntrustedCertificate.sentence(caFile: caFile))"
        case .certificateForAnotherHost(let origin, let host):
            "\(origin): its certificate is for another host (expected one for \(host)): ask its operator for the address that "
                + "the certificate names"
        case .certificateOutOfDate(let origin, hasExpired: true):
            "\(origin): its certificate has expired (expected one that is good now): ask its operator, and check this machine's "
                + "clock"
        case .certificateOutOfDate(let origin, hasExpired: false):
            "\(origin): its certificate is not good yet (expected one that is good now): check this machine's clock"
        case .clientCertificateWanted(let origin):
            "\(origin): the server wants a client certificate, which pghd can't give (expected a token to be enough): ask its "
                + "operator for an address without"
        case .noTLS(let origin):
            "\(origin): TLS failed (expected TLS 1.2 or later): check that the port speaks https, and wants no client "
                + "certificate, which pghd can't give"
        case .unusableCAFile(let path):
            "--ca-file: '\(path)' can't be used (expected certificates as PEM): check the path and its contents"
        case .noAuthorities(let origin):
            "\(origin): its certificate can't be checked, since this system has none of any authority (expected those of "
                + "the package ca-certificates): install it, or give your organisation's with --ca-file"
        case .proxy(let origin, let fault):
            "\(origin): \(fault.sentence)"
        case .timedOut(let origin):
            "\(origin): no answer in time: try again later"
        case .connectionLost(let origin):
            "\(origin): the connection broke (expected a whole answer): try again"
        case .responseTooLarge(let origin, let maximum):
            "\(origin): the answer is too large (expected at most \(maximum) bytes): check that the address is right"
        case .malformedResponse(let origin):
            "\(origin): the answer is not HTTP: check the address and the port"
        case .unsendableHeader(let name):
            "the header \(name) holds a control character (expected text): sign in again"
        case .cancelled:
            "cancelled"
        case .other(let origin, let code):
            "\(origin): the request failed (libcurl's code \(code)): try again"
        }
    }
}

extension HTTPError {
    /// What is wrong in a few words, for a line that says the rest: `nobody listens there`.
    package var reason: String {
        switch self {
        case .noLibrary: "libcurl can't be loaded"
        case .unresolvedHost: "the host has no address"
        case .noConnection: "nobody listens there"
        case .noDescriptor: "no file descriptor is left"
        case .untrustedCertificate: "its certificate can't be trusted"
        case .certificateForAnotherHost: "its certificate is for another host"
        case .certificateOutOfDate(_, hasExpired: true): "its certificate has expired"
        case .certificateOutOfDate(_, hasExpired: false): "its certificate is not good yet"
        case .clientCertificateWanted: "it wants a client certificate"
        case .noTLS: "TLS failed"
        case .unusableCAFile: "the certificates can't be used"
        case .noAuthorities: "this system has no certificates of authorities"
        case .proxy(_, let fault): fault.reason
        case .timedOut: "no answer in time"
        case .connectionLost: "the connection broke"
        case .responseTooLarge: "the answer is too large"
        case .malformedResponse: "the answer is not HTTP"
        case .unsendableHeader: "a header can't be sent"
        case .cancelled: "cancelled"
        case .other(_, let code): "libcurl's code \(code)"
        }
    }
}
