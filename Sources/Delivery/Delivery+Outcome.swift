internal import FHIRR4
internal import TransactionBundling

/// What becomes of a part once the server has answered.
extension Delivery {
    /// Keeps each entry's outcome; those that the server was too busy for go again.
    func settle(_ part: Part, _ answers: [TransactionResponse.Entry]) {
        let bundle = part.bundle
        var live: [BundleMember] = []
        var carried: [BundleMember] = []
        var refused: [Quarantine.Entry] = []
        let again = postponed(in: part, answers)
        // Those of them that are there and are linked to what is not: they go again as updates, which double nothing.
        let stored = Set(
            again.compactMap { number in
                let entry = bundle.entries[number]
                let isThere = (200..<300).contains(answers[number].status) && !bundle.carries(entry)
                return isThere ? entry.member?.id : nil
            }
        )
        for (number, answer) in answers.enumerated() where !again.contains(number) {
            let entry = bundle.entries[number]
            switch answer.status {
            case 200..<300:
                guard let member = entry.member else { continue }
                if bundle.carries(entry) { carried.append(member) } else { live.append(member) }
            default:
                refused.append(Quarantine.Entry(member: entry.member, status: answer.status, issues: answer.issues))
            }
        }
        let lost = refused.compactMap(\.member).filter { $0.type != .device || bundle.holdsDevices }
        state.count { report in
            report.delivered += UInt64(answers.count - again.count - refused.count - carried.count)
            if again.isEmpty && refused.isEmpty { report.bundlesDelivered += 1 }
        }
        part.submission.addLive(live.count)
        let change = LedgerChange.settle(
            key: bundle.key,
            home: part.submission.home,
            live: live,
            refused: lost,
            carried: carried
        )
        if !refused.isEmpty { quarantine(refused, part) }
        guard !again.isEmpty else { return settle(part.submission, [change]) }
        state.noteRetry()
        let links = BundleLinks(bundle)
        let numbers = bundle.isConditional ? links.withDevices(again.sorted()) : again.sorted()
        let rest = Part(
            bundle.part(numbers) { entry, bytes in
                guard let member = entry.member, stored.contains(member.id) else { return nil }
                return ConditionalRequest.update(bytes, member)
            },
            part.submission,
            generation: part.generation + 1,
            delay: poster.retryPolicy.delay(before: part.generation + 1, asked: nil)
        )
        begin([rest], with: [change])
        close(part.submission)
        release(part.submission)
    }

    /// The entries that the server was too busy for, and those they refer to by links that hold within a Bundle alone.
    private func postponed(in part: Part, _ answers: [TransactionResponse.Entry]) -> Set<Int> {
        guard part.generation < Self.mostGenerations else { return [] }
        let numbers = answers.indices.filter { number in
            let status = answers[number].status
            return [0, 408, 409, 429].contains(status) || (500...599).contains(status)
        }
        guard !numbers.isEmpty, part.bundle.isConditional else { return Set(numbers) }
        return Set(BundleLinks(part.bundle).wholeUnits(Set(numbers)) + numbers)
    }

    /// Halves what the server refuses as a whole, down to what can't be separated.
    func divide(_ part: Part, status: Int, issues: [OutcomeIssue]) {
        let halves = status == 413 || options.interface == .fhir ? part.halves() : nil
        let withdrawal = LedgerChange.withdraw(key: part.bundle.key)
        if let halves, state.stopReason == nil {
            begin(halves.flatMap(cut), with: [withdrawal])
            close(part.submission)
            release(part.submission)
            return
        }
        let entries = part.bundle.entries.filter { !part.bundle.carries($0) }
        quarantine(entries.map { Quarantine.Entry(member: $0.member, status: status, issues: issues) }, part)
        let change = LedgerChange.settle(
            key: part.bundle.key,
            home: part.submission.home,
            live: [],
            refused: part.bundle.ownMembers,
            carried: []
        )
        settle(part.submission, [change])
    }

    private func quarantine(_ entries: [Quarantine.Entry], _ part: Part) {
        do throws(DeliveryError) {
            try quarantine.write(entries, key: part.bundle.key)
        } catch {
            state.stop(.delivery(error))
        }
        state.count { $0.refused += UInt64(entries.count) }
        let report = state.report
        let all = report.delivered + report.refused
        if report.refused >= 100 || (report.refused >= 10 && report.refused * 20 > all) {
            state.stop(.delivery(.tooManyRefusals(refused: Int(report.refused), of: Int(all))))
        }
    }

    private static let mostGenerations = 8
}
