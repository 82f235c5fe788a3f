internal import FHIRR4
internal import Glibc
internal import Synchronization
internal import TransactionBundling

extension Delivery {
    /// Settles what the last run posted to a key-only server without learning the outcome.
    ///
    /// The same bytes go again under the same key, as long as the server remembers keys; after that the
    /// server is read. What can't be found out is left alone and reported, and never sent again by itself.
    func resume(_ intents: [LedgerChange.Intent]) throws {
        // Whatever becomes of it, no Bundle stands any longer for a version before.
        let open = intents.flatMap(\.members).map(\.id)
        let homes = try ledger.members(open).compactMap { $0?.home }
        selection.withLock { $0.noteOpen(homes) }
        var reposted: Set<ResourceID> = []
        // A clock that stood still, or is wrong, would take a key for known that the server has forgotten.
        try blocking { [poster] in await poster.askTime() }
        let lifetime = options.keyLifetime.components.seconds
        for intent in intents {
            let seconds = try elapsed(since: intent.began).upperBound
            if seconds < lifetime, seconds >= -60 {
                // However long it is tried, the last try comes while the key is known.
                try repost(intent, until: .now + .seconds(lifetime - max(seconds, 0)))
                reposted.formUnion(intent.members.map(\.id))
            } else {
                try reconcile(intent)
            }
        }
        drain()
        let settled = try ledger.members(Array(reposted)).compactMap(\.self).filter { $0.state == .live }
        selection.withLock { $0.settled = Set(settled.map(\.id)) }
    }

    private func repost(_ intent: LedgerChange.Intent, until keyEnds: ContinuousClock.Instant) throws {
        guard let cipher, let sealed = intent.body else { return leaveAlone(intent) }
        let body: [UInt8]
        do { body = try cipher.open(sealed, bundleKey: intent.key) } catch {
            if notes.withLock({ $0.noteFirst(\.isOtherKeyTold) }) { options.noteDoubt(Self.otherKey) }
            return leaveAlone(intent)
        }
        let entries = try BundleReader(body, path: ledger.path, number: 1).bundle.entries
        let members = Dictionary(intent.members.map { ($0.id, $0) }) { first, _ in first }
        let bundle = TransactionBundle(
            key: intent.key,
            body: body,
            entries: entries.map { entry in
                var entry = entry
                if let id = entry.member?.id, let member = members[id] { entry.member = member }
                return entry
            }
        )
        let slotCount = slots.take(for: bundle)
        let turn = Turn(number: 0)
        let submission = Submission(
            home: .none,
            members: intent.members,
            liveCount: 0,
            turn: turn,
            slotCount: slotCount
        )
        inFlight.withLock { $0.insert(submission) }
        submission.addPart()
        state.queue.open(submission.turn)
        var part = Part(bundle, submission)
        part.mayBeThere = true
        part.keyEnds = keyEnds
        state.queue.enqueue(submission.turn) { [self, part] in await post(part) }
    }

    /// Reads the server about each member.
    ///
    /// Of one that was delivered before, or may have been, in an older version, its presence tells nothing: it is sent once
    /// more, as an update, which can't double it.
    private func reconcile(_ intent: LedgerChange.Intent) throws {
        var live: [BundleMember] = []
        var open: [BundleMember] = []
        for (member, known) in zip(intent.members, try ledger.members(intent.members.map(\.id))) {
            let answer = try blocking { [self] in
                try await ResourceReader(self).look(for: member.id, member.type)
            }
            switch answer {
            case .present where known.map({ $0.wasAcknowledged || $0.state == .unknown }) ?? false: open.append(member)
            case .present: live.append(member)
            case .absent: open.append(member)
            case .unreadable: return leaveAlone(intent)
            }
        }
        try writer.writeAndWait([
            .settle(key: intent.key, home: .none, live: live), .forget(open),
        ])
    }

    private static let otherKey =
        "what an earlier run left open was sealed with another keystore (expected the one of that run): give that with "
        + "--keystore, else it is settled once the server has forgotten its keys (--key-lifetime)"

    private func leaveAlone(_ intent: LedgerChange.Intent) {
        selection.withLock { $0.doubtful.formUnion(intent.members.map(\.id)) }
        state.count { $0.uncertain += UInt64(intent.members.count) }
    }
}
