internal import FHIRR4
internal import TransactionBundling

/// Decides, from the ledger, what of each Bundle the server does not have yet.
///
/// The thread that hands Bundles in calls it; other threads note the outcomes. A Bundle whose key stands is not looked
/// into, so that an unchanged export costs one look-up in memory for each Bundle.
struct Selection {
    private let ledger: Ledger
    private(set) var bundles = KnownBundles()
    /// The content that stands of each Bundle, by its number, for Bundles from files; read when the first of those
    /// comes.
    private var contents: [Int64: BundleContent]?
    /// Whether a later export was delivered before: then the server's version stays where this one differs.
    var isOutdated = false
    /// Whether members that the ledger does not know are looked for on the server, since another machine may have
    /// brought them.
    var expectsOthers = false
    /// Whether only a part of the export is handed in: the winning twin may be in the other part.
    var isPart = false
    /// Members of Bundles whose outcome can't be found out.
    var doubtful: Set<ResourceID> = []
    /// Members that were stored with a link that leads nowhere: the export holds them, although the ledger takes them
    /// for unknown.
    var dangling: Set<ResourceID> = []
    /// Members that became live when this run settled what the last one left open, until the export brings their
    /// Bundle.
    var settled: Set<ResourceID> = []
    /// Members that were refused in an earlier run and are sent again.
    private(set) var refusedBefore: Set<ResourceID> = []
    /// Devices that the server has acknowledged in this run; the ledger may not know it yet.
    private var acknowledgedDevices: Set<ResourceID> = []
    /// For members that this run has met in a version that once lost against the live one: the best such version.
    private(set) var metAsTwins: [ResourceID: BundleMember] = [:]

    /// Whether the export is known to hold this resource, whatever the ledger says about its Bundle.
    func isInExport(_ id: ResourceID) -> Bool {
        doubtful.contains(id) || dangling.contains(id) || metAsTwins[id] != nil
    }

    /// The kinds that this run has met.
    private var kinds: Set<UInt64> = []

    /// Whether this run has met anything of this member's kind: otherwise the kind was left out of the export or of the
    /// run.
    func hasMetKind(of member: Ledger.Member) -> Bool { kinds.contains(kind(of: member)) }

    /// The member's own kind, or that of the Bundle that brought it; 0 where neither is known.
    func kind(of member: Ledger.Member) -> UInt64 { member.kind == 0 ? bundles.kind(of: member.home) : member.kind }

    /// Whether an export that was read whole does not hold this member, although it holds others of its kind.
    func holdsNoMore(_ member: Ledger.Member) -> Bool {
        !bundles.isSeen(member.home) && !isInExport(member.id) && hasMetKind(of: member)
    }

    init(_ ledger: Ledger) throws(DeliveryError) {
        self.ledger = ledger
        try ledger.readKeys { bundles.add($0) }
    }

    /// Notes a Bundle as met if the server has all that its key stands for.
    ///
    /// - Parameters:
    ///   - key: the Bundle's key.
    ///   - knowsKinds: whether the Bundle's kinds are known: if so, one that `send` has delivered is looked into once
    ///     more, to learn them.
    ///   - own: its members, where the Bundle may have been edited: a file keeps a Bundle's key even if somebody
    ///     changes a member or takes it out.
    /// - Returns: how many resources the Bundle is for; `nil` where its members must be looked up.
    /// - Throws: ``DeliveryError`` where the ledger can't be read.
    mutating func meetStanding(
        _ key: String,
        knowsKinds: Bool,
        own: [BundleMember]?
    ) throws(DeliveryError) -> Int? {
        if let own, try !isContent(own, of: key) { return nil }
        guard let known = bundles.meetStanding(key, needsKind: knowsKinds) else { return nil }
        meet(known.kind)
        return Int(known.memberCount)
    }

    /// Whether a key stands for exactly these resources, and for these versions where they come from a file.
    private mutating func isContent(_ own: [BundleMember], of key: String) throws(DeliveryError) -> Bool {
        guard own.contains(where: { $0.isOfBytes }) else { return own.count == bundles.memberCount(of: key) }
        guard let number = bundles.number(of: key) else { return false }
        if contents == nil { contents = try ledger.readContents() }
        return contents?[number] == BundleContent(own)
    }

