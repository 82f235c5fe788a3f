internal import FHIRR4
internal import Glibc
public import HTTPTransport
internal import Synchronization
public import TransactionBundling

/// Proves that a server has every resource of an export once, with the same content, by reading it back.
///
///     let verification = try Verification(options, client: HTTPClient())
///     try verification.add(bundle)
///     try verification.finish()
///     print(verification.report.isClean)
///
/// It serves one run and changes nothing on the server. One thread hands in Bundles, and blocks while 16 Bundles or 3
/// MB are being looked at. Memory holds those, and some 30 bytes for each resource of the export, to recognise twins
/// and what else the server has.
public final class Verification: Sendable {
    private static let maximumOutstandingCount = 16

    let options: DeliveryOptions
    let lookup: ResourceLookup
    let state: RunState
    let tally: Mutex<VerificationTally>
    let rebuild: LedgerRebuild?
    /// How many of pghd's resources the server has, where an empty ledger is to be filled; 0 for any other comparison.
    private let ownCount: Int
    let slots = Slots(maximumOutstandingCount)
    /// The server's names for Devices: link in a Bundle → names on the server.
    let deviceNames = Mutex<[String: Set<String>]>([:])
    private let homes = Mutex(Homes())
    private let extras = Mutex(Extras())
    let isBaseChecked = Mutex(false)
    private let outcome = Mutex(LedgerRebuild.Outcome())

    /// The Bundles' numbers in a ledger that is being rebuilt, and twins that lost.
    private struct Homes {
        var numbers: [String: Int64] = [:]
        var aliases: [(ResourceID, UInt64)] = []
    }

    /// Prepares the comparison.
    ///
    /// - Parameters:
    ///   - options: those of the delivery: where the Bundles were sent.
    ///   - rebuilds: whether the ledger is rebuilt from what is found.
    ///   - ownCount: for an empty ledger, how many of pghd's resources the server says it has: if the export holds none
    ///     of them, the ledger stays empty; 0 for any other comparison.
    ///   - client: sends the requests.
    ///   - authorizer: adds the token; `nil` for a server that requires none.
    /// - Throws: ``DeliveryError`` where the ledger can't be used.
    public init(
        _ options: DeliveryOptions,
        rebuilds: Bool = false,
        ownCount: Int = 0,
        client: HTTPClient,
        authorizer: (any RequestAuthorizer)? = nil
    ) throws(DeliveryError) {
        guard LogicalID.isValid(options.patientID) else { throw .patientID }
        self.options = options
        self.ownCount = ownCount
        tally = Mutex(VerificationTally(dailySummaryKinds: options.dailySummaryKinds))
        state = RunState(
            concurrency: options.concurrency,
            serverTime: options.capabilities.serverTime,
            isCancelled: options.isCancelled
        )
        let poster = Poster(options: options, client: client, authorizer: authorizer, state: state)
        lookup = ResourceLookup(options: options, poster: poster)
        rebuild = rebuilds ? try LedgerRebuild(options) : nil
    }

    /// What was found so far; may be read from any thread.
    public var report: VerificationReport {
        var report = VerificationReport()
        tally.withLock { tally in
            report.checked = UInt64(tally.count)
            report.faults = tally.faults
            report.texts = tally.texts
        }
        for fault in report.faults.values { report.counts[fault.kind, default: 0] += 1 }
        let extras = extras.withLock { $0 }
        report.extraUnknown = extras.unknown
        report.counts[.extra] = UInt64(extras.count)
        report.extraNames = extras.names
        report.enteredInError = UInt64(extras.enteredInError)
        report.requests = lookup.requestCount
        let outcome = outcome.withLock { $0 }
        report.leftLedger = outcome.leftLedger
        report.rebuilt = outcome.count.map { UInt64($0) }
        report.ledgerSetAside = outcome.setAside
        return report
    }

