internal import FHIRR4
internal import Glibc
internal import HTTPTransport
internal import Synchronization
internal import TransactionBundling

extension Delivery {
    /// Says when the export was made; to be called before the first Bundle.
    ///
    /// If a later export was delivered before, only what the server never had is sent.
    ///
    /// - Parameter exportDate: seconds since 1970, UTC, such as 1719817200.
    /// - Throws: ``DeliveryError`` where the ledger can't be read.
    package func note(exportDate: Int64) throws {
        try state.checkUnfinished()
        notes.withLock { $0.exportDate = exportDate }
        try judgeExportDate()
    }

    /// Judges whether an export of which the server may have anything was made after this one.
    func judgeExportDate() throws(DeliveryError) {
        guard let exportDate = notes.withLock(\.exportDate) else { return }
        let last = try ledger.latestExportDate(besides: exportDate, now: state.now)
        selection.withLock { $0.isOutdated = last.map { exportDate < $0 } ?? false }
        notes.withLock { $0.begunDate = last.map { exportDate > $0 } ?? true ? exportDate : nil }
    }

    /// Notes that the server may have versions of this export, whatever becomes of the run: an export that is filtered,
    /// damaged or cut off also delivers newer versions.
    func noteBegun() throws {
        let date = notes.withLock { notes in
            defer { notes.begunDate = nil }
            return notes.begunDate
        }
        guard let date else { return }
        var former: [LedgerProperty: String?] = [:]
        for name in [LedgerProperty.exportBegun, .exportBegunNoted] {
            former[name] = .some(try ledger.property(name))
        }
        notes.withLock { [former] in $0.formerDate = former }
        try ledger.noteExport(.begun, at: date, now: state.now)
    }

    /// Takes back that note, and whose export it is, if the server has seen nothing of it.
    func forgetBegun() throws(DeliveryError) {
        let (date, owner) = notes.withLock { ($0.formerDate, $0.formerOwner) }
        let report = state.report
        guard report.delivered + report.refused + report.uncertain == 0 else { return }
        if !date.isEmpty { try ledger.setProperties(date) }
        // Nothing of another person's export is to stay, not even that its options were different.
        switch state.stopReason as? DeliveryError {
        case .otherPerson, .otherExport:
            if let mapping = ledger.formerMapping.withLock({ $0 }) { try ledger.setProperties([.mapping: mapping]) }
        default: break
        }
        // Only after the first export, which may have been the wrong one: what a later one says about the same person
        // stays.
        if !owner.isEmpty, try !ledger.hasTaken(1) { try ledger.setProperties(owner) }
    }

    /// Says that only a part of the export, by type or time, is handed in; to be called before the first Bundle.
    ///
    /// If a sample's later version is not in the part, an earlier one does not replace it.
    package func notePart() { selection.withLock { $0.isPart = true } }

    /// Adds kinds that the export holds in addition to those of the Bundles: samples that panels stand for.
    ///
    /// - Parameter kinds: Apple's types as `EncodedResource.kind(of:)` numbers them.
    package func note(kinds: Set<UInt64>) { selection.withLock { $0.note(kinds) } }
}

// MARK: - What the export no longer holds

extension Delivery {
    /// Keeps the export's date, computes deletions, and carries them out if asked to.
    func conclude(_ ending: ExportEnding) throws {
        let exportDate = ending.exportDate
        let delivered = try ledger.exportDate(.delivered, besides: exportDate, now: state.now)
        // Whatever becomes of deletions, an older export counts as older from now on: what this one holds was sent.
        if delivered.map({ exportDate > $0 }) ?? true {
            try ledger.noteExport(.delivered, at: exportDate, now: state.now)
        }
        // What an older one lacks may have come with a later one.
        let last = try ledger.latestExportDate(besides: exportDate, now: state.now)
        if ending.holdsAll, last.map({ exportDate >= $0 }) ?? true {
            let bundles = selection.withLock(\.bundles)
            // If every known Bundle was met whole, nothing is missing and no member need be looked at.
            let isLoose = try ledger.property(.loose) != nil
            let unseen = try isLoose || bundles.hasUnseen ? ledger.members(at: { !bundles.isSeen($0) }) : []
            let missing = selection.withLock { selection in unseen.filter { !selection.isInExport($0.id) } }
            if isLoose, unseen.isEmpty, try ledger.countRefusedOverOlder() == 0 {
                try ledger.setProperties([.loose: nil])
            }
            state.count { $0.deletionsOffered = UInt64(missing.count) }
            noteStranger(missingCount: missing.count)
            // A type that is wholly absent was left out of the export, or of this run. `send` gives no types.
            let known = selection.withLock { selection in
                missing.filter { member in
                    let mayBeMissing = ending.mayLackFiles && selection.kind(of: member) == Self.inFiles
                    return selection.hasMetKind(of: member) && !mayBeMissing
                }
            }
            state.count { $0.deletionsKept = UInt64(missing.count - known.count) }
            if !options.isDryRun { try forgetRefused() }
            if options.deletes {
                try checkDeletions(known.count)
                if !options.isDryRun { try delete(known) }
            }
        }
    }

