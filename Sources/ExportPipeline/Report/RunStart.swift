package import Delivery
internal import Glibc

/// When a run began: a command's includes a sign-in, and what a server is asked before the first Bundle.
package struct RunStart: Sendable {
    private let instant = ContinuousClock.now
    /// By the system's clock, in seconds since 1970.
    let time = Int64(Glibc.time(nil))

    /// Now.
    package init() {}

    /// How long ago that was.
    var seconds: Double { (ContinuousClock.now - instant) / .seconds(1) }

    /// Notes that a delivery began here and ends now.
    package func note(in report: inout DeliveryReport?) {
        report?.started = time
        report?.seconds = seconds
    }

    /// The report of what was read, for a run that began here and ends now.
    package func whole(_ read: RunReport) -> RunReport {
        var report = read
        report.started = time
        report.seconds = seconds
        return report
    }
}
