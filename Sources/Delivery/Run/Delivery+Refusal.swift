internal import HTTPTransport
internal import Synchronization
internal import TransactionBundling

/// What happens to entries that the server does not take.
extension Delivery {
    /// Halves what the server refuses as a whole, down to what can't be separated.
    func divide(_ part: Part, _ refusal: Poster.Refusal, isTooLarge: Bool = false) {
        var part = part
        if refusal.mayBeThere { part.mayBeThere = true }
        let halves = isTooLarge || !options.isKeyOnly ? part.halves() : nil
        let drop = LedgerChange.drop(key: part.bundle.key)
        if let halves {
            // A stop is not a refusal: the next run continues.
            guard state.stopReason == nil else {
                return part.isDoubtful || part.mayBeThere ? leaveOpen(part) : settle(part.submission, [drop])
            }
            if !isTooLarge, [400, 422].contains(refusal.status) { notes.withLock { $0.dividedCount += 1 } }
            let takenCount = refusal.isFault ? state.takenCount : nil
            let parts = halves.flatMap(cut).map { part in
                var part = part
                part.takenCount = takenCount
                // Some servers refuse for good with 409, as Blaze does if the Patient is missing: only the smallest
                // wait as long again.
                if refusal.status == 409, part.halves() != nil { part.conflicts = Poster.maximumConflictCount }
                return part
            }
            intend(parts, with: [drop])
            end(part)
            return
        }
        let entries = part.bundle.entries.filter { !part.bundle.carries($0) }
        // A Patient was to be created only where there is none, and there is one.
        if entries.allSatisfy({ $0.isThere(TransactionResponse.Entry(status: refusal.status)) }) {
            part.submission.addLive(part.bundle.ownMembers.count)
            state.count { $0.delivered += UInt64(entries.count) }
            let live = part.bundle.ownMembers
            let home = part.submission.home
            let change = LedgerChange.settle(key: part.bundle.key, home: home, live: live)
            return settle(part.submission, [change])
        }
        // Companions are not refused: the server keeps what it has of them.
        let refused = entries.filter { entry in entry.member.map { !part.companions.contains($0.id) } ?? true }
        quarantine(
            refused.map { Quarantine.Entry(member: $0.member, status: refusal.status, issues: refusal.issues) },
            part
        )
        let isDoubtful = part.mayBeThere && refusal.isFault
        let change = LedgerChange.settle(
            key: part.bundle.key,
            home: part.submission.home,
            live: [],
            refused: isDoubtful ? [] : part.wanted,
            doubtful: isDoubtful ? part.wanted : []
        )
        settle(part.submission, [change])
    }

    /// Says once why entries that belong together can't be sent: the quarantine holds only codes.
    func noteIndivisible(_ count: Int) {
        guard notes.withLock({ $0.noteFirst(\.isTooSmallTold) }) else { return }
        options.noteDoubt(
            "takes fewer entries in one transaction than the \(count) that belong together (expected as many, since a workout or "
                + "a panel goes with its parts or not at all): such are refused; ask its operator to allow more"
        )
    }

    /// Says that the server refused Bundles and then took all that was in them: a transaction has a reason to fail that
    /// stays.
    func noteTakenInParts() {
        let count = notes.withLock(\.dividedCount)
        guard count > 0, state.report.refused == 0 else { return }
        options.noteDoubt(
            "refused \(count) Bundle\(count == 1 ? "" : "s") and then took all that was in \(count == 1 ? "it" : "them") in parts "
                + "(expected all of a transaction or nothing of it): it may have a limit that it does not name "
                + "(--max-entries, --max-bytes)"
        )
    }

