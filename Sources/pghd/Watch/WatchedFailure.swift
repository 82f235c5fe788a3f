import Delivery

/// What kept a watched run from its end, and tells nothing of the server that others go to.
struct WatchedFailure: Error {
    /// What it is a matter of; its number is added to the run's exit code, for the watch to see: no code of ours is the
    /// sum.
    enum Matter: Int32, CaseIterable {
        /// Of its export alone: others may go.
        case export = 80
        /// Of the patient's ledger: one that is busy, damaged or lost, or can't be written.
        case ledger = 100
    }

    let error: any Error
    let matter: Matter

    /// What a failure is a matter of.
    ///
    /// - Parameters:
    ///   - error: why the run ended.
    ///   - wasServed: whether the server has answered something of use before.
    /// - Returns: `nil` for what no export could get past.
    static func matter(of error: any Error, wasServed: Bool) -> Matter? {
        switch error {
        case DeliveryError.ledgerBusy, DeliveryError.ledgerDamaged, DeliveryError.ledgerLost,
            DeliveryError.ledgerUnwritable, DeliveryError.ledgerExposed, DeliveryError.ledgerMoved:
            .ledger
        // It is uncertain what became of some entries.
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
