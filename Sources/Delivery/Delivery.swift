internal import FHIRR4
internal import Glibc
public import HTTPTransport
internal import OpenSSLCrypto
internal import Synchronization
public import TransactionBundling

/// Puts Bundles on a server, each once: whatever the network, the server or a crash does.
///
///     let delivery = try Delivery(DeliveryOptions(server: base, patientID: "p1", ledgerFolder: folder), client: HTTPClient())
///     try delivery.add(bundle)
///     try delivery.finish()
///     print(delivery.report.delivered)
///
/// One thread hands Bundles in, which blocks while 48 or 9 MB have no known outcome; posts run on the client's
/// thread, the ledger on one of its own. What is posted has been committed to the ledger as intended,
/// what was acknowledged is committed as live soon after, both for many Bundles at once.
public final class Delivery: Sendable {
    /// Bundles without a known outcome, waiting ones too.
    private static let mostOutstanding = 48

    let options: DeliveryOptions
    let ledger: Ledger
    private let file: LedgerFile
    let writer: LedgerWriter
    let state: RunState
    let poster: Poster
    let quarantine: Quarantine
    let cipher: BodyCipher?
    let slots = Slots(mostOutstanding)
    let selection: Mutex<Selection>
    let inFlight = Mutex(InFlight())
    /// Entries that were refused and had not been in the run before, and in how many answers.
    let newRefusals = Mutex((entries: 0, answers: 0))
    /// Whether the server was asked for its Patient and has none.
    let lacksPatient = Mutex(false)
    /// The date of an export that is later than any before, until something of it is sent.
    let begunDate = Mutex<Int64?>(nil)
    /// What that date was before, as long as nothing of the export may have come there.
    let formerDate = Mutex<[String: String?]>([:])
    /// Whether an index that lags was waited for.
    let wasIndexAwaited = Mutex(false)
    /// What the server has made anew, the last of it.
    let creations = Mutex(RecentCreations())
    let start = ContinuousClock.now
    /// Whether the server has been asked for what it should have.
    let isProbed = Mutex(false)
    /// What the last run left open, until it is settled.
    private let openIntents: Mutex<[LedgerChange.Intent]>
    /// What is larger is cut before it is sent.
    private let largest: Mutex<LargestBundle>
    /// How many Bundles were handed in that the server may not have.
    private let turns = Mutex(0)

    /// Opens the ledger; what the last run left open is settled before the first Bundle.
    ///
    /// - Parameters:
    ///   - options: where Bundles go.
    ///   - client: sends them.
    ///   - authorizer: adds the token; `nil` for a server that wants none.
    /// - Throws: ``DeliveryError``.
    public init(
        _ options: DeliveryOptions,
        client: HTTPClient,
        authorizer: (any RequestAuthorizer)? = nil
    ) throws(DeliveryError) {
        var file = LedgerFile(
            folder: options.ledgerFolder,
            server: options.server.text,
            patientID: options.patientID
        )
        file.isCopy = options.isDryRun
        let state = RunState(concurrency: options.concurrency, isCancelled: options.isCancelled)
        self.options = options
        self.state = state
        largest = Mutex(LargestBundle(entryCount: options.mostEntries ?? .max))
        quarantine = Quarantine(folder: file.quarantinePath)
        // A server that knows Bundles by their keys forgets the keys after a while.
        ledger = try Ledger(file, setsAside: options.interface == .fhir) { path in
            state.count { $0.ledgerSetAside = path }
        }
        let intents: [LedgerChange.Intent]
        do throws(DeliveryError) {
            intents = try ledger.prepare(for: options)
            selection = Mutex(try Selection(ledger))
        } catch {
            ledger.close()
            throw Self.ended(error, file, options)
        }
        do { cipher = try options.bodyKey.map { try BodyCipher(key: $0) } } catch {
            throw .ledgerUnwritable(path: file.path, reason: "no key for bodies")
        }
        self.file = file
        writer = LedgerWriter(ledger, holdsBodies: options.bodyKey != nil)
        poster = Poster(options: options, client: client, authorizer: authorizer, state: state)
        openIntents = Mutex(intents)
    }

    /// The numbers so far; may be asked from any thread.
    public var report: DeliveryReport {
        var report = state.report
        report.isDryRun = options.isDryRun
        if report.refused > 0 { report.quarantine = quarantine.folder }
        return report
    }

    /// Whether the run has ended before its input has.
    var isStopped: Bool { state.stopReason != nil }

    /// Hands a Bundle in; blocks while many are on their way.
    ///
    /// - Parameter bundle: one of `pghd convert`.
    /// - Throws: what stops the run: ``DeliveryError``, or the authorizer's error.
    public func add(_ bundle: TransactionBundle) throws {
        try add(key: bundle.key, count: bundle.entries.count, knowsKinds: bundle.entries.contains { $0.hasKind }) {
            bundle
        }
    }

    /// Hands a Bundle in that is made only where the server does not have it.
    ///
    /// - Parameters:
    ///   - key: its idempotency key.
    ///   - count: how many entries it has.
    ///   - make: the Bundle; called before this call returns, or never. What it throws is thrown, and nothing is sent.
    /// - Throws: what stops the run.
    public func add(key: String, count: Int, _ make: () throws -> TransactionBundle) throws {
        try add(key: key, count: count, knowsKinds: true, make)
    }

