import Delivery
import ExportPipeline

/// How a delivery ended: with its numbers, also where something stopped it.
struct DeliveryOutcome: Sendable {
    var report: DeliveryReport?
    var conversion: RunReport?
    var error: (any Error)?

    /// Makes a delivery and runs it; blocks.
    init(_ make: () throws -> (Delivery, () throws -> RunReport?)) {
        var delivery: Delivery?
        do {
            let (made, run) = try make()
            delivery = made
            conversion = try run()
        } catch {
            self.error = error
        }
        report = delivery?.report
    }

    /// The second of two runs, with the numbers of both.
    init(_ second: DeliveryOutcome, after first: DeliveryReport) {
        self = second
        report = second.report?.after(first)
    }
}
