extension Delivery {
    /// Fewer entries say more about the start of a run than about its pace.
    private static let minimumEntryCount: UInt64 = 100

    /// Keeps how many entries a second went out; a dry run says how long it would take at that pace.
    func notePace() throws(DeliveryError) {
        let delivered = state.report.delivered
        if options.isDryRun {
            let pace = try ledger.property(.pace).flatMap { UInt64($0) }
            state.count { report in
                report.expectedSeconds = pace.map { Self.seconds(for: delivered, atPace: $0) }
            }
        } else if delivered >= Self.minimumEntryCount {
            let seconds = max((ContinuousClock.now - start) / .seconds(1), 0.001)
            try ledger.setProperties([.pace: "\(max(UInt64(Double(delivered) / seconds), 1))"])
        }
    }

    /// How long that many entries take, rounded up; no entries take no time.
    static func seconds(for entryCount: UInt64, atPace pace: UInt64) -> UInt64 {
        let (whole, rest) = entryCount.quotientAndRemainder(dividingBy: max(pace, 1))
        return whole + (rest > 0 ? 1 : 0)
    }
}
