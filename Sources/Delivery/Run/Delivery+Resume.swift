internal import FHIRR4
internal import Glibc
internal import Synchronization
internal import TransactionBundling

extension Delivery {
    /// Settles what the last run posted to a key-only server without learning the outcome.
    ///
    /// The same bytes are sent again under the same key, as long as the server remembers keys and has nothing of what
    /// is new in them; otherwise the server is read. What can't be found out is left alone and reported, and never sent
    /// again automatically.
    func resume(_ intents: [LedgerChange.Intent]) throws {
        // Whatever the outcome, no Bundle stands for an earlier version of these any longer.
        let open = intents.flatMap(\.members).map(\.id)
        let homes = try ledger.members(open).compactMap { $0?.home }
        selection.withLock { $0.noteOpen(homes) }
        var reposted: Set<ResourceID> = []
        // By a clock that stood still, or is wrong, a key that the server has forgotten would count as known.
        try blocking { [poster] in await poster.askTime() }
        let lifetime = options.keyLifetime.components.seconds
        func isKnown(_ seconds: Int64) -> Bool { seconds < lifetime && seconds >= -60 }
        let found = try foundNews(of: intents.filter { isKnown(try elapsed(since: $0.began).upperBound) })
        for intent in intents {
            let seconds = try elapsed(since: intent.began).upperBound
            if isKnown(seconds), !intent.members.contains(where: { found.contains($0.id) }) {
                // However long the tries take, the last one comes while the key is known.
                try repost(intent, until: .now + .seconds(lifetime - max(seconds, 0)))
                reposted.formUnion(intent.members.map(\.id))
            } else {
                try reconcile(intent, keyIsKnown: isKnown(seconds))
            }
        }
        drain()
        let settled = try ledger.members(Array(reposted)).compactMap(\.self).filter { $0.state == .live }
        selection.withLock { $0.settled = Set(settled.map(\.id)) }
    }

    /// Which new members of these the server has, as far as it can be searched.
    ///
    /// A transaction that arrived is there as a whole, and its key answers for it; but another machine may have brought
    /// the same in other Bundles, and the two can't be told apart. If only some members are there, they are the other
    /// machine's, or an index is late: that is waited for.
    private func foundNews(of intents: [LedgerChange.Intent]) throws -> Set<ResourceID> {
        var found: Set<ResourceID> = []
        var probes: [(ResourceID, ResourceType)] = []
        var lag: Int64 = 0
        for intent in intents {
            let known = try ledger.members(intent.members.map(\.id))
            let news = zip(intent.members, known).compactMap { $1?.mayBeThere ?? false ? nil : $0 }
            guard let there = try lookFor(news) else { continue }
            found.formUnion(there)
            guard !there.isEmpty, there.count < news.count else { continue }
            probes += news.map { ($0.id, $0.type) }
            lag = max(lag, RecentCreations.maximumLag - max(try elapsed(since: intent.began).lowerBound, 0))
        }
        if lag > 0, !options.isDryRun { try awaitIndex(of: probes, seconds: lag) }
        if let stop = state.stopReason { throw stop }
        return found
    }

    /// Which of these the server has; `nil` where it can't be searched.
    private func lookFor(_ members: [BundleMember]) throws -> Set<ResourceID>? {
        var found: Set<ResourceID> = []
        do {
            for (type, members) in Dictionary(grouping: members.filter(\.isSample), by: \.type) {
                let ids = members.map(\.id)
                found.formUnion(try blocking { [newsLookup] in Set(try await newsLookup.find(ids, type).keys) })
            }
        } catch DeliveryError.unreadableServer, DeliveryError.unauthorized {
            return nil
        }
        if let stop = state.stopReason { throw stop }
        return found
    }

    private func repost(_ intent: LedgerChange.Intent, until keyEnds: ContinuousClock.Instant) throws {
        guard let cipher, let sealed = intent.body else { return leaveAlone(intent) }
        let body: [UInt8]
        do { body = try cipher.open(sealed, bundleKey: intent.key) } catch {
            if notes.withLock({ $0.noteFirst(\.isOtherKeyTold) }) { options.noteDoubt(Self.otherKey) }
            return leaveAlone(intent)
        }
        let entries = try BundleReader(body, path: ledger.path, number: 1, isOwn: true).bundle.entries
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

    /// Asks the server about each member.
    ///
    /// That a member is there says nothing about its version, or who brought it: it is sent again as an update, which
    /// can't double it. A member that is not there and never was is new, unless the index found the rest and may be
    /// late.
    private func reconcile(_ intent: LedgerChange.Intent, keyIsKnown: Bool) throws {
        guard let found = try lookFor(intent.members) else { return leaveAlone(intent) }
        var open: [BundleMember] = []
        var missing: [BundleMember] = []
        for (member, known) in zip(intent.members, try ledger.members(intent.members.map(\.id))) {
            if keyIsKnown || found.contains(member.id) || known?.mayBeThere ?? !member.isSample {
                open.append(member)
            } else {
                missing.append(member)
            }
        }
        try writer.writeAndWait([
            .settle(key: intent.key, home: .none, live: []), .forget(open), .miss(missing),
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

extension BundleMember {
    /// Whether a search for our identifiers finds it: a Patient is somebody else's.
    fileprivate var isSample: Bool { ResourceType.ofSamples.contains(type) }
}
