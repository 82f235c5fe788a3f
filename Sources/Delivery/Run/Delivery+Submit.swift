internal import Glibc
internal import Synchronization
internal import TransactionBundling

// One Bundle's way, from the thread that hands it in to its outcome in the ledger.
extension Delivery {
    /// Waits for the outcome of resources that are on their way in another version.
    ///
    /// - Returns: which of `own` are on their way in this version, as parts of other Bundles: they need not be sent
    ///   again.
    func waitForOthers(_ bundle: TransactionBundle, _ own: [BundleMember]) -> Set<Int> {
        let refused = selection.withLock { $0.refusedBefore }
        let (twins, mustWait) = inFlight.withLock { inFlight in
            var twins: Set<Int> = []
            for (index, member) in own.enumerated() {
                switch inFlight.meet(member) {
                // Here, with other entries, it may be taken.
                case .same where refused.contains(member.id): return (twins, true)
                case .same: twins.insert(index)
                case .another: return (twins, true)
                case nil: break
                }
            }
            // What is linked with a twin goes along again, and a server may not find yet that it is there.
            return (twins, bundle.isConditional && !twins.isEmpty)
        }
        guard mustWait else { return twins }
        drain()
        return []
    }

    /// Takes from a Bundle what is to be sent, and sends it on its way.
    func submit(
        _ bundle: TransactionBundle,
        _ own: [BundleMember],
        _ verdict: Selection.Verdict,
        _ turn: Turn
    ) throws {
        var verdict = verdict
        var wanted: TransactionBundle?
        var there: [BundleMember] = []
        // What fails here fails before anything waits for the Bundle.
        if !verdict.wanted.isEmpty || own.isEmpty {
            try stoppingOnError {
                try lookAgain(for: &verdict)
                there = try leavePatient(of: bundle, own, &verdict)
                if !verdict.wanted.isEmpty || own.isEmpty {
                    try noteBegun()
                    wanted = try wantedPart(of: bundle, own, verdict)
                }
            }
        }
        var changes = verdict.aliases.map { LedgerChange.alias($0.0, digest: $0.1) }
        changes += verdict.outlived.map { .dropAliases($0) }
        if !there.isEmpty {
            changes.append(.settle(key: bundle.key, home: verdict.home, live: there))
        }
        if !verdict.moved.isEmpty { changes.append(.adopt(home: verdict.home, live: verdict.moved)) }
        state.count { report in
            report.alreadyThere += UInt64(verdict.presentCount + verdict.twinCount - verdict.settledCount)
            report.outdated += UInt64(verdict.outdatedCount)
        }
        let submission = Submission(
            home: verdict.home,
            members: own,
            liveCount: verdict.presentCount,
            turn: turn,
            slotCount: slots.take(for: bundle),
            changed: verdict.changed,
            replaced: verdict.replaced
        )
        inFlight.withLock { $0.insert(submission) }
        guard let wanted else { return settle(submission, changes) }
        var part = Part(wanted, submission)
        if bundle.isConditional, verdict.wanted.count < own.count {
            part.companions = Set(part.bundle.ownMembers.map(\.id)).subtracting(verdict.wanted)
        }
        intend(cut(part), with: changes)
    }

    /// Commits the intents of parts, then posts them.
    func intend(_ parts: [Part], with changes: [LedgerChange]) {
        let now = Int64(time(nil))
        // However long the tries take, and however long the machine sleeps in between.
        let keyEnds = options.isKeyOnly ? ContinuousClock.now + options.keyLifetime : nil
        let parts = parts.map { part in
            var part = part
            part.keyEnds = part.keyEnds ?? keyEnds
            return part
        }
        var intents: [LedgerChange] = []
        for part in parts {
            var intent = LedgerChange.Intent(
                key: part.bundle.key,
                home: part.submission.home,
                began: now,
                members: part.bundle.ownMembers
            )
            do { intent.body = try cipher?.seal(part.bundle.body, bundleKey: intent.key) } catch {
                state.stop(error)
            }
            intents.append(.intend(intent))
        }
        for part in parts {
            part.submission.addPart()
            state.queue.open(part.submission.turn)
        }
        writer.write(changes + intents) { [self] fault in
            if let fault { state.stop(fault) }
            for part in parts {
                guard fault == nil else {
                    state.queue.close(part.submission.turn)
                    end(part)
                    continue
                }
                state.queue.enqueue(part.submission.turn) { [self] in await post(part) }
            }
        }
    }

