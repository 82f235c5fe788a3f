/// What takes a conversion's Bundles, as far as the conversion needs to know it.
package protocol BundleReceiver: AnyObject, Sendable {
    /// The patient whose Bundles it takes.
    var patientID: String { get }
    /// What its ids and digests are made with; `nil` if no conversion has configured its options.
    var fingerprint: Fingerprint? { get }

    /// Stops it; the first reason counts.
    func stop(_ reason: any Error)

    /// Stops it as soon as `isCancelled` says so, with ``DeliveryError/interrupted``.
    func stop(when isCancelled: @escaping @Sendable () -> Bool)
}

extension Delivery: BundleReceiver {
    package var patientID: String { options.patientID }

    package var fingerprint: Fingerprint? { options.fingerprint }

    package func stop(_ reason: any Error) { state.stop(reason) }

    package func stop(when isCancelled: @escaping @Sendable () -> Bool) { state.stop(when: isCancelled) }
}

extension Verification: BundleReceiver {
    package var patientID: String { options.patientID }

    package var fingerprint: Fingerprint? { options.fingerprint }

    package func stop(_ reason: any Error) { state.stop(reason) }

    package func stop(when isCancelled: @escaping @Sendable () -> Bool) { state.stop(when: isCancelled) }
}
