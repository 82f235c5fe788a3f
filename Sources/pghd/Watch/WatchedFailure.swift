import Delivery

/// What stopped a watched run and says nothing about the server that other exports go to.
struct WatchedFailure: Error {
    /// What it concerns.
    ///
    /// Its number is added to the run's exit code, for the watch to see: none of our codes is such a sum.
    enum Matter: Int32, CaseIterable {
        /// The run's export alone: others may be sent.
        case export = 80
        /// The patient's ledger: it is busy, damaged or lost, or can't be written.
        case ledger = 100
    }

    let error: any Error
    let matter: Matter

    /// What a failure concerns.
    ///
    /// - Parameters:
    ///   - error: why the run ended.
    ///   - wasServed: whether the server has given a useful answer before.
    /// - Returns: `nil` for what no export could get past.
    static func matter(of error: any Error, wasServed: Bool) -> Matter? {
        switch error {
        case DeliveryError.ledgerBusy, DeliveryError.ledgerDamaged, DeliveryError.ledgerLost,
            DeliveryError.ledgerUnwritable, DeliveryError.ledgerExposed, DeliveryError.ledgerMoved:
            .ledger
        // What became of some entries is uncertain.
        case ExitStatus.unreachable: .export
        case DeliveryError.forbidden, DeliveryError.unreadableServer, DeliveryError.patientUnreadable: .export
        case DeliveryError.unreachable(.status(_, let status, _), _):
            wasServed && ![429, 502, 503, 504].contains(status) ? .export : nil
        case DeliveryError.unreachable(.unfinished(_, let status, _), _): wasServed && status != 504 ? .export : nil
        case DeliveryError.unreachable(.noOutcome, _): wasServed ? .export : nil
        default: nil
        }
    }
}