    /// Writes refused entries into the quarantine; if the server refuses too much, the run stops.
    func quarantine(_ entries: [Quarantine.Entry], _ part: Part) {
        // Servers that need no version say so too, HAPI among them: there is no doubt until something was refused.
        if options.capabilities.wantsVersions == true, notes.withLock({ $0.noteFirst(\.isVersionDoubted) }) {
            options.noteDoubt(Self.updatesWithoutVersion)
        }
        do throws(DeliveryError) {
            try quarantine.write(entries, key: part.bundle.key)
        } catch {
            state.stop(error)
        }
        state.count { $0.refused += UInt64(entries.count) }
        // What was also refused in an earlier run must not keep the rest from being sent.
        let newCount = selection.withLock { selection in
            entries.count { entry in entry.member.map { !selection.refusedBefore.contains($0.id) } ?? true }
        }
        guard newCount > 0 else { return }
        let (refusedCount, refusalCount) = notes.withLock { notes in
            notes.refusedCount += newCount
            // A server that refuses Bundles as a whole may mean one entry in each.
            notes.refusalCount += options.isKeyOnly ? 1 : newCount
            return (notes.refusedCount, notes.refusalCount)
        }
        let report = state.report
        let taken = Int(report.delivered + report.alreadyThere)
        let takenAnswers = options.isKeyOnly ? Int(report.bundlesDelivered) : taken
        let all = takenAnswers + refusalCount
        let isShare = refusalCount >= Self.minimumRefusalCount && refusalCount * Self.refusalShare > all
        if isShare || refusalCount >= Self.maximumRefusalCount {
            state.stop(reason(refused: refusedCount, of: taken + refusedCount, entries))
        }
    }

    /// Why so much was refused, as far as that is known: if a server takes nothing at all, the reason is not in the
    /// entries.
    private func reason(refused: Int, of all: Int, _ entries: [Quarantine.Entry]) -> DeliveryError {
        let server = options.server.description
        if refused == all, !options.isConditional, entries.allSatisfy({ $0.status == 405 }) {
            return .idsRefused(server: server)
        }
        // An integration server may have nothing to read.
        if refused == all, !options.isKeyOnly, entries.allSatisfy({ $0.status != 413 }) {
            let hasPatient = notes.withLock { notes in
                notes.wantsPatient = notes.hasPatient == nil
                return notes.hasPatient
            }
            if hasPatient == false { return .patientMissing(server: server, patientID: options.patientID) }
        }
        // A server that does not say so may also let nobody choose ids, and answer with any status.
        let mayChooseIDs = refused == all && !options.isConditional && !options.isKeyOnly
        return .tooManyRefusals(
            refused: refused,
            of: all,
            quarantine: quarantine.folder,
            mayChooseIDs: mayChooseIDs && options.capabilities.createsByUpdate != true
        )
    }

    /// What a run ends with, and perhaps a better reason.
    ///
    /// If everything was refused and the run has not asked for the Patient, as `send` has not, it asks now.
    ///
    /// - Parameter stop: what stopped the run.
    /// - Returns: the same, or that the Patient is missing.
    func explained(_ stop: (any Error)?) -> (any Error)? {
        guard case .tooManyRefusals? = stop as? DeliveryError, notes.withLock(\.wantsPatient) else { return stop }
        var options = options
        options.retryBudget = .zero
        // A run that was cancelled asks nothing more.
        let state = RunState(concurrency: 1, isCancelled: options.isCancelled)
        let asking = Poster(options: options, client: poster.client, authorizer: poster.authorizer, state: state)
        let patient = try? blocking { [options] in try await ResourceReader(options, asking).patient() }
        guard case .absent? = patient else { return stop }
        return DeliveryError.patientMissing(server: options.server.description, patientID: options.patientID)
    }

    private static let updatesWithoutVersion =
        "may take an update only with the version that it replaces ('versioned-update' in its CapabilityStatement), which no "
        + "Bundle of pghd names: where what changes in an export is refused there, ask its operator for 'versioned'"

    /// How many new refusals stop a run, and how many do so if they are more than one in `refusalShare`.
    private static let maximumRefusalCount = 100
    private static let minimumRefusalCount = 10
    private static let refusalShare = 20
}