    private func add(key: String, count: Int, knowsKinds: Bool, _ make: () throws -> TransactionBundle) throws {
        let intents = openIntents.withLock { intents in
            defer { intents = [] }
            return intents
        }
        do { if !intents.isEmpty { try resume(intents) } } catch {
            state.stop(error)
            throw error
        }
        try probeOnce()
        if let stop = state.stopReason { throw stop }
        state.count { $0.bundles += 1 }
        if let ownCount = selection.withLock({ $0.countStanding(key, knowsKinds: knowsKinds) }) {
            // Where ids are the server's each Bundle carries its Devices, which are counted nowhere.
            state.count { $0.alreadyThere += UInt64(options.isConditional ? ownCount : count) }
            return
        }
        writer.waitForRoom()
        let bundle = try make()
        let own = bundle.ownMembers
        let twins = waitForOthers(bundle, own)
        let verdict: Selection.Verdict
        do throws(DeliveryError) {
            verdict = try selection.withLock { (selection) throws(DeliveryError) in
                try selection.judge(bundle, own, twins: twins)
            }
        } catch {
            state.stop(error)
            throw error
        }
        let number = turns.withLock { turns in
            turns += 1
            return turns
        }
        let turn = Turn(
            number: number,
            waitsForAll: bundle.refersToOthers,
            isAwaited: bundle.holdsDevices || verdict.bringsDevices
        )
        try submit(bundle, own, verdict, turn)
    }

    /// Waits for all answers and closes the ledger.
    ///
    /// - Parameters:
    ///   - ending: what the export that was handed in tells of all that it no longer holds; `nil`
    ///   where it can't be told.
    ///   - isComplete: whether the input was read to its end, so that what was not met is not in it.
    /// - Throws: what has stopped the run.
    public func finish(_ ending: ExportEnding? = nil, isComplete: Bool = true) throws {
        drain()
        defer { ledger.unlock() }
        if state.stopReason == nil {
            do {
                if isComplete { try forgetStaleTwins() }
                try notePace()
                if let ending { try end(ending) }
                if !options.isDryRun { try quarantine.tidy(areTaken: ledger.hasTaken) }
            } catch {
                state.stop(error)
            }
        }
        // For a run that was stopped too.
        do {
            try noteCreations()
            try forgetBegun()
        } catch {
            state.stop(error)
        }
        let stop = state.stopReason
        writer.close()
        ledger.close()
        if let stop = stop as? DeliveryError { throw Self.ended(stop, file, options) }
        if file.isCopy { file.removeCopy() }
        if let stop { throw stop }
    }

    /// What a run ends with: a damaged ledger is put aside, but for a server that would store everything a second time.
    private static func ended(_ error: DeliveryError, _ file: LedgerFile, _ options: DeliveryOptions) -> DeliveryError {
        defer { if file.isCopy { file.removeCopy() } }
        guard case .ledgerDamaged = error else { return error }
        let isAside = options.interface == .fhir && !file.isCopy && (try? file.setAside()) != nil
        return isAside ? error : .ledgerLost(path: file.original)
    }

    /// Waits until nothing is on its way and the ledger knows what became of it.
    func drain() {
        slots.drain()
        writer.flush()
    }
}

// MARK: - One Bundle's way

extension Delivery {
    /// Waits for the outcome of resources that are on their way in another version.
    ///
    /// - Returns: which of `own` are on their way as they are, as parts of other Bundles: they need not go again.
    private func waitForOthers(_ bundle: TransactionBundle, _ own: [BundleMember]) -> Set<Int> {
        let refused = selection.withLock { $0.refusedBefore }
        let (twins, mustWait) = inFlight.withLock { inFlight in
            var twins: Set<Int> = []
            for (index, member) in own.enumerated() {
                switch inFlight.meet(member) {
                // Here it may be taken, in other company.
                case .same where refused.contains(member.id): return (twins, true)
                case .same: twins.insert(index)
                case .another: return (twins, true)
                case nil: break
                }
            }
            // Whatever is linked with one goes along once more, and a server may not see that it is there already.
            return (twins, bundle.isConditional && !twins.isEmpty)
        }
        guard mustWait else { return twins }
        drain()
        return []
    }

