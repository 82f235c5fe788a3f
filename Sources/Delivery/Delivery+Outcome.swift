internal import FHIRR4
internal import HTTPTransport
internal import OpenSSLCrypto
internal import Synchronization
internal import TransactionBundling

/// What becomes of a part once the server has answered.
extension Delivery {
    /// Keeps each entry's outcome; those that the server was too busy for go again, and those that it has in another
    /// version go again as updates.
    ///
    /// - Parameters:
    ///   - part: what was posted.
    ///   - answers: one for each entry.
    ///   - wasRepeated: whether an earlier try of ours may have stored all of it.
    func settle(_ part: Part, _ answers: [TransactionResponse.Entry], wasRepeated: Bool) {
        let bundle = part.bundle
        var outdated: Set<Int> = []
        if options.interface == .fhir, bundle.isConditional {
            outdated = Set(
                answers.indices.filter {
                    // Where it can't be said which one is to be changed, what is there counts as it is.
                    let isNamed = !options.updatesByID || answers[$0].usableID != nil
                    return answers[$0].status == 200 && isNamed && bundle.createsOwn($0) && !part.isCompanion($0)
                }
            )
        }
        var late: Set<Int> = []
        var again = postponed(in: part, answers, outdated)
        let isBusy = again != outdated
        let elapsed = ContinuousClock.now - part.began
        let budget = options.retryBudget
        let wait = options.retryPolicy.wait(before: part.generation + 1, asked: nil, elapsed: elapsed, budget: budget)
        if isBusy, wait == nil {
            late = again.filter { answers[$0].isThrottled }
            again.subtract(late)
        }
        // Those of them that are there and are linked to what is not: they go again as updates, which double nothing; and
        // where nobody looks before a resource is created, those that may be there.
        var stored: [ResourceID: TransactionResponse.Entry] = [:]
        for number in again where !part.isCompanion(number) {
            let (entry, answer) = (bundle.entries[number], answers[number])
            let mayBeThere = answer.mayBeStored && options.interface == .observations
            let isThere = (200..<300).contains(answer.status) || mayBeThere
            if isThere, !bundle.carries(entry), let id = entry.member?.id { stored[id] = answer }
        }
        var live: [BundleMember] = []
        live.reserveCapacity(answers.count)
        var created: [ResourceID] = []
        var companionCount = 0
        var carried: [BundleMember] = []
        var refused: [Quarantine.Entry] = []
        var refusedNumbers: Set<Int> = []
        let missing = bundle.missingDevices(answers, except: again.union(late))
        for (number, answer) in answers.enumerated() where !again.contains(number) && !late.contains(number) {
            let entry = bundle.entries[number]
            // Who refers to a Device that was refused goes again with it.
            let answer = missing[number].map { answers[$0] } ?? answer
            guard entry.isThere(answer.status) else {
                refused.append(Quarantine.Entry(member: entry.member, status: answer.status, issues: answer.issues))
                refusedNumbers.insert(number)
                continue
            }
            guard let member = entry.member else { continue }
            if bundle.carries(entry) {
                carried.append(member)
            } else if part.isCompanion(number) {
                companionCount += 1
            } else {
                live.append(member)
                let isNew = member.type == .observation && !part.submission.changed.contains(member.id)
                if isNew { created.append(member.id) }
            }
        }
        if !created.isEmpty { creations.withLock { $0.note(created) } }
        if !carried.isEmpty { selection.withLock { $0.noteAcknowledged(carried) } }
        let lost = refused.compactMap(\.member).filter { $0.type != .device || bundle.holdsDevices }
        let openCount = again.count + late.count
        state.count { report in
            report.delivered += UInt64(answers.count - openCount - refused.count - carried.count - companionCount)
            if openCount == 0 && refused.isEmpty { report.bundlesDelivered += 1 }
        }
        let dangling = bundle.dangling(refusedNumbers)
        let taken = live
        if !dangling.isEmpty { live.removeAll { dangling.contains($0.id) } }
        part.submission.addLive(live.count)
        // Nearly always: one list less of thousands that wait for the ledger.
        if live == part.submission.members { live = part.submission.members }
        var changes = [
            LedgerChange.settle(
                key: bundle.key,
                home: part.submission.home,
                live: live,
                refused: lost,
                carried: carried
            )
        ]
        if live.count < taken.count {
            changes.append(.forget(taken.filter { dangling.contains($0.id) }))
            selection.withLock { $0.dangling.formUnion(dangling) }
        }
        if !refused.isEmpty { quarantine(refused, part) }
        if let status = late.first.map({ answers[$0].status }) {
            changes.append(.forget(leave(late, of: part, status)))
        }
        guard !again.isEmpty else { return settle(part.submission, changes) }
        if let status = answers.first(where: \.isThrottled)?.status, let wait {
            state.slowDown(for: nil)
            let fault = DeliveryError.Fault.status(server: options.server.description, status)
            state.tellOfWaiting(for: fault, wait: elapsed + wait, options)
        }
        state.noteRetry()
        let links = BundleLinks(bundle)
        let numbers = bundle.isConditional ? links.withDevices(again.sorted()) : again.sorted()
        // A server that knows nothing but keys would say of the same entries what it has said before.
        let salt = options.interface == .observations ? try? SecureRandom.bytes(16) : nil
        var rest = Part(
            bundle.part(numbers, salt: salt) { entry, bytes in
                guard let member = entry.member, let answer = stored[member.id] else { return nil }
                if options.updatesByID, let id = answer.usableID {
                    return ConditionalRequest.update(bytes, member, id: id)
                }
                return ConditionalRequest.update(bytes, member)
            },
            part.submission,
            generation: part.generation + 1,
            delay: isBusy ? wait ?? .zero : .zero
        )
        rest.began = part.began
        rest.companions = part.companions
        // What is there already goes again with what it is linked to: it is known once that was answered.
        let isDoubtful = again.contains { answers[$0].mayBeStored || (200..<300).contains(answers[$0].status) }
        rest.isDoubtful = wasRepeated || part.isDoubtful || isDoubtful
        begin([rest], with: changes)
        close(part.submission)
        release(part.submission)
    }