    func post(_ part: Part) async {
        // Anything that is sent again has been opened by then.
        defer { state.queue.close(part.submission.turn) }
        var part = part
        if part.delay > .zero { _ = await state.sleep(part.delay) }
        part.delay = .zero
        // The limit may have been learnt while this part waited.
        // On a key-only server, a part that may be stored is sent again under its own key.
        let smaller = part.mayBeThere && options.isKeyOnly ? [part] : cut(part)
        guard smaller.count == 1 || state.stopReason != nil else {
            intend(smaller, with: [.drop(key: part.bundle.key)])
            end(part)
            return
        }
        let arrival = ContinuousClock.now
        await awaitCreations(of: part)
        await awaitDoubtful(of: part)
        // Time spent waiting for others, or for an index, is not time spent waiting for the server.
        part.began = part.generation == 0 ? .now : part.began + (.now - arrival)
        let mayCut: @Sendable () -> Bool = { [options, part] in !options.isKeyOnly && part.halves() != nil }
        let refusedBefore = selection.withLock(\.refusedBefore)
        let past = Poster.Past(
            mayBeThere: part.mayBeThere,
            wasRefused: part.bundle.ownMembers.allSatisfy {
                refusedBefore.contains($0.id) || part.companions.contains($0.id)
            },
            takenCount: part.takenCount,
            conflicts: part.conflicts,
            keyEnds: part.keyEnds
        )
        let byteCount = part.bundle.body.count
        let again: @Sendable (Int) async -> Void = { [self, part] in await awaitIndex(of: part, patience: $0) }
        switch await poster.post(part.bundle, past, mayCut: mayCut, beforeAnotherTry: again) {
        case .answered(let response, let mayBeThere):
            if let fault = contradiction(part.bundle, response) {
                state.stop(fault)
                return leaveOpen(part)
            }
            largest.withLock { $0.noteTaken(byteCount: byteCount) }
            await awaitDevices(of: part, response.entries)
            do { keep(try await naming(response.entries, of: part), of: part, mayBeThere: mayBeThere) } catch {
                state.stop(error)
                leaveOpen(part)
            }
        case .tooLarge(let refusal, let maximumEntryCount):
            let isAlone = part.halves() == nil
            largest.withLock {
                $0.noteTooLarge(byteCount: byteCount, maximumEntryCount: maximumEntryCount, isAlone: isAlone)
            }
            let count = part.bundle.entries.count { !part.bundle.carries($0) }
            if isAlone, count > 1 { noteIndivisible(count) }
            divide(part, refusal, isTooLarge: true)
        case .unfinished(let refusal):
            largest.withLock { $0.noteUnfinished(byteCount: byteCount) }
            divide(part, refusal, isTooLarge: true)
        case .refused(let refusal): divide(part, refusal)
        case .unknown: leaveOpen(part)
        case .unsent where part.isDoubtful: leaveOpen(part)
        case .unsent: settle(part.submission, [.drop(key: part.bundle.key)])
        }
    }

    /// Leaves open a part of which nobody knows what became: its intent stays, so that the next run settles it.
    func leaveOpen(_ part: Part) {
        selection.withLock { $0.doubtful.formUnion(part.submission.members.map(\.id)) }
        state.count { $0.uncertain += UInt64(part.wanted.count) }
        end(part)
    }

    /// The part, or pieces of it, halved until each is as small as the server wants it.
    func cut(_ part: Part) -> [Part] {
        let (byteCount, entryCount) = (part.bundle.body.count, part.bundle.entries.count)
        let fits = largest.withLock { $0.holds(byteCount: byteCount, entryCount: entryCount) }
        guard !fits, let halves = part.halves() else { return [part] }
        return halves.flatMap(cut)
    }

    /// Keeps an outcome with the next large commit.
    ///
    /// Until then the ledger says what it would say after a crash, and anyone who has to know waits.
    func settle(_ submission: Submission, _ changes: [LedgerChange]) {
        if changes.isEmpty {
            noteKept(submission)
        } else {
            writer.writeLater(changes) { [self] fault in
                if let fault { state.stop(fault) }
                noteKept(submission)
            }
        }
        noteAnswered(submission)
    }

    /// Ends a part that is no longer on its way: others go in its place, or the next run settles it.
    func end(_ part: Part) {
        noteKept(part.submission)
        noteAnswered(part.submission)
    }

    /// Notes that one more outcome is known; with the last one, the next Bundle may come.
    private func noteAnswered(_ submission: Submission) {
        if submission.noteAnswered() { slots.giveBack(submission.slotCount) }
    }

    /// Notes that the ledger knows one more outcome; with the last one, it knows all of the Bundle.
    private func noteKept(_ submission: Submission) {
        guard submission.noteKept() else { return }
        if submission.isWhole { selection.withLock { $0.noteStanding(submission.home) } }
        inFlight.withLock { $0.remove(submission) }
    }
}