    mutating func note(_ kinds: Set<UInt64>) { self.kinds.formUnion(kinds) }

    private mutating func meet(_ kind: UInt64) { if kind != 0 { kinds.insert(kind) } }

    /// Notes that the server now has all that this key stands for.
    mutating func noteStanding(_ home: LedgerChange.Home) { bundles.mark(home.number, .standing) }

    /// Notes that members of the Bundles with these numbers are about to change: each Bundle is looked into when it is
    /// met.
    mutating func noteOpen(_ homes: [Int64]) { for home in homes { bundles.unmark(home, .standing) } }

    /// Notes that the server has these Devices, which Bundles carry.
    mutating func noteAcknowledged(_ devices: [BundleMember]) { acknowledgedDevices.formUnion(devices.map(\.id)) }

    /// Looks up each member in the ledger.
    ///
    /// - Parameters:
    ///   - bundle: what was handed in.
    ///   - own: its members.
    ///   - twins: the indices of those that are on their way in other Bundles; no others may be.
    /// - Returns: what to do with the Bundle.
    /// - Throws: ``DeliveryError`` where the ledger can't be read.
    mutating func judge(
        _ bundle: TransactionBundle,
        _ own: [BundleMember],
        twins: Set<Int> = []
    ) throws(DeliveryError) -> Verdict {
        let kind = own.first?.kind ?? 0
        meet(kind)
        let number = bundles.number(of: bundle.key, kind: kind, memberCount: own.count)
        let home = LedgerChange.Home(number: number, key: bundle.key, kind: kind, memberCount: own.count)
        var verdict = Verdict(home: home)
        verdict.wanted.reserveCapacity(own.count)
        for (index, known) in try ledger.members(own.map(\.id)).enumerated() {
            if twins.contains(index) {
                verdict.twinCount += 1
            } else {
                judge(own[index], known, &verdict)
            }
        }
        contents?[number] = BundleContent(own)
        bundles.unmark(number, .standing)
        bundles.mark(number, .seen)
        let carried = bundle.entries.filter { bundle.carries($0) }.compactMap(\.member?.id)
        let unknown = carried.filter { !acknowledgedDevices.contains($0) }
        if !unknown.isEmpty { verdict.bringsDevices = try ledger.members(unknown).contains { $0?.state != .live } }
        return verdict
    }

    private mutating func judge(_ member: BundleMember, _ known: Ledger.Member?, _ verdict: inout Verdict) {
        if !doubtful.isEmpty, doubtful.contains(member.id) { return }
        guard let known else {
            verdict.wanted.append(member.id)
            guard member.type != .patient else { return }
            // Another machine may have brought it, from a later export.
            if isOutdated {
                verdict.absent.append(member)
            } else if expectsOthers {
                verdict.unknown.append(member)
            }
            return
        }
        if known.state == .live, let place = placeOfTwin(member, known, verdict.home) {
            // A twin stays with the Bundle in which it was met first, so that this one keeps standing.
            verdict.twinCount += 1
            if case .beaten(let digest) = place { verdict.aliases.append((member.id, digest)) }
            if known.isOther(than: member) { verdict.standing.insert(member.id) }
            return
        }
        // A member at home here has the digest that this key stands for, unless the file was edited. In files the later
        // line wins: where the run has met the member's home already, only the live version itself is the same, not one
        // that lost against it.
        let isAtHome = known.home == verdict.home.number
        let isSame =
            if isAtHome {
                !member.isOfBytes || !known.isOther(than: member)
            } else if member.isOfBytes && bundles.isSeen(known.home) {
                known.is(member)
            } else {
                known.holds(member)
            }
        judge(member, known, isSame: known.state == .live && isSame, isAtHome: isAtHome, &verdict)
    }

