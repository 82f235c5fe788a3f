import Delivery
import ExportPipeline
import HTTPTransport

/// How a delivery ended: with its numbers, also where something stopped it.
struct DeliveryOutcome: Sendable {
    var report: DeliveryReport?
    /// What was read of an export.
    var read: RunReport?
    var error: (any Error)?

    /// Runs a delivery; blocks.
    ///
    /// - Parameter body: makes the delivery, hands it over before it begins, and runs it.
    init(_ body: (_ delivery: inout Delivery?) throws -> RunReport?) {
        var delivery: Delivery?
        do { read = try body(&delivery) } catch { self.error = error }
        report = delivery?.report
    }

    /// Whether it was stopped before the first Bundle and has done nothing, so that its numbers say nothing.
    var toldNothing: Bool {
        guard error != nil, let report else { return false }
        // What a killed run had left open is settled before the first Bundle.
        let settled = report.delivered + report.refused + report.uncertain
        // A dry run puts no ledger aside.
        let isAside = report.ledgerSetAside != nil && !report.isDryRun
        return report.bundles + settled == 0 && report.requests.isEmpty && report.deletionsOffered == nil && !isAside
    }

    /// The second of two runs, with the numbers of both.
    init(_ second: DeliveryOutcome, after first: DeliveryReport) {
        self = second
        report = second.report?.after(first) ?? first
    }
}

extension DeliveryReport {
    /// Says where it stands what was refused.
    ///
    /// - Throws: `ExitStatus.refused` where something was.
    func checkRefused(by server: HTTPURL) throws {
        guard refused > 0 else { return }
        let what = refused == 1 ? "1 entry was" : "\(refused) entries were"
        say("pghd: \(server): \(what) refused (expected none): see \(quarantine ?? "the quarantine") for its reasons")
        throw ExitStatus.refused
    }

    /// Says that some of what was read goes with another run only, where the input could not be read twice.
    ///
    /// - Parameters:
    ///   - server: where it is to go.
    ///   - what: what one of what was read is.
    /// - Throws: `ExitStatus.unreachable` where there is any.
    func checkLeft(at server: HTTPURL, of what: String) throws {
        guard leftForAnotherRun > 0 else { return }
        say(
            "pghd: \(server): has \(leftForAnotherRun) \(what)\(leftForAnotherRun == 1 ? "" : "s") in another version than "
                + "the input, which only its end shows (expected the input's): run the command again with the same input"
        )
        throw ExitStatus.unreachable
    }

    /// Says what to do about entries that may be there or not.
    ///
    /// - Throws: `ExitStatus.unreachable` where there is one.
    func checkUncertain(at server: HTTPURL) throws {
        guard uncertain > 0 else { return }
        say(
            "pghd: \(server): what became of some entries is not known (see 'uncertain'): run the command again; where "
                + "that can't tell either, 'pghd verify --rebuild' with the same options, or ask its operator"
        )
        throw ExitStatus.unreachable
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
