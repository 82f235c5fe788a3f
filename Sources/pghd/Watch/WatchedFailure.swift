import Delivery

/// What kept a watched run from its end, and is a matter of its export alone: others may go.
struct WatchedFailure: Error {
    /// What is added to the run's exit code, for the watch to see; no code of ours is as great.
    static let codeOffset: Int32 = 80

    let error: any Error

    /// Whether a failure tells nothing of other exports.
    ///
    /// - Parameters:
    ///   - error: why the run ended.
    ///   - wasServed: whether the server has answered something of use before.
    /// - Returns: `false` for what no export could get past.
    static func isOfExport(_ error: any Error, wasServed: Bool) -> Bool {
        switch error {
        // It is uncertain what became of some entries.
        case ExitStatus.unreachable: true
        case DeliveryError.forbidden, DeliveryError.unreadableServer, DeliveryError.patientUnreadable,
            DeliveryError.ledgerBusy,
            DeliveryError.ledgerDamaged, DeliveryError.ledgerLost:
            true
        case DeliveryError.unreachable(.status(_, let status, _), _):
            wasServed && ![429, 502, 503, 504].contains(status)
        case DeliveryError.unreachable(.unfinished(_, let status, _), _): wasServed && status != 504
        case DeliveryError.unreachable(.noOutcome, _): wasServed
        default: false
        }
    }
}
