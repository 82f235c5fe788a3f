internal import FHIRR4
internal import Glibc
public import HTTPTransport
internal import OpenSSLCrypto
internal import Synchronization
public import TransactionBundling

/// Puts Bundles on a server, each exactly once, whatever the network, the server or a crash does.
///
///     let options = DeliveryOptions(server: base, patientID: "p1", ledgerFolder: folder)
///     let delivery = try Delivery(options, client: HTTPClient())
///     try delivery.add(bundle)
///     try delivery.finish()
///     print(delivery.report.delivered)
///
/// One object serves one run: once finished, it only gives its report. It holds the ledger's lock until it is finished
/// or dropped.
///
/// One thread hands Bundles in; it blocks while 48 Bundles or 9 MB have no known outcome. Posts run on the client's
/// thread, the ledger on a thread of its own. A Bundle is committed to the ledger as intended before it is posted, and
/// as live soon after it is acknowledged; one commit covers many Bundles.
public final class Delivery: Sendable {
    /// Most Bundles without a known outcome, including those that wait.
    private static let maximumOutstandingCount = 48

    let options: DeliveryOptions
    let ledger: Ledger
    private let file: LedgerFile
    let writer: LedgerWriter
    let state: RunState
    let poster: Poster
    /// Asks whether a search already finds what the server has stored.
    let indexLookup: ResourceLookup
    /// Looks for what another machine may have brought; after 16 answers that agree it believes the server's lists.
    let newsLookup: ResourceLookup
    let quarantine: Quarantine
    let cipher: BodyCipher?
    let slots: Slots
    let selection: Mutex<Selection>
    let inFlight = Mutex(InFlight())
    let notes = Mutex(RunNotes())
    let held = Mutex(HeldBundles())
    let start = ContinuousClock.now
    private let started = Int64(time(nil))
    /// What the last run left open, until it is settled.
    private let openBundles: Mutex<OpenBundles>
    /// The largest Bundle that the server takes: a larger one is cut before it is sent.
    let largest: Mutex<LargestBundle>

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
        guard LogicalID.isValid(options.patientID) else { throw .patientID }
        cipher = options.bodyKey.flatMap { BodyCipher(key: $0) }
        guard options.bodyKey == nil || cipher != nil else { throw .bodyKey }
        var file = LedgerFile(
            folder: options.ledgerFolder,
            server: options.server.text,
            patientID: options.patientID
        )
        file.isCopy = options.isDryRun
        let state = RunState(
            concurrency: options.concurrency,
            serverTime: options.capabilities.serverTime,
            isCancelled: options.isCancelled
        )
        self.options = options
        self.state = state
        slots = Slots(Self.maximumOutstandingCount) { state.noteSilence(options) }
        largest = Mutex(LargestBundle(entryCount: options.maximumEntryCount ?? .max))
        quarantine = Quarantine(folder: file.quarantinePath)
        // A key-only server forgets keys after a while: without the ledger it would store everything a second time.
        ledger = try Ledger(file, setsAside: !options.isKeyOnly) { path in
            state.count { $0.ledgerSetAside = path }
        }
        let open: OpenBundles
        do throws(DeliveryError) {
            open = try ledger.prepare(for: options)
            selection = Mutex(try Selection(ledger))
            state.noteHistory(hasTaken: try ledger.hasTaken(1))
        } catch {
            ledger.close()
            throw Self.ended(error, file, options)
        }
        self.file = file
        writer = LedgerWriter(ledger, holdsBodies: options.bodyKey != nil)
        poster = Poster(options: options, client: client, authorizer: authorizer, state: state)
        indexLookup = ResourceLookup(
            options: options,
            poster: poster,
            maximumSingleFailureCount: ResourceLookup.maximumFailureCount
        )
        newsLookup = ResourceLookup(options: options, poster: poster, enoughConfirmations: 16)
        openBundles = Mutex(open)
    }

    /// A delivery that is dropped before it is finished ends as if killed: the next run can begin, and settles it.
    deinit { if (try? state.finish()) != nil { writer.abandon() } }

    /// The numbers so far; any thread may ask.
    public var report: DeliveryReport {
        var report = state.report
        report.isDryRun = options.isDryRun
        report.started = started
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        if report.refused > 0 { report.quarantine = quarantine.folder }
        return report
    }

    /// Whether the run was stopped before its input ended.
    var isStopped: Bool { state.stopReason != nil }

    /// Hands a Bundle in; blocks while many are on their way.
    ///
    /// - Parameter bundle: as `pghd convert` makes it.
    /// - Throws: what stops the run: ``DeliveryError``, or the authorizer's error.
    @available(*, noasync, message: "it blocks: call it in OwnThread.run")
    public func add(_ bundle: TransactionBundle) throws {
        try begin()
        guard try stoppingOnError({ try !isHolding() || mayGo(bundle) }) else { return }
        try take(bundle)
    }

    /// Hands in a Bundle that is made only if the server does not have it.
    ///
    /// - Parameters:
    ///   - key: its idempotency key.
    ///   - count: how many entries it has.
    ///   - make: makes the Bundle; called before this call returns, or never. If it throws, so does this call, and
    ///     nothing is sent.
    /// - Throws: what stops the run.
    package func add(key: String, count: Int, _ make: () throws -> TransactionBundle) throws {
        try begin()
        if try stoppingOnError(isHolding) { return try add(make()) }
        try take(key: key, count: count, make)
    }

    /// Does what must come before the first Bundle; throws if the run was stopped in the meantime.
    private func begin() throws {
        try state.checkUnfinished()
        try stoppingOnError(checkBaseOnce)
        try stoppingOnError(settleOpenBundles)
        try stoppingOnError(probeOnce)
        try stoppingOnError(noteClocksOnce)
        try stoppingOnError(expectOthersOnce)
        if let stop = state.stopReason { throw stop }
    }

    /// Judges the export's date again, now that the server may have said what time it is, and notes by how much clocks
    /// differ.
    private func noteClocksOnce() throws {
        guard notes.withLock({ $0.noteFirst(\.areClocksNoted) }) else { return }
        try judgeExportDate()
        try noteServerOffset()
    }

    /// Sends a Bundle that is not held back.
    func take(_ bundle: TransactionBundle) throws {
        if let stop = state.stopReason { throw stop }
        let knowsKinds = bundle.entries.contains { $0.hasKind }
        let own = bundle.ownMembers
        try take(key: bundle.key, count: bundle.entries.count, own: own, knowsKinds: knowsKinds) { bundle }
    }

    /// Sends the part of a Bundle that the server does not have.
    private func take(
        key: String,
        count: Int,
        own: [BundleMember]? = nil,
        knowsKinds: Bool = true,
        _ make: () throws -> TransactionBundle
    ) throws {
        state.count { $0.bundles += 1 }
        let standing = try stoppingOnError {
            try selection.withLock { try $0.meetStanding(key, knowsKinds: knowsKinds, own: own) }
        }
        if let memberCount = standing {
            // Where the server chooses ids, each Bundle carries its Devices, which are not counted.
            state.count { $0.alreadyThere += UInt64(options.isConditional ? memberCount : count) }
            return
        }
        writer.waitForRoom()
        let bundle = try make()
        try stoppingOnError {
            guard !options.isKeyOnly || bundle.isConditional else { throw DeliveryError.givenIDs }
        }
        let own = bundle.ownMembers
        let twins = waitForOthers(bundle, own)
        let verdict = try stoppingOnError {
            try selection.withLock { try $0.judge(bundle, own, twins: twins) }
        }
        let number = notes.withLock { notes in
            notes.turnCount += 1
            return notes.turnCount
        }
        let turn = Turn(
            number: number,
            waitsForAll: bundle.refersToOthers,
            isAwaited: bundle.holdsDevices || bundle.holdsPatient || verdict.bringsDevices
        )
        try submit(bundle, own, verdict, turn)
    }

    /// Settles what the last run left open, before the first Bundle.
    private func settleOpenBundles() throws {
        let open = openBundles.withLock { open in
            defer { open = OpenBundles() }
            return open
        }
        if !open.kept.isEmpty { try resume(open.kept) }
        try awaitIndex(of: open.forgotten)
    }

    /// Runs a step on the thread that hands a Bundle in; an error it throws stops the run.
    func stoppingOnError<Value>(_ step: () throws -> Value) throws -> Value {
        do { return try step() } catch {
            state.stop(error)
            throw error
        }
    }

    /// Waits for all answers and closes the ledger.
    ///
    /// - Parameters:
    ///   - ending: what is known about everything that the export no longer holds; `nil` if that can't be known.
    ///   - isComplete: whether the input was read to its end, so that what was not met is not in it.
    ///   - losesElements: whether the input was cut or damaged: the little that was read is then not taken for a small
    ///     export.
    /// - Throws: what stopped the run; ``DeliveryError/finished`` if it was finished before.
    @available(*, noasync, message: "it blocks: call it in OwnThread.run")
    public func finish(_ ending: ExportEnding? = nil, isComplete: Bool = true, losesElements: Bool = false) throws {
        try state.checkUnfinished()
        if state.stopReason == nil { do { try settleHeld(isWhole: !losesElements) } catch { state.stop(error) } }
        try state.finish()
        drain()
        defer { ledger.unlock() }
        if state.stopReason == nil {
            do {
                if isComplete { try forgetStaleTwins() }
                try notePace()
                noteTakenInParts()
                try noteLeftFormer()
                if let ending { try conclude(ending) }
                if !options.isDryRun { try quarantine.tidy(areSettled: ledger.areSettled) }
            } catch {
                state.stop(error)
            }
        }
        // Also for a run that was stopped.
        do {
            try noteServerOffset()
            try noteCreations()
            try forgetBegun()
        } catch {
            state.stop(error)
        }
        let stop = explained(state.stopReason)
        writer.close()
        ledger.close()
        let isInPlace = ledger.isInPlace(file)
        if let stop = stop as? DeliveryError { throw Self.ended(stop, file, options) }
        if file.isCopy { file.removeCopy() }
        if let stop { throw stop }
        guard file.isCopy || isInPlace else { throw DeliveryError.ledgerMoved(path: file.original) }
    }

    /// The error a run ends with.
    ///
    /// A damaged ledger is put aside, unless the server would then store everything a second time.
    private static func ended(_ error: DeliveryError, _ file: LedgerFile, _ options: DeliveryOptions) -> DeliveryError {
        defer { if file.isCopy { file.removeCopy() } }
        guard case .ledgerDamaged = error else { return error }
        do { try file.checkReadable() } catch { return error }
        let isAside = !options.isKeyOnly && !file.isCopy && (try? file.setAside()) != nil
        return isAside ? error : .ledgerLost(path: file.original)
    }

    /// Waits until nothing is on its way and the ledger has every outcome.
    func drain() {
        slots.drain()
        writer.flush()
    }
}

extension TransactionBundle.Entry {
    /// Whether it is known which of Apple's types it is.
    fileprivate var hasKind: Bool { member.map { $0.kind != 0 } ?? false }
}