    /// Looks at a Bundle's resources; blocks while many Bundles are being looked at.
    ///
    /// - Parameter bundle: a Bundle of the export.
    /// - Throws: the reason why the run stops: a ``DeliveryError``, or the authorizer's error.
    @available(*, noasync, message: "it blocks: call it in OwnThread.run")
    public func add(_ bundle: TransactionBundle) throws {
        try state.checkUnfinished()
        if let stop = state.stopReason { throw stop }
        try checkBaseOnce()
        try awaitIndex()
        var work = Work(bundle: bundle)
        tally.withLock { work.wanted = admit(bundle, to: &$0) }
        work.home = rebuild == nil ? nil : home(of: bundle)
        guard !work.wanted.isEmpty || work.home != nil else { return }
        if let rebuild {
            let known = rebuild.known(work.wanted.compactMap { bundle.entries[$0].member?.id })
            // A FHIR server never had what it refused, and the reason stays in quarantine.
            work.delivered = Set(known.filter { options.isKeyOnly || $0.value.state != .refused }.keys)
            work.gone = Set(known.filter { $0.value.state == .gone }.keys)
        }
        work.slotCount = slots.take(for: bundle)
        state.queue.open(Turn(number: 0))
        state.queue.enqueue(Turn(number: 0)) { [self, work] in
            defer { state.queue.close(Turn(number: 0)) }
            await look(work)
        }
        // To compare references to a Device, the server's name for it must be known.
        if options.isConditional, work.wanted.contains(where: { bundle.entries[$0].member?.type == .device }) {
            slots.drain()
        }
    }

    /// The numbers of the entries whose versions are to be looked at, ascending.
    private func admit(_ bundle: TransactionBundle, to tally: inout VerificationTally) -> [Int] {
        var wanted: [Int] = []
        var staying: [Int] = []
        let carried = bundle.entries.indices.filter { bundle.carries(bundle.entries[$0]) }
        for (number, entry) in bundle.entries.enumerated() where !bundle.carries(entry) {
            guard let member = entry.member else { continue }
            switch tally.admit(member) {
            case .wanted(let beaten):
                wanted.append(number)
                if let beaten { noteTwin(member.id, beaten) }
            case .repeated: break
            case .beaten:
                if let digest = member.digest { noteTwin(member.id, digest) }
                continue
            }
            staying.append(number)
        }
        // Where the server chooses ids, a Device is sent along with what refers to it, but not with twins that lost.
        let hasLost = staying.count + carried.count < bundle.entries.count
        let linked = options.isConditional && hasLost ? BundleLinks(bundle).withDevices(staying) : []
        for number in carried where !hasLost || !options.isConditional || linked.contains(number) {
            if let member = bundle.entries[number].member, case .wanted = tally.admit(member) { wanted.append(number) }
        }
        return wanted.sorted()
    }

    /// Waits for all answers, looks for resources that the export does not hold, and puts the rebuilt ledger in place.
    ///
    /// - Parameters:
    ///   - ending: what is known of an export that was handed in whole and unfiltered; `nil` for any other, since then
    ///     it can't be known what else the server has.
    ///   - isComplete: whether the export was read to its end: otherwise the ledger is left as it was, since the unread
    ///     rest would be missing from it.
    /// - Throws: what has stopped the run; ``DeliveryError/finished`` where it was finished before.
    @available(*, noasync, message: "it blocks: call it in OwnThread.run")
    public func finish(_ ending: ExportEnding? = nil, isComplete: Bool = true) throws {
        try state.finish()
        slots.drain()
        do {
            if let stop = state.stopReason { throw stop }
            try awaitIndex()
            try checkPerson(atLeast: ownCount)
            try findExtras(ending)
            if isRebuilding { try checkPerson(count: extras.withLock(\.ownCount)) }
        } catch {
            rebuild?.abandon()
            throw error
        }
        guard let rebuild else { return report.isClean ? () : options.noteOtherOptions() }
        guard isComplete else {
            rebuild.abandon()
            return outcome.withLock { $0.leftLedger = true }
        }
        try finish(rebuild, ending)
    }

    /// Throws where hardly any of the server's resources is in the export: with another identity key, another form of
    /// ids or another person's export, everything would be stored in addition to what is there.
    ///
    /// Of two exports of one person, nearly all of the smaller one is in the other, whichever is older.
    ///
    /// - Parameters:
    ///   - count: how many of pghd's resources the server has for this patient; 0 where that is not known.
    ///   - least: how many it has at least.
    /// - Throws: ``DeliveryError/strangers(server:count:found:)``.
    private func checkPerson(count: Int = 0, atLeast least: Int = 0) throws {
        let own = max(count, least)
        guard own > 0, !options.confirmsPatient else { return }
        let (samples, telling, found) = tally.withLock { ($0.sampleCount, $0.tellingCount, $0.found) }
        let hasAny = samples == 0 || found.telling + found.others > 0
        let hasTelling = telling < HeldBundles.wholeCount || found.telling > 0
        let hasMost = 4 * found.telling >= min(telling, count - found.others)
        guard hasAny, hasTelling, hasMost else {
            throw DeliveryError.strangers(
                server: options.server.description,
                count: own,
                found: found.telling + found.others
            )
        }
    }

