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
        report = second.report?.after(first) ?? first
    }
}

/// Writes what a run came to, then judges it: what keeps the report from being written never hides how the run itself
/// ended.
///
/// - Parameters:
///   - writing: writes report and summary.
///   - judging: says what is wrong with the run.
/// - Throws: what `judging` throws; what `writing` threw where the run was in order, else that is said.
func write(_ writing: () throws -> Void, thenJudge judging: () throws -> Void) throws {
    var unwritten: (any Error)?
    do { try writing() } catch { unwritten = error }
    do {
        try judging()
    } catch {
        if let unwritten { _ = Program.report(unwritten) }
        throw error
    }
    if let unwritten { throw unwritten }
}