    /// Gives up what the server has been too busy for as long as was to be waited; the next run sends it again.
    private func leave(_ numbers: Set<Int>, of part: Part, _ status: Int) -> [BundleMember] {
        let members = numbers.compactMap { part.bundle.entries[$0].member }
        selection.withLock { $0.doubtful.formUnion(members.map(\.id)) }
        state.count { $0.uncertain += UInt64(numbers.count) }
        let seconds = Int((ContinuousClock.now - part.began) / .seconds(1))
        let fault = DeliveryError.Fault.status(server: options.server.description, status)
        state.stop(DeliveryError.unreachable(fault: fault, seconds: seconds))
        return members
    }

    /// What a server can't be meant to do with a Bundle, and did; `nil` where its answer fits.
    func contradiction(_ bundle: TransactionBundle, _ response: TransactionResponse) -> DeliveryError? {
        guard options.interface == .fhir, !options.isDryRun else { return nil }
        guard !bundle.isConditional else {
            guard response.isBatch, BundleLinks(bundle).isLinked else { return nil }
            return .contrary(.batch, server: options.server.description)
        }
        let strays = zip(bundle.entries, response.entries).contains { entry, answer in
            guard let member = entry.member, member.type != .patient, (200..<300).contains(answer.status) else {
                return false
            }
            return answer.id.map { $0 != member.id.text } ?? false
        }
        return strays ? .contrary(.otherIDs, server: options.server.description) : nil
    }

    /// The entries that go again, and those they refer to by links that hold within a Bundle alone.
    ///
    /// A fault that stays is a refusal in the end; a server that is too busy is none, however long that takes.
    private func postponed(
        in part: Part,
        _ answers: [TransactionResponse.Entry],
        _ outdated: Set<Int>
    ) -> Set<Int> {
        let mayFail = part.generation < Self.mostGenerations
        let numbers = answers.indices.filter { number in
            answers[number].isThrottled || outdated.contains(number) || (mayFail && answers[number].mayPass)
        }
        guard !numbers.isEmpty, part.bundle.isConditional else { return Set(numbers) }
        return Set(BundleLinks(part.bundle).wholeUnits(Set(numbers)) + numbers)
    }

    /// Halves what the server refuses as a whole, down to what can't be separated.
    func divide(_ part: Part, _ refusal: Poster.Refusal, isTooLarge: Bool = false) {
        var part = part
        if refusal.mayBeThere { part.mayBeThere = true }
        let halves = isTooLarge || options.interface == .fhir ? part.halves() : nil
        let withdrawal = LedgerChange.withdraw(key: part.bundle.key)
        if let halves {
            // A stop refuses nobody: the next run goes on.
            guard state.stopReason == nil else {
                return part.isDoubtful || part.mayBeThere ? leave(part) : settle(part.submission, [withdrawal])
            }
            begin(halves.flatMap(cut), with: [withdrawal])
            close(part.submission)
            release(part.submission)
            return
        }
        let entries = part.bundle.entries.filter { !part.bundle.carries($0) }
        // The Patient that was to be created only where there is none.
        if entries.allSatisfy({ $0.isThere(refusal.status) }) {
            part.submission.addLive(part.bundle.ownMembers.count)
            state.count { $0.delivered += UInt64(entries.count) }
            let live = part.bundle.ownMembers
            let home = part.submission.home
            let change = LedgerChange.settle(key: part.bundle.key, home: home, live: live, refused: [], carried: [])
            return settle(part.submission, [change])
        }
        // Nobody has refused what is there and only went along.
        let refused = entries.filter { entry in entry.member.map { !part.companions.contains($0.id) } ?? true }
        quarantine(
            refused.map { Quarantine.Entry(member: $0.member, status: refusal.status, issues: refusal.issues) },
            part
        )
        let change = LedgerChange.settle(
            key: part.bundle.key,
            home: part.submission.home,
            live: [],
            refused: part.bundle.ownMembers.filter { !part.companions.contains($0.id) },
            carried: []
        )
        settle(part.submission, [change])
    }

