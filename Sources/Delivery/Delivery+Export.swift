internal import FHIRR4
internal import Glibc
internal import HTTPTransport
internal import OpenSSLCrypto
internal import Synchronization
internal import TransactionBundling

extension Delivery {
    /// Tells when the export was made; before the first Bundle.
    ///
    /// Of one that is older than the last delivered only what the server never had is sent.
    ///
    /// - Throws: ``DeliveryError`` where the ledger can't be read.
    public func note(exportDate: Int64) throws {
        let last = try ledger.latestExportDate(besides: exportDate)
        selection.withLock { $0.isOutdated = last.map { exportDate < $0 } ?? false }
        begunDate.withLock { $0 = last.map { exportDate > $0 } ?? true ? exportDate : nil }
    }

    /// Keeps in mind that the server may have versions of this export, whatever becomes of the run: one that is filtered,
    /// damaged or cut off delivers newer ones too.
    func noteBegun() throws {
        let date = begunDate.withLock { date in
            defer { date = nil }
            return date
        }
        guard let date else { return }
        var former: [String: String?] = [:]
        for name in [Ledger.ExportDateName.begun.rawValue, Ledger.ExportDateName.begun.noted] {
            former[name] = .some(try ledger.property(name))
        }
        formerDate.withLock { $0 = former }
        try ledger.noteExport(.begun, at: date)
    }

    /// Takes that back where the server has seen nothing of the export.
    func forgetBegun() throws(DeliveryError) {
        let former = formerDate.withLock { $0 }
        let report = state.report
        guard !former.isEmpty, report.delivered + report.refused + report.uncertain == 0 else { return }
        try ledger.setProperties(former)
    }

    /// Tells whose export it is; before the first Bundle.
    ///
    /// Each is compared with the exports before that told it, of which the ledger keeps keyed hashes, else with the
    /// server's Patient, where there is one. Blocks.
    ///
    /// - Parameters:
    ///   - birthDate: such as `1980-02-29`.
    ///   - gender: FHIR's administrative gender, such as `female`.
    /// - Throws: ``DeliveryError/otherPerson(patientID:)``, ``DeliveryError/otherPatient(patientID:)``.
    public func noteOwner(birthDate: String?, gender: String?) throws {
        guard birthDate != nil || gender != nil else { return }
        let digests = OwnerDigests(key: options.identityKey, salt: try ownerSalt())
        let given = [(OwnerDigests.birthDateName, birthDate), (OwnerDigests.genderName, gender)]
        var news: [String: String?] = [:]
        for case (let name, let value?) in given {
            let digest = digests.digest(value, name: name)
            let known = try ledger.property(name)
            if known == digest { continue }
            guard known == nil || options.confirmsPatient else {
                throw DeliveryError.otherPerson(patientID: options.patientID)
            }
            news[name] = digest
        }
        // What the server's Patient could not be compared with is compared as soon as it can.
        let isUncompared = try ledger.property(OwnerDigests.uncomparedName) != nil
        guard !news.isEmpty || isUncompared else { return }
        // What a ledger was told before it kept one digest for each.
        if let former = try ledger.property(OwnerDigests.formerName), !options.confirmsPatient {
            guard digests.isFormer(former, birthDate: birthDate, gender: gender) else {
                throw DeliveryError.otherPerson(patientID: options.patientID)
            }
        } else if !options.confirmsPatient {
            let isCompared = try compareWithPatient(
                birthDate: isUncompared || news[OwnerDigests.birthDateName] != nil ? birthDate : nil,
                gender: isUncompared || news[OwnerDigests.genderName] != nil ? gender : nil
            )
            // What an earlier export told and this one does not is still to be compared.
            let isWhole = try given.allSatisfy { name, value in try value != nil || ledger.property(name) == nil }
            news[OwnerDigests.uncomparedName] = .some(isCompared && (isWhole || !isUncompared) ? nil : "1")
        } else {
            news[OwnerDigests.uncomparedName] = .some(nil)
        }
        news[OwnerDigests.formerName] = .some(nil)
        try ledger.setProperties(news)
    }