    private func findExtras(_ ending: ExportEnding?) throws {
        let reason: VerificationReport.Unknown? = ending.map { $0.holdsAll ? nil : .partialInput } ?? .partialExport
        // A rebuilt ledger must learn all that is there, even where extra resources are not reported: otherwise it
        // would be stored a second time.
        guard reason == nil || isRebuilding else {
            extras.withLock { $0.unknown = reason }
            return
        }
        let found = try blocking { [self] in try await ExtraSearch(self, names: reason == nil).run() }
        extras.withLock { extras in
            extras = reason == nil ? found : Extras(unknown: reason, ownCount: found.ownCount, hasOurs: found.hasOurs)
        }
    }

    /// Whether a ledger is being rebuilt.
    var isRebuilding: Bool { rebuild != nil }

    /// Whether it is rebuilt without a former ledger that knows anything.
    var startsFromNothing: Bool { rebuild?.startsFromNothing ?? false }

    /// Tells the new ledger about resources that the server has and the export does not hold.
    func adopt(_ copies: [ServerCopy], _ type: ResourceType) throws {
        guard let rebuild else { return }
        var members: [BundleMember] = []
        var burials: [LedgerChange] = []
        let known = rebuild.known(copies.compactMap(\.ownID))
        for copy in copies {
            guard let id = copy.ownID else { continue }
            // What this machine's ledger does not know, another machine has brought, perhaps from a later export.
            let isOthers = rebuild.isBlind || known[id] == nil
            let kind = copy.kind(dailySummaryProfile: options.dailySummaryProfile)
            members.append(BundleMember(id: id, digest: nil, type: type, kind: kind))
            if copy.isInError { burials.append(.bury(id)) } else if isOthers { noteChange(copy.lastUpdated) }
        }
        rebuild.write([.forget(members)] + burials) { [state] fault in if let fault { state.stop(fault) } }
    }

    private func finish(_ rebuild: LedgerRebuild, _ ending: ExportEnding?) throws {
        let aliases = homes.withLock { $0.aliases }
        let isWhole = tally.withLock { $0.faults.values.allSatisfy { $0.kind == .rounded } }
        var path: String?
        let count: Int
        do {
            try rebuild.writeAndWait(aliases.map { .alias($0.0, digest: $0.1) })
            if let stop = state.stopReason { throw stop }
            count = try rebuild.finish(
                isCompared: { id in tally.withLock { $0.contains(id) } },
                exportDate: isWhole ? ending?.exportDate : nil,
                lastChange: outcome.withLock { outcome in
                    [outcome.lastChange, isWhole ? nil : outcome.lastStanding].compactMap(\.self).max()
                },
                now: state.now,
                hasOurs: ownCount > 0 || extras.withLock { $0.hasOurs },
                noteDamage: { path = $0 }
            )
        } catch {
            rebuild.abandon()
            outcome.withLock { [path] in $0.setAside = path }
            throw error
        }
        outcome.withLock { [path] outcome in
            outcome.count = count
            outcome.setAside = path
        }
    }

    /// Notes when the server last changed a resource; without a date, or with one such as the year 1 that stands for
    /// none, it counts as changed just now.
    func noteChange(_ instant: Int64?) {
        let instant = changeInstant(instant)
        outcome.withLock { $0.lastChange = max($0.lastChange ?? instant, instant) }
    }

    /// Notes when the server last changed a sample that is as the export has it.
    ///
    /// If the rest of the export is missing there, and no ledger says from which export that is, an export made before
    /// then must change nothing.
    func noteStanding(_ member: BundleMember, _ instant: Int64?) {
        guard let rebuild, rebuild.isBlind, member.type != .device, member.type != .patient else { return }
        let instant = changeInstant(instant)
        outcome.withLock { $0.lastStanding = max($0.lastStanding ?? instant, instant) }
    }

    private func changeInstant(_ instant: Int64?) -> Int64 {
        instant.flatMap { $0 < Self.firstInstant ? nil : $0 } ?? state.serverTime?.now ?? state.now
    }

    /// The start of 2020: no server had anything of pghd's before.
    private static let firstInstant: Int64 = 1_577_836_800

    private func noteTwin(_ id: ResourceID, _ digest: UInt64) {
        guard rebuild != nil else { return }
        homes.withLock { $0.aliases.append((id, digest)) }
    }

    private func home(of bundle: TransactionBundle) -> LedgerChange.Home {
        let own = bundle.ownMembers
        let number = homes.withLock { homes in
            let number = homes.numbers[bundle.key] ?? Int64(homes.numbers.count + 1)
            homes.numbers[bundle.key] = number
            return number
        }
        return LedgerChange.Home(number: number, key: bundle.key, kind: own.first?.kind ?? 0, memberCount: own.count)
    }
}
