internal import FHIRR4
internal import HTTPTransport
internal import OpenSSLCrypto
internal import Synchronization
internal import TransactionBundling

/// What becomes of a part once the server has answered for each of its entries.
extension Delivery {
    /// Keeps each entry's outcome, and sends again what is not settled.
    ///
    /// That is what the server was too busy for; and, as updates, what it has in another version.
    ///
    /// - Parameters:
    ///   - answers: one for each entry.
    ///   - part: what was posted.
    ///   - mayBeThere: whether an earlier try of ours may have stored all of it.
    func keep(_ answers: [TransactionResponse.Entry], of part: Part, mayBeThere: Bool) {
        let elapsed = ContinuousClock.now - part.began
        let open = OpenEntries(part, answers, elapsed: elapsed, options)
        let outcomes = EntryOutcomes(part, answers, except: open.all)
        noteYoung(part, answers)
        note(outcomes, of: part, answerCount: answers.count - open.all.count)
        var changes = changes(for: outcomes, of: part)
        if !outcomes.refused.isEmpty { quarantine(outcomes.refused, part) }
        if let status = open.late.first.map({ answers[$0].status }) {
            changes.append(.forget(giveUp(open.late, of: part, status)))
        }
        guard !open.again.isEmpty else { return settle(part.submission, changes) }
        if let status = answers.first(where: \.isThrottled)?.status, let wait = open.wait {
            state.queue.slowDown(for: nil)
            let fault = DeliveryError.Fault.status(server: options.server.description, status)
            state.noteWaiting(for: fault, wait: elapsed + wait, options)
        }
        state.noteRetry()
        intend([rest(of: part, answers, open, mayBeThere: mayBeThere)], with: changes)
        end(part)
    }

    /// Tells the rest of the run what the server has now.
    private func note(_ outcomes: EntryOutcomes, of part: Part, answerCount: Int) {
        if !outcomes.created.isEmpty { notes.withLock { $0.creations.note(outcomes.created) } }
        if !outcomes.carried.isEmpty { selection.withLock { $0.noteAcknowledged(outcomes.carried) } }
        if !outcomes.severed.isEmpty {
            selection.withLock { $0.dangling.formUnion(outcomes.severed.map(\.id)) }
        }
        let uncounted = outcomes.refused.count + outcomes.carried.count + outcomes.companionCount
        let former = part.submission.replaced
        let replacedCount =
            former.isEmpty ? 0 : (outcomes.live + outcomes.severed).count { former.contains($0.id) }
        state.count { report in
            report.delivered += UInt64(answerCount - uncounted)
            report.replaced += UInt64(replacedCount)
            // What the server refuses counts as refused, and once.
            report.alreadyThere -= min(UInt64(outcomes.refusedCompanionCount), report.alreadyThere)
            if answerCount == part.bundle.entries.count && outcomes.refused.isEmpty { report.bundlesDelivered += 1 }
        }
        part.submission.addLive(outcomes.live.count)
    }

    /// What the ledger has to keep of the outcomes.
    private func changes(for outcomes: EntryOutcomes, of part: Part) -> [LedgerChange] {
        let settled = LedgerChange.settle(
            key: part.bundle.key,
            home: part.submission.home,
            live: outcomes.live,
            refused: outcomes.lost.filter { !outcomes.unclear.contains($0.id) },
            doubtful: outcomes.lost.filter { outcomes.unclear.contains($0.id) },
            carried: outcomes.carried
        )
        return outcomes.severed.isEmpty ? [settled] : [settled, .forget(outcomes.severed)]
    }