    /// Tells that only a part of the export is handed in, by type or time; before the first Bundle.
    ///
    /// Of a sample whose later version is not in it, an earlier one does not take its place.
    public func notePart() { selection.withLock { $0.isPart = true } }

    /// Tells of kinds that the export holds beside those of the Bundles: samples that panels stand for.
    public func note(kinds: Set<UInt64>) { selection.withLock { $0.note(kinds) } }

    private func ownerSalt() throws -> String {
        if let salt = try ledger.property("salt"), !salt.isEmpty { return salt }
        let salt = try SecureRandom.bytes(32).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
        try ledger.setProperties(["salt": salt])
        return salt
    }

    /// - Returns: whether the server let its Patient be read, or has none.
    private func compareWithPatient(birthDate: String?, gender: String?) throws -> Bool {
        let patient: ReadResource
        switch try blocking({ [self] in try await ResourceReader(self).patient() }) {
        case .present(let found): patient = found
        case .absent:
            lacksPatient.withLock { $0 = true }
            return true
        case .untold: return false
        }
        // A server may know the year alone, or the month: `1980`, `1980-02`.
        let isOtherDate = birthDate.flatMap { ours in patient.text("birthDate").map { !ours.hasPrefix($0) } } ?? false
        // One whose sex is not known contradicts nobody.
        let isOtherGender =
            gender.flatMap { ours in patient.text("gender").map { $0 != "unknown" && ours != $0 } } ?? false
        if isOtherDate || isOtherGender { throw DeliveryError.otherPatient(patientID: options.patientID) }
        return true
    }
}

// MARK: - What the export no longer holds

extension Delivery {
    /// Keeps the export's date in mind, computes deletions, and carries them out where that was asked for.
    func end(_ ending: ExportEnding) throws {
        let exportDate = ending.exportDate
        let delivered = try ledger.exportDate(.delivered, besides: exportDate)
        // Whatever becomes of deletions, an older export is one from now on: what this one holds was sent.
        if delivered.map({ exportDate > $0 }) ?? true { try ledger.noteExport(.delivered, at: exportDate) }
        // What an older one lacks may have come with a later one.
        let last = try ledger.latestExportDate(besides: exportDate)
        if ending.holdsAll, last.map({ exportDate >= $0 }) ?? true {
            let (bundles, kinds) = selection.withLock { ($0.bundles, $0.kinds) }
            // Every known Bundle was met whole: then nothing is missing, and no member need be looked at.
            let isLoose = try ledger.property(Ledger.looseName) != nil
            let unseen = try isLoose || bundles.hasUnseen ? ledger.members(at: { !bundles.isSeen($0) }) : []
            let missing = selection.withLock { selection in unseen.filter { !selection.isInExport($0.id) } }
            if isLoose, unseen.isEmpty, try ledger.countOutlived() == 0 {
                try ledger.setProperties([Ledger.looseName: nil])
            }
            state.count { $0.deletionsOffered = UInt64(missing.count) }
            // A type that is wholly absent was left out of the export, or of this run. `send` tells none of its members'.
            let known = missing.filter { kinds.contains($0.kind == 0 ? bundles.kind(of: $0.home) : $0.kind) }
            state.count { $0.deletionsKept = UInt64(missing.count - known.count) }
            if options.deletes {
                try checkDeletions(known.count)
                if !options.isDryRun { try delete(known) }
            }
        }
    }

