public import Delivery

extension DeliveryReport {
    /// The report's keys and values, in the order in which `--report` writes them.
    var members: [(String, ReportJSON)] {
        [
            ("dryRun", .bool(isDryRun)),
            ("expectedSeconds", expectedSeconds.map { .count($0) } ?? .null),
            ("delivered", .count(delivered)),
            ("replaced", .count(replaced)),
            ("alreadyThere", .count(alreadyThere)),
            ("outdated", .count(outdated)),
            ("refused", .count(refused)),
            ("quarantine", quarantine.map { .string($0) } ?? .null),
            ("retried", .count(retried)),
            ("uncertain", .count(uncertain)),
            ("deletionsOffered", deletionsOffered.map { .count($0) } ?? .null),
            ("deletionsDone", .count(deletionsDone)),
            ("deletionsRefused", .count(deletionsRefused)),
            ("deletionsKept", .count(deletionsKept)),
            ("bundlesDelivered", .count(bundlesDelivered)),
            ("requests", .counts(requests)),
            ("bytesSent", .count(bytesSent)),
            ("latencySeconds", latency.json),
            ("serverLatencySeconds", serverLatency.json),
            ("ownerComparedWith", ownerComparison.map { .string($0.rawValue) } ?? .null),
            ("ledgerSetAside", ledgerSetAside.map { .string($0) } ?? .null),
        ]
    }

    /// The report as JSON, with keys in a fixed order, indented by two spaces.
    public var json: String { json(of: nil) }

    /// The same, beginning with the patient's id and the export's file name if `export` gives them.
    package func json(of export: (patientID: String, file: String)?) -> String {
        let run =
            [("bundles", ReportJSON.count(bundles))]
            + ReportJSON.run(seconds: seconds, peakMemoryBytes: ProcessMemory.peakByteCount, started: started)
        return ReportJSON.object(ReportJSON.names(export) + run + members).text + "\n"
    }

    /// The delivery in a few lines for people, ending with a line feed.
    ///
    /// - Parameters:
    ///   - input: what was sent.
    ///   - server: where it was sent.
    ///   - read: what the conversion read; adds a line on samples that count as one although their content differs.
    ///   - style: which characters may be used to draw.
    /// - Returns: a line that names both, then one for each number.
    package func summary(
        input: String,
        server: String,
        read: RunReport? = nil,
        style: TextStyle = .unicode
    ) -> String {
        var table = SummaryTable()
        addResources(to: &table)
        if let read, read.conflictingDuplicates > 0 { table.add("duplicates", read.conflictLine) }
        if isDryRun {
            if delivered > 0 { table.add("time", expectation) }
            if ledgerSetAside != nil { table.add("ledger", "damaged: a run would put it aside and begin a new one") }
        } else {
            addRequests(to: &table)
        }
        let dryRun = isDryRun ? " (dry run: nothing was sent)" : ""
        return table.text(input.printable, "\(server)\(dryRun)", style)
    }

    /// What happened to each resource.
    private func addResources(to table: inout SummaryTable) {
        let resources = ReportText.counted(delivered, "resource")
        let changed = replaced > 0 ? ", \(ReportText.grouped(replaced)) of them in place of another version" : ""
        if isDryRun {
            let bundles = "\(ReportText.counted(bundlesDelivered, "Bundle")), \(ReportText.counted(bytesSent, "byte"))"
            table.add("to send", "\(resources) in \(bundles)\(changed)")
        } else {
            table.add("delivered", resources + changed)
        }
        table.add("there", "\(ReportText.grouped(alreadyThere)) on the server already")
        if outdated > 0 {
            let older = ReportText.grouped(outdated)
            table.add("older", "\(older) left as they are: a later export, or somebody there, has changed them")
        }
        if refused > 0 {
            table.add("refused", "\(ReportText.grouped(refused)): \(quarantine ?? "the quarantine") says why")
        }
        if uncertain > 0 { table.add("uncertain", "\(ReportText.grouped(uncertain)): run the command again") }
        if ownerComparison == .nothing {
            table.add("owner", "compared with nothing: the server shows no birth date or sex to compare with")
        }
        guard let deletionsOffered, deletionsOffered > 0 else { return }
        let refusal = deletionsRefused > 0 ? ", \(ReportText.grouped(deletionsRefused)) refused" : ""
        let of = "\(ReportText.grouped(deletionsDone)) of \(ReportText.grouped(deletionsOffered))"
        table.add(
            "deletions",
            isDryRun
                ? "\(ReportText.grouped(deletionsOffered)) that the export no longer holds"
                : "\(of) that the export no longer holds\(refusal)"
        )
    }

