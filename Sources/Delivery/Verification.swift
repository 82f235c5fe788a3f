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
/// For one run. Changes nothing on the server. One thread hands Bundles in, which blocks while 16 or 3 MB are looked at;
/// memory is those, and some 30 bytes for each resource of the export, to know twins and what the server has beside.
public final class Verification: Sendable {
    private static let maximumOutstandingCount = 16

    let options: DeliveryOptions
    let lookup: ResourceLookup
    let state: RunState
    let tally = Mutex(VerificationTally())
    let rebuild: LedgerRebuild?
    /// How many resources of ours the server has that an empty ledger is to be filled with; 0 for any other rebuild.
    private let ownCount: Int
    private let slots = Slots(maximumOutstandingCount)
    /// Where the server put Devices: link in a Bundle → names there.
    private let deviceNames = Mutex<[String: Set<String>]>([:])
    private let homes = Mutex(Homes())
    private let extras = Mutex(Extras())
    private let outcome = Mutex(LedgerRebuild.Outcome())

    /// The Bundles' numbers in a ledger that is rebuilt, and twins that lost.
    private struct Homes {
        var numbers: [String: Int64] = [:]
        var aliases: [(ResourceID, UInt64)] = []
    }

    /// Prepares the comparison.
    ///
    /// - Parameters:
    ///   - options: where the Bundles were sent, as the delivery was told.
    ///   - rebuilds: whether the ledger is made anew from what is found.
    ///   - ownCount: for an empty ledger, how many resources the server has that pghd made, as it says: if the
    ///     export holds none of them, the ledger stays empty; 0 for any other comparison.
    ///   - client: sends requests.
    ///   - authorizer: adds the token; `nil` for a server that wants none.
    /// - Throws: ``DeliveryError`` where the ledger can't be used.
    public init(
        _ options: DeliveryOptions,
        rebuilds: Bool = false,
        ownCount: Int = 0,
        client: HTTPClient,
        authorizer: (any RequestAuthorizer)? = nil
    ) throws(DeliveryError) {
        self.options = options
        self.ownCount = ownCount
        state = RunState(concurrency: options.concurrency, isCancelled: options.isCancelled)
        let poster = Poster(options: options, client: client, authorizer: authorizer, state: state)
        lookup = ResourceLookup(options: options, poster: poster)
        rebuild = rebuilds ? try LedgerRebuild(options) : nil
    }

