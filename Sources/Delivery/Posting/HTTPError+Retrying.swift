internal import HTTPTransport

/// Whether trying again helps.
extension HTTPError {
    /// Whether the answer is larger than allowed, and so will be again.
    var isTooLarge: Bool { if case .responseTooLarge = self { true } else { false } }

    /// Whether the fault is in what was asked for, so that no later try helps.
    ///
    /// - Parameter isReached: whether the server has answered before: its certificate was good then, and may be again.
    /// - Returns: whether it is.
    func isLasting(isReached: Bool) -> Bool {
        switch self {
        case .unusableCAFile, .noAuthorities, .unsendableHeader: true
        case .untrustedCertificate, .certificateForAnotherHost, .certificateOutOfDate, .clientCertificateWanted:
            !isReached
        case .proxy(_, let fault): fault.isLasting && !isReached
        default: false
        }
    }
}

extension ProxyFault {
    /// Whether the proxy will refuse again: each further try with a wrong password may lock the account.
    fileprivate var isLasting: Bool {
        switch self {
        case .status(let status): status == 403 || status == 407
        case .untrustedCertificate, .certificateForAnotherHost, .certificateOutOfDate, .clientCertificateWanted: true
        case .noConnection, .unusable, .noTLS: false
        }
    }
}