    /// Cuts what is to be sent out of a Bundle and sends it on its way.
    private func submit(
        _ bundle: TransactionBundle,
        _ own: [BundleMember],
        _ verdict: Selection.Verdict,
        _ turn: Turn
    ) throws {
        var verdict = verdict
        var wanted: TransactionBundle?
        // Whatever fails here fails before anybody waits for the Bundle.
        if !verdict.wanted.isEmpty || own.isEmpty {
            do {
                try lookAgain(for: &verdict)
                try noteBegun()
                wanted = try wantedPart(of: bundle, own, verdict)
            } catch {
                state.stop(error)
                throw error
            }
        }
        var changes = verdict.aliases.map { LedgerChange.alias($0.0, digest: $0.1) }
        changes += verdict.outlived.map { .dropAliases($0) }
        if !verdict.moved.isEmpty { changes.append(.adopt(home: verdict.home, live: verdict.moved)) }
        state.count { report in
            report.alreadyThere += UInt64(verdict.presentCount + verdict.twinCount)
            report.outdated += UInt64(verdict.outdatedCount)
        }
        let submission = Submission(
            home: verdict.home,
            members: own,
            liveCount: verdict.presentCount,
            turn: turn,
            slotCount: slots.take(for: bundle),
            changed: verdict.changed
        )
        inFlight.withLock { $0.insert(submission) }
        guard let wanted else { return settle(submission, changes) }
        var part = Part(wanted, submission)
        if bundle.isConditional, verdict.wanted.count < own.count {
            part.companions = Set(part.bundle.ownMembers.map(\.id)).subtracting(verdict.wanted)
        }
        begin(cut(part), with: changes)
    }

    /// Commits the intents of parts, then posts them.
    func begin(_ parts: [Part], with changes: [LedgerChange]) {
        let now = Int64(time(nil))
        var intents: [LedgerChange] = []
        for part in parts {
            var intent = LedgerChange.Intent(
                key: part.bundle.key,
                home: part.submission.home,
                began: now,
                members: part.bundle.ownMembers
            )
            do { intent.body = try cipher?.seal(part.bundle.body, bundleKey: intent.key) } catch {
                state.stop(error)
            }
            intents.append(.intend(intent))
        }
        for part in parts {
            part.submission.open()
            state.open(part.submission.turn)
        }
        writer.write(changes + intents) { [self] fault in
            if let fault { state.stop(fault) }
            for part in parts {
                guard fault == nil else {
                    state.close(part.submission.turn)
                    close(part.submission)
                    release(part.submission)
                    continue
                }
                state.enqueue(part.submission.turn) { [self] in await post(part) }
            }
        }
    }

    func post(_ part: Part) async {
        // Whatever goes again has been opened by then.
        defer { state.close(part.submission.turn) }
        if part.delay > .zero { _ = await state.sleep(part.delay) }
        // The limit may have been learnt while this one waited.
        let smaller = part.mayBeThere ? [part] : cut(part)
        guard smaller.count == 1 || state.stopReason != nil else {
            begin(smaller, with: [.withdraw(key: part.bundle.key)])
            close(part.submission)
            release(part.submission)
            return
        }
        var part = part
        // What has waited for others has not waited for the server.
        if part.generation == 0 { part.began = .now }
        switch await poster.post(part.bundle, mayBeThere: part.mayBeThere) {
        case .answered(let response, let wasRepeated):
            if let fault = contradiction(part.bundle, response) {
                state.stop(fault)
                return leave(part)
            }
            largest.withLock { $0.noteTaken(part.bundle) }
            settle(part, response.entries, wasRepeated: wasRepeated || part.mayBeThere)
        case .tooLarge(let refusal, let mostEntries):
            let isAlone = part.halves() == nil
            largest.withLock { $0.noteTooLarge(part.bundle, mostEntries: mostEntries, isAlone: isAlone) }
            divide(part, refusal, isTooLarge: true)
        case .refused(let refusal): divide(part, refusal)
        case .unknown: leave(part)
        case .unsent where part.isDoubtful: leave(part)
        case .unsent: settle(part.submission, [.withdraw(key: part.bundle.key)])
        }
    }

    /// Nobody knows what became of a part; its intent stays, so that the next run settles it.
    func leave(_ part: Part) {
        selection.withLock { $0.doubtful.formUnion(part.submission.members.map(\.id)) }
        state.count { $0.uncertain += UInt64(part.bundle.ownMembers.count) }
        close(part.submission)
        release(part.submission)
    }

    /// The part, or its halves and theirs until each is as small as the server wants it.
    func cut(_ part: Part) -> [Part] {
        guard largest.withLock({ !$0.holds(part.bundle) }), let halves = part.halves() else { return [part] }
        return halves.flatMap(cut)
    }

    /// Keeps an outcome, with the next large commit: until then the ledger says what it says after a crash, and
    /// whoever has to know waits.
    func settle(_ submission: Submission, _ changes: [LedgerChange]) {
        if changes.isEmpty {
            close(submission)
        } else {
            writer.writeLater(changes) { [self] fault in
                if let fault { state.stop(fault) }
                close(submission)
            }
        }
        release(submission)
    }

    /// The outcome of one part more is known; with the last one the next Bundle may come.
    func release(_ submission: Submission) {
        if submission.release() { slots.giveBack(submission.slotCount) }
    }

    /// One part less; with the last one the ledger knows all of the Bundle.
    func close(_ submission: Submission) {
        guard submission.close() else { return }
        if submission.isWhole { selection.withLock { $0.noteStanding(submission.home) } }
        inFlight.withLock { $0.remove(submission) }
    }
}

extension TransactionBundle.Entry {
    /// Whether somebody has told of which of Apple's types it is.
    fileprivate var hasKind: Bool { member.map { $0.group != 0 } ?? false }
}