    /// What was found so far; may be asked from any thread.
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
        report.withdrawn = UInt64(extras.withdrawn)
        report.requests = lookup.requestCount
        let outcome = outcome.withLock { $0 }
        report.leftLedger = outcome.leftLedger
        report.rebuilt = outcome.count.map { UInt64($0) }
        report.ledgerSetAside = outcome.setAside
        return report
    }

    /// Looks at a Bundle's resources; blocks while many are looked at.
    ///
    /// - Parameter bundle: one of the export.
    /// - Throws: what stops the run: ``DeliveryError``, or the authorizer's error.
    public func add(_ bundle: TransactionBundle) throws {
        try state.checkUnfinished()
        if let stop = state.stopReason { throw stop }
        try awaitIndex()
        var work = Work(bundle: bundle)
        tally.withLock { tally in
            for (number, entry) in bundle.entries.enumerated() {
                guard let member = entry.member else { continue }
                switch tally.admit(member) {
                case .wanted(let beaten):
                    work.wanted.append(number)
                    if let beaten { noteTwin(member.id, beaten) }
                case .repeated: break
                case .beaten: if let digest = member.digest { noteTwin(member.id, digest) }
                }
            }
        }
        work.home = rebuild == nil ? nil : home(of: bundle)
        guard !work.wanted.isEmpty || work.home != nil else { return }
        work.slotCount = slots.take(for: bundle)
        state.queue.open(Turn(number: 0))
        state.queue.enqueue(Turn(number: 0)) { [self, work] in
            defer { state.queue.close(Turn(number: 0)) }
            await look(work)
        }
        // What refers to a Device is compared by where the server has put it.
        if options.isConditional, work.wanted.contains(where: { bundle.entries[$0].member?.type == .device }) {
            slots.drain()
        }
    }

    /// Waits for all answers, looks for what the export does not hold, and puts the rebuilt ledger in its place.
    ///
    /// - Parameters:
    ///   - ending: what is known of an export that was handed in whole and unfiltered; `nil` for any other, of which
    ///     nobody can tell what the server has beside it.
    ///   - isComplete: whether the export was read to its end: else the ledger is left as it was, since what lies
    ///     behind would be forgotten.
    /// - Throws: what has stopped the run; ``DeliveryError/finished`` where it was finished before.
    public func finish(_ ending: ExportEnding? = nil, isComplete: Bool = true) throws {
        try state.finish()
        slots.drain()
        do {
            if let stop = state.stopReason { throw stop }
            try awaitIndex()
            if ownCount > 0, !options.confirmsPatient { try checkForOurs() }
            try findExtras(ending)
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

    /// Whoever has another key, another form or another patient than this export would be stored beside what is there.
    private func checkForOurs() throws {
        let (all, found) = tally.withLock { ($0.counts[.observation] ?? 0, $0.copyCount(.observation)) }
        guard all == 0 || found > 0 else {
            throw DeliveryError.strangers(server: options.server.description, count: ownCount)
        }
    }

    private func findExtras(_ ending: ExportEnding?) throws {
        let reason: VerificationReport.Unknown? = ending.map { $0.holdsAll ? nil : .partialInput } ?? .partialExport
        // A new ledger learns all that is there, whatever is to be said of it: else it would be stored a second time.
        guard reason == nil || isRebuilding else {
            extras.withLock { $0.unknown = reason }
            return
        }
        let found = try blocking { [self] in try await ExtraSearch(self, names: reason == nil).run() }
        extras.withLock { $0 = reason == nil ? found : Extras(unknown: reason, hasOurs: found.hasOurs) }
    }

    /// Whether a ledger is made anew.
    var isRebuilding: Bool { rebuild != nil }

    /// Whether it is made without one before that knows anything.
    var startsFromNothing: Bool { rebuild?.startsFromNothing ?? false }

    /// Lets the new ledger know of what the server has and the export does not hold.
    func adopt(_ copies: [ServerCopy], _ type: ResourceType) throws {
        guard let rebuild else { return }
        var members: [BundleMember] = []
        var burials: [LedgerChange] = []
        for copy in copies {
            guard let id = copy.ownID else { continue }
            let kind = copy.kind(dailySummaryProfile: options.dailySummaryProfile)
            members.append(BundleMember(id: id, digest: nil, type: type, kind: kind))
            if copy.isInError { burials.append(.bury(id)) } else if rebuild.isBlind { noteChange(copy.lastUpdated) }
        }
        rebuild.write([.forget(members)] + burials) { [state] fault in if let fault { state.stop(fault) } }
    }

    private func finish(_ rebuild: LedgerRebuild, _ ending: ExportEnding?) throws {
        let aliases = homes.withLock { $0.aliases }
        do {
            try rebuild.writeAndWait(aliases.map { .alias($0.0, digest: $0.1) })
            if let stop = state.stopReason { throw stop }
        } catch {
            rebuild.abandon()
            throw error
        }
        let isWhole = tally.withLock { $0.faults.values.allSatisfy { $0.kind == .rounded } }
        var path: String?
        let count = try rebuild.finish(
            isCompared: { id in tally.withLock { $0.contains(id) } },
            exportDate: isWhole ? ending?.exportDate : nil,
            lastChange: outcome.withLock(\.lastChange),
            hasOurs: ownCount > 0 || extras.withLock { $0.hasOurs },
            noteDamage: { path = $0 }
        )
        outcome.withLock { [path] outcome in
            outcome.count = count
            outcome.setAside = path
        }
    }

    /// Who does not tell when has changed it just now.
    private func noteChange(_ instant: Int64?) {
        let instant = instant ?? Int64(time(nil))
        outcome.withLock { $0.lastChange = max($0.lastChange ?? instant, instant) }
    }

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

// MARK: - One Bundle

extension Verification {
    /// A Bundle with what of it is to be looked at.
    private struct Work: Sendable {
        let bundle: TransactionBundle
        var wanted: [Int] = []
        /// Its place in the ledger that is rebuilt.
        var home: LedgerChange.Home?
        /// What it has taken of those that may be looked at at once.
        var slotCount = 0
    }

    /// What the server has of one resource.
    private enum Finding {
        case same(copyCount: Int)
        case missing
        case rounded([String])
        case different([String], changed: Int64?)
        case doubled([String], hasSame: Bool)
    }

    private func look(_ work: Work) async {
        do {
            guard state.stopReason == nil else { return slots.giveBack(work.slotCount) }
            settle(work, try await findings(work))
        } catch {
            state.stop(error)
            slots.giveBack(work.slotCount)
        }
    }

    /// Reads and compares, Devices first, since the others refer to them.
    private func findings(_ work: Work) async throws -> [(BundleMember, Finding)] {
        let bundle = work.bundle
        var results: [(BundleMember, Finding)] = []
        var comparison = ResourceComparison(base: options.server.text)
        let devices = work.wanted.filter { bundle.entries[$0].member?.type == .device }
        let others = work.wanted.filter { bundle.entries[$0].member?.type != .device }
        for numbers in [devices, others] where !numbers.isEmpty {
            let type = bundle.entries[numbers[0]].member?.type ?? .observation
            // A link may lead to one that was looked at as part of another Bundle.
            let needsAll = options.isConditional && type != .device
            let members = needsAll ? bundle.ownMembers : numbers.compactMap { bundle.entries[$0].member }
            let copies = try await copies(of: members, type)
            if options.isConditional { learnNames(copies, type, &comparison) }
            for number in numbers {
                guard let member = bundle.entries[number].member, let sent = bundle.resource(number) else { continue }
                comparison.allowsMore = type == .patient
                results.append((member, finding(member, sent, copies[member.id] ?? [], comparison)))
            }
        }
        return results
    }

    private func copies(of members: [BundleMember], _ type: ResourceType) async throws -> [ResourceID: [ServerCopy]] {
        guard type == .patient else { return try await lookup.find(members.map(\.id), type) }
        let copy = try await lookup.read("Patient/\(options.patientID)", .patient)
        return Dictionary(members.map { ($0.id, copy.map { [$0] } ?? []) }) { first, _ in first }
    }

    /// Devices are referred to by all that follows, others within their Bundle alone.
    private func learnNames(
        _ copies: [ResourceID: [ServerCopy]],
        _ type: ResourceType,
        _ comparison: inout ResourceComparison
    ) {
        let names = Dictionary(uniqueKeysWithValues: copies.map { ("urn:uuid:\($0.uuid)", Set($1.map(\.name))) })
        let devices = deviceNames.withLock { devices in
            if type == .device { devices.merge(names) { $0.union($1) } }
            return devices
        }
        comparison.names = devices.merging(names) { $0.union($1) }
    }

    private func finding(
        _ member: BundleMember,
        _ sent: JSONValue,
        _ copies: [ServerCopy],
        _ comparison: ResourceComparison
    ) -> Finding {
        guard let first = copies.first else { return .missing }
        let differences = comparison.differences(sent, first.content)
        guard copies.count > 1 else {
            if differences.isEmpty { return .same(copyCount: 1) }
            var rounding = comparison
            rounding.allowsRounding = true
            return rounding.differences(sent, first.content).isEmpty
                ? .rounded(differences) : .different(differences, changed: first.lastUpdated)
        }
        let sameCount = copies.count { comparison.differences(sent, $0.content).isEmpty }
        // A server that knows a Bundle by its key alone makes the Devices that each carries anew.
        if options.isKeyOnly, member.type == .device, sameCount == copies.count {
            return .same(copyCount: sameCount)
        }
        return .doubled(copies.map(\.name).sorted(), hasSame: sameCount > 0)
    }

    /// Keeps what was found of the versions that stand; the ledger learns it in the same order.
    private func settle(_ work: Work, _ findings: [(BundleMember, Finding)]) {
        // A server that knows Bundles by their keys may still know the key of the one that brought it.
        let delivered = options.isKeyOnly ? rebuild?.delivered(findings.map(\.0.id)) ?? [] : []
        tally.withLock { tally in
            var live: [BundleMember] = []
            var unknown: [BundleMember] = []
            var missing: [BundleMember] = []
            var other: [BundleMember] = []
            for (member, finding) in findings where tally.stands(member) {
                switch finding {
                case .same(let copyCount):
                    if copyCount > 1 { tally.noteFurtherCopies(member, copyCount - 1) }
                    live.append(member)
                case .rounded(let paths):
                    tally.note(.rounded, member, paths)
                    live.append(member)
                case .missing:
                    tally.note(.missing, member)
                    if delivered.contains(member.id) { missing.append(member) }
                case .different(let paths, let instant):
                    tally.note(.different, member, paths)
                    if rebuild?.isBlind ?? false {
                        other.append(member.withoutDigest)
                        noteChange(instant)
                    } else {
                        unknown.append(member)
                    }
                case .doubled(let names, let hasSame):
                    tally.note(.doubled, member, names, copyCount: names.count)
                    if hasSame { live.append(member) } else { unknown.append(member) }
                }
            }
            guard let rebuild, let home = work.home else { return slots.giveBack(work.slotCount) }
            let holdsDevices = work.bundle.holdsDevices
            let change = LedgerChange.settle(
                key: home.key,
                home: home,
                live: live.filter { holdsDevices || $0.type != .device },
                refused: [],
                carried: live.filter { !holdsDevices && $0.type == .device } + other
            )
            rebuild.write([change, .forget(unknown), .miss(missing)]) { [state, slots] fault in
                if let fault { state.stop(fault) }
                slots.giveBack(work.slotCount)
            }
        }
    }
}

extension BundleMember {
    /// The same, of which nobody knows the version.
    fileprivate var withoutDigest: BundleMember {
        BundleMember(id: id, digest: nil, rank: rank, type: type, kind: kind)
    }
}

extension TransactionBundle {
    /// The resource of an entry.
    fileprivate func resource(_ number: Int) -> JSONValue? {
        var resource: JSONValue?
        var scanner = JSONScanner(Array(body[entries[number].range]))
        try? scanner.readObject { (name, scanner) throws(JSONFault) in
            if name == "resource" { resource = try scanner.readValue() } else { try scanner.skipValue() }
        }
        return resource
    }
}