    private mutating func judge(
        _ member: BundleMember,
        _ known: Ledger.Member,
        isSame: Bool,
        isAtHome: Bool,
        _ verdict: inout Verdict
    ) {
        // Whatever the server may have comes from a later export, in which this version may have lost.
        let neverCame = known.state == .absent || known.isRefusedAlone
        if isOutdated, !neverCame, !isSame || known.isOther(than: member) {
            verdict.outdatedCount += 1
            verdict.standing.insert(member.id)
            return
        }
        if isPart, !isSame, known.isLaterVersion(than: member) {
            if known.state == .live {
                verdict.twinCount += 1
                verdict.standing.insert(member.id)
                return
            }
            // The server may have the later version, this one or none: what is there stays.
            verdict.wanted.append(member.id)
            verdict.absent.append(member)
            verdict.mayBeLater.insert(member.id)
            return
        }
        if known.home != verdict.home.number { bundles.unmark(known.home, .standing) }
        if member.kind != 0 { bundles.learn(member.kind, of: known.home) }
        if isSame {
            judgeSame(member, known, isAtHome: isAtHome, &verdict)
        } else {
            judgeChanged(member, known, isAtHome: isAtHome, &verdict)
        }
    }

    /// Judges a member that the server has in this version, or in one that has won against it.
    private mutating func judgeSame(
        _ member: BundleMember,
        _ known: Ledger.Member,
        isAtHome: Bool,
        _ verdict: inout Verdict
    ) {
        if !settled.isEmpty, settled.remove(member.id) != nil { verdict.settledCount += 1 }
        // It keeps the winner's home, as long as the winner is in the export.
        if known.isOther(than: member) {
            noteTwin(member)
            verdict.standing.insert(member.id)
            // In a file the losing line may come again after the winner.
            if member.isOfBytes { verdict.twinCount += 1 } else { verdict.presentCount += 1 }
            return
        }
        verdict.presentCount += 1
        // A file may hold the same version twice, with another version in between.
        if !isAtHome, member.isOfBytes, !known.aliases.isEmpty { return }
        let isKnown = (known.kind == member.kind || member.kind == 0) && (known.is(member) || member.isOfBytes)
        if !isAtHome || !isKnown { verdict.moved.append(member) }
    }

    /// Judges a member that the server does not have, or has in another version.
    private mutating func judgeChanged(
        _ member: BundleMember,
        _ known: Ledger.Member,
        isAtHome: Bool,
        _ verdict: inout Verdict
    ) {
        let met = metAsTwins[member.id]
        if known.state == .live, let met, !member.isOfBytes, met.wins(over: member) {
            // The version that won against both may be gone, and this one must not take its place.
            if let digest = member.digest { verdict.aliases.append((member.id, digest)) }
            verdict.twinCount += 1
            verdict.standing.insert(member.id)
            return
        }
        let hasTwin = met != nil || (bundles.isSeen(known.home) && !isAtHome)
        if known.state == .live, hasTwin, let digest = known.digest {
            verdict.aliases.append((member.id, digest))
        } else if !known.aliases.isEmpty {
            verdict.outlived.append(member.id)
        }
        verdict.wanted.append(member.id)
        if known.state == .unknown || known.state == .absent { verdict.wasForgotten = true }
        guard known.state != .absent else {
            verdict.absent.append(member)
            return
        }
        verdict.changed.insert(member.id)
        if known.state == .refused {
            refusedBefore.insert(member.id)
            verdict.wasRefused = true
        }
        if known.wasAcknowledged { verdict.replaced.insert(member.id) }
    }

    private mutating func noteTwin(_ member: BundleMember) {
        if let other = metAsTwins[member.id], other.wins(over: member) { return }
        metAsTwins[member.id] = member
    }

    private enum TwinPlace {
        case same
        case beaten(UInt64)
    }

    /// Whether this run has met the sample already, and the live version stays.
    ///
    /// The later version wins, then the greater digest, in whatever order they come. Of versions read from a file the
    /// last one wins; without digests, the first.
    private func placeOfTwin(
        _ member: BundleMember,
        _ known: Ledger.Member,
        _ home: LedgerChange.Home
    ) -> TwinPlace? {
        guard known.home != home.number, bundles.isSeen(known.home) else { return nil }
        guard let digest = member.digest else { return .same }
        if member.isOfBytes { return known.is(member) ? .same : nil }
        if known.holds(member) { return .same }
        guard let there = known.digest(comparableTo: member), (known.rank, there) > (member.rank, digest) else {
            return nil
        }
        return .beaten(digest)
    }
}
