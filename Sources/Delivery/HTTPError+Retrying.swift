internal import HTTPTransport

/// What trying again is worth.
extension HTTPError {
    /// Whether the answer is larger than it may be, and so again the next time.
    var isTooLarge: Bool { if case .responseTooLarge = self { true } else { false } }

    /// Whether it tells of what was asked for, which no later try mends.
    ///
    /// - Parameter isReached: whether the server has answered before: its certificate was good then, and may be again.
    /// - Returns: whether it does.
    func isLasting(isReached: Bool) -> Bool {
        switch self {
        case .unusableCAFile, .noAuthorities, .unsendableHeader: true
        case .untrustedCertificate, .certificateOutOfDate, .clientCertificateWanted: !isReached
        default: false
        }
    }
}
