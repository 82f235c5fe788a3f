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

    /// Waits for what a run that was killed just before may have brought.
    func awaitIndex(of open: [OpenBundles.Forgotten]) throws {
        guard mustFind else { return }
        let now = Int64(time(nil))
        let recent = open.filter { $0.began <= now && now - $0.began < RecentCreations.maximumLag }
        guard let last = recent.map(\.began).max() else { return }
        var probes: [ResourceID] = []
        for bundle in recent {
            let observations = bundle.members.filter { $0.type == .observation }
            // What was there before in another version tells nothing.
            let known = try ledger.members(observations.map(\.id))
            let news = zip(observations, known).filter { !($0.1?.wasAcknowledged ?? false) }
            if let probe = news.last { probes.append(probe.0.id) }
        }
        guard !probes.isEmpty else { return }
        let budget = min(.seconds(RecentCreations.maximumLag - (now - last)), options.firstDelay * 60)
        let lookup = ResourceLookup(options: options, poster: poster)
        _ = try blocking { [self, probes] in
            await state.awaitIndex(within: budget, options) {
                guard let found = try? await lookup.find(probes, .observation) else { return true }
                return probes.allSatisfy { found[$0] != nil }
            }
        }
    }

    /// Waits for a part whose answer was lost, before it goes again.
    func awaitIndex(of part: Part) async {
        guard mustFind, part.bundle.isConditional,
            let probe = part.bundle.ownMembers.last(where: { member in
                member.type == .observation && !part.companions.contains(member.id)
                    && !part.submission.changed.contains(member.id)
            })
        else { return }
        await state.awaitIndex(within: options.firstDelay * 60, options) { await self.isFound(probe) }
    }

    /// Waits for the Devices that a part has brought, which the next ones bring too.
    func awaitDevices(of part: Part, _ answers: [TransactionResponse.Entry]) async {
        guard mustFind, part.bundle.isConditional else { return }
        for (entry, answer) in zip(part.bundle.entries, answers)
        where answer.status == 201 && part.bundle.carries(entry) {
            guard let device = entry.member, !notes.withLock(\.isIndexSilent) else { continue }
            let budget = options.firstDelay * 60
            if await state.awaitIndex(within: budget, options, { await self.isFound(device) }) { continue }
            // One that never finds them would be waited for each time.
            notes.withLock { $0.isIndexSilent = true }
        }
    }

    /// What can't be read is not waited for.
    private func isFound(_ member: BundleMember) async -> Bool {
        (try? await ResourceReader(self).look(for: member.id, member.type)) != .absent
    }
}
