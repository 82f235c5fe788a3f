internal import FHIRR4
internal import Foundation
internal import GRDB
internal import HTTPTransport
internal import Synchronization

extension Delivery {
    /// Looks for some delivered resources, chosen at random, before the run's first Bundle.
    ///
    /// A server that was set back to an older state, or emptied, is noticed; one that does not let itself
    /// be read is not asked. An empty ledger beside a server that has resources of ours is another machine's, or
    /// a lost one: it can't tell which version is the later, nor what a key-only server would double.
    ///
    /// - Throws: ``DeliveryError/lost(server:count:of:)``, ``DeliveryError/unknownResources(server:count:)``,
    ///   ``DeliveryError/unreachable(fault:seconds:)``, or the authorizer's error.
    func probeOnce() throws {
        let isDue = isProbed.withLock { isProbed in
            defer { isProbed = true }
            return !isProbed && options.probeCount > 0
        }
        guard isDue else { return }
        do { try probe() } catch {
            state.stop(error)
            throw error
        }
    }

    private func probe() throws {
        let members = try ledger.randomLiveMembers(options.probeCount)
        let lookup = ResourceLookup(options: options, poster: poster)
        if try members.isEmpty && ledger.isBlank() { return try lookForOurs(lookup) }
        var lost = members
        do {
            // A server's index may lag behind what it has stored.
            for number in 0...Self.mostWaits where !lost.isEmpty {
                let wait = number == 0 ? .zero : options.firstDelay * (1 << number)
                lost = try blocking { [lost] in
                    if wait > .zero, !(await self.state.sleep(wait)) { return [] }
                    return try await Self.lost(among: lost, lookup)
                }
            }
        } catch DeliveryError.unreadableServer, DeliveryError.unauthorized {
            return
        }
        if let stop = state.stopReason { throw stop }
        guard lost.isEmpty else {
            throw DeliveryError.lost(server: options.server.description, count: lost.count, of: members.count)
        }
    }

    /// How often what is lost is looked for once more.
    private static let mostWaits = 2

    /// What the server does not have; what somebody has deleted there is not lost.
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

    private func lookForOurs(_ lookup: ResourceLookup) throws {
        let isKeyOnly = options.interface == .observations
        // Where all would be stored a second time a server in trouble is waited for.
        let mostFailures = isKeyOnly ? .max : ResourceLookup.mostFailures
        let count = try blocking { try await lookup.countOurs(.observation, mostFailures: mostFailures)?.count }
        guard let count else {
            guard isKeyOnly else { return }
            return options.noteDoubt(
                "can't be searched, and the ledger knows nothing: what was delivered before, from another machine, to "
                    + "another address or with a ledger that is lost, is stored a second time"
            )
        }
        if count > 0, try blocking({ try await !lookup.bringsOthers(.observation) }) {
            throw DeliveryError.unknownResources(server: options.server.description, count: count)
        }
    }
}

extension Ledger {
    /// Whether it knows nothing, not even that the server was compared with an export.
    fileprivate func isBlank() throws(DeliveryError) -> Bool {
        guard try property(Self.rebuiltName) == nil else { return false }
        let sql = "SELECT NOT EXISTS (SELECT 1 FROM members) AND NOT EXISTS (SELECT 1 FROM intents)"
        return try placing(path) { try pool.read { try Bool.fetchOne($0, sql: sql) ?? true } }
    }

    /// Some live members, from a random place on: ids are hashes, so neighbours have nothing in common.
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
                            WHERE state = 1 AND type <> \(ResourceType.patient.rawValue) AND \(place)
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
