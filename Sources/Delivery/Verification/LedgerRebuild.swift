internal import FHIRR4
internal import Foundation
internal import GRDB
internal import Glibc
internal import HTTPTransport
internal import Synchronization
internal import TransactionBundling

/// Makes a new ledger from what the server was proven to have.
///
/// It is built next to the ledger in use and takes its place once it is whole: a rebuild that is interrupted changes
/// nothing. From the former ledger it takes the salt, what that knows of the owner, of exports' dates, of the latest
/// creations and of the server's clock, members that are gone or absent, and intents with a body of which something was
/// not found. Its other members that the export does not hold, and what else the server has of ours, become unknown,
/// since nobody compared them.
final class LedgerRebuild: Sendable {
    /// The result of a rebuild.
    struct Outcome {
        /// How many resources the new ledger knows; `nil` until it has replaced the former one.
        var count: Int?
        /// Where the damaged former ledger was put.
        var setAside: String?
        /// Whether the ledger was left as it was.
        var leftLedger = false
        /// When the server last changed what is different there, or not in the export, and the ledger can't judge it.
        var lastChange: Int64?
        /// The same of what is there as the export has it.
        var lastStanding: Int64?
    }

    private let file: LedgerFile
    private let lock: LedgerLock
    /// `nil` if there is none, or it is damaged.
    private let former: Ledger?
    private let ledger: Ledger
    private let writer: LedgerWriter
    private let isFormerDamaged: Bool
    /// Whether nobody knows from which export the server has what is different there.
    let isBlind: Bool
    /// Whether no former ledger says what the server has in addition to the export.
    let startsFromNothing: Bool
    /// What was delivered last, and for how long a search may not find it yet; `nil` once somebody waits for it.
    private let recent: Mutex<(ids: [ResourceID], lag: Duration)?>

    /// A rebuild that is dropped leaves the ledger in use as it was, and its lock to others.
    deinit { writer.abandon() }

    /// Opens the former ledger, if there is one, and begins the new one.
    ///
    /// A damaged one stays in its place until the new one is whole: it keeps other runs away from a server that would
    /// store everything a second time.
    ///
    /// - Parameter options: whose ledger it is.
    /// - Throws: ``DeliveryError``; ``DeliveryError/otherMapping(found:expected:)`` if the ledger is about resources
    ///   with other bytes.
    init(_ options: DeliveryOptions) throws(DeliveryError) {
        file = LedgerFile(
            folder: options.ledgerFolder,
            server: options.server.text,
            patientID: options.patientID
        )
        try file.makeFolder()
        lock = try file.lock()
        var former: Ledger?
        var isDamaged = false
        var isUndated = true
        if file.isThere {
            do throws(DeliveryError) {
                let ledger = try Ledger(file, under: lock)
                former = ledger
                try ledger.checkPlace(options)
                try Self.check(ledger, options.fingerprint)
                isUndated = try ledger.latestExportDate() == nil
            } catch .ledgerDamaged {
                former?.close()
                former = nil
                try file.checkReadable()
                isDamaged = true
            }
        }
        self.former = former
        isFormerDamaged = isDamaged
        isBlind = isUndated
        startsFromNothing = try former?.isEmpty() ?? true
        // What can't be read says nothing.
        recent = Mutex(former.flatMap { try? Self.recent($0) })
        ledger = try Ledger(rebuilding: file, under: lock)
        _ = try ledger.prepare(for: options)
        writer = LedgerWriter(ledger)
    }

    /// What is to be waited for, and how long; `nil` the next time.
    func takeRecent() -> (ids: [ResourceID], lag: Duration)? {
        recent.withLock { recent in
            defer { recent = nil }
            return recent
        }
    }

    /// What the former ledger knew of these; what was never delivered can be sent under its Bundle's own key.
    func known(_ ids: [ResourceID]) -> [ResourceID: Ledger.Member] {
        guard let former, let known = try? former.members(ids) else { return [:] }
        return Dictionary(zip(ids, known).compactMap { id, known in known.map { (id, $0) } }) { first, _ in first }
    }

