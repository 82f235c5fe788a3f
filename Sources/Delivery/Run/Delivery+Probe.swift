internal import FHIRR4
internal import Foundation
internal import GRDB
internal import Glibc
internal import HTTPTransport
internal import Synchronization

extension Delivery {
    /// Looks for the resources that were delivered last, and for some chosen at random, before the run's first Bundle.
    ///
    /// This notices a server that was set back to an older state, or emptied, and reports what somebody has deleted
    /// there. A server that lets nobody read is not asked, and one that wants a sign-in for reads gets nothing. If the
    /// ledger is empty and the server has resources of ours, the ledger is another machine's, or a lost one: it can't
    /// say which version is the later, nor what a key-only server would double.
    ///
    /// - Throws: ``DeliveryError/lost(server:count:of:)``, ``DeliveryError/unknownResources(server:count:)``,
    ///   ``DeliveryError/unauthorized(_:server:)``, ``DeliveryError/unreachable(fault:seconds:)``, or the
    ///   authorizer's error.
    func probeOnce() throws {
        guard notes.withLock({ $0.noteFirst(\.isProbed) }), options.probeCount > 0 else { return }
        try probe()
    }

    private func probe() throws {
        let recent = try RecentCreations(ledger)
        let newest = try ledger.members(recent.ids).compactMap(\.self).filter { $0.state == .live }
        let known = Set(newest.map(\.id))
        // A search may not yet find what this run has just settled, and in a dry run that is not there.
        let settled = selection.withLock(\.settled)
        let chance = try ledger.randomLiveMembers(options.probeCount).filter { !settled.contains($0.id) }
        let others = chance.filter { !known.contains($0.id) }
        let members = newest + others.prefix(max(options.probeCount - newest.count, 0))
        let lookup = ResourceLookup(options: options, poster: poster)
        if try members.isEmpty && ledger.isBlank() { return try lookForOurs(lookup) }
        // A server's index may lag behind what it has stored; a read by id needs no index.
        let elapsed = try elapsed(since: recent.noted).lowerBound
        let mayLag = options.isConditional && recent.mayLag(after: elapsed)
        let waitCount = mayLag ? Self.maximumLagWaitCount : Self.maximumWaitCount
        let found = try lookForLost(members, lookup, waitCount: waitCount) { lost in
            recent.tellsSetBack(lost: lost, of: members.count, live: newest.map(\.id), mayLag: mayLag)
        }
        guard let (missing, wasSetBack) = found else { return }
        var lost = missing
        // Until a search finds it, another version would be stored in addition to it.
        if mayLag, !options.isDryRun, !wasSetBack, lost.contains(where: { known.contains($0.id) }) {
            try awaitIndex(of: newest.map { ($0.id, $0.type) }, seconds: recent.lag(after: elapsed))
        }
        if let stop = state.stopReason { throw stop }
        guard !wasSetBack else {
            throw DeliveryError.lost(server: options.server.description, count: lost.count, of: members.count)
        }
        // What came last may be found later, and so may, by a search, what came in the same Bundle.
        if mayLag {
            let homes = Set(newest.map(\.home))
            lost.removeAll { known.contains($0.id) || homes.contains($0.home) }
        }
        guard lost.isEmpty else {
            // They are reported once; after that they show nothing more.
            if !options.isDryRun { try recent.drop(lost.map(\.id), in: ledger) }
            return options.noteDoubt(
                "no longer has \(lost.count) of \(members.count) resources that were looked for, as if somebody had deleted "
                    + "some there: 'pghd verify' lists what is missing; nothing is sent again"
            )
        }
    }

    /// Looks for members, and again after a while as long as it seems that the server was set back.
    ///
    /// - Parameters:
    ///   - members: what is looked for.
    ///   - lookup: how.
    ///   - waitCount: how often to look again.
    ///   - tellsSetBack: whether the loss of these shows that the server was set back to an older state.
    /// - Returns: those that it does not have, and whether it was set back; `nil` if it can't be read.
    /// - Throws: ``DeliveryError/unauthorized(_:server:)``, ``DeliveryError/unreachable(fault:seconds:)``, or the
    ///   authorizer's error.
    private func lookForLost(
        _ members: [Ledger.Member],
        _ lookup: ResourceLookup,
        waitCount: Int,
        tellsSetBack: ([ResourceID]) -> Bool
    ) throws -> (lost: [Ledger.Member], wasSetBack: Bool)? {
        var lost = members
        do {
            for number in 0...waitCount {
                let wait = number == 0 ? .zero : options.firstDelay * (1 << number)
                if number > Self.maximumWaitCount {
                    state.noteWaiting("does not find yet what was delivered last", wait, options)
                }
                lost = try blocking { [lost] in
                    if wait > .zero, !(await self.state.sleep(wait)) { return [] }
                    return try await Self.lost(among: lost, lookup)
                }
                if !tellsSetBack(lost.map(\.id)) { return (lost, false) }
            }
            return (lost, true)
        } catch DeliveryError.unreadableServer {
            return nil
        } catch DeliveryError.unauthorized where options.isKeyOnly {
            // It may want a sign-in for reads alone.
            options.noteDoubt(
                "lets nobody read without a sign-in (401): whether it still has what was delivered is not known"
            )
            return nil
        }
    }

