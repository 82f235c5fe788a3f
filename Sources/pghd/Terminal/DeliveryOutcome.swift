import Delivery
import ExportPipeline
import HTTPTransport

/// How a delivery ended, with its numbers even if something stopped it.
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

    /// Whether it was stopped before the first Bundle and had done nothing, so that its numbers say nothing.
    var toldNothing: Bool {
        guard error != nil, let report else { return false }
        // What a killed run left open is settled before the first Bundle.
        let settled = report.delivered + report.refused + report.uncertain
        // A dry run does not put a ledger aside.
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
    /// Says how many entries were refused, and where to find the reasons.
    ///
    /// - Throws: `ExitStatus.refused` where any was.
    func checkRefused(by server: HTTPURL) throws {
        guard refused > 0 else { return }
        let what = refused == 1 ? "1 entry was" : "\(refused) entries were"
        say("pghd: \(server): \(what) refused (expected none): see \(quarantine ?? "the quarantine") for its reasons")
        throw ExitStatus.refused
    }

    /// Says that some of what was read needs another run, where the input could not be read twice.
    ///
    /// - Parameters:
    ///   - server: where it is to be sent.
    ///   - what: the word for one of them, such as `resource`.
    /// - Throws: `ExitStatus.unreachable` where there is any.
    func checkLeft(at server: HTTPURL, of what: String) throws {
        guard leftForAnotherRun > 0 else { return }
        say(
            "pghd: \(server): has \(leftForAnotherRun) \(what)\(leftForAnotherRun == 1 ? "" : "s") in another version than "
                + "the input, which only its end shows (expected the input's): run the command again with the same input"
        )
        throw ExitStatus.unreachable
    }

    /// Says what to do about entries that may or may not be on the server.
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

/// Writes the results of a run, then judges it: a report that can't be written never hides how the run itself ended.
///
/// - Parameters:
///   - writing: writes report and summary.
///   - judging: says what is wrong with the run.
/// - Throws: what `judging` throws; where it throws nothing, what `writing` threw. If both fail, that of `writing` is
///   said.
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

/// Writes a report where it was asked for, and the summary unless it is not wanted.
///
/// - Parameters:
///   - json: the report.
///   - path: its file; `nil` for none.
///   - replace: whether an existing file may be replaced.
///   - talk: whether the report goes to standard output, and whether the summary is wanted.
///   - summary: makes the summary.
/// - Throws: what keeps the report from being written, once the summary was.
func writeReport(
    _ json: @autoclosure () -> String,
    to path: String?,
    replace: Bool,
    _ talk: TalkOptions,
    summary: () -> String
) throws {
    try write {
        guard let path else { return }
        try RunReport.write(json(), toFile: path, replace: replace, cancellation: Interruption.beginRun())
    } thenJudge: {
        if talk.json { try StandardOutput.write(json(), isReport: true) }
        if !talk.json, !talk.quiet { Terminal.write(summary()) }
    }
}
