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
        default: false
        }
    }
}
