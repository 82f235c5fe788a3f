internal import FHIRR4
internal import TransactionBundling

/// What the server said about the entries of a part, except those that are sent again.
///
/// 201, 200 and 304 are `live`; any other final answer is `refused`; what was taken with a link to a refused one is
/// `severed`.
struct EntryOutcomes {
    /// Members that the part is for and the server has.
    private(set) var live: [BundleMember] = []
    /// Observations that it did not have in another version, including those among `severed`.
    private(set) var created: [ResourceID] = []
    /// Members that the part is for and the server has with a link that leads nowhere: to be sent again with what they
    /// refer to.
    private(set) var severed: [BundleMember] = []
    /// How many entries only went along with others.
    private(set) var companionCount = 0
    /// Devices that the server has, from a Bundle that carries them for its other entries.
    private(set) var carried: [BundleMember] = []
    /// What the server did not take, for the quarantine.
    private(set) var refused: [Quarantine.Entry] = []
    /// Members of `refused` that the server does not have and no other Bundle will bring.
    private(set) var lost: [BundleMember] = []
    /// Members of `refused` that the server may have stored all the same: it gave no status, or failed.
    private(set) var unclear: Set<ResourceID> = []
    /// How many of `refused` only went along: the server keeps what it has of them.
    private(set) var refusedCompanionCount = 0

    /// Sorts the answers to `part`, except those in `open`, which are not final.
    init(_ part: Part, _ answers: [TransactionResponse.Entry], except open: Set<Int>) {
        let bundle = part.bundle
        live.reserveCapacity(answers.count)
        var refusedNumbers: Set<Int> = []
        let missing = bundle.missingDevices(answers, except: open)
        for (number, answer) in answers.enumerated() where !open.contains(number) {
            let entry = bundle.entries[number]
            // What refers to a refused Device counts as refused, so that it is sent again with it.
            let answer = missing[number].map { answers[$0] } ?? answer
            guard entry.isThere(answer) else {
                refused.append(Quarantine.Entry(member: entry.member, status: answer.status, issues: answer.issues))
                if answer.status == 0 || answer.status >= 500, let id = entry.member?.id { unclear.insert(id) }
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
        refusedCompanionCount = refusedNumbers.count { part.isCompanion($0) }
        lost = refused.compactMap(\.member).filter { member in
            !part.companions.contains(member.id) && (member.type != .device || bundle.holdsDevices)
        }
        let dangling = bundle.dangling(refusedNumbers)
        if !dangling.isEmpty {
            severed = live.filter { dangling.contains($0.id) }
            live.removeAll { dangling.contains($0.id) }
        }
        // Nearly always: this saves one list for each of the thousands that wait for the ledger.
        if live == part.submission.members { live = part.submission.members }
    }
}

extension TransactionBundle.Entry {
    /// Whether the server has this entry's resource: taken, unchanged, or a Patient that was there before.
    func isThere(_ answer: TransactionResponse.Entry) -> Bool {
        answer.isTaken || answer.status == 304 || (answer.status == 412 && member?.type == .patient)
    }
}

extension TransactionBundle {
    /// Which entries refer to a carried Device that was refused, and to which: at a server that runs no transactions.
    fileprivate func missingDevices(_ answers: [TransactionResponse.Entry], except open: Set<Int>) -> [Int: Int] {
        let refused = entries.indices.filter { number in
            carries(entries[number]) && !open.contains(number) && !entries[number].isThere(answers[number])
        }
        guard !refused.isEmpty else { return [:] }
        let links = BundleLinks(self)
        var missing: [Int: Int] = [:]
        for number in entries.indices where !carries(entries[number]) {
            missing[number] = refused.first { links.withDevices([number]).contains($0) }
        }
        return missing
    }

    /// Members that are stored with a link that leads nowhere, to be sent again with what they refer to: the server
    /// writes the links within a Bundle.
    fileprivate func dangling(_ refused: Set<Int>) -> Set<ResourceID> {
        guard isConditional, !refused.isEmpty else { return [] }
        return Set(BundleLinks(self).referring(to: refused).compactMap { entries[$0].member?.id })
    }
}