    /// How often to look again for what is lost.
    static let maximumWaitCount = 2
    /// The same where a search may not find it yet: two minutes in total, as long as an index may lag.
    private static let maximumLagWaitCount = 5

    /// Members that the server does not have; what somebody has deleted there is not lost.
    private static func lost(among members: [Ledger.Member], _ lookup: ResourceLookup) async throws -> [Ledger.Member] {
        var lost: [Ledger.Member] = []
        for (type, members) in Dictionary(grouping: members, by: \.type) {
            let found = try await lookup.find(members.map(\.id), type)
            for member in members where found[member.id] == nil {
                if try await !lookup.wasDeleted(member.id, type) { lost.append(member) }
            }
        }
        return lost
    }

    /// Looks for Observations first, of which nearly every patient with resources of ours has some; then for the other
    /// types.
    private func lookForOurs(_ lookup: ResourceLookup) throws {
        // Where everything would be stored a second time, a server in trouble is waited for.
        let maximumFailureCount = options.isKeyOnly ? .max : ResourceLookup.maximumFailureCount
        guard let hasNone = try lookForOurs(.observation, lookup, maximumFailureCount) else {
            return options.noteDoubt(options.isKeyOnly ? Self.untold : Self.untoldVersions)
        }
        // A server that does not know a type has none of it.
        for type in ResourceType.ofSamples.dropFirst() {
            _ = try lookForOurs(type, lookup, ResourceLookup.maximumFailureCount)
        }
        if !hasNone, options.isKeyOnly { options.noteDoubt(Self.untold) }
    }

    /// - Returns: whether the server has nothing of the type; `false` if it only has others' resources, `nil` if it
    ///   can't be searched.
    /// - Throws: ``DeliveryError/unknownResources(server:count:)`` where it has something of ours.
    private func lookForOurs(
        _ type: ResourceType,
        _ lookup: ResourceLookup,
        _ maximumFailureCount: Int
    ) throws -> Bool? {
        // Of the other types nobody concludes anything.
        let isDecisive = options.isKeyOnly && !options.isDryRun && type == .observation
        let tryCount = isDecisive ? Self.maximumWaitCount + 1 : 1
        guard let count = try countOurs(type, lookup, maximumFailureCount, tryCount) else { return nil }
        // A server that ignores identifiers also counts others' resources; one that ignores their systems counts
        // nothing.
        let shown = try blocking { try await lookup.showsOurs(type, searchingOurs: count > 0) }
        if shown.ours > 0 || (count > 0 && shown.others == 0) {
            throw DeliveryError.unknownResources(server: options.server.description, count: max(count, shown.ours))
        }
        return count == 0
    }

    /// How many resources of ours a search counts; a server where everything would be stored a second time is asked
    /// again before it counts as one that can't be searched, since one answer may be a gateway's.
    private func countOurs(
        _ type: ResourceType,
        _ lookup: ResourceLookup,
        _ maximumFailureCount: Int,
        _ tryCount: Int
    ) throws -> Int? {
        try blocking { [state, options] in
            for number in 0..<tryCount {
                if number > 0, !(await state.sleep(options.firstDelay * (1 << number))) {
                    throw state.stopReason ?? DeliveryError.interrupted
                }
                let found = try await lookup.countOurs(type, maximumFailureCount: maximumFailureCount)
                if let found { return found.count }
            }
            return nil
        }
    }

    private static let untoldVersions =
        "can't be searched, and the ledger knows nothing: what was delivered before from a later export, from another "
        + "machine or with a ledger that is lost, may be replaced by an older version"
    private static let untold =
        "can't be searched, and the ledger knows nothing: what was delivered before, from another machine, to "
        + "another address or with a ledger that is lost, is stored a second time"
}

extension Delivery {
    /// Keeps in the ledger what was created last.
    func noteCreations() throws(DeliveryError) {
        guard !options.isDryRun else { return }
        try notes.withLock(\.creations).keep(in: ledger, now: Int64(time(nil)))
    }
}

extension Ledger {
    /// Some live members, starting at a random place: ids are hashes, so neighbours have nothing in common.
    fileprivate func randomLiveMembers(_ count: Int) throws(DeliveryError) -> [Member] {
        try placing(path) {
            try pool.read { database in
                let start = Int64.random(in: .min ... .max)
                var members: [Member] = []
                for place in ["high >= ?", "high < ?"] where members.count < count {
                    let rows = try Row.fetchAll(
                        database,
                        sql: """
                            SELECT \(Member.columns) FROM members
                            WHERE state = \(Member.State.live.rawValue) AND type <> \(ResourceType.patient.rawValue)
                                AND \(place)
                            ORDER BY high, low LIMIT ?
                            """,
                        arguments: [start, count - members.count]
                    )
                    members += try rows.map { try Member($0) }
                }
                return members
            }
        }
    }
}