    /// The kind that lies in files of its own, which no element names.
    private static let inFiles = EncodedResource.kind(of: "HKElectrocardiogram")

    /// Marks as absent what was refused, was never stored, and is no longer in the export: nobody sends it again.
    private func forgetRefused() throws {
        let ids = quarantine.openIDs()
        let left = try ledger.members(ids).compactMap { known -> BundleMember? in
            guard let known, known.isRefusedAlone, selection.withLock({ $0.holdsNoMore(known) }) else { return nil }
            return known.asMember
        }
        if !left.isEmpty { try writer.writeAndWait([.miss(left)]) }
    }

    /// Says how much `--remap` left as another mapping wrote it: a part of an export, or an older one, never sends
    /// that.
    func noteLeftFormer() throws {
        guard options.remaps, selection.withLock({ $0.isPart || $0.isOutdated }), !options.isDryRun else { return }
        let count = try ledger.countFormer()
        guard count > 0 else { return }
        options.noteDoubt(
            "still as before --remap: \(count) of the resources; the next sync of a whole export, the latest, sends those that "
                + "it holds"
        )
    }

    /// Says that most of what was delivered before is not in this export: there may be no other sign of a wrong one.
    private func noteStranger(missingCount: Int) {
        let report = state.report
        let thereCount = report.alreadyThere + report.replaced
        guard missingCount >= Self.strangerCount, UInt64(missingCount) > thereCount else { return }
        options.noteDoubt(
            "\(missingCount) resources that were delivered before are not in this export, and \(thereCount) are: if it is "
                + "another person's, or another phone's, it should not have been sent for this patient"
        )
    }

    /// Fewer are an ordinary day's change.
    private static let strangerCount = 100

    /// Marks as unknown what the server has if the export holds only a version that once lost to it.
    ///
    /// Whether the winner is in the export is known only at its end; another run sends what is.
    func forgetStaleTwins() throws {
        let (twins, bundles) = selection.withLock { (Array($0.metAsTwins.keys), $0.bundles) }
        guard !twins.isEmpty else { return }
        let stale = zip(twins, try ledger.members(twins)).compactMap { id, known -> BundleMember? in
            guard let known, known.state == .live, !bundles.isSeen(known.home) else { return nil }
            return BundleMember(id: id, digest: nil, type: known.type, kind: known.kind)
        }
        guard !stale.isEmpty else { return }
        guard !options.isDryRun else {
            return state.count { report in
                report.delivered += UInt64(stale.count)
                report.alreadyThere -= min(UInt64(stale.count), report.alreadyThere)
            }
        }
        state.count { $0.leftForAnotherRun = UInt64(stale.count) }
        writer.write([.forget(stale)]) { [state] fault in if let fault { state.stop(fault) } }
        writer.flush()
    }

    /// Refuses more deletions at once than are allowed; a dry run ends as the real run would.
    private func checkDeletions(_ count: Int) throws {
        let allowed = try options.maximumDeletionCount ?? Self.maximumDeletionCount(ofLive: ledger.count(.live))
        guard count <= allowed else { throw DeliveryError.tooManyDeletions(offered: count, allowed: allowed) }
    }

    /// How many deletions a run may make if nobody set a limit: 1 % of what the server has, one at least and 1,000 at
    /// most.
    static func maximumDeletionCount(ofLive count: Int) -> Int { min(max(count / 100, 1), 1000) }

    private func delete(_ members: [Ledger.Member]) throws {
        let recent = try RecentCreations(ledger)
        for member in members {
            if let stop = state.stopReason { throw stop }
            // From here on nobody knows what the server has of it, until the answer is in the ledger.
            var asked = member.asMember
            asked.kind = selection.withLock { $0.kind(of: member) }
            try writer.writeAndWait([.forget([asked])])
            let outcome = try blocking { [self] in try await ResourceReader(self).markAsError(member) }
            // What a search does not find may have been stored just before the run.
            let mayLag = try options.isConditional && recent.mayLag(after: elapsed(since: recent.noted).lowerBound)
            if outcome == .foreign {
                // Offered again in each run, it would stand in the way of all others, which are few.
                try writer.writeAndWait([.miss([asked])])
                state.count { $0.deletionsKept += 1 }
                continue
            }
            guard outcome.isDone, outcome != .absent || !mayLag else {
                if outcome != .unclear { try writer.writeAndWait([.keep(member)]) }
                state.count { $0.deletionsRefused += 1 }
                continue
            }
            try writer.writeAndWait([.bury(member.id)])
            state.count { $0.deletionsDone += 1 }
        }
    }
}