    /// How many requests there were, and how fast.
    private func addRequests(to table: inout SummaryTable) {
        let requestCount = requests.values.reduce(0, +)
        let answers = requests.sorted { $0.key < $1.key }.map { "\($0.key): \(ReportText.grouped($0.value))" }
        let details = " (\(answers.joined(separator: ", "))), \(ReportText.grouped(retried)) repeated"
        table.add("requests", ReportText.grouped(requestCount) + (requestCount > 0 ? details : ""))
        table.add("sent", ReportText.counted(bytesSent, "byte"))
        if let median = serverLatency.quantile(0.5), let most = serverLatency.quantile(0.99) {
            let answers = "\(Self.milliseconds(median)) median, \(Self.milliseconds(most)) 99th percentile"
            let whole = [latency.quantile(0.5), latency.quantile(0.99)].compactMap(\.self).map(Self.milliseconds)
            table.add("answers", whole.isEmpty ? answers : "\(answers); with repeats \(whole.joined(separator: ", "))")
        }
        let rate = seconds > 0 ? UInt64((Double(delivered) / seconds).rounded()) : 0
        let pace = rate > 0 ? ", \(ReportText.counted(rate, "resource")) a second" : ""
        table.add("took", ReportText.seconds(seconds) + pace)
        if let ledgerSetAside {
            table.add("ledger", "damaged, put aside as \(ledgerSetAside); a new one was begun")
        }
    }

    private var expectation: String {
        guard let expectedSeconds else { return "not known: no run has sent 100 entries yet" }
        let words = expectedSeconds < 90 ? "\(max(expectedSeconds, 1)) s" : "\((expectedSeconds + 30) / 60) min"
        return "about \(words) at the pace of the last run"
    }

    private static func milliseconds(_ seconds: Double) -> String {
        let tenths = UInt64((seconds * 10_000).rounded())
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) ms" : "\(ReportText.grouped(tenths / 10)) ms"
    }
}

extension LatencyHistogram {
    fileprivate var json: ReportJSON {
        func value(_ share: Double) -> ReportJSON { quantile(share).map { .seconds($0) } ?? .null }
        return .object([
            ("median", value(0.5)), ("p95", value(0.95)), ("p99", value(0.99)), ("maximum", value(1)),
        ])
    }
}

extension RunReport {
    /// The report of a run that delivered, as JSON.
    ///
    /// - Parameters:
    ///   - delivery: what was delivered.
    ///   - export: the patient's id and the export's file name; `nil` leaves them out.
    /// - Returns: an object, followed by a line feed.
    package func json(
        with delivery: DeliveryReport,
        of export: (patientID: String, file: String)? = nil
    ) -> String {
        var report = self
        // Reading begins after the first questions to the server, and ends before its last answer.
        report.started = delivery.started
        report.seconds = max(seconds, delivery.seconds)
        return ReportJSON.object(ReportJSON.names(export) + report.members + delivery.members).text + "\n"
    }
}

extension ReportJSON {
    static func names(_ export: (patientID: String, file: String)?) -> [(String, ReportJSON)] {
        export.map { [("patient", .string($0.patientID)), ("file", .string($0.file))] } ?? []
    }
}