    private func quarantine(_ entries: [Quarantine.Entry], _ part: Part) {
        do throws(DeliveryError) {
            try quarantine.write(entries, key: part.bundle.key)
        } catch {
            state.stop(error)
        }
        state.count { $0.refused += UInt64(entries.count) }
        // What was refused in an earlier run too must not keep the rest from being sent.
        let newCount = selection.withLock { selection in
            entries.count { entry in entry.member.map { !selection.refusedBefore.contains($0.id) } ?? true }
        }
        guard newCount > 0 else { return }
        let refused = newRefusals.withLock { refused in
            refused.entries += newCount
            // A server that refuses Bundles as a whole may mean one entry of each.
            refused.answers += options.interface == .observations ? 1 : newCount
            return refused
        }
        let report = state.report
        let taken = Int(report.delivered + report.alreadyThere)
        let takenAnswers = options.interface == .observations ? Int(report.bundlesDelivered) : taken
        let all = takenAnswers + refused.answers
        let isShare = refused.answers >= Self.fewestRefusals && refused.answers * Self.refusalShare > all
        if isShare || refused.answers >= Self.mostRefusals {
            state.stop(reason(refused: refused.entries, of: taken + refused.entries, entries))
        }
    }

    /// Why so much was refused, as far as it can be told: what a server takes nothing for is no matter of its entries.
    private func reason(refused: Int, of all: Int, _ entries: [Quarantine.Entry]) -> DeliveryError {
        let server = options.server.description
        if refused == all, !options.isConditional, entries.allSatisfy({ $0.status == 405 }) {
            return .idsRefused(server: server)
        }
        // An integration server may have nothing to be read from.
        let isTold = options.interface == .fhir && lacksPatient.withLock { $0 }
        if refused == all, isTold, entries.allSatisfy({ $0.status != 413 }) {
            return .patientMissing(server: server, patientID: options.patientID)
        }
        return .tooManyRefusals(refused: refused, of: all, quarantine: quarantine.folder)
    }

    private static let mostGenerations = 8

    /// New refusals that stop a run, and how many do if they are more than one in `refusalShare`.
    private static let mostRefusals = 100
    private static let fewestRefusals = 10
    private static let refusalShare = 20
}

extension TransactionResponse.Entry {
    /// Whether the server was too busy for this entry.
    fileprivate var isThrottled: Bool { status == 429 || status == 503 }

    /// Whether the entry may be stored, whatever the server tells of it.
    fileprivate var mayBeStored: Bool { mayPass && !isThrottled }

    /// The server's id, where it is one as FHIR allows it.
    fileprivate var usableID: String? {
        id.flatMap { id in
            let isID = id.utf8.allSatisfy { byte in
                byte &- 48 < 10 || (byte | 0x20) &- 97 < 26 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
            return isID && (1...64).contains(id.utf8.count) ? id : nil
        }
    }

    /// Whether the entry may be taken when it comes again.
    fileprivate var mayPass: Bool { [0, 408, 409].contains(status) || (500...599).contains(status) }
}

extension TransactionBundle.Entry {
    /// Whether the server has this entry's resource: taken, unchanged, or a Patient that was there before.
    fileprivate func isThere(_ status: Int) -> Bool {
        let isPatient = member?.type == .patient
        return (200..<300).contains(status) || status == 304 || (status == 412 && isPatient)
    }
}

extension TransactionBundle {
    /// Which entries refer to a carried Device that was refused, and to which: a server that runs no transactions.
    fileprivate func missingDevices(_ answers: [TransactionResponse.Entry], except open: Set<Int>) -> [Int: Int] {
        let refused = entries.indices.filter { number in
            carries(entries[number]) && !open.contains(number) && !entries[number].isThere(answers[number].status)
        }
        guard !refused.isEmpty else { return [:] }
        let links = BundleLinks(self)
        var missing: [Int: Int] = [:]
        for number in entries.indices where !carries(entries[number]) {
            missing[number] = refused.first { links.withDevices([number]).contains($0) }
        }
        return missing
    }

    /// Who is stored with a link that leads nowhere, and has to go again with what it refers to: links within a Bundle
    /// are the server's to write.
    fileprivate func dangling(_ refused: Set<Int>) -> Set<ResourceID> {
        guard isConditional, !refused.isEmpty else { return [] }
        return Set(BundleLinks(self).referring(to: refused).compactMap { entries[$0].member?.id })
    }

    /// Whether an entry creates a resource that this Bundle is for, unless its identifier is there already.
    fileprivate func createsOwn(_ number: Int) -> Bool {
        let entry = entries[number]
        return entry.member != nil && !carries(entry) && ConditionalRequest.isCreation(body[entry.range])
    }
}
