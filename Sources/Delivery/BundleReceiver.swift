/// What takes a conversion's Bundles, as far as the conversion has to know it.
package protocol BundleReceiver: AnyObject, Sendable {
    /// Whose Bundles it takes.
    var patientID: String { get }

    /// Stops it; the first reason counts.
    func stop(_ reason: any Error)
}

extension Delivery: BundleReceiver {
    package var patientID: String { options.patientID }

    package func stop(_ reason: any Error) { state.stop(reason) }
}

extension Verification: BundleReceiver {
    package var patientID: String { options.patientID }

    package func stop(_ reason: any Error) { state.stop(reason) }
}