    /// Writes changes; `then` is called once they are on disk.
    func write(_ changes: [LedgerChange], then: @escaping @Sendable (DeliveryError?) -> Void) {
        writer.write(changes, then: then)
    }

    /// Writes changes, and waits until they are on disk.
    ///
    /// - Throws: why they are not.
    func writeAndWait(_ changes: [LedgerChange]) throws(DeliveryError) { try writer.writeAndWait(changes) }

    /// Puts the new ledger in the former one's place.
    ///
    /// - Parameters:
    ///   - isCompared: whether the export held a resource, so that the new ledger knows it.
    ///   - exportDate: the date of an export that the server has whole; `nil` for none.
    ///   - lastChange: when the server last changed what is different there, or not in the export, or anything if some
    ///     is missing, in seconds since 1970, for a blind rebuild; `nil` if all is as in the export.
    ///   - now: seconds since 1970.
    ///   - hasOurs: whether the server has anything of ours, or nobody knows: otherwise the ledger stays one that asks.
    ///   - noteDamage: called with where a damaged ledger was put.
    /// - Returns: how many resources are live.
    /// - Throws: ``DeliveryError``; what is left is then to be abandoned.
    func finish(
        isCompared: (ResourceID) -> Bool,
        exportDate: Int64?,
        lastChange: Int64?,
        now: Int64,
        hasOurs: Bool,
        noteDamage: (String) -> Void
    ) throws(DeliveryError) -> Int {
        writer.close()
        var isDamaged = isFormerDamaged
        do throws(DeliveryError) {
            if let former { try takeOver(former, isCompared) }
        } catch .ledgerDamaged(path: file.path) {
            isDamaged = true
        }
        if let exportDate {
            let last = try ledger.exportDate(.delivered, besides: exportDate, now: now)
            try ledger.noteExport(.delivered, at: max(exportDate, last ?? exportDate), now: now)
        }
        // An export made before that may be older than what the server has: it must change nothing there.
        if let lastChange {
            let last = try ledger.exportDate(.delivered, now: now) ?? lastChange
            try ledger.noteExport(.delivered, at: max(lastChange, last), now: now)
        }
        if hasOurs { try ledger.setProperties([.rebuilt: "1"]) }
        // Members that are unknown, or different on the server, belong to no Bundle that a run could meet.
        let unknownCount = try ledger.count(.unknown)
        if lastChange != nil || unknownCount > 0 { try ledger.setProperties([.loose: "1"]) }
        let count = try ledger.count(.live)
        try placing(ledger.path) { try ledger.pool.checkpoint() }
        ledger.close()
        former?.close()
        if isDamaged { noteDamage(try file.setAside()) }
        try file.replace()
        lock.release()
        return count
    }

    /// Leaves the former ledger as it was.
    func abandon() {
        writer.close()
        ledger.close()
        former?.close()
        file.removeRebuild()
        lock.release()
    }

    private static func recent(_ ledger: Ledger) throws(DeliveryError) -> (ids: [ResourceID], lag: Duration) {
        let recent = try RecentCreations(ledger)
        let members = try ledger.members(recent.ids).compactMap(\.self)
        let live = members.filter { $0.state == .live && $0.type == .observation }
        return (live.map(\.id), .seconds(recent.lag(after: Int64(time(nil)) - recent.noted)))
    }

    private static func check(_ ledger: Ledger, _ fingerprint: Fingerprint?) throws(DeliveryError) {
        guard let fingerprint else { return }
        let known = try ledger.fingerprint()
        guard let field = known.difference(from: fingerprint) else { return }
        let (found, expected) = (fingerprint[field], known[field] ?? "")
        throw field == .mapping
            ? .otherMapping(found: found, expected: expected)
            : .otherFingerprint(what: field, found: found, expected: expected)
    }

    /// Those that the new ledger has not found on the server.
    private func notFound(among members: [BundleMember]) throws(DeliveryError) -> [BundleMember] {
        zip(members, try ledger.members(members.map(\.id))).compactMap { member, known in
            known == nil || known?.state == .absent ? member : nil
        }
    }

    /// Those that it has not found marked as entered in error there.
    private func notGone(among members: [BundleMember]) throws(DeliveryError) -> [BundleMember] {
        zip(members, try ledger.members(members.map(\.id))).compactMap { $1?.state == .gone ? nil : $0 }
    }

