import Delivery
import ExportPipeline
import Glibc

/// When a command began: its run includes a sign-in, and what a server is asked before the first Bundle.
struct RunStart {
    private let instant = ContinuousClock.now
    /// By the system's clock, in seconds since 1970.
    private let started = Int64(time(nil))

    private var seconds: Double { (ContinuousClock.now - instant) / .seconds(1) }

    /// Notes that a delivery began here and ends now.
    func note(in report: inout DeliveryReport?) {
        report?.started = started
        report?.seconds = seconds
    }

    /// The report of what was read, for a run that began here and ends now.
    func whole(_ read: RunReport) -> RunReport {
        var report = read
        report.started = started
        report.seconds = seconds
        return report
    }
}
