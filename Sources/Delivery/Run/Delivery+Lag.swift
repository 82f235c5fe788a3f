internal import FHIRR4
internal import Glibc
internal import Synchronization
internal import TransactionBundling

/// A server that creates by identifier searches first: it would create a second time what it has stored, or is still
/// storing, and does not find yet.
///
/// R4 defines a conditional create as a search (<https://hl7.org/fhir/R4/http.html#ccreate>), whose index may lag; and
/// a gateway may answer while the server behind it is still at work.
extension Delivery {
    /// What a search shows of resources.
    enum Presence: Sendable {
        case present, absent, unreadable
    }

    private var mustFind: Bool { options.isConditional && !options.isKeyOnly && !options.isDryRun }
    private static var maximumPatience: Int64 { 600 }

    /// Waits for what a run that was killed just before may have brought.
    func awaitIndex(of open: [OpenBundles.Forgotten]) throws {
        guard mustFind else { return }
        // That run tried each Bundle for as long as this one would, perhaps until just now. After more than ten minutes
        // the Bundle more likely never arrived, and waiting for it would be in vain.
        let patience = min(options.retryBudget.components.seconds, Self.maximumPatience)
        let end = RecentCreations.maximumLag + patience
        // A time in the future, by a clock that was set back, counts as just now.
        let elapsed = try open.map { max(try self.elapsed(since: $0.began).lowerBound, 0) }
        let recent = zip(open, elapsed).filter { $1 < end }.map(\.0)
        guard let least = elapsed.min(), least < end else { return }
        var probes: [(ResourceID, ResourceType)] = []
        for bundle in recent {
            let own = bundle.members.filter(\.isLookedFor)
            // What was there before in another version shows nothing.
            let known = try ledger.members(own.map(\.id))
            let news = zip(own, known).filter { !($0.1?.wasAcknowledged ?? false) }
            if let probe = news.last { probes.append((probe.0.id, probe.0.type)) }
        }
        try awaitIndex(of: probes, seconds: min(RecentCreations.maximumLag, end - least))
    }

    /// Waits until a search finds all of these, for at most so many seconds.
    func awaitIndex(of probes: [(ResourceID, ResourceType)], seconds: Int64) throws {
        guard !probes.isEmpty else { return }
        let budget = min(.seconds(seconds), options.firstDelay * 60)
        _ = try blocking { [self, probes] in
            await state.awaitIndex(within: budget, options) { await self.presence(of: probes) }
        }
    }

    /// Waits for a part whose answer was lost, before it is sent again, for at most so many first delays.
    func awaitIndex(of part: Part, patience: Int) async {
        guard mustFind, part.bundle.isConditional,
            let probe = part.bundle.ownMembers.last(where: { member in
                member.isLookedFor && !part.companions.contains(member.id)
                    && !part.submission.changed.contains(member.id)
            })
        else { return }
        let isLong = patience == DeliveryError.Fault.longPatience
        await state.awaitIndex(within: options.firstDelay * patience, options, isTold: isLong) {
            await self.presence(of: [(probe.id, probe.type)])
        }
    }

    /// Waits for entries that the server has reported a fault for, and may have stored all the same, before they are
    /// sent again.
    func awaitDoubtful(of part: Part) async {
        guard options.isConditional, part.bundle.isConditional, !part.mayBeStored.isEmpty else { return }
        let probes = part.bundle.ownMembers.filter { part.mayBeStored.contains($0.id) }.map { ($0.id, $0.type) }
        let budget = options.firstDelay * DeliveryError.Fault.shortPatience
        await state.awaitIndex(within: budget, options, isTold: false) { await self.presence(of: probes) }
    }

    /// Waits for what this run has just created and a part brings again: in another version, along with others, or
    /// because the server was too busy for what it is linked with.
    ///
    /// A key-only server searches only for what it is to update, not before it creates.
    func awaitCreations(of part: Part) async {
        guard options.isConditional, part.bundle.isConditional else { return }
        let young = notes.withLock { notes in
            notes.isIndexSilent ? [] : part.bundle.ownMembers.filter { notes.young.contains($0.id) }
        }
        guard !young.isEmpty else { return }
        let probes = young.map { ($0.id, $0.type) }
        let presence = await state.awaitIndex(within: options.firstDelay * 60, options) {
            let presence = await self.presence(of: probes)
            // Nobody may search there, and each Bundle would be held up for it.
            guard presence == .unreadable, !state.hasSearched else { return presence }
            notes.withLock { $0.isIndexSilent = true }
            return .present
        }
        guard presence != .present, state.stopReason == nil else { return }
        let wasSilent = notes.withLock { notes in
            defer { notes.isIndexSilent = true }
            return notes.isIndexSilent
        }
        if presence == .unreadable, !wasSilent { options.noteDoubt(Self.unsearched) }
    }

    private static let unsearched =
        "could not be searched any more: what was created just before may be there twice; see 'pghd verify'"

    /// Notes what a part has created.
    func noteYoung(_ part: Part, _ answers: [TransactionResponse.Entry]) {
        guard options.isConditional, part.bundle.isConditional, !options.isDryRun else { return }
        let created = zip(part.bundle.entries, answers).compactMap { $1.status == 201 ? $0.member?.id : nil }
        if !created.isEmpty { notes.withLock { $0.young.note(created, at: .now) } }
    }

    /// Waits for the Devices that a part has brought, which the next parts bring too.
    func awaitDevices(of part: Part, _ answers: [TransactionResponse.Entry]) async {
        guard mustFind, part.bundle.isConditional else { return }
        let devices = zip(part.bundle.entries, answers).compactMap { entry, answer in
            answer.status == 201 && part.bundle.carries(entry) ? entry.member : nil
        }
        guard !devices.isEmpty, !notes.withLock(\.areDevicesSilent) else { return }
        let presence = await state.awaitIndex(within: options.firstDelay * 60, options) {
            // One by one: there are few, and the first that is not found answers the question.
            for device in devices {
                let presence = await self.presence(of: [(device.id, device.type)])
                guard presence == .present else { return presence }
            }
            return .present
        }
        // A server that never finds them would be waited for each time; one that may not be searched can't be told from
        // one that finds them late.
        if presence == .absent { notes.withLock { $0.areDevicesSilent = true } }
    }

    /// Whether a search finds all of these.
    private func presence(of probes: [(ResourceID, ResourceType)]) async -> Presence {
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
}

extension BundleMember {
    /// Whether to ask for it to see what a search finds: Devices and Patients may be somebody else's.
    fileprivate var isLookedFor: Bool { type != .device && type != .patient }
}