    /// Copies what the server can't say.
    private func takeOver(_ former: Ledger, _ isCompared: (ResourceID) -> Bool) throws(DeliveryError) {
        let kept: [LedgerProperty] = [
            .salt, .ownerBirthDate, .ownerGender, .ownerUncompared, .owner, .recent, .serverOffset,
            .exportDate, .exportNoted, .exportBegun, .exportBegunNoted,
        ]
        var properties: [LedgerProperty: String?] = [:]
        for name in kept { properties[name] = .some(try former.property(name)) }
        try ledger.setProperties(properties)
        var gone: [BundleMember] = []
        var unknown: [BundleMember] = []
        var absent: [BundleMember] = []
        var intents: [LedgerChange.Intent] = []
        try placing(former.path) {
            try former.pool.read { database in
                let rows = try Row.fetchCursor(database, sql: "SELECT \(Ledger.Member.columns) FROM members")
                while let row = try rows.next() {
                    let known = try Ledger.Member(row)
                    guard !isCompared(known.id) else { continue }
                    let member = known.asMember.withoutDigest
                    switch known.state {
                    case .gone: gone.append(member)
                    case .absent: absent.append(member)
                    case .live, .refused, .unknown: unknown.append(member)
                    }
                }
                intents = try LedgerChange.Intent.all(database)
                for intent in intents { unknown += intent.members.filter { !isCompared($0.id) } }
            }
        }
        // What the server was just found to have is there, whatever was known of it before.
        gone = try notFound(among: gone)
        absent = try notFound(among: absent)
        unknown = try notGone(among: unknown)
        // A server that has none of a Bundle may still be storing it, or find it late: the next run asks by its key.
        var open: [LedgerChange.Intent] = []
        for intent in intents where intent.body != nil {
            if try !notFound(among: intent.members).isEmpty { open.append(intent) }
        }
        try placing(ledger.path) {
            try ledger.pool.write { database in
                for intent in open { try LedgerChange.intend(intent).apply(to: database) }
                try LedgerChange.forget(unknown, database)
                try LedgerChange.miss(absent).apply(to: database)
                try LedgerChange.forget(gone, database)
                for member in gone { try LedgerChange.bury(member.id).apply(to: database) }
            }
        }
        try keepDigests(of: former)
    }

    /// Keeps for unknown members that the server has taken them once: what is different there was delivered, too.
    private func keepDigests(of former: Ledger) throws(DeliveryError) {
        // They may be millions, so some are read at a time. As signed numbers, the least id comes first.
        var last = ResourceID(high: 1 << 63, low: 0)
        while true {
            let ids = try ledger.bareUnknown(after: last, count: 10_000)
            guard let end = ids.last else { return }
            last = end
            let taken = try former.members(ids).compactMap { known in known?.digest == nil ? nil : known }
            try placing(ledger.path) {
                try ledger.pool.write { database in
                    let update = try database.cachedStatement(
                        sql: "UPDATE members SET digest = ?, rank = ? WHERE high = ? AND low = ?"
                    )
                    for known in taken {
                        let digest = known.digest.map { Int64(bitPattern: $0) }
                        try update.execute(arguments: [digest, Int64(bitPattern: known.rank)] + known.id.arguments)
                    }
                }
            }
        }
    }
}

extension Ledger {
    /// Unknown members that nothing shows the server to have taken, in the order of the table, after `last`.
    fileprivate func bareUnknown(after last: ResourceID, count: Int) throws(DeliveryError) -> [ResourceID] {
        let sql = """
            SELECT high, low FROM members
            WHERE state = \(Member.State.unknown.rawValue) AND digest IS NULL AND (high, low) > (?, ?)
            ORDER BY high, low LIMIT ?
            """
        return try placing(path) {
            try pool.read { database in
                try Row.fetchAll(database, sql: sql, arguments: last.arguments + [count]).map { row in
                    let (high, low): (Int64, Int64) = (try row.value(0), try row.value(1))
                    return ResourceID(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
                }
            }
        }
    }
}
