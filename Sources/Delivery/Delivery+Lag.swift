internal import FHIRR4
internal import Glibc
internal import Synchronization
internal import TransactionBundling

/// A server that creates by identifier looks for it before: what it has stored, or still stores, and does not find yet it
/// would create a second time.
///
/// R4 defines a conditional create as a search (<https://hl7.org/fhir/R4/http.html#ccreate>), whose index may lag; and a
/// gateway may answer while the server behind it is at work.
extension Delivery {
    private var mustFind: Bool { options.isConditional && !options.isKeyOnly && !options.isDryRun }
    private static var maximumPatience: Int64 { 600 }

    /// Waits for what a run that was killed just before may have brought.
    func awaitIndex(of open: [OpenBundles.Forgotten]) throws {
        guard mustFind else { return }
        // That run has tried each for as long as this one would, and may have done so just now. Beyond ten minutes a Bundle
        // that never came there is likelier, and would be waited for in vain.
        let patience = min(options.retryBudget.components.seconds, Self.maximumPatience)
        let end = RecentCreations.maximumLag + patience
        // What seems to come yet, by a clock that was set back, was just now.
        let elapsed = try open.map { max(try self.elapsed(since: $0.began).lowerBound, 0) }
        let recent = zip(open, elapsed).filter { $1 < end }.map(\.0)
        guard let least = elapsed.min(), least < end else { return }
        var probes: [(ResourceID, ResourceType)] = []
        for bundle in recent {
            let own = bundle.members.filter(\.isLookedFor)
            // What was there before in another version tells nothing.
            let known = try ledger.members(own.map(\.id))
            let news = zip(own, known).filter { !($0.1?.wasAcknowledged ?? false) }
            if let probe = news.last { probes.append((probe.0.id, probe.0.type)) }
        }
        try awaitIndex(of: probes, seconds: min(RecentCreations.maximumLag, end - least))
    }

    /// Waits until a search finds all of these, for so many seconds at most.
    func awaitIndex(of probes: [(ResourceID, ResourceType)], seconds: Int64) throws {
        guard !probes.isEmpty else { return }
        let budget = min(.seconds(seconds), options.firstDelay * 60)
        _ = try blocking { [self, probes] in
            await state.awaitIndex(within: budget, options) { await self.presence(of: probes) }
        }
    }

    /// Waits for a part whose answer was lost, before it goes again.
    func awaitIndex(of part: Part) async {
        guard mustFind, part.bundle.isConditional,
            let probe = part.bundle.ownMembers.last(where: { member in
                member.isLookedFor && !part.companions.contains(member.id)
                    && !part.submission.changed.contains(member.id)
            })
        else { return }
        await state.awaitIndex(within: options.firstDelay * 60, options) { await self.presence(of: [probe]) }
    }

    /// Waits for what this run has created just before, where a part brings it again: in another version, along with
    /// others, or since the server was too busy for what it is linked with.
    ///
    /// A server that knows keys alone looks for nothing before it creates, but for what it is to update.
    func awaitCreations(of part: Part) async {
        guard options.isConditional, part.bundle.isConditional else { return }
        let young = notes.withLock { notes in
            notes.isIndexSilent ? [] : part.bundle.ownMembers.filter { notes.young.contains($0.id) }
        }
        guard !young.isEmpty else { return }
        let probes = young.map { ($0.id, $0.type) }
        let presence = await state.awaitIndex(within: options.firstDelay * 60, options) {
            let presence = await self.presence(of: probes)
            // Nor later: each Bundle would be held for it.
            guard presence == .unreadable else { return presence }
            notes.withLock { $0.isIndexSilent = true }
            return .present
        }
        if presence == .absent { notes.withLock { $0.isIndexSilent = true } }
    }

    /// Keeps in mind what a part has created.
    func noteYoung(_ part: Part, _ answers: [TransactionResponse.Entry]) {
        guard options.isConditional, part.bundle.isConditional, !options.isDryRun else { return }
        let created = zip(part.bundle.entries, answers).compactMap { $1.status == 201 ? $0.member?.id : nil }
        if !created.isEmpty { notes.withLock { $0.young.note(created, at: .now) } }
    }

    /// Waits for the Devices that a part has brought, which the next ones bring too.
    func awaitDevices(of part: Part, _ answers: [TransactionResponse.Entry]) async {
        guard mustFind, part.bundle.isConditional else { return }
        let devices = zip(part.bundle.entries, answers).compactMap { entry, answer in
            answer.status == 201 && part.bundle.carries(entry) ? entry.member : nil
        }
        guard !devices.isEmpty, !notes.withLock(\.areDevicesSilent) else { return }
        let presence = await state.awaitIndex(within: options.firstDelay * 60, options) {
            await self.presence(of: devices)
        }
        // One that never finds them would be waited for each time; one that nobody may search can't be told from one that
        // finds them late.
        if presence == .absent { notes.withLock { $0.areDevicesSilent = true } }
    }

    /// Whether a search finds all of these.
    private func presence(of probes: [(ResourceID, ResourceType)]) async -> ResourceReader.Presence {
        var isReadable = true
        for (type, probes) in Dictionary(grouping: probes, by: \.1) {
            guard let found = try? await indexLookup.find(probes.map(\.0), type) else {
                isReadable = false
                continue
            }
            guard probes.allSatisfy({ found[$0.0] != nil }) else { return .absent }
        }
        return isReadable ? .present : .unreadable
    }

    /// The same of few, each by a search of its own.
    private func presence(of members: [BundleMember]) async -> ResourceReader.Presence {
        for member in members {
            let presence = (try? await ResourceReader(self).look(for: member.id, member.type)) ?? .unreadable
            guard presence == .present else { return presence }
        }
        return .present
    }
}

extension BundleMember {
    /// Whether it is asked for to see what a search finds: Devices and Patients may be somebody else's too.
    fileprivate var isLookedFor: Bool { type != .device && type != .patient }
}