    /// Takes what the server has for unknown where the export holds only a version that once lost against it.
    ///
    /// Whether the winner is in the export is known at its end alone; another run sends what is.
    func forgetStaleTwins() throws {
        let (twins, bundles) = selection.withLock { (Array($0.metAsTwins.keys), $0.bundles) }
        guard !twins.isEmpty else { return }
        let stale = zip(twins, try ledger.members(twins)).compactMap { id, known -> BundleMember? in
            guard let known, known.state == .live, !bundles.isSeen(known.home) else { return nil }
            return BundleMember(id: id, digest: nil, type: known.type, group: known.kind)
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

    /// Refuses more deletions at once than are allowed; a dry run ends as the run then would.
    private func checkDeletions(_ count: Int) throws {
        let live = try ledger.count(.live)
        let allowed = options.maximumDeletionCount ?? min(max(live / 100, 1), 1000)
        guard count <= allowed else { throw DeliveryError.tooManyDeletions(offered: count, allowed: allowed) }
    }

    private func delete(_ members: [Ledger.Member]) throws {
        let recent = try RecentCreations(ledger)
        for member in members {
            if let stop = state.stopReason { throw stop }
            // From here on nobody knows what the server has of it, until the answer is in the ledger.
            var asked = member.asMember
            if asked.group == 0 { asked.group = selection.withLock { $0.bundles.kind(of: member.home) } }
            try writer.writeAndWait([.forget([asked])])
            let outcome = try blocking { [self] in try await ResourceReader(self).markAsError(member) }
            // What a search does not find may have been stored just before the run.
            let mayLag = options.isConditional && recent.mayLag(now: Int64(time(nil)))
            guard outcome.isDone, outcome != .gone || !mayLag else {
                if outcome != .unclear { try writer.writeAndWait([.keep(member)]) }
                state.count { $0.deletionsRefused += 1 }
                continue
            }
            try writer.writeAndWait([.bury(member.id)])
            state.count { $0.deletionsDone += 1 }
        }
    }
}

// MARK: - The export's date

extension Ledger {
    /// What the date of an export is kept for.
    enum ExportDateName: String, CaseIterable {
        /// The latest that was delivered whole.
        case delivered = "exportDate"
        /// The latest of which anything was sent.
        case begun = "exportBegun"

        /// What a date that had not come yet counts as: when it was noted.
        var noted: String { self == .delivered ? "exportNoted" : "exportBegunNoted" }
    }
    /// Clocks differ, and an export tells its own device's.
    private static let maximumSecondsAhead: Int64 = 86_400

    /// When the latest export was made of which the server may have anything.
    func latestExportDate(besides exportDate: Int64? = nil) throws(DeliveryError) -> Int64? {
        let (delivered, begun) = (
            try self.exportDate(.delivered, besides: exportDate), try self.exportDate(.begun, besides: exportDate)
        )
        return [delivered, begun].compactMap(\.self).max()
    }

    /// When the latest export was made that was delivered, or begun, in seconds since 1970; `nil` for none.
    ///
    /// A date that has not come yet tells of a clock that was wrong, that export's or ours: it is compared with others of
    /// the kind alone, and counts as the time at which it was noted beside any other.
    ///
    /// - Parameters:
    ///   - name: which of the two.
    ///   - exportDate: of the export that it is compared with.
    /// - Returns: its date.
    /// - Throws: ``DeliveryError`` where the ledger can't be read.
    func exportDate(_ name: ExportDateName, besides exportDate: Int64? = nil) throws(DeliveryError) -> Int64? {
        let date = try property(name.rawValue).flatMap { Int64($0) }
        let noted = try property(name.noted).flatMap { Int64($0) }
        return Self.counted(date, noted: noted, besides: exportDate)
    }

    /// The same of what the properties say.
    static func counted(_ date: Int64?, noted: Int64?, besides exportDate: Int64? = nil) -> Int64? {
        let latest = Int64(time(nil)) + maximumSecondsAhead
        guard let date, date > latest, (exportDate ?? 0) <= latest else { return date }
        return noted.flatMap { $0 <= latest ? $0 : nil }
    }

    /// Keeps in mind that an export of this date was delivered, or begun.
    func noteExport(_ name: ExportDateName, at date: Int64) throws(DeliveryError) {
        let now = Int64(time(nil))
        let noted = date > now + Self.maximumSecondsAhead ? "\(now)" : nil
        try setProperties([name.rawValue: "\(date)", name.noted: noted])
    }
}
