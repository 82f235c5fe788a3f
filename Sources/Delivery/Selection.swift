internal import FHIRR4
internal import TransactionBundling

/// What of each Bundle the server does not have yet, as the ledger knows.
///
/// The thread that hands Bundles in asks it; what became of them is noted by others. A Bundle whose key stands is not looked into:
/// an unchanged export costs one look into a table in memory for each Bundle.
struct Selection {
    private let ledger: Ledger
    private(set) var bundles = KnownBundles()
    /// What stands of each Bundle, by its number, as files have it; read once one comes from a file.
    private var contents: [Int64: BundleContent]?
    /// Whether a later export was delivered before: then what differs is older, and stays where it is.
    var isOutdated = false
    /// Whether what the ledger does not know is looked for: another machine may have brought it.
    var expectsOthers = false
    /// Whether only a part of the export is handed in: a version that has won may be in the other.
    var isPart = false
    /// Members of Bundles whose outcome nobody can find out.
    var doubtful: Set<ResourceID> = []
    /// Members that were stored with a link that leads nowhere: the ledger forgets them, and the export holds them.
    var dangling: Set<ResourceID> = []
    /// Members that became live when this run settled what the last one left open, until the export's Bundle is met.
    var settled: Set<ResourceID> = []
    /// Members that were refused in an earlier run and are sent again.
    private(set) var refusedBefore: Set<ResourceID> = []
    /// Devices that the server has acknowledged in this run, of which the ledger may not know yet.
    private var acknowledgedDevices: Set<ResourceID> = []
    /// Members that this run has met in a version that once lost against the one that is live: the best of those.
    private(set) var metAsTwins: [ResourceID: BundleMember] = [:]

    /// Whether the export holds it, whatever the ledger says of its Bundle.
    func isInExport(_ id: ResourceID) -> Bool {
        doubtful.contains(id) || dangling.contains(id) || metAsTwins[id] != nil
    }

    /// The kinds that this run has met.
    private var kinds: Set<UInt64> = []

    /// Whether this run has met anything of its kind: else that was left out of the export, or of the run.
    func hasMetKind(of member: Ledger.Member) -> Bool { kinds.contains(kind(of: member)) }

    /// Its own kind, or that of the Bundle that brought it; 0 where nobody has told.
    func kind(of member: Ledger.Member) -> UInt64 { member.kind == 0 ? bundles.kind(of: member.home) : member.kind }

    /// Whether an export that was met whole has left it out, and not all of its kind.
    func holdsNoMore(_ member: Ledger.Member) -> Bool {
        !bundles.isSeen(member.home) && !isInExport(member.id) && hasMetKind(of: member)
    }

    init(_ ledger: Ledger) throws(DeliveryError) {
        self.ledger = ledger
        try ledger.readKeys { bundles.add($0) }
    }

    /// Meets a Bundle of which the server has all that its key stands for.
    ///
    /// - Parameters:
    ///   - key: the Bundle's.
    ///   - knowsKinds: whether the Bundle tells kinds: one that `send` has delivered is looked into once more for them.
    ///   - own: its members, where it is there already: whoever has edited one in a file, or taken it out, has left the
    ///     Bundle its key.
    /// - Returns: how many resources it is for, where nothing of it need be looked at.
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

    /// Whether a key stands for just these resources, in these versions where a file tells them.
    private mutating func isContent(_ own: [BundleMember], of key: String) throws(DeliveryError) -> Bool {
        guard own.contains(where: { $0.isOfBytes }) else { return own.count == bundles.memberCount(of: key) }
        guard let number = bundles.number(of: key) else { return false }
        if contents == nil { contents = try ledger.readContents() }
        return contents?[number] == BundleContent(own)
    }

    mutating func note(_ kinds: Set<UInt64>) { self.kinds.formUnion(kinds) }

    private mutating func meet(_ kind: UInt64) { if kind != 0 { kinds.insert(kind) } }

    /// From here on the server has all that this key stands for.
    mutating func noteStanding(_ home: LedgerChange.Home) { bundles.mark(home.number, .standing) }

    /// Members of the Bundles with these numbers are about to be changed: each is looked into once it is met.
    mutating func noteOpen(_ homes: [Int64]) { for home in homes { bundles.unmark(home, .standing) } }

    /// The server has these Devices, which Bundles carry along.
    mutating func noteAcknowledged(_ devices: [BundleMember]) { acknowledgedDevices.formUnion(devices.map(\.id)) }

    /// Looks each member up.
    ///
    /// - Parameters:
    ///   - bundle: what was handed in.
    ///   - own: its members.
    ///   - twins: which of them are on their way as parts of other Bundles; no other of them may be.
    /// - Returns: what of it is to be sent.
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
            // A twin stays with the Bundle that it was met in first, which then stands.
            verdict.twinCount += 1
            if case .beaten(let digest) = place { verdict.aliases.append((member.id, digest)) }
            if known.isOther(than: member) { verdict.standing.insert(member.id) }
            return
        }
        // Whoever is at home here is live with the digest that this key stands for, unless the file was edited. Of a version
        // in a file that the run has gone past already the later line knows nothing: it is another one.
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
        // Whatever the server may have is from a later export, a version that has lost there too.
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
            // The server may have the later one, this one or none: what is there stays.
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

    /// One that the server has in this version, or in one that has won against it.
    private mutating func judgeSame(
        _ member: BundleMember,
        _ known: Ledger.Member,
        isAtHome: Bool,
        _ verdict: inout Verdict
    ) {
        if !settled.isEmpty, settled.remove(member.id) != nil { verdict.settledCount += 1 }
        // It stays at home with the one that has won, as long as that one is in the export.
        if known.isOther(than: member) {
            noteTwin(member)
            verdict.standing.insert(member.id)
            // The same line may come again behind the one that has won.
            if member.isOfBytes { verdict.twinCount += 1 } else { verdict.presentCount += 1 }
            return
        }
        verdict.presentCount += 1
        // A file may hold the same version twice, with another one in between.
        if !isAtHome, member.isOfBytes, !known.aliases.isEmpty { return }
        let isKnown = (known.kind == member.kind || member.kind == 0) && (known.is(member) || member.isOfBytes)
        if !isAtHome || !isKnown { verdict.moved.append(member) }
    }

    /// One that the server does not have, or in another version.
    private mutating func judgeChanged(
        _ member: BundleMember,
        _ known: Ledger.Member,
        isAtHome: Bool,
        _ verdict: inout Verdict
    ) {
        let met = metAsTwins[member.id]
        if known.state == .live, let met, !member.isOfBytes, met.wins(over: member) {
            // The one that has won against both may be gone, and this one is not to take its place.
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
        if known.wasAcknowledged {
            verdict.replaces = true
            verdict.replaced.insert(member.id)
        }
    }

    private mutating func noteTwin(_ member: BundleMember) {
        if let other = metAsTwins[member.id], other.wins(over: member) { return }
        metAsTwins[member.id] = member
    }

    private enum TwinPlace {
        case same
        case beaten(UInt64)
    }

    /// Whether this very run has met the sample already, and the one that is live stays.
    ///
    /// The later version wins, then the greater digest, whichever comes first; of what was read from a file the one
    /// that comes later; where nobody knows digests, the first.
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