    /// A part made of the entries that are sent again, with what they are linked to.
    private func rest(
        of part: Part,
        _ answers: [TransactionResponse.Entry],
        _ open: OpenEntries,
        mayBeThere: Bool
    ) -> Part {
        let bundle = part.bundle
        let stored = open.stored(of: part, answers, options)
        let numbers = open.again.sorted()
        // A key-only server would answer the same entries as it did before.
        let salt = options.isKeyOnly ? try? SecureRandom.bytes(16) : nil
        let rest = bundle.part(
            bundle.isConditional ? BundleLinks(bundle).withDevices(numbers) : numbers,
            salt: salt
        ) { entry, bytes in
            guard let member = entry.member, let answer = stored[member.id] else { return nil }
            if options.updatesByID, let id = answer.usableID {
                return ConditionalRequest.update(bytes, member, id: id)
            }
            return ConditionalRequest.update(bytes, member)
        }
        var part = Part(rest, continuing: part, delay: open.isBusy ? open.wait ?? .zero : .zero)
        // What is there already is sent again with what it is linked to: its outcome is known once that is answered.
        let isDoubtful = open.again.contains { answers[$0].mayBeStored || answers[$0].isTaken }
        part.isDoubtful = mayBeThere || part.isDoubtful || isDoubtful
        part.mayBeStored = Set(
            open.again.filter { answers[$0].mayBeStored }.compactMap { bundle.entries[$0].member?.id }
        )
        return part
    }

    /// Gives up entries for which the server was too busy until the time allowed was over; the next run sends them
    /// again.
    private func giveUp(_ numbers: Set<Int>, of part: Part, _ status: Int) -> [BundleMember] {
        let members = numbers.compactMap { part.bundle.entries[$0].member }
        selection.withLock { $0.doubtful.formUnion(members.map(\.id)) }
        let wantedCount = numbers.count { !part.bundle.carries(part.bundle.entries[$0]) && !part.isCompanion($0) }
        state.count { $0.uncertain += UInt64(wantedCount) }
        let seconds = Int((ContinuousClock.now - part.began) / .seconds(1))
        let fault = DeliveryError.Fault.status(server: options.server.description, status)
        state.stop(DeliveryError.unreachable(fault: fault, seconds: seconds))
        return members
    }

    /// What a server did with a Bundle that it can't have been asked to do; `nil` if its answer fits.
    func contradiction(_ bundle: TransactionBundle, _ response: TransactionResponse) -> DeliveryError? {
        guard !options.isKeyOnly, !options.isDryRun else { return nil }
        let server = options.server.description
        if response.entries.contains(where: { $0.status == 202 }) { return .contrary(.asynchronous, server: server) }
        let isOther = zip(bundle.entries, response.entries).contains { entry, answer in
            guard let member = entry.member, let type = answer.type, answer.isTaken else { return false }
            return type != member.type
        }
        guard !bundle.isConditional else {
            if isOther { return .contrary(.otherOrder, server: server) }
            return response.isBatch && BundleLinks(bundle).isLinked ? .contrary(.batch, server: server) : nil
        }
        let strays = zip(bundle.entries, response.entries).contains { entry, answer in
            guard let member = entry.member, member.type != .patient, answer.isTaken else {
                return false
            }
            return answer.id.map { $0 != member.id.text } ?? false
        }
        guard strays else {
            if response.isBatch, notes.withLock({ $0.noteFirst(\.isBatchTold) }) { options.noteDoubt(Self.ranAsBatch) }
            noteContraryIssues(response)
            return nil
        }
        let (sent, told) = (bundle.ownMembers.map(\.id.text), Set(response.entries.compactMap(\.id)))
        return .contrary(sent.allSatisfy(told.contains) ? .otherOrder : .otherIDs, server: server)
    }

    /// Says once that the server reports an error for what it says it has stored.
    private func noteContraryIssues(_ response: TransactionResponse) {
        let isContrary = response.entries.contains { $0.isTaken && $0.issues.contains(where: \.isGrave) }
        guard isContrary, notes.withLock({ $0.noteFirst(\.isErrorTold) }) else { return }
        options.noteDoubt(
            "reports an error for an entry that it says it has stored (expected a status of 4xx, or a warning): see 'pghd verify' "
                + "for what is there"
        )
    }

    private static let ranAsBatch =
        "answers a transaction as a batch (batch-response, expected transaction-response): each entry by itself, so a Bundle may be "
        + "stored in part; pghd looks at each entry's answer"
}
